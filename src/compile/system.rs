//! The machine as a transition system, by compiled code where there is some.
//!
//! In: a plain system. Out: a [`System`] with the same edges in the same order, the same findings, the same
//! faults. Operations and conjuncts are compiled when first needed, once per constants valuation (for the
//! first [`VALUATIONS`] of them). A run that gives up is repeated by the plain evaluator.

mod label;
mod many;

use super::exec::Exec;
use super::function::{conjunction, label_locals, operation, operation_within, predicate};
use super::lower::misfit::Misfit;
use super::lower::{Source, Unsupported};
use super::record::Order;
use super::together::Together;
use super::word::Ran;
use crate::diagnostic::Code;
use crate::ir::Operation;
use crate::model::{Findings, Label, Plain, PlainEdge, StepFault, Steps, System, Twins};
use crate::ops::Fault;
use crate::source::Span;
use crate::ty::Ty;
use crate::value::Value;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Valuations that get code of their own.
const VALUATIONS: usize = 64;

/// A system that runs compiled code and falls back to a plain one.
#[derive(Debug)]
pub struct CompiledSystem<P> {
    plain: P,
    valuations: Vec<OnceLock<Option<Compiled>>>,
    /// Boxed: they come and go with every state of a search of one state a level.
    #[allow(clippy::vec_box, reason = "moved often")]
    scratch: Mutex<Vec<Box<Scratch>>>,
}

/// Why an operation or a conjunct is not compiled.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The operation's name or the conjunct's text.
    pub subject: String,
    /// What stood in the way.
    pub why: String,
    /// Where that is, if known.
    pub span: Option<Span>,
}

impl Refusal {
    fn new(subject: &str, u: &Unsupported) -> Self {
        Self { subject: subject.to_owned(), why: u.what.to_owned(), span: u.span }
    }

    fn bailed(subject: &str, exec: &Exec) -> Option<Self> {
        let n = exec.bailed();
        (n > 0).then(|| Self { subject: subject.to_owned(), why: format!("{n} runs given up"), span: None })
    }
}

/// Memory to be reused from call to call.
#[derive(Debug, Default)]
struct Scratch {
    /// A state with twins behind it.
    state: Vec<u64>,
    regs: Vec<u64>,
    out: Vec<u64>,
    order: Vec<u32>,
    /// By state and operation, numbers of edges.
    ends: Vec<u32>,
    edges: Vec<PlainEdge>,
    faults: Vec<StepFault>,
}

/// The code for one valuation.
#[derive(Debug)]
struct Compiled {
    consts: Arc<Vec<Option<Value>>>,
    /// By number in `Steps::ops`.
    ops: OnceLock<Vec<Option<CompiledOp>>>,
    /// The same, of arguments that twins can be exchanged in only those that are tried.
    within: OnceLock<Vec<Option<CompiledOp>>>,
    together: Together,
    /// All conjuncts of the invariant that compile.
    fused: OnceLock<Option<Fused>>,
    invariants: Vec<OnceLock<Option<Exec>>>,
    goal: OnceLock<Option<Exec>>,
    /// All assertions with variables in one program, if all of them compile.
    assertions: OnceLock<Option<Exec>>,
}

/// Conjuncts of the invariant in one program.
#[derive(Debug)]
struct Fused {
    exec: Exec,
    /// The other conjuncts.
    rest: Vec<usize>,
}

/// What states are checked with.
#[derive(Default)]
struct Checks<'c> {
    /// That of the states, if there is code.
    valuation: Option<u64>,
    c: Option<&'c Compiled>,
    fused: Option<&'c Fused>,
}

#[derive(Debug)]
struct CompiledOp {
    exec: Exec,
    /// How to order its records; `None` if they come in order and are mere targets.
    order: Option<Order>,
    misfits: Vec<Misfit>,
}

impl CompiledOp {
    /// Runs on a state, or says why it gave up, if that is known.
    fn run(&self, state: &[u64], regs: &mut Vec<u64>, out: &mut Vec<u64>) -> Result<(), Option<&Misfit>> {
        match self.exec.run(state, regs, out) {
            Ran::Done(_) => Ok(()),
            Ran::Bailed => Err(None),
            Ran::Misfit(n) => Err(self.misfits.get(n as usize)),
        }
    }
}

impl<P: Plain> CompiledSystem<P> {
    /// Wraps a plain system.
    pub fn new(plain: P) -> Self {
        let valuations = (0..VALUATIONS).map(|_| OnceLock::new()).collect();
        Self { plain, valuations, scratch: Mutex::default() }
    }

    /// What stays or stayed with the plain evaluator under a valuation, and why: for those who wonder about speed.
    pub fn refusals(&self, valuation: u32) -> Vec<Refusal> {
        let Some(c) = self.compiled(&[u64::from(valuation)]) else { return Vec::new() };
        let src = self.source(c);
        let machine = self.plain.machine();
        let mut out = Vec::new();
        for op in self.plain.offered().iter().filter_map(|i| machine.operations.get(*i as usize)) {
            out.extend(operation(src, op).err().map(|u| Refusal::new(&op.name, &u)));
        }
        for (number, code) in c.ops.get().into_iter().flatten().enumerate() {
            let name = self.operation_at(number).map_or("", |op| &op.name);
            out.extend(code.as_ref().and_then(|code| Refusal::bailed(name, &code.exec)));
        }
        let assertions = machine.assertions.iter().filter(|a| !a.reads.is_empty());
        for f in machine.invariants.iter().chain(&machine.goal).chain(assertions) {
            out.extend(predicate(src, &f.pred).err().map(|u| Refusal::new(&f.text, &u)));
        }
        let cells =
            c.invariants.iter().zip(&machine.invariants).chain([&c.goal].into_iter().zip(&machine.goal));
        for (cell, f) in cells {
            let exec = cell.get().and_then(Option::as_ref);
            out.extend(exec.and_then(|e| Refusal::bailed(&f.text, e)));
        }
        out
    }

    /// The plain system.
    pub fn plain(&self) -> &P {
        &self.plain
    }

    fn compiled(&self, state: &[u64]) -> Option<&Compiled> {
        let number = u32::try_from(*state.first()?).ok()?;
        let cell = self.valuations.get(number as usize)?;
        if cell.get().is_none() {
            // No valuation yet: look again next time.
            let consts = self.plain.constants(number)?;
            let machine = self.plain.machine();
            let _ = cell.set(Some(Compiled {
                consts,
                ops: OnceLock::new(),
                within: OnceLock::new(),
                together: Together::default(),
                fused: OnceLock::new(),
                invariants: machine.invariants.iter().map(|_| OnceLock::new()).collect(),
                goal: OnceLock::new(),
                assertions: OnceLock::new(),
            }));
        }
        cell.get()?.as_ref()
    }

    fn source<'a>(&'a self, c: &'a Compiled) -> Source<'a> {
        Source {
            machine: self.plain.machine(),
            world: self.plain.world(),
            layout: self.plain.layout(),
            consts: &c.consts,
        }
    }

    fn operation_at(&self, number: usize) -> Option<&Operation> {
        let index = *self.plain.offered().get(number)?;
        self.plain.machine().operations.get(index as usize)
    }

    /// The operations; none without their valuation.
    fn ops<'c>(&self, c: Option<&'c Compiled>, twins: Option<&Twins>) -> &'c [Option<CompiledOp>] {
        let Some(c) = c else { return &[] };
        let cell = if twins.is_some() { &c.within } else { &c.ops };
        cell.get_or_init(|| (0..self.plain.offered().len()).map(|n| self.compile(c, n, twins)).collect())
    }

    fn compile(&self, c: &Compiled, number: usize, twins: Option<&Twins>) -> Option<CompiledOp> {
        let op = self.operation_at(number)?;
        let p = match twins {
            None => operation(self.source(c), op),
            Some(twins) => operation_within(self.source(c), op, twins),
        };
        let p = p.ok()?;
        if p.sorted {
            return Some(CompiledOp { exec: Exec::new(p.program), order: None, misfits: p.misfits });
        }
        // A weight is a number, like that of an element.
        let types = label_locals(op).into_iter().map(|l| l.ty).chain(twins.map(|_| Ty::Bool));
        let order = Order::new(types, self.plain.world(), self.plain.layout().words, p.repeats)?;
        (order.label() == p.label).then(|| CompiledOp {
            exec: Exec::new(p.program),
            order: Some(order),
            misfits: p.misfits,
        })
    }

    fn scratch(&self) -> Box<Scratch> {
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn give_back(&self, s: Box<Scratch>) {
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner).push(s);
    }

    fn edges(
        &self,
        state: &[u64],
        ops: &[Option<CompiledOp>],
        number: usize,
        s: &mut Scratch,
        out: &mut Steps,
    ) {
        let op = u32::try_from(number).unwrap_or(u32::MAX);
        if let Some(Some(code)) = ops.get(number) {
            let edges = match &code.order {
                None => self.direct(code, state, &mut s.regs, out),
                Some(order) => Self::ordered(code, order, state, s, out),
            };
            match edges {
                Ok(n) => {
                    out.pushed(op, 1, n);
                    return;
                }
                Err(Some(misfit)) => return out.faults.push(self.misfit(op, misfit)),
                Err(None) => {}
            }
        }
        s.edges.clear();
        s.faults.clear();
        self.plain.edges(state, op, &mut s.edges, &mut s.faults);
        for (_, target) in &s.edges {
            out.push(op, 1, target);
        }
        out.faults.append(&mut s.faults);
    }

    fn misfit(&self, op: u32, misfit: &Misfit) -> StepFault {
        let fault = self.plain.misfit(misfit.variable, &misfit.hull);
        StepFault { op, arguments: Vec::new(), fault }
    }

    /// Edges of an operation under the arguments that are tried. `state` has the words of the twins behind its own.
    fn edges_within(
        &self,
        state: &[u64],
        ops: &[Option<CompiledOp>],
        number: usize,
        twins: &Twins,
        s: &mut Scratch,
        out: &mut Steps,
    ) {
        let op = u32::try_from(number).unwrap_or(u32::MAX);
        if let Some(Some(code)) = ops.get(number) {
            s.out.clear();
            match code.run(state, &mut s.regs, &mut s.out) {
                Ok(()) => {
                    let mut edge = |before: &[u64], target: &[u64]| {
                        out.push(op, before.last().copied().unwrap_or(1), target);
                    };
                    match &code.order {
                        Some(order) => order.edges(&s.out, &mut s.order, edge),
                        None => s.out.chunks(1 + self.width()).for_each(|r| {
                            let (weight, target) = r.split_at(1);
                            edge(weight, target);
                        }),
                    }
                    return;
                }
                Err(Some(misfit)) => return out.faults.push(self.misfit(op, misfit)),
                Err(None) => {}
            }
        }
        self.plain.edges_within(state.get(..self.width()).unwrap_or(state), op, twins, out);
    }

    /// Edges of an operation that emits targets in order: their number, or the reason to give up if it is known.
    fn direct<'c>(
        &self,
        code: &'c CompiledOp,
        state: &[u64],
        regs: &mut Vec<u64>,
        out: &mut Steps,
    ) -> Result<u32, Option<&'c Misfit>> {
        let before = out.targets.len();
        if let Err(why) = code.run(state, regs, &mut out.targets) {
            out.targets.truncate(before);
            return Err(why);
        }
        let words = u32::try_from(out.targets.len() - before).map_err(|_| None)?;
        // Mostly there is one edge or none; a division takes longer than all the rest.
        let width = u32::try_from(self.width()).unwrap_or(u32::MAX).max(1);
        Ok(if words <= width { u32::from(words == width) } else { words / width })
    }

    /// Edges of an operation that emits labelled records.
    fn ordered<'c>(
        code: &'c CompiledOp,
        order: &Order,
        state: &[u64],
        s: &mut Scratch,
        out: &mut Steps,
    ) -> Result<u32, Option<&'c Misfit>> {
        s.out.clear();
        code.run(state, &mut s.regs, &mut s.out)?;
        let mut edges = 0;
        order.edges(&s.out, &mut s.order, |_, target| {
            out.targets.extend_from_slice(target);
            edges += 1;
        });
        Ok(edges)
    }

    /// The conjuncts that compile as one program, and which they are.
    fn fused<'c>(&self, c: &'c Compiled) -> Option<&'c Fused> {
        c.fused
            .get_or_init(|| {
                let src = self.source(c);
                let all = &self.plain.machine().invariants;
                let (able, rest): (Vec<_>, Vec<_>) =
                    (0..).zip(all).partition(|(_, f)| predicate(src, &f.pred).is_ok());
                let preds: Vec<_> = able.into_iter().map(|(_, f)| &f.pred).collect();
                let program = conjunction(src, &preds).ok()?;
                Some(Fused { exec: Exec::new(program), rest: rest.into_iter().map(|(i, _)| i).collect() })
            })
            .as_ref()
    }

    fn invariant(
        &self,
        state: &[u64],
        index: usize,
        c: Option<&Compiled>,
        s: &mut Scratch,
    ) -> Result<bool, Fault> {
        let exec = c.and_then(|c| {
            let f = self.plain.machine().invariants.get(index)?;
            c.invariants
                .get(index)?
                .get_or_init(|| predicate(self.source(c), &f.pred).ok().map(Exec::new))
                .as_ref()
        });
        if let Some(Ran::Done(holds)) = exec.map(|e| e.run(state, &mut s.regs, &mut s.out)) {
            return Ok(holds);
        }
        self.plain.invariant(state, u32::try_from(index).unwrap_or(u32::MAX))
    }

    fn goal(&self, state: &[u64], c: Option<&Compiled>, s: &mut Scratch) -> Result<bool, Fault> {
        let Some(goal) = &self.plain.machine().goal else { return Ok(false) };
        let exec = c.and_then(|c| {
            c.goal.get_or_init(|| predicate(self.source(c), &goal.pred).ok().map(Exec::new)).as_ref()
        });
        if let Some(Ran::Done(holds)) = exec.map(|e| e.run(state, &mut s.regs, &mut s.out)) {
            return Ok(holds);
        }
        self.plain.goal(state)
    }

    /// Whether compiled code shows that all assertions with variables hold. If not, the plain evaluator tells which do.
    fn assertions_hold(&self, state: &[u64], s: &mut Scratch) -> bool {
        let Some(c) = self.compiled(state) else { return false };
        let exec = c.assertions.get_or_init(|| {
            let all = self.plain.machine().assertions.iter().filter(|a| !a.reads.is_empty());
            let preds: Vec<_> = all.map(|f| &f.pred).collect();
            conjunction(self.source(c), &preds).ok().map(Exec::new)
        });
        exec.as_ref().is_some_and(|e| e.run(state, &mut s.regs, &mut s.out) == Ran::Done(true))
    }

    /// What states of the valuation of this one are checked with.
    fn checks(&self, state: &[u64]) -> Checks<'_> {
        let c = self.compiled(state);
        Checks {
            valuation: state.first().copied().filter(|_| c.is_some()),
            c,
            fused: c.and_then(|c| self.fused(c)),
        }
    }

    fn check_with(&self, state: &[u64], checks: &Checks<'_>, out: &mut Findings, s: &mut Scratch) {
        let Checks { c, fused, .. } = *checks;
        // What the fused program has shown to hold need not be asked again.
        let shown = fused.filter(|f| f.exec.run(state, &mut s.regs, &mut s.out) == Ran::Done(true));
        let all = 0..self.plain.machine().invariants.len();
        let mut faults = Vec::new();
        let mut one = |index| match self.invariant(state, index, c, s) {
            Ok(true) => {}
            Ok(false) => out.invariants.push(u32::try_from(index).unwrap_or(u32::MAX)),
            Err(f) => faults.push(f),
        };
        match shown {
            Some(fused) => fused.rest.iter().copied().for_each(&mut one),
            None => all.for_each(&mut one),
        }
        // A conjunct without value counts only where none is false, as in the plain system.
        faults.retain(|f| out.invariants.is_empty() || f.0.code == Code::Interrupted);
        out.faults.append(&mut faults);
        match self.goal(state, c, s) {
            Ok(holds) => out.goal = holds,
            Err(f) => out.faults.push(f),
        }
    }
}

impl<P: Plain> System for CompiledSystem<P> {
    fn width(&self) -> usize {
        self.plain.width()
    }

    fn has_setup(&self) -> bool {
        self.plain.has_setup()
    }

    fn valuations(&self, f: &mut dyn FnMut(u32) -> bool) -> Result<(), Fault> {
        self.plain.valuations(f)
    }

    fn compare_valuations(&self, a: u32, b: u32) -> std::cmp::Ordering {
        self.plain.compare_valuations(a, b)
    }

    fn initial(&self, valuation: u32, out: &mut Steps) {
        self.plain.initial(valuation, out);
    }

    fn successors(&self, state: &[u64], out: &mut Steps) {
        self.successors_of(state, out, &mut |_| {});
    }

    fn successors_of(&self, states: &[u64], out: &mut Steps, each: &mut dyn FnMut(&mut Steps)) {
        let mut s = self.scratch();
        self.edges_of(states, &mut s, out, each);
        self.give_back(s);
    }

    fn twins(&self) -> Option<Twins> {
        self.plain.twins()
    }

    fn successors_within(&self, state: &[u64], twins: &Twins, out: &mut Steps) {
        let mut s = self.scratch();
        let ops = self.ops(self.compiled(state), Some(twins));
        let mut words = std::mem::take(&mut s.state);
        words.clear();
        words.extend_from_slice(state);
        words.extend_from_slice(twins.words());
        for number in 0..self.plain.offered().len() {
            self.edges_within(&words, ops, number, twins, &mut s, out);
        }
        s.state = words;
        self.give_back(s);
    }

    fn check(&self, state: &[u64], out: &mut Findings) {
        let mut s = self.scratch();
        self.check_with(state, &self.checks(state), out, &mut s);
        self.give_back(s);
    }

    fn check_these(&self, states: &[u64], which: &[u32], found: &mut dyn FnMut(u32, Findings)) {
        let width = self.width();
        let mut s = self.scratch();
        let mut findings = Findings::default();
        let mut checks = Checks::default();
        let assertions = width > 1 && self.plain.machine().assertions.iter().any(|a| !a.reads.is_empty());
        for &i in which {
            let Some(state) = states.get(i as usize * width..(i as usize + 1) * width) else { continue };
            // Code that could not be made yet is asked for again.
            if checks.valuation.is_none() || checks.valuation.as_ref() != state.first() {
                checks = self.checks(state);
            }
            self.check_with(state, &checks, &mut findings, &mut s);
            if assertions && !self.assertions_hold(state, &mut s) {
                self.plain.check_assertions(state, &mut findings);
            }
            if findings.any() {
                found(i, std::mem::take(&mut findings));
            }
        }
        self.give_back(s);
    }

    fn check_assertions(&self, state: &[u64], out: &mut Findings) {
        self.plain.check_assertions(state, out);
    }

    fn operations(&self) -> &[String] {
        self.plain.operations()
    }

    fn label(&self, state: &[u64], nth: u32) -> Option<Label> {
        let mut s = self.scratch();
        let found = self.label_with(state, nth, &mut s);
        self.give_back(s);
        found
    }

    fn show_state_in(&self, most: usize, state: &[u64]) -> Vec<(String, String)> {
        self.plain.show_state_in(most, state)
    }

    fn show_valuation_in(&self, most: usize, valuation: u32) -> Vec<(String, String)> {
        self.plain.show_valuation_in(most, valuation)
    }
}
