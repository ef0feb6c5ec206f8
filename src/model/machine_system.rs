//! The machine as a [`System`] by the plain evaluator.
//!
//! In: an [`Evaluator`], a layout, the valuations of the constants. Out: packed initial states, edges and
//! checks. Edges are distinct triples of label and target (b-language.md 6.2): two choices inside an
//! operation that end with the same parameters, results and state are one edge. The compiled evaluator is
//! not here; it uses this one for everything it does not do itself.

use super::beyond::{Beyond, beyond};
use super::card::Sizes;
use super::constants::Table;
use super::coverage::{Coverage, Effort, coverage};
use super::deciding::Deciding;
use super::pack::Packer;
use super::slow::{Outcomes, Slow, Void};
use super::told::{Teller, Told};
use super::twins::{self, Twins, UNWEIGHED};
use super::{Findings, Label, Plain, PlainEdge, PropertyId, StepFault, Steps, System};
use crate::eval::{Constants, Env, Evaluator};
use crate::exec::Edge;
use crate::ir::{Decl, Expr, Formula, LocalId, Machine, Operation};
use crate::layout::{Hull, Pool, StateLayout};
use crate::ops::{Cx, Fault, World, settle};
use crate::ty::Ty;
use crate::value::Value;
use crate::value::key::fingerprint;
use hashbrown::HashSet;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A machine as a transition system.
#[derive(Debug)]
pub struct MachineSystem {
    pub(super) evaluator: Evaluator,
    packer: Packer,
    table: Arc<Table>,
    /// Indices of the offered operations in the machine.
    offered: Vec<u32>,
    names: Vec<String>,
    /// The state last unpacked: most are asked for by one operation after the other, and by one conjunct after the
    /// other.
    recent: Mutex<Option<(Box<[u64]>, Env)>>,
    slow: Slow,
    /// What initialisations have come to in a run that was void.
    void: Arc<Void>,
    teller: Teller,
    pub(super) deciding: Arc<Deciding>,
}

/// The number of INITIALISATION among operations, for [`Slow`].
const INITIALISATION: u32 = u32::MAX;

type Vars = Arc<Vec<Option<Value>>>;

impl MachineSystem {
    /// The system of an evaluator's machine, with the valuations of a table and states of a layout.
    #[must_use]
    pub fn new(evaluator: Evaluator, table: Arc<Table>, layout: Arc<StateLayout>, pool: Arc<Pool>) -> Self {
        let machine = Arc::clone(&evaluator.machine);
        let offered: Vec<u32> =
            (0u32..).zip(&machine.operations).filter(|(_, o)| o.offered.is_some()).map(|(i, _)| i).collect();
        let names = machine.operations.iter().filter(|o| o.offered.is_some()).map(|o| o.name.to_string());
        let names = names.collect();
        let world = Arc::clone(&evaluator.world);
        Self {
            packer: Packer { machine, world, layout, pool, misfits: Arc::default() },
            evaluator,
            deciding: Arc::clone(&table.deciding),
            table,
            offered,
            names,
            recent: Mutex::default(),
            slow: Slow::default(),
            void: Arc::default(),
            teller: Teller::default(),
        }
    }

    /// The same system, with what the initialisations have come to in a run that was void.
    #[must_use]
    pub fn after(self, void: &Arc<Void>) -> Self {
        Self { void: Arc::clone(void), ..self }
    }

    /// The system of a machine with other properties and operations over the states and valuations of this one.
    #[must_use]
    pub fn beside(&self, evaluator: Evaluator) -> Self {
        let (table, Packer { layout, pool, .. }) = (Arc::clone(&self.table), self.packer.clone());
        Self { deciding: Arc::new(self.deciding.afresh()), ..Self::new(evaluator, table, layout, pool) }
    }

    /// By variable, the values met so far that the layout has no room for; `None` if all fitted. If some did
    /// not, nothing that was found with this system counts.
    #[must_use]
    pub fn misfits(&self) -> Option<Vec<Hull>> {
        let misfits = self.packer.misfits.lock().unwrap_or_else(PoisonError::into_inner);
        (!misfits.is_empty()).then(|| misfits.clone())
    }

    /// How states are packed.
    #[must_use]
    pub fn packer(&self) -> &Packer {
        &self.packer
    }

    /// The value of an expression, whose frame has so many slots, in a state.
    ///
    /// # Errors
    /// A fault of evaluating it.
    pub fn value(&self, state: &[u64], e: &Expr, frame: u32) -> Result<Value, Fault> {
        let mut env = self.env(state);
        env.locals = vec![None; frame as usize];
        self.evaluator.expr(e, &mut env)
    }

    fn machine(&self) -> &Machine {
        &self.evaluator.machine
    }

    /// What a formula that is false in a state, or under a valuation (a slice of one word), is false for.
    #[must_use]
    pub fn beyond(&self, sizes: &Sizes, formula: &Formula, state: &[u64]) -> Option<Beyond> {
        beyond(&self.evaluator, sizes, formula, &self.env(state))
    }

    /// How its formulas are evaluated.
    #[must_use]
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// What guards and invariants come to in these states, as far as the effort suffices.
    #[must_use]
    pub fn coverage(&self, states: &[u64], effort: Effort) -> Option<Coverage> {
        let envs = states.chunks(self.packer.layout.words.max(1)).map(|state| self.env(state));
        coverage(&self.evaluator, envs, effort)
    }

    /// The number in the machine of an offered operation.
    #[must_use]
    pub fn index(&self, number: u32) -> Option<u32> {
        self.offered.get(number as usize).copied()
    }

    /// An offered operation by its number.
    #[must_use]
    pub fn operation(&self, number: u32) -> Option<&Operation> {
        self.machine().operations.get(*self.offered.get(number as usize)? as usize)
    }

    /// The values of a state; of a valuation alone (a slice of one word) those of the constants.
    #[must_use]
    pub fn env(&self, state: &[u64]) -> Env {
        // Other threads have states of their own: whoever comes second unpacks again.
        let Ok(mut recent) = self.recent.try_lock() else { return self.unpacked(state) };
        match &*recent {
            Some((words, env)) if **words == *state => env.clone(),
            _ => {
                let env = self.unpacked(state);
                // A valuation without values yet may get them.
                if self.table.get(valuation(state)).is_some() {
                    *recent = Some((state.into(), env.clone()));
                }
                env
            }
        }
    }

    fn unpacked(&self, state: &[u64]) -> Env {
        let constants = self.table.values(valuation(state));
        let vars = if state.len() < self.packer.layout.words {
            vec![None; self.machine().variables.len()]
        } else {
            self.packer.unpack(state)
        };
        Env::new(constants, Arc::new(vars), 0)
    }

    fn text(&self, v: &Value, ty: &Ty) -> String {
        v.show(ty, &self.evaluator.world)
    }

    /// The distinct edges of one offered operation, sorted by label and target; with twins only those of the
    /// arguments that are tried.
    fn edges_in(
        &self,
        number: u32,
        env: &Env,
        state: &[u64],
        twins: Option<&Twins>,
        faults: &mut Vec<StepFault>,
    ) -> Vec<PlainEdge> {
        if twins.is_none()
            && let Some(known) = self.slow.get(state, number)
        {
            return known;
        }
        let begun = Instant::now();
        let known_faults = faults.len();
        let mut edges = Vec::new();
        let Some(index) = self.offered.get(number as usize) else { return edges };
        let tried = |args: &[Value]| twins.is_none_or(|t| t.weight_of(args) > 0);
        let mut seen: HashSet<u128> = HashSet::new();
        let mut words = Vec::with_capacity(state.len());
        let mut bytes = Vec::new();
        let end = self.evaluator.operation(*index, env, &tried, &mut |found| {
            let edge = match found {
                Ok(edge) if !tried(&edge.args) => return ControlFlow::Continue(()),
                Ok(edge) => match self.with_values(number, edge) {
                    Ok(edge) => edge,
                    Err((args, fault)) => {
                        faults.push(self.step_fault(number, &args, fault));
                        return ControlFlow::Continue(());
                    }
                },
                Err((args, fault)) => {
                    faults.push(self.step_fault(number, &args, fault));
                    return ControlFlow::Continue(());
                }
            };
            words.clear();
            if let Err(fault) = self.packer.pack_step(state, &env.vars, &edge.vars, &mut words) {
                faults.push(self.step_fault(number, &edge.args, fault));
            } else if seen.insert(edge_key(&edge, &words, &mut bytes)) {
                let mut label = edge.args;
                label.extend(edge.results);
                edges.push((label, words.as_slice().into()));
            }
            ControlFlow::Continue(())
        });
        faults.extend(end.err().map(|fault| StepFault { op: number, arguments: Vec::new(), fault }));
        edges.sort_unstable();
        if twins.is_none() && faults.len() == known_faults && !self.evaluator.is_stopped() {
            self.slow.keep(state, number, begun.elapsed(), edges.iter().cloned());
        }
        edges
    }

    /// The targets of the edges of one offered operation under given values of arguments, those that `taken` says;
    /// each may come more than once.
    pub fn steps_where(
        &self,
        state: &[u64],
        number: u32,
        given: &[(LocalId, Value)],
        taken: &mut dyn FnMut(&Edge) -> bool,
        out: &mut Steps,
    ) {
        let Some(index) = self.offered.get(number as usize) else { return };
        let env = self.env(state);
        let mut faults = std::mem::take(&mut out.faults);
        let mut words = Vec::with_capacity(state.len());
        let end = self.evaluator.operation_where(*index, &env, given, &mut |found| {
            let edge = found.and_then(|edge| self.with_values(number, edge));
            let packed = edge.and_then(|edge| {
                words.clear();
                if !taken(&edge) {
                    return Ok(());
                }
                self.packer.pack_step(state, &env.vars, &edge.vars, &mut words).map_err(|f| (edge.args, f))
            });
            match packed {
                Ok(()) if words.is_empty() => {}
                Ok(()) => out.push(number, 1, &words),
                Err((args, fault)) => faults.push(self.step_fault(number, &args, fault)),
            }
            ControlFlow::Continue(())
        });
        faults.extend(end.err().map(|fault| StepFault { op: number, arguments: Vec::new(), fault }));
        out.faults = faults;
    }

    /// The edge with its results in extension, where they are finite: a result whose members have no value has none.
    fn with_values(&self, number: u32, mut edge: Edge) -> Result<Edge, (Vec<Value>, Fault)> {
        let results = self.operation(number).map_or(&[][..], |o| &o.results);
        for (value, decl) in edge.results.iter_mut().zip(results).filter(|(v, _)| !v.is_extension()) {
            match settle(value.clone(), &Cx { world: self.world(), ty: &decl.ty }) {
                Ok(settled) => *value = settled,
                Err(fault) => return Err((edge.args, fault)),
            }
        }
        Ok(edge)
    }

    fn step_fault(&self, number: u32, args: &[Value], fault: Fault) -> StepFault {
        StepFault { op: number, arguments: self.arguments(number, args), fault }
    }

    fn show(&self, most: usize, decls: &[Decl], values: &[Option<Value>]) -> Vec<(String, String)> {
        let text = |(d, v): (&Decl, &Option<Value>)| {
            let text = |v: &Value| v.excerpt(&d.ty, self.world(), most);
            (d.name.to_string(), v.as_ref().map_or_else(|| "?".to_owned(), text))
        };
        decls.iter().zip(values).map(text).collect()
    }

    /// Values of parameters and shown variables with their names.
    pub fn arguments(&self, number: u32, args: &[Value]) -> Vec<(String, String)> {
        let Some(op) = self.operation(number) else { return Vec::new() };
        twins::arguments(op).zip(args).map(|(l, v)| (l.name.to_string(), self.text(v, &l.ty))).collect()
    }
}

/// The number of a state's valuation.
pub(crate) fn valuation(state: &[u64]) -> u32 {
    state.first().map_or(0, |word| u32::try_from(*word).unwrap_or(u32::MAX))
}

/// What makes an edge of one operation distinct: its label's values and its target.
fn edge_key(edge: &Edge, target: &[u64], bytes: &mut Vec<u8>) -> u128 {
    bytes.clear();
    edge.args.iter().chain(&edge.results).for_each(|v| v.encode(bytes));
    target.iter().for_each(|w| bytes.extend(w.to_le_bytes()));
    fingerprint(bytes)
}

impl System for MachineSystem {
    fn width(&self) -> usize {
        self.packer.layout.words
    }

    fn has_setup(&self) -> bool {
        self.table.has_setup()
    }

    fn valuations(&self, f: &mut dyn FnMut(u32) -> bool) -> Result<(), Fault> {
        self.table.each(&self.evaluator, f)
    }

    fn valuations_told(&self, f: &mut dyn FnMut(Option<u32>) -> bool) -> Result<(), Fault> {
        self.table.told(&self.evaluator, f)
    }

    fn is_outside(&self, state: &[u64]) -> bool {
        self.machine().scope.as_ref().is_some_and(|s| matches!(self.holds(s, &self.env(state)), Ok(false)))
    }

    fn has_scope(&self) -> bool {
        self.machine().scope.is_some()
    }

    fn compared_valuations(&self) -> u64 {
        self.table.compared()
    }

    fn compare_valuations(&self, a: u32, b: u32) -> std::cmp::Ordering {
        self.table.values(a).cmp(&self.table.values(b))
    }

    fn initial(&self, valuation: u32, out: &mut Steps) {
        let key = [u64::from(valuation)];
        if let Some(known) = self.slow.get(&key, INITIALISATION) {
            return known.iter().for_each(|(_, target)| out.push(0, 1, target));
        }
        let begun = Instant::now();
        let first = out.targets.len();
        let routine = &self.machine().initialisation;
        let mut seen: HashSet<u128> = HashSet::new();
        let (mut words, mut bytes) = (Vec::new(), Vec::new());
        let mut faults = Vec::new();
        let mut add = |vars: &Vars| {
            words.clear();
            match self.packer.pack(u64::from(valuation), vars, &mut words) {
                Ok(()) => {
                    bytes.clear();
                    for w in &words {
                        bytes.extend(w.to_le_bytes());
                    }
                    if seen.insert(fingerprint(&bytes)) {
                        out.push(0, 1, &words);
                    }
                }
                Err(fault) => faults.push(fault),
            }
        };
        let (mut outcomes, mut earlier) = (Outcomes::default(), Duration::ZERO);
        let end = if let Some(known) = self.void.take(valuation) {
            (earlier, outcomes) = known;
            outcomes.each(&mut add);
            Ok(ControlFlow::Continue(()))
        } else {
            let vars: Vars = Arc::new(vec![None; self.machine().variables.len()]);
            let mut env = Env::new(self.table.values(valuation), vars, routine.frame);
            self.evaluator.outcomes(&routine.body, &mut env, &mut |_, after| {
                add(&after.vars);
                outcomes.note(&after.vars);
                // Values that no variable holds are no states, at which the search would look whether it is to end.
                self.evaluator.go_on()?;
                Ok(ControlFlow::Continue(()))
            })
        };
        let took = earlier + begun.elapsed();
        let complete = end.is_ok() && !self.evaluator.is_stopped();
        faults.extend(end.err());
        if complete && faults.is_empty() {
            let found = out.targets[first..].chunks(self.width().max(1));
            self.slow.keep(&key, INITIALISATION, took, found.map(|t| (Vec::new(), t.into())));
        } else if complete && self.misfits().is_some() {
            self.void.keep(valuation, took, outcomes);
        }
        out.faults.extend(faults.into_iter().map(|f| StepFault {
            op: 0,
            arguments: Vec::new(),
            fault: f.at(routine.body.span),
        }));
    }

    fn successors(&self, state: &[u64], out: &mut Steps) {
        let env = self.env(state);
        let mut faults = std::mem::take(&mut out.faults);
        for number in (0u32..).take(self.offered.len()) {
            for (_, target) in self.edges_in(number, &env, state, None, &mut faults) {
                out.push(number, 1, &target);
            }
        }
        out.faults = faults;
    }

    fn twins(&self) -> Option<Twins> {
        Twins::of(self.machine(), &self.evaluator.world)
    }

    fn successors_within(&self, state: &[u64], twins: &Twins, out: &mut Steps) {
        for number in (0u32..).take(self.offered.len()) {
            self.edges_within(state, number, twins, out);
        }
    }

    fn check(&self, state: &[u64], out: &mut Findings) {
        self.check_first(state, self.machine().invariants.len(), out);
    }

    fn check_assertions(&self, state: &[u64], out: &mut Findings) {
        let under_valuation = state.len() == 1;
        let chosen = (0u32..).zip(&self.machine().assertions);
        let chosen = chosen.filter(|(_, a)| a.reads.is_empty() == under_valuation);
        if chosen.clone().next().is_none() {
            return;
        }
        let find = || {
            let mut found = Findings::default();
            found.assertions = self.false_ones(chosen, PropertyId::Assertion, &self.env(state), &mut found);
            found
        };
        let found = if under_valuation { self.deciding.asserted(valuation(state), find) } else { find() };
        out.assertions.extend(found.assertions);
        out.faults.extend(found.faults);
        out.undecided.extend(found.undecided);
    }

    fn operations(&self) -> &[String] {
        &self.names
    }

    fn label(&self, state: &[u64], nth: u32) -> Option<Label> {
        let env = self.env(state);
        let mut left = nth as usize;
        for number in (0u32..).take(self.offered.len()) {
            let edges = self.edges_in(number, &env, state, None, &mut Vec::new());
            if let Some((values, _)) = edges.get(left) {
                return self.label_of(number, values);
            }
            left -= edges.len();
        }
        None
    }

    fn show_state_in(&self, most: usize, state: &[u64]) -> Vec<(String, String)> {
        self.show(most, &self.machine().variables, &self.packer.unpack(state))
    }

    fn told(&self, most: usize, before: Option<&[u64]>, after: &[u64]) -> Told {
        if before.is_none() && self.machine().watched.is_empty() {
            return Told::default();
        }
        let before = before.map(|state| self.packer.unpack(state));
        self.teller.told(&self.evaluator, most, before.as_deref(), &self.env(after))
    }

    fn show_valuation_in(&self, most: usize, valuation: u32) -> Vec<(String, String)> {
        self.show(most, &self.machine().constants, &self.table.values(valuation))
    }
}

impl Plain for MachineSystem {
    fn label_of(&self, number: u32, values: &[Value]) -> Option<Label> {
        let op = self.operation(number)?;
        let (args, results) = values.split_at_checked(op.params.len() + op.shown.len())?;
        let results = op.results.iter().zip(results).map(|(r, v)| (r.name.to_string(), self.text(v, &r.ty)));
        Some(Label {
            operation: op.name.to_string(),
            arguments: self.arguments(number, args),
            results: results.collect(),
        })
    }

    fn machine(&self) -> &Machine {
        &self.evaluator.machine
    }

    fn world(&self) -> &World {
        &self.evaluator.world
    }

    fn layout(&self) -> &StateLayout {
        &self.packer.layout
    }

    fn pool(&self) -> &Pool {
        &self.packer.pool
    }

    fn constants(&self, valuation: u32) -> Option<Constants> {
        self.table.get(valuation)
    }

    fn offered(&self) -> &[u32] {
        &self.offered
    }

    fn misfit(&self, variable: usize, hull: &Hull) -> Fault {
        self.packer.misfit(variable, |h| *h = std::mem::take(h).join(hull.clone()))
    }

    fn edges(&self, state: &[u64], op: u32, out: &mut Vec<PlainEdge>, faults: &mut Vec<StepFault>) {
        out.extend(self.edges_in(op, &self.env(state), state, None, faults));
    }

    fn edges_within(&self, state: &[u64], op: u32, twins: &Twins, out: &mut Steps) {
        let Some(operation) = self.operation(op) else { return };
        let mut faults = std::mem::take(&mut out.faults);
        let by_target = twins::by_target(operation);
        for (label, target) in self.edges_in(op, &self.env(state), state, Some(twins), &mut faults) {
            let arguments = label.get(..operation.params.len() + operation.shown.len()).unwrap_or_default();
            let weight = if by_target { UNWEIGHED } else { twins.weight_of(arguments) };
            out.push(op, weight, &target);
        }
        out.faults = faults;
    }

    fn invariant(&self, state: &[u64], index: u32) -> Result<bool, Fault> {
        let formula = self.machine().invariants.get(index as usize);
        formula.map_or(Ok(true), |f| self.decide(PropertyId::Invariant(index), f, &self.env(state)))
    }

    fn is_hard(&self, property: Option<PropertyId>) -> bool {
        property.map_or_else(|| self.deciding.is_any_hard(), |p| self.deciding.is_hard(p))
    }

    fn goal(&self, state: &[u64]) -> Result<bool, Fault> {
        self.machine().goal.as_ref().map_or(Ok(false), |g| self.decide(PropertyId::Goal, g, &self.env(state)))
    }
}
