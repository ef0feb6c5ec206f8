//! From the outcome of a search to a report.
//!
//! In: outcome, parents, the system and the reducer (to replay traces), the machine, the sources, the settings of the run. Out:
//! a [`Report`].

use super::excused::Callers;
use super::goals::GoalLine;
use super::steps::Look;
use super::why::Witness;
use super::{
    Bound, Change, Limit, Location, Message, OUT_OF_TIME, OneOf, OperationLine, Property, Report, SetLine,
    SetSize, TraceStep, Undecided, Verdict, Violation, coverage, excused, unsolved, why,
};
use crate::explore::trace::{INITIALISATION, Parents, SETUP, StepKind, Trace};
use crate::explore::{Finding, Kind, Outcome, Place, Setup};
use crate::ir::{Formula, Machine};
use crate::model::card::Sizes;
use crate::model::conflict::Conflict;
use crate::model::coverage::Coverage;
use crate::model::{PropertyId, System};
use crate::source::{FileId, Sources, Span};
use crate::symmetry::{Basis, Guarantee, Reducer, explain};
use std::cell::RefCell;

/// What the report says about the run besides the outcome.
#[derive(Clone, Debug)]
pub struct Settings {
    /// File of the machine.
    pub file: String,
    /// Deferred sets.
    pub sets: Vec<SetSize>,
    /// MAXINT and MININT.
    pub integers: (i64, i64),
    /// Those of them that the machine speaks of.
    pub limits: Vec<Limit>,
    /// Strategy.
    pub symmetry: String,
    /// Which valuations.
    pub constants: &'static str,
    /// What the strategy promises.
    pub guarantee: Guarantee,
    /// Why the strategy may promise it.
    pub basis: Basis,
    /// Sizes of all sets, and the limits of integers.
    pub sizes: Sizes,
    /// What cannot hold together where there is nothing to begin with.
    pub conflicts: Vec<(Setup, Conflict)>,
    /// What is checked besides what the machine states.
    pub checks: Checks,
    /// All states in which the goal holds, if they are wanted.
    pub goals: Option<Vec<GoalLine>>,
    /// What guards and invariants came to in all states, if they were looked at.
    pub coverage: Option<Coverage>,
    /// Guards that had no value and counted as false, where nothing was chosen.
    pub void: Vec<Span>,
    /// Whether all conjuncts that decide nothing are told.
    pub all_idle: bool,
    /// Whether what is wrong may be the callers' doing.
    pub callers: Callers,
    /// What stopped the search, where the search itself cannot tell.
    pub stopped_by: Option<&'static str>,
    /// What was being done then.
    pub at_work: Option<String>,
    /// Seconds that a property has in one state.
    pub property_seconds: f64,
    /// What was tried in part only.
    pub bounds: Vec<Bound>,
    /// Constants of which one value stands for all.
    pub one_of: Vec<OneOf>,
    /// Warnings.
    pub warnings: Vec<Message>,
    /// Notes.
    pub notes: Vec<Message>,
    /// How text shows traces.
    pub look: Look,
    /// Whether JSON is written in full however large it is.
    pub full: bool,
    /// What is permuted, by given set.
    pub symmetry_sets: Vec<explain::Line>,
    /// For each set whose elements may be permuted, their names.
    pub elements: Vec<Vec<String>>,
    /// Statistics of the strategy.
    pub counters: Vec<(&'static str, u64)>,
    /// The refined machine, if this is a refinement check, and what steps are compared by.
    pub refines: Option<(String, &'static str)>,
    /// Seconds for loading and exploring.
    pub seconds: (f64, f64),
    /// Most memory in use.
    pub peak_bytes: u64,
}

/// Writes the report of a search.
#[must_use]
pub fn report(
    outcome: &Outcome,
    parents: &Parents,
    (system, reducer, witness): (&dyn System, &dyn Reducer, &Witness<'_>),
    machine: &Machine,
    sources: &Sources,
    s: Settings,
) -> Report {
    let last = RefCell::default();
    let cx = Context { parents, system, reducer, witness, machine, sources, settings: &s, last };
    let (late, found): (Vec<&Finding>, Vec<&Finding>) =
        outcome.findings.iter().partition(|f| matches!(f.kind, Kind::Undecided(_)));
    let undecided: Vec<Undecided> = late.into_iter().filter_map(|f| cx.undecided(f)).collect();
    let (goal, violations): (Vec<&Finding>, Vec<&Finding>) =
        found.into_iter().partition(|f| matches!(f.kind, Kind::Goal));
    let (open, mut violations): (Vec<_>, Vec<_>) =
        cx.violations(&violations).into_iter().partition(Violation::is_open);
    let hidden = outcome.findings.iter().any(|f| f.kind.hides_states())
        || excused::hides_states(&outcome.excused, system, machine);
    let idle = coverage::Told { machine, sources, outcome, all: s.all_idle };
    let mut warnings = s.warnings.clone();
    let whole = s.coverage.as_ref().filter(|c| c.whole);
    // What never was is known only if everything was looked at.
    if whole.is_some()
        && outcome.stopped.is_none()
        && !hidden
        && open.is_empty()
        && s.bounds.is_empty()
        && s.refines.is_none()
    {
        let never = idle.never_possible(whole);
        if s.checks.coverage {
            violations.extend(never.iter().map(coverage::violation));
        }
        warnings.extend(never.into_iter().map(|n| n.message));
        warnings.extend(whole.iter().flat_map(|c| idle.conjuncts(c)));
    } else {
        warnings.extend(s.coverage.iter().flat_map(|c| idle.void_in_some(c)));
    }
    warnings.extend(idle.void_elsewhere(&s.void, s.coverage.as_ref()));
    let covered = whole.map(|c| idle.guards(c));
    // What static symmetry has left out stands for nothing that is counted.
    let counted = outcome.valuations == 0 && s.symmetry != "off";
    let whole = s.constants != "static" || machine.constants.is_empty() || counted;
    let names = system.operations().iter().zip(&outcome.operations);
    let stopped_by = match s.stopped_by {
        // The search ended at what it did not find.
        Some("violation") if violations.is_empty() && !open.is_empty() => Some("bounds"),
        stopped => stopped
            .or(hidden.then_some("evaluation"))
            .or((!open.is_empty()).then_some("bounds"))
            .or((!undecided.is_empty()).then_some(OUT_OF_TIME)),
    };
    let unknown = hidden || !open.is_empty() || !undecided.is_empty();
    let properties = properties(machine, sources, s.checks);
    let goal = goal.first().map(|f| cx.violation(f, false));
    let excused = outcome.excused.iter().filter_map(|f| cx.said(f)).map(|v| excused::note(v, s.callers));
    let notes = s.notes.iter().cloned().chain(excused).collect();
    let symmetry_sets = s.symmetry_sets.iter().map(|l| cx.set_line(l.clone())).collect();
    Report {
        machine: machine.name.to_string(),
        file: s.file,
        sets: s.sets,
        limits: s.limits,
        integers: s.integers,
        symmetry: s.symmetry,
        constants: s.constants,
        guarantee: guarantee(s.guarantee, outcome),
        basis: s.basis,
        audit: outcome.audit,
        collision_probability: collision_probability(outcome),
        coded: outcome.coded && outcome.compared == 0,
        verdict: verdict(outcome, &violations, unknown, &s.bounds),
        complete: outcome.stopped.is_none() && !unknown,
        stopped_by,
        at_work: s.at_work,
        states: outcome.states,
        full_states: outcome.full_states.as_ref().filter(|_| whole).map(ToString::to_string),
        full_transitions: outcome.full_transitions.as_ref().filter(|_| whole).map(ToString::to_string),
        transitions: outcome.transitions,
        valuations: outcome.valuations,
        initial_states: outcome.initial_states,
        depth: outcome.depth,
        outside_scope: outcome.outside,
        excuses: !outcome.excused.is_empty(),
        invariant_violations: outcome.invariant_violations,
        deadlocks: outcome.deadlocks,
        deadlock_checked: properties.iter().any(|p| p.kind == "deadlock"),
        assertion_violations: outcome.assertion_violations,
        errors: outcome.errors,
        refinement_violations: outcome.refinement_violations,
        refines: s.refines.clone(),
        goal_states: machine.goal.is_some().then_some(outcome.goal_states),
        operations: names
            .map(|(name, c)| OperationLine {
                name: name.clone(),
                transitions: c.transitions,
                states_enabled: c.states_enabled,
            })
            .collect(),
        violations,
        open,
        undecided,
        goals: s.goals,
        goal,
        bounds: s.bounds,
        one_of: s.one_of,
        warnings,
        coverage: covered,
        notes,
        properties,
        formulas: Vec::new(),
        refinements: Vec::new(),
        look: s.look,
        full: s.full,
        symmetry_sets,
        types: super::traces::itf::types(machine),
        elements: s.elements,
        counters: s.counters,
        load_seconds: s.seconds.0,
        explore_seconds: s.seconds.1,
        peak_bytes: s.peak_bytes,
    }
}

/// A violated property outweighs a fault (its trace is free of faults), a fault outweighs a limit.
fn verdict(outcome: &Outcome, violations: &[Violation], unknown: bool, bounds: &[Bound]) -> Verdict {
    if violations.iter().any(|v| v.kind != "error") {
        Verdict::Violated
    } else if !violations.is_empty() {
        Verdict::Error
    } else if outcome.stopped.is_some() || unknown {
        Verdict::Incomplete
    } else if !bounds.is_empty() {
        Verdict::HoldsWithinBounds
    } else {
        Verdict::Holds
    }
}

/// What the strategy promises, unless the audit has caught it putting different states together.
fn guarantee(promised: Guarantee, outcome: &Outcome) -> Guarantee {
    if outcome.audit.is_some_and(|a| a.different > 0) { Guarantee::Approximate } else { promised }
}

/// N(N-1)/2^129: at most this is the chance that any two of N keys are equal by accident. Partial valuations are compared
/// among themselves.
#[allow(clippy::cast_precision_loss, reason = "an estimate")]
fn collision_probability(outcome: &Outcome) -> f64 {
    let pairs = |n: u64| n as f64 * (n as f64 - 1.0).max(0.0);
    let states = if outcome.coded { 0.0 } else { pairs(outcome.keys) };
    (states + pairs(outcome.compared)) / 2f64.powi(129)
}

/// Characters of a formula in a message.
const SHOWN: usize = 80;

struct Context<'a> {
    parents: &'a Parents,
    system: &'a dyn System,
    reducer: &'a dyn Reducer,
    witness: &'a Witness<'a>,
    machine: &'a Machine,
    sources: &'a Sources,
    settings: &'a Settings,
    /// The trace that was made last: often several conjuncts are false in one state.
    last: RefCell<Option<Traced>>,
}

/// The steps that lead to a node.
#[derive(Clone, Debug)]
struct Traced {
    node: Option<u32>,
    steps: Vec<TraceStep>,
    /// Whether steps are missing at the end.
    missing: bool,
    /// The packed state at the end.
    state: Vec<u64>,
}

impl Context<'_> {
    /// The steps to a node; kept if somebody else will ask for them.
    fn steps(&self, node: Option<u32>, again: bool) -> Traced {
        let traced = match self.last.take() {
            Some(traced) if traced.node == node => traced,
            _ => {
                let mut trace = self.parents.trace(self.system, self.reducer, node, self.settings.look.all);
                let state = std::mem::take(&mut trace.state);
                Traced { node, missing: trace.broken_off, steps: steps(trace), state }
            }
        };
        if again {
            self.last.replace(Some(traced.clone()));
        }
        traced
    }

    /// What a finding says, without a trace.
    fn said(&self, f: &Finding) -> Option<Violation> {
        let base = Violation { untraced: true, ..Violation::default() };
        match &f.kind {
            Kind::Fault(place, fault) => Some(self.fault(place, fault, base)),
            Kind::Invariant(i) => {
                Some(self.formula("invariant", self.machine.invariants.get(*i as usize), base))
            }
            _ => None,
        }
    }

    fn violations(&self, findings: &[&Finding]) -> Vec<Violation> {
        let mut out = Vec::with_capacity(findings.len());
        let mut rest = findings;
        while let Some((f, later)) = rest.split_first() {
            out.push(self.violation(f, later.iter().any(|g| g.node == f.node)));
            rest = later;
        }
        out
    }

    fn violation(&self, f: &Finding, again: bool) -> Violation {
        let Traced { steps: mut trace, missing: untraced, state, .. } = self.steps(f.node, again);
        if untraced {
            // Steps that end before the violation would show nothing.
            trace.clear();
        }
        let base = Violation { count: f.count, trace, untraced, ..Violation::default() };
        let explained = |formula: Option<&Formula>, holds: bool, base: Violation| {
            let formula = formula.filter(|_| !untraced);
            let beyond = formula.filter(|_| !holds).and_then(|f| self.witness.beyond(f, &state));
            let why = formula.and_then(|f| self.witness.why(f, &state, holds));
            Violation { beyond, why, ..base }
        };
        match &f.kind {
            Kind::Invariant(i) => {
                let formula = self.machine.invariants.get(*i as usize);
                self.formula("invariant", formula, explained(formula, false, base))
            }
            Kind::Assertion(i) => {
                let formula = self.machine.assertions.get(*i as usize);
                self.formula("assertion", formula, explained(formula, false, base))
            }
            Kind::Goal => {
                let goal = self.machine.goal.as_ref();
                self.formula("goal", goal, explained(goal, true, base))
            }
            Kind::Deadlock => {
                let blocked = if untraced { Vec::new() } else { self.witness.blocked(&state) };
                let message = "no operation is possible".to_owned();
                Violation { kind: "deadlock", message, blocked, ..base }
            }
            Kind::Setup(what) => {
                let conflict = self.settings.conflicts.iter().find(|(w, _)| w == what).map(|(_, c)| c);
                unsolved::violation(*what, conflict, (self.machine, &self.settings.sizes), self.sources, base)
            }
            Kind::Fault(place, fault) if f.kind.is_refinement() => self.unmatched(place, fault, &state, base),
            Kind::Fault(place, fault) => {
                let why = if untraced { None } else { self.witness.fault(place, fault, &state) };
                self.fault(place, fault, Violation { why, ..base })
            }
            // No violation: told apart.
            Kind::Undecided(_) => base,
        }
    }

    /// What was checked, in words, and its formula.
    fn checked(&self, what: PropertyId) -> (String, Option<&Formula>) {
        let name = match what {
            PropertyId::Invariant(_) => "invariant",
            PropertyId::Assertion(_) => "assertion",
            PropertyId::Goal => "GOAL",
        };
        let formula = what.formula(self.machine);
        let text = formula.map_or("", |f| &*f.text);
        let short = match text.char_indices().nth(SHOWN) {
            Some((cut, _)) => format!("{}...", text.get(..cut).unwrap_or_default()),
            None => text.to_owned(),
        };
        (format!("in the {name} `{short}`"), formula)
    }

    /// Whether the copy of a machine is told already: by the text around the place, or since it is the main machine's.
    fn is_told(copy: &str, at: &str, span: Option<Span>) -> bool {
        at.contains(&format!("`{copy}.")) || span.is_none_or(|s| s.file == FileId(0))
    }

    fn formula(&self, kind: &'static str, formula: Option<&Formula>, base: Violation) -> Violation {
        let text = formula.map_or_else(String::new, |f| f.text.to_string());
        let verb = if kind == "goal" { "holds" } else { "is false" };
        let why = base.beyond.as_ref().map_or_else(String::new, |b| format!("; {}", b.text()));
        Violation {
            kind,
            message: format!("the {kind} `{text}` {verb}{why}"),
            location: formula.and_then(|f| self.location(f.pred.span)),
            conjunct: Some(text),
            ..base
        }
    }

    fn fault(&self, place: &Place, fault: &crate::ops::Fault, mut base: Violation) -> Violation {
        let mut operation = None;
        let at = match place {
            Place::Properties => "in PROPERTIES".to_owned(),
            Place::Initialisation => "in the initialisation".to_owned(),
            Place::Check(what) => {
                let (text, formula) = self.checked(*what);
                base.conjunct = formula.map(|f| f.text.to_string());
                text
            }
            Place::Operation(op, arguments) => {
                let name = self.system.operations().get(*op as usize).cloned().unwrap_or_default();
                operation = Some(name.clone());
                let step = TraceStep {
                    operation: name.clone(),
                    arguments: arguments.clone(),
                    fault: Some(fault.0.message.clone()),
                    ..TraceStep::default()
                };
                base.trace.extend((!base.untraced).then_some(step));
                let place = format!("in operation `{name}`");
                if self.is_of_scope(fault.0.span) { format!("in SCOPE, {place}") } else { place }
            }
        };
        let copy = fault.0.copy.as_ref().filter(|copy| !Self::is_told(copy, &at, fault.0.span));
        let at = copy.map_or_else(|| at.clone(), |copy| format!("{at}, in the copy `{copy}`"));
        Violation {
            kind: if fault.is_limit() { "unsupported" } else { "error" },
            operation,
            code: Some(fault.0.code.as_str()),
            message: format!(
                "{}{} ({at})",
                fault.0.message,
                base.why.as_ref().map_or_else(String::new, why::brief)
            ),
            location: fault.0.span.and_then(|s| self.location(s)),
            ..base
        }
    }

    /// Whether a place is in the SCOPE, which stands in front of every operation.
    fn is_of_scope(&self, at: Option<Span>) -> bool {
        let scope = self.machine.scope.as_ref().map(|s| s.pred.span);
        scope.zip(at).is_some_and(|(s, at)| s.contains(at))
    }

    /// A step that does not refine, with what there was instead. The trace leads to a state that the one at hand may be a
    /// renaming of: arguments are those that fit this state.
    fn unmatched(
        &self,
        place: &Place,
        fault: &crate::ops::Fault,
        state: &[u64],
        base: Violation,
    ) -> Violation {
        let nothing = Vec::new();
        let (op, arguments) = match place {
            Place::Operation(op, arguments) => (*op, arguments),
            _ => (0, &nothing),
        };
        let found = if base.untraced { None } else { self.system.unmatched(state, op, arguments) };
        let mut told = self.fault(place, fault, base);
        if let (Some(step), Some(unmatched)) = (told.trace.last_mut().filter(|s| s.fault.is_some()), &found) {
            step.arguments.clone_from(&unmatched.label.arguments);
            step.results.clone_from(&unmatched.label.results);
        }
        Violation { kind: "refinement", unmatched: found, ..told }
    }

    /// The property that a finding says was not decided.
    fn undecided(&self, f: &Finding) -> Option<Undecided> {
        let Kind::Undecided(id) = f.kind else { return None };
        let m = self.machine;
        let (kind, formula, number) = match id {
            PropertyId::Invariant(i) => {
                ("invariant", m.invariants.get(i as usize)?, (i as usize + 1, m.invariants.len()))
            }
            PropertyId::Assertion(i) => {
                ("assertion", m.assertions.get(i as usize)?, (i as usize + 1, m.assertions.len()))
            }
            PropertyId::Goal => ("goal", m.goal.as_ref()?, (1, 1)),
        };
        let (text, location) = (Some(formula.text.to_string()), self.location(formula.pred.span));
        let property = Property { kind, text, location };
        Some(Undecided { property, number, seconds: self.settings.property_seconds, count: f.count })
    }

    fn set_line(&self, l: explain::Line) -> SetLine {
        let at = l.at.and_then(|span| self.location(span));
        let place = at.as_ref().map(|l| format!("{}:{}:{}", l.file, l.line, l.column));
        SetLine {
            text: l.text(place.as_deref()),
            set: l.set,
            size: l.size,
            permuted: l.permuted,
            why: l.why,
            at,
        }
    }

    fn location(&self, span: Span) -> Option<Location> {
        Location::of(span, self.sources)
    }
}

/// What is checked besides the properties that the machine states.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// Whether a deadlock is a violation.
    pub deadlock: bool,
    /// Whether an operation that is never possible is one.
    pub coverage: bool,
    /// Whether steps are compared with those of a refined machine.
    pub refinement: bool,
}

/// Everything that is checked of a machine.
#[must_use]
pub fn properties(machine: &Machine, sources: &Sources, checks: Checks) -> Vec<Property> {
    let whole = |kind| Property { kind, text: None, location: None };
    let formula = |kind, f: &Formula| Property {
        kind,
        text: Some(f.text.to_string()),
        location: Location::of(f.pred.span, sources),
    };
    // What has no operations has no deadlock.
    let deadlock = checks.deadlock && machine.operations.iter().any(|o| o.offered.is_some());
    let mut all = vec![whole("error"), whole("setup")];
    all.extend(deadlock.then(|| whole("deadlock")));
    all.extend(checks.coverage.then(|| whole("coverage")));
    all.extend(checks.refinement.then(|| whole("refinement")));
    all.extend(machine.invariants.iter().map(|f| formula("invariant", f)));
    all.extend(machine.assertions.iter().map(|f| formula("assertion", f)));
    all
}

/// The steps of a trace with what each changes.
#[must_use]
pub fn steps(trace: Trace) -> Vec<TraceStep> {
    let mut out: Vec<TraceStep> = Vec::with_capacity(trace.steps.len());
    let mut first = true;
    for step in trace.steps {
        let before = out.last().filter(|_| !first).map_or(&[][..], |s| &s.values);
        first = step.kind == StepKind::Setup;
        let changes = step.values.iter().enumerate().filter_map(|(i, (name, after))| {
            // Variables come in the same order every time.
            let same = before.get(i).filter(|(n, _)| n == name);
            let old = same.or_else(|| before.iter().find(|(n, _)| n == name)).map(|(_, v)| v);
            (old != Some(after) || step.unseen.contains(&i)).then(|| Change {
                name: name.clone(),
                before: old.cloned(),
                after: after.clone(),
                delta: old.and_then(|old| delta(step.deltas.get(i)?, old, after)).unwrap_or_default(),
            })
        });
        let changes = changes.collect();
        out.push(TraceStep {
            operation: match step.kind {
                StepKind::Setup => SETUP.to_owned(),
                StepKind::Initialisation => INITIALISATION.to_owned(),
                StepKind::Operation => step.label.operation,
            },
            arguments: step.label.arguments,
            results: step.label.results,
            values: step.values,
            watched: step.watched,
            changes,
            fault: None,
        });
    }
    out
}

/// The lines of a change in few words, if these are not more than the values.
fn delta(lines: &[String], before: &str, after: &str) -> Option<Vec<String>> {
    let length = |s: &str| s.chars().count();
    let long: usize = lines.iter().map(|l| length(l)).sum();
    (long <= length(before) + length(": ") + length(after) + length(" -> ")).then(|| lines.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::trace::Step;
    use crate::model::Label;

    /// Long values whose abbreviated texts are the same are listed if they changed, and only then.
    #[test]
    fn changes_behind_an_abbreviation_are_listed() {
        let step = |unseen: &[usize]| Step {
            label: Label::default(),
            kind: StepKind::Operation,
            values: vec![("s".to_owned(), "{0,1,…".to_owned()), ("n".to_owned(), "1".to_owned())],
            watched: Vec::new(),
            deltas: Vec::new(),
            unseen: unseen.to_vec(),
        };
        let taken = vec![step(&[]), step(&[]), step(&[0])];
        let steps = steps(Trace { steps: taken, ..Trace::default() });
        let changed = |s: &TraceStep| s.changes.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
        assert_eq!(steps.iter().map(changed).collect::<Vec<_>>(), [vec!["s", "n"], vec![], vec!["s"]]);
    }
}
