//! Deciding temporal formulas.
//!
//! In: formulas, the run's options. Out: what came of each ([`Decided`]). Formulas that name the same elements are about one graph, in which these are not permuted: that
//! of the states that are checked, if nothing else is permuted there (`beside`), or one that is explored for them afterwards. A formula
//! that binds names in front is decided once for each kind of value that they can have: one value stands for all that
//! permutations take to it.

use super::args::{CheckArgs, EvaluatorArg, HashArg};
use super::beside::Shared;
use super::formulas::{Wanted, arguments};
use super::run::mode;
use super::setup::{Extra, Setup, property_time};
use super::trail;
use super::values::Values;
use crate::compile::fitted;
use crate::diagnostic::{Code, Diagnostic};
use crate::explore::limits::Watch;
use crate::ir::{Expr, Machine, Watched};
use crate::model::card::Asked;
use crate::model::constants::Mode;
use crate::model::{MachineSystem, System};
use crate::ops::TimeBudget;
use crate::report::formulas::{Decided, FormulaLine, Outcome};
use crate::report::{Location, Violation};
use crate::resolve::Flat;
use crate::source::Sources;
use crate::symmetry::{self, Guarantee, MarkerHash};
use crate::syntax::ast::{Entity, Node, NodeKind};
use crate::syntax::walk;
use crate::temporal::ast::Form;
use crate::temporal::atoms::{Atoms, StateAtom};
use crate::temporal::look::Subject;
use crate::temporal::lower::{Lower, Offered, Question};
use crate::temporal::quantified::{Bound, Candidates, Place};
use crate::temporal::record::{Limits, Recorded, Reducers, record};
use crate::temporal::text::Text;
use crate::temporal::unwind::unwind;
use crate::temporal::variants::{self, Origin};
use crate::temporal::{Answer, Automaton, Path, Problem, ctl, find};
use crate::ty::SetId;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// What may be found out about formulas before any state is explored, which must not wait for it.
const AHEAD: Duration = Duration::from_secs(1);

/// What formulas are decided with.
pub(super) struct Decider<'a> {
    /// Options.
    pub args: &'a CheckArgs,
    /// Sizes.
    pub asked: &'a Asked,
    /// The machine before it was typed.
    pub flat: &'a Flat,
    /// The operations that are offered.
    pub operations: &'a [Offered],
    /// Texts.
    pub sources: &'a Sources,
    /// Limits.
    pub watch: &'a Watch,
    /// The formulas.
    pub wanted: &'a [Wanted],
    /// Expressions that traces show.
    pub watched: &'a [Watched],
}

/// Elements that formulas name.
pub(super) type Named = BTreeSet<(SetId, u32)>;

/// A formula with one choice of values for the names it binds in front.
#[derive(Clone)]
pub(super) struct Instance {
    pub formula: usize,
    bound: Vec<Bound>,
}

/// What is known of formulas before any state is.
pub(super) struct Begun {
    /// By formula, what came of it already.
    results: Vec<Vec<Result1>>,
    /// By the elements that they name.
    pub groups: BTreeMap<Named, Vec<Instance>>,
}

/// Instances that are about one graph, with all that is evaluated for them.
pub(super) struct Group {
    pub instances: Vec<Instance>,
    questions: Vec<Question>,
    pub atoms: Atoms,
    pub expressions: Vec<(Expr, u32)>,
    /// Where its operations are split: how, and as it was before it was typed.
    pub split: Option<(Flat, Vec<Origin>)>,
}

impl Group {
    pub(super) fn origins(&self) -> Option<&[Origin]> {
        self.split.as_ref().map(|(_, origins)| origins.as_slice())
    }
}

/// What came of an instance.
pub(super) struct Result1 {
    outcome: Outcome,
    reason: Option<String>,
    violation: Option<Violation>,
    states: u64,
    product: u64,
    seconds: f64,
}

impl Result1 {
    fn unknown(reason: impl Into<String>) -> Self {
        Self {
            outcome: Outcome::Undecided,
            reason: Some(reason.into()),
            violation: None,
            states: 0,
            product: 0,
            seconds: 0.0,
        }
    }
}

/// Why a formula was not decided: the first message.
fn first(list: &[Diagnostic]) -> String {
    list.first().map_or_else(String::new, |d| d.message.clone())
}

impl Decider<'_> {
    /// What there is to be decided, unless it takes long to find that out.
    pub(super) fn ahead(&self) -> Option<Begun> {
        let budget = TimeBudget::of(AHEAD);
        let begun = self.begin();
        (!budget.is_spent()).then_some(begun)
    }

    /// What there is to be decided.
    pub(super) fn begin(&self) -> Begun {
        let mut results: Vec<Vec<Result1>> = self.wanted.iter().map(|_| Vec::new()).collect();
        let mut groups: BTreeMap<Named, Vec<Instance>> = BTreeMap::new();
        for (formula, of) in results.iter_mut().enumerate() {
            match self.instances(formula) {
                Ok(list) => list.into_iter().for_each(|(named, i)| {
                    // Where nothing is permuted names make no difference.
                    let named = if self.permutes() { named } else { Named::new() };
                    groups.entry(named).or_default().push(i);
                }),
                Err(why) => of.push(Result1::unknown(first(&why))),
            }
        }
        Begun { results, groups }
    }

    /// Decides the formulas after the search of the machine, which ended for such a reason and may have decided some.
    pub(super) fn after(
        &self,
        stopped_by: Option<&str>,
        begun: Option<Begun>,
        shared: Option<Shared>,
    ) -> Vec<Decided> {
        match stopped_by {
            Some(why @ ("time" | "memory" | "interrupted")) => self.none(why),
            _ => self.all(begun.unwrap_or_else(|| self.begin()), shared),
        }
    }

    /// Decides all formulas but for those that are decided.
    pub(super) fn all(&self, begun: Begun, shared: Option<Shared>) -> Vec<Decided> {
        let Begun { mut results, mut groups } = begun;
        let mut add = |formula: usize, r| {
            if let Some(of) = results.get_mut(formula) {
                of.push(r);
            }
        };
        if let Some(Shared { named, decided }) = shared {
            groups.retain(|n, _| !named.contains(n));
            decided.into_iter().for_each(|(formula, r)| add(formula, r));
        }
        for instances in merged(groups) {
            let unknown =
                |why: Vec<Diagnostic>| instances.iter().map(|_| Result1::unknown(first(&why))).collect();
            let decided = self
                .group(&instances)
                .and_then(|(group, m)| self.explored(&group, m))
                .unwrap_or_else(unknown);
            instances.iter().zip(decided).for_each(|(i, r)| add(i.formula, r));
        }
        self.wanted.iter().zip(results).map(|(w, r)| self.decided(w, r)).collect()
    }

    pub(super) fn permutes(&self) -> bool {
        self.args.symmetry != "off" || mode(self.args) == Mode::Orbits
    }

    /// Decides nothing: the states were not explored to the end.
    pub(super) fn none(&self, why: &str) -> Vec<Decided> {
        let unknown = || Result1::unknown(format!("the search stopped ({why})"));
        self.wanted.iter().map(|w| self.decided(w, vec![unknown()])).collect()
    }

    /// The instances of a formula, with the elements that each names and that could be permuted.
    fn instances(&self, formula: usize) -> std::result::Result<Vec<(Named, Instance)>, Vec<Diagnostic>> {
        let Wanted { text, form } = &self.wanted[formula];
        let mut values = Values::new(self.flat, self.sources, self.asked, self.watch.interrupt.clone());
        let mut atoms = Atoms::default();
        self.lower(text, &mut atoms, Vec::new(), None).question(form)?;
        atoms.nodes().for_each(|n| elements(n, &mut values.named));
        let mut find = |node: &Node, at| values.rows(node, at);
        let (rows, body) = match form {
            Form::Bound(true, _, body) => {
                let mut candidates = Candidates { find: &mut find };
                let mut atoms = Atoms::default();
                let mut lower = self.lower(text, &mut atoms, Vec::new(), Some(&mut candidates));
                (lower.rows(form, Place::Front)?, &**body)
            }
            form => (vec![Vec::new()], form),
        };
        let mut out = Vec::new();
        for bound in rows {
            let mut candidates = Candidates { find: &mut find };
            let mut atoms = Atoms::default();
            self.lower(text, &mut atoms, bound.clone(), Some(&mut candidates)).question(body)?;
            let mut named = Named::new();
            atoms.nodes().for_each(|n| elements(n, &mut named));
            out.push((named, Instance { formula, bound }));
        }
        Ok(out)
    }

    fn lower<'l>(
        &'l self,
        text: &'l Text,
        atoms: &'l mut Atoms,
        bound: Vec<Bound>,
        candidates: Option<&'l mut Candidates<'l>>,
    ) -> Lower<'l> {
        let plain = Lower::new(self.flat, self.operations, atoms, text);
        Lower { candidates, bound, ..plain }
    }

    /// What is evaluated for formulas that are about one graph, and the machine whose invariant that is.
    ///
    /// # Errors
    /// Mistakes in them.
    pub(super) fn group(
        &self,
        instances: &[Instance],
    ) -> std::result::Result<(Group, Machine), Vec<Diagnostic>> {
        let mut atoms = Atoms::default();
        let mut questions = Vec::new();
        let mut values = Values::new(self.flat, self.sources, self.asked, self.watch.interrupt.clone());
        let mut find = |node: &Node, at| values.rows(node, at);
        for i in instances {
            let Wanted { text, form } = &self.wanted[i.formula];
            let body = match form {
                Form::Bound(true, _, body) => body,
                form => form,
            };
            let mut candidates = Candidates { find: &mut find };
            let mut lower = self.lower(text, &mut atoms, i.bound.clone(), Some(&mut candidates));
            questions.push(lower.question(body)?);
        }
        let mut machine = atoms.machine(self.flat, self.sources)?;
        let strange = || vec![Diagnostic::without_place(Code::Unsupported, "its atoms were not understood")];
        let expressions = atoms.evaluated(&machine);
        arguments(&machine, &atoms, &expressions)?;
        let expressions: Vec<(Expr, u32)> =
            expressions.into_iter().collect::<Option<_>>().ok_or_else(strange)?;
        let split = variants::split(self.flat, &atoms);
        if let Some((flat, _)) = &split {
            machine = atoms.machine(flat, self.sources)?;
        }
        machine.watched = self.watched.to_vec();
        let instances = instances.to_vec();
        Ok((Group { instances, questions, atoms, expressions, split }, machine))
    }

    /// Decides formulas on a graph that is explored for them.
    fn explored(
        &self,
        group: &Group,
        machine: Machine,
    ) -> std::result::Result<Vec<Result1>, Vec<Diagnostic>> {
        let extra = Extra {
            naive: self.args.evaluator == EvaluatorArg::Naive,
            time: property_time(self.args.property_timeout, self.args.timeout),
            formula: None,
            permute: self.args.permute.as_deref(),
        };
        let interrupt = self.watch.interrupt.clone();
        let setup =
            Setup::with(machine, self.asked, mode(self.args), interrupt, &extra).map_err(|e| vec![e])?;
        let work = |system: &dyn System, plain: &MachineSystem| {
            let Group { atoms, expressions, .. } = group;
            let subject = Subject { system, plain, atoms, expressions, origins: group.origins() };
            self.on_graph(&setup, &subject, group)
        };
        match self.args.evaluator {
            EvaluatorArg::Compiled => {
                let native = !self.args.no_jit;
                fitted(&setup.evaluator, &setup.table, (native, None), &mut |s| work(s, s.plain())).0
            }
            EvaluatorArg::Plain | EvaluatorArg::Naive => {
                let plain = setup.plain();
                work(&plain, &plain)
            }
        }
    }

    /// Explores the graph of a subject and decides formulas on it.
    fn on_graph(
        &self,
        setup: &Setup,
        subject: &Subject<'_>,
        group: &Group,
    ) -> std::result::Result<Vec<Result1>, Vec<Diagnostic>> {
        let hash = match self.args.marker_hash {
            HashArg::Sums => MarkerHash::Sums,
            HashArg::Blake3 => MarkerHash::Blake3,
        };
        let context = setup.context(subject.plain, hash);
        let reducer = symmetry::build(&self.args.symmetry, &context).map_err(|e| vec![e])?;
        if reducer.guarantee() != Guarantee::Fingerprint {
            let text = format!("`--symmetry {}` may take different states for the same", self.args.symmetry);
            return Ok(group.instances.iter().map(|_| Result1::unknown(text.clone())).collect());
        }
        let orbits = mode(self.args) == Mode::Orbits && self.args.symmetry == "off";
        let of_valuations = orbits.then(|| symmetry::build(symmetry::DEFAULT, &context));
        let of_valuations = of_valuations.transpose().map_err(|e| vec![e])?;
        let reducers =
            Reducers { states: &*reducer, valuations: of_valuations.as_deref().unwrap_or(&*reducer) };
        let limits = Limits {
            states: self.args.max_states,
            depth: self.args.max_depth,
            valuations: self.args.max_valuations,
            interrupt: self.watch.interrupt.clone(),
            threads: self.args.threads,
        };
        let mut recorded = record(subject, reducers, &limits);
        let bounded = !setup.evaluator.world.cuts.is_empty();
        Ok(self.on_recorded(subject, &*reducer, &mut recorded, bounded, group))
    }

    /// Decides formulas on a graph; `bounded` if there may be steps that are not known.
    pub(super) fn on_recorded(
        &self,
        subject: &Subject<'_>,
        reducer: &dyn symmetry::Reducer,
        recorded: &mut Recorded,
        bounded: bool,
        Group { instances, questions, .. }: &Group,
    ) -> Vec<Result1> {
        let out = questions.iter().zip(instances).map(|(q, i)| {
            let begin = Instant::now();
            let mut result = self.one(subject, reducer, recorded, q, bounded, i);
            let first = instances.iter().find(|j| j.formula == i.formula).is_some_and(|j| std::ptr::eq(i, j));
            result.states = if first { recorded.graph.len() as u64 } else { 0 };
            result.seconds = begin.elapsed().as_secs_f64();
            result
        });
        out.collect()
    }

    fn one(
        &self,
        subject: &Subject<'_>,
        reducer: &dyn symmetry::Reducer,
        recorded: &mut Recorded,
        question: &Question,
        bounded: bool,
        instance: &Instance,
    ) -> Result1 {
        let text = &self.wanted[instance.formula].text;
        if let Some((unknown, state)) =
            recorded.unknown.iter().find(|(u, _)| question.uses(u.about_steps, u.atom))
        {
            let Some(fault) = &unknown.fault else {
                return Result1::unknown("an atom was not decided in its time");
            };
            let (message, code, span) = (fault.0.message.clone(), fault.0.code, fault.0.span);
            if matches!(code, Code::Interrupted | Code::Undecided) {
                return Result1::unknown(message);
            }
            let path = recorded.way(*state);
            let trace = trail::to(subject.system, recorded, &path);
            let violation = Violation {
                kind: "error",
                code: Some(code.as_str()),
                message: format!("{message} (in the formula {})", text.name),
                conjunct: Some(text.folded()),
                location: span.and_then(|s| Location::of(s, self.sources)),
                count: 1,
                trace,
                ..Violation::default()
            };
            let reason = Some(violation.message.clone());
            return Result1 {
                outcome: Outcome::Error,
                reason,
                violation: Some(violation),
                ..Result1::unknown("")
            };
        }
        let interrupt = self.watch.interrupt.clone();
        let stop = move || interrupt.raised();
        let stopped = || self.watch.interrupt.raised().then(|| self.watch.reason().name());
        let missing = || recorded.missing.map(|m| stopped().unwrap_or(m.text()).to_owned());
        let (answer, effort) = match question {
            Question::Linear(wanted, weak, strong) => {
                let automaton = match Automaton::new(wanted) {
                    Ok(a) if a.sets as usize + weak.len() + strong.len() <= 60 => a,
                    Ok(_) => return Result1::unknown("fairness to too many operations"),
                    Err(large) => return Result1::unknown(large.0),
                };
                let graph = &recorded.graph;
                let problem = Problem { graph, automaton: &automaton, weak, strong, stop: &stop };
                let (answer, effort) = find(&problem);
                (answer, effort.nodes)
            }
            Question::Branching(f) => (ctl::refute(&recorded.graph, f, &stop), 0),
        };
        let result = match answer {
            Answer::Stopped => Result1::unknown(stopped().unwrap_or("it was stopped")),
            Answer::None => match missing() {
                Some(why) => {
                    Result1::unknown(format!("no violation was found, and not all states are known: {why}"))
                }
                None if bounded => Result1 {
                    outcome: Outcome::HeldWithinBounds,
                    ..Result1::unknown("no violation was found, and not all values were tried")
                },
                None => Result1 { outcome: Outcome::Held, reason: None, ..Result1::unknown("") },
            },
            Answer::Found(path) if bounded && rests_on_absence(question, subject.atoms, &path) => {
                Result1::unknown("it rests on steps that are not possible, and not all values were tried")
            }
            Answer::Found(path) => self.violated(subject, reducer, recorded, &path, instance),
        };
        Result1 { product: effort, ..result }
    }

    fn violated(
        &self,
        subject: &Subject<'_>,
        reducer: &dyn symmetry::Reducer,
        recorded: &mut Recorded,
        path: &Path,
        instance: &Instance,
    ) -> Result1 {
        let text = &self.wanted[instance.formula].text;
        let mut shown = || {
            let run = unwind(subject, reducer, recorded, path);
            let trace = trail::run(subject.system, &run);
            (run, trace)
        };
        let mut raised = self.watch.lower();
        let (mut run, mut trace) = shown();
        // A limit that was reached meanwhile has cut them short.
        if !raised && self.watch.lower() {
            raised = true;
            (run, trace) = shown();
        }
        if raised {
            self.watch.interrupt.raise();
        }
        let steps = if subject.system.has_setup() { 2 } else { 1 };
        let branch = if text.branching { " (one branch is shown)" } else { "" };
        let renamed = if run.up_to_renaming { "; its states come again with other names" } else { "" };
        let on = if path.prefix { ", however it goes on" } else { "" };
        let same = text.name == text.folded();
        let name = if same { String::new() } else { format!("{}: ", text.name) };
        let values: Vec<String> = instance.bound.iter().filter_map(Bound::shown).collect();
        let values = if values.is_empty() { String::new() } else { format!(" for {}", values.join(", ")) };
        let violation = Violation {
            kind: kind(text.branching),
            message: format!("the formula {name}`{}` is false{values}{branch}{renamed}{on}", text.folded()),
            conjunct: Some(text.folded()),
            location: Location::of(text.whole(), self.sources),
            count: 1,
            trace,
            back: run.back.map(|b| b + steps),
            prefix: path.prefix,
            ..Violation::default()
        };
        Result1 {
            outcome: Outcome::Violated,
            reason: None,
            violation: Some(violation),
            ..Result1::unknown("")
        }
    }

    /// What came of a formula, from what came of its instances.
    fn decided(&self, w: &Wanted, results: Vec<Result1>) -> Decided {
        let order =
            [Outcome::Violated, Outcome::Error, Outcome::Undecided, Outcome::HeldWithinBounds, Outcome::Held];
        let rank = |r: &Result1| order.iter().position(|o| *o == r.outcome);
        let line = FormulaLine {
            kind: kind(w.text.branching),
            name: w.text.name.clone(),
            text: w.text.folded(),
            location: Location::of(w.text.whole(), self.sources),
            outcome: Outcome::Held,
            reason: None,
            states: results.iter().map(|r| r.states).sum(),
            product: results.iter().map(|r| r.product).sum(),
            instances: results.len() as u64,
            // Not the sum of nothing, which is -0.
            seconds: results.iter().fold(0.0, |all, r| all + r.seconds),
        };
        let Some(worst) = results.into_iter().min_by_key(rank) else {
            return Decided { line, violation: None };
        };
        let line = FormulaLine { outcome: worst.outcome, reason: worst.reason, ..line };
        Decided { line, violation: worst.violation }
    }
}

/// Where elements are named, formulas that name some of them only can be decided as well: to explore another graph takes longer than to
/// look for a path in a larger one.
fn merged(groups: BTreeMap<Named, Vec<Instance>>) -> Vec<Vec<Instance>> {
    let mut largest: Vec<(Named, Vec<Instance>)> = groups.into_iter().collect();
    largest.sort_by_key(|(named, _)| Reverse(named.len()));
    let mut out: Vec<(Named, Vec<Instance>)> = Vec::new();
    for (named, instances) in largest {
        match out.iter_mut().find(|(larger, _)| named.is_subset(larger)) {
            Some((_, of)) => of.extend(instances),
            None => out.push((named, instances)),
        }
    }
    out.into_iter().map(|(_, instances)| instances).collect()
}

fn kind(branching: bool) -> &'static str {
    if branching { "ctl" } else { "ltl" }
}

/// Whether a violation would not be one if there were steps that are not known.
fn rests_on_absence(question: &Question, atoms: &Atoms, path: &Path) -> bool {
    let Question::Linear(_, weak, strong) = question else { return true };
    let ends = path.back.is_none() || !weak.is_empty() || !strong.is_empty();
    let numbers = (0u32..).zip(&atoms.states);
    let about_steps =
        |(n, a): (u32, &StateAtom)| !matches!(a, StateAtom::Holds(_)) && question.uses(false, n);
    (ends && !path.prefix) || numbers.into_iter().any(about_steps)
}

/// The elements that a formula names.
fn elements(node: &Node, out: &mut Named) {
    match &node.kind {
        NodeKind::Ref(Entity::Element(set, i)) => {
            out.insert((*set, *i));
        }
        NodeKind::Table(table) => out.extend(table.elements.iter().copied()),
        _ => {}
    }
    walk::children(node, &mut |n| elements(n, out));
}
