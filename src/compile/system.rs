//! The machine as a transition system, by compiled code where there is some.
//!
//! In: a plain system. Out: a [`System`] with the same edges in the same order, the same findings, the same
//! faults. Operations and conjuncts are compiled when first needed, once for the values of the constants that they
//! mention (`versions`). A run that gives up is repeated by the plain evaluator.

mod checks;
mod groups;
mod label;
mod many;
mod records;
mod shared;
mod sieve;
mod versions;

use super::exec::Exec;
use super::function::{OpProgram, label_locals, operation, operation_within, predicate, try_of_operation};
use super::lower::misfit::Misfit;
use super::lower::{Source, Unsupported};
use super::record::Order;
use super::together::Together;
use super::word::gate::Gate;
use super::word::{Program, Ran};
use crate::eval::Budget;
use crate::ir::Operation;
use crate::model::{Findings, Label, Plain, PlainEdge, StepFault, Steps, System, Told, Twins};
use crate::ops::Fault;
use crate::source::Span;
use crate::ty::Ty;
use crate::value::Value;
use checks::Fused;
use groups::{ALL, Groups};
pub use records::{Desk, Records};
use shared::Shared;
use sieve::Sieve;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use versions::Versions;

/// Most valuations that get code.
const VALUATIONS: usize = 4096;
/// Steps that the plain evaluator has for an operation for which a try was not enough; they take about as long.
const TRY: u64 = 1 << 13;
/// The first so many get code at once.
const FIRST: usize = 64;
/// The others when the plain evaluator has seen so many of their states, which is when making code pays.
const STATES: u32 = 16;
/// They get none once there are so many instructions: some hundred megabytes, native code included.
const INSTRUCTIONS: usize = 1 << 20;

/// A system that runs compiled code and falls back to a plain one.
#[derive(Debug)]
pub struct CompiledSystem<P> {
    plain: P,
    /// In blocks of [`FIRST`], made when first asked for: mostly there is one valuation.
    valuations: Vec<OnceLock<Box<[Valuation]>>>,
    shared: Shared,
    groups: Groups,
    /// Whether programs may become native code.
    native: bool,
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

/// Memory to be reused, by those who call again and again with the same [`Steps`].
#[derive(Debug, Default)]
struct Scratch {
    /// A state with twins behind it.
    state: Vec<u64>,
    regs: Vec<u64>,
    out: Vec<u64>,
    order: Vec<u32>,
    /// A bit for each operation: whether it may have edges.
    open: Vec<u64>,
    /// By state and operation, numbers of edges.
    ends: Vec<u32>,
    edges: Vec<PlainEdge>,
    faults: Vec<StepFault>,
}

/// A valuation's code, once there is some.
#[derive(Debug, Default)]
struct Valuation {
    asked: AtomicU32,
    code: OnceLock<Box<Compiled>>,
}

/// The code for one valuation.
#[derive(Debug)]
struct Compiled {
    consts: Arc<Vec<Option<Value>>>,
    /// The constants' values by numbers, as [`Versions`] want them.
    numbers: Vec<u32>,
    initialisation: OnceLock<Option<Arc<CompiledOp>>>,
    ops: OnceLock<Offered>,
    /// The same, of arguments that twins can be exchanged in only those that are tried.
    within: OnceLock<Offered>,
    /// The operations with labels, for [`Records`].
    labelled: Vec<OnceLock<Option<Arc<CompiledOp>>>>,
    /// By group, the conjuncts of the invariant that compile.
    fused: Vec<OnceLock<Option<Arc<Fused>>>>,
    /// By number of the operation, the group of conjuncts that is checked after it; none if that is always the one of all.
    routes: OnceLock<Vec<usize>>,
    invariants: Vec<OnceLock<Option<Arc<Exec>>>>,
    goal: OnceLock<Option<Arc<Exec>>>,
    /// All assertions with variables in one program, if all of them compile.
    assertions: OnceLock<Option<Arc<Exec>>>,
}

/// The operations, by number in `Steps::ops`.
#[derive(Debug)]
struct Offered {
    codes: Vec<Option<Arc<CompiledOp>>>,
    /// Where there are many: which may have edges.
    sieve: Option<Sieve>,
    together: Together,
}

#[derive(Debug)]
struct CompiledOp {
    exec: Exec,
    /// How to order its records; `None` if they come in order and are mere targets.
    order: Option<Order>,
    misfits: Vec<Misfit>,
    /// Where there are many operations: when it does nothing.
    gate: Option<Gate>,
    /// If a run is a try: the code for longer runs, and whether these have been of use.
    longer: Option<(Box<CompiledOp>, AtomicBool)>,
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

    /// Whether tries are left out: a longer run has come to its end where the plain evaluator had not.
    fn outgrown(&self) -> bool {
        self.longer.as_ref().is_some_and(|(_, useful)| useful.load(Ordering::Relaxed))
    }

    /// The code to begin with.
    fn first(&self) -> &Self {
        match &self.longer {
            Some((longer, _)) if self.outgrown() => longer,
            _ => self,
        }
    }
}

/// The code of operations; none without their valuation.
fn codes(offered: Option<&Offered>) -> &[Option<Arc<CompiledOp>>] {
    offered.map_or(&[], |o| &o.codes)
}

impl<P: Plain> CompiledSystem<P> {
    /// Wraps a plain system.
    pub fn new(plain: P) -> Self {
        let valuations = std::iter::repeat_with(OnceLock::new).take(VALUATIONS / FIRST).collect();
        let groups = Groups::new(plain.machine(), plain.offered());
        let shared = Shared::new(&plain, &groups);
        Self { plain, valuations, shared, groups, native: true }
    }

    /// The same without native code: programs are interpreted.
    #[must_use]
    pub fn interpreted(self) -> Self {
        Self { native: false, ..self }
    }

    /// What stays or stayed with the plain evaluator under a valuation, and why: for those who wonder about speed.
    pub fn refusals(&self, valuation: u32) -> Vec<Refusal> {
        let Some(c) = self.compiled(&[u64::from(valuation)]) else { return Vec::new() };
        let src = self.source(&c.consts);
        let machine = self.plain.machine();
        let mut out = Vec::new();
        for op in self.plain.offered().iter().filter_map(|i| machine.operations.get(*i as usize)) {
            out.extend(operation(src, op).err().map(|u| Refusal::new(&op.name, &u)));
        }
        for (number, code) in c.ops.get().into_iter().flat_map(|o| &o.codes).enumerate() {
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
            let exec = cell.get().and_then(Option::as_deref);
            out.extend(exec.and_then(|e| Refusal::bailed(&f.text, e)));
        }
        out
    }

    /// The plain system.
    pub fn plain(&self) -> &P {
        &self.plain
    }

    /// The code for the valuation of some states, if it is worth it.
    fn compiled(&self, states: &[u64]) -> Option<&Compiled> {
        let number = u32::try_from(*states.first()?).ok()?;
        let block = self.valuations.get(number as usize / FIRST)?;
        let block = block.get_or_init(|| std::iter::repeat_with(Valuation::default).take(FIRST).collect());
        let valuation = block.get(number as usize % FIRST)?;
        if let Some(code) = valuation.code.get() {
            return Some(code);
        }
        if number as usize >= FIRST {
            let states = u32::try_from(states.len().div_ceil(self.width().max(1))).unwrap_or(u32::MAX);
            let asked = valuation.asked.fetch_add(states, Ordering::Relaxed).saturating_add(states);
            if asked < STATES || self.shared.instructions.load(Ordering::Relaxed) > INSTRUCTIONS {
                return None;
            }
        }
        // No valuation yet: look again next time.
        let consts = self.plain.constants(number)?;
        Some(valuation.code.get_or_init(|| Box::new(self.no_code_yet(consts))))
    }

    fn source<'a>(&'a self, consts: &'a [Option<Value>]) -> Source<'a> {
        Source {
            machine: self.plain.machine(),
            world: self.plain.world(),
            layout: self.plain.layout(),
            consts,
        }
    }

    /// A program made ready to run; all of them are counted.
    fn ready(&self, program: Program) -> Exec {
        self.shared.instructions.fetch_add(program.len(), Ordering::Relaxed);
        Exec::new(program, self.native, self.plain.world().interrupt.clone())
    }

    /// The code of a program that emits mere targets in order.
    fn unlabelled(&self, p: OpProgram) -> CompiledOp {
        self.made(p, None)
    }

    fn made(&self, p: OpProgram, order: Option<Order>) -> CompiledOp {
        let gate = if self.plain.offered().len() < sieve::MANY { None } else { Gate::of(&p.program) };
        CompiledOp { exec: self.ready(p.program), order, misfits: p.misfits, gate, longer: None }
    }

    /// The version of some code under a valuation.
    fn version<T>(
        &self,
        c: &Compiled,
        versions: &Versions<T>,
        make: impl FnOnce(Source<'_>) -> Option<T>,
    ) -> Option<Arc<T>> {
        versions.get(&c.consts, &c.numbers, |consts| make(self.source(consts)))
    }

    fn operation_at(&self, number: usize) -> Option<&Operation> {
        let index = *self.plain.offered().get(number)?;
        self.plain.machine().operations.get(index as usize)
    }

    /// Calls `f` with the numbers of the operations that may have edges in a state, in order. `open` is memory to be reused.
    fn each_open(
        &self,
        offered: Option<&Offered>,
        state: &[u64],
        open: &mut Vec<u64>,
        mut f: impl FnMut(usize),
    ) {
        match offered.and_then(|o| o.sieve.as_ref()) {
            Some(sieve) => sieve.of(state, open, f),
            None => (0..self.plain.offered().len()).for_each(&mut f),
        }
    }

    fn offered<'c>(&self, c: &'c Compiled, twins: Option<&Twins>) -> &'c Offered {
        let (cell, shared) = match twins {
            None => (&c.ops, &self.shared.ops),
            Some(_) => (&c.within, &self.shared.within),
        };
        cell.get_or_init(|| {
            let code = |(n, versions)| self.version(c, versions, |src| self.compile(src, n, twins));
            let codes: Vec<_> = shared.iter().enumerate().map(code).collect();
            let execs = codes.iter().flatten().map(|c: &Arc<CompiledOp>| &c.exec);
            let gates = codes.iter().map(|c| c.as_ref().and_then(|c| c.gate.clone()));
            Offered { together: Together::after(execs), sieve: Sieve::new(gates.collect()), codes }
        })
    }

    fn compile(&self, src: Source<'_>, number: usize, twins: Option<&Twins>) -> Option<CompiledOp> {
        let op = self.operation_at(number)?;
        let Some(twins) = twins else {
            let p = try_of_operation(src, op).ok()?;
            if !p.is_try {
                return self.with_order(op, p, None);
            }
            let longer = self.with_order(op, operation(src, op).ok()?, None)?;
            let mut code = self.with_order(op, p, None)?;
            code.longer = Some((Box::new(longer), AtomicBool::default()));
            return Some(code);
        };
        self.with_order(op, operation_within(src, op, twins).ok()?, Some(twins))
    }

    /// The code of a program, with the order of its records.
    fn with_order(&self, op: &Operation, p: OpProgram, twins: Option<&Twins>) -> Option<CompiledOp> {
        if p.sorted {
            return Some(self.unlabelled(p));
        }
        self.with_labels(op, p, twins)
    }

    /// The same of one that emits labels.
    fn with_labels(&self, op: &Operation, p: OpProgram, twins: Option<&Twins>) -> Option<CompiledOp> {
        // A weight is a number, like that of an element.
        let types = label_locals(op).into_iter().map(|l| l.ty).chain(twins.map(|_| Ty::Bool));
        let order = Order::new(types, self.plain.world(), self.plain.layout().words, p.repeats)?;
        (order.label() == p.label).then(|| self.made(p, Some(order)))
    }

    fn edges(
        &self,
        state: &[u64],
        ops: &[Option<Arc<CompiledOp>>],
        number: usize,
        s: &mut Scratch,
        out: &mut Steps,
    ) {
        let op = u32::try_from(number).unwrap_or(u32::MAX);
        if let Some(Some(code)) = ops.get(number) {
            let code = code.first();
            if self.edges_by(code, state, op, s, out) {
                return;
            }
            if let Some((longer, useful)) = &code.longer {
                if self.plain_edges(state, op, TRY, s, out) {
                    return;
                }
                if self.edges_by(longer, state, op, s, out) {
                    return useful.store(true, Ordering::Relaxed);
                }
            }
        }
        let _done = self.plain_edges(state, op, u64::MAX, s, out);
    }

    /// Edges by compiled code; false if it gave up without a reason.
    fn edges_by(&self, code: &CompiledOp, state: &[u64], op: u32, s: &mut Scratch, out: &mut Steps) -> bool {
        let edges = match &code.order {
            None => self.direct(code, state, &mut s.regs, out),
            Some(order) => Self::ordered(code, order, state, s, out),
        };
        match edges {
            Ok(n) => out.pushed(op, 1, n),
            Err(Some(misfit)) => out.faults.push(self.misfit(op, misfit)),
            Err(None) => return false,
        }
        true
    }

    /// Edges by the plain evaluator; false if that would take it more steps than this.
    fn plain_edges(&self, state: &[u64], op: u32, steps: u64, s: &mut Scratch, out: &mut Steps) -> bool {
        s.edges.clear();
        s.faults.clear();
        let budget = Budget::of(steps);
        self.plain.edges(state, op, &mut s.edges, &mut s.faults);
        if budget.is_spent() {
            return false;
        }
        for (_, target) in &s.edges {
            out.push(op, 1, target);
        }
        out.faults.append(&mut s.faults);
        true
    }

    fn misfit(&self, op: u32, misfit: &Misfit) -> StepFault {
        let fault = self.plain.misfit(misfit.variable, &misfit.hull);
        StepFault { op, arguments: Vec::new(), fault }
    }

    /// Edges of an operation under the arguments that are tried. `state` has the words of the twins behind its own.
    fn edges_within(
        &self,
        state: &[u64],
        ops: &[Option<Arc<CompiledOp>>],
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

    fn valuations_told(&self, f: &mut dyn FnMut(Option<u32>) -> bool) -> Result<(), Fault> {
        self.plain.valuations_told(f)
    }

    fn is_outside(&self, state: &[u64]) -> bool {
        self.plain.is_outside(state)
    }

    fn has_scope(&self) -> bool {
        self.plain.has_scope()
    }

    fn compared_valuations(&self) -> u64 {
        self.plain.compared_valuations()
    }

    fn compare_valuations(&self, a: u32, b: u32) -> std::cmp::Ordering {
        self.plain.compare_valuations(a, b)
    }

    fn initial(&self, valuation: u32, out: &mut Steps) {
        if !self.begin(valuation, &mut Scratch::default(), out) {
            self.plain.initial(valuation, out);
        }
    }

    fn successors(&self, state: &[u64], out: &mut Steps) {
        let mut s: Box<Scratch> = out.memory.take().unwrap_or_default();
        self.edges_of_one(state, &mut s, out);
        out.memory.leave(s);
    }

    fn successors_of(&self, states: &[u64], out: &mut Steps) {
        let mut s: Box<Scratch> = out.memory.take().unwrap_or_default();
        self.edges_of(states, &mut s, out);
        out.memory.leave(s);
    }

    fn twins(&self) -> Option<Twins> {
        self.plain.twins()
    }

    fn successors_within(&self, state: &[u64], twins: &Twins, out: &mut Steps) {
        let mut s: Box<Scratch> = out.memory.take().unwrap_or_default();
        let offered = self.compiled(state).map(|c| self.offered(c, Some(twins)));
        let ops = codes(offered);
        let mut words = std::mem::take(&mut s.state);
        words.clear();
        words.extend_from_slice(state);
        words.extend_from_slice(twins.words());
        let mut open = std::mem::take(&mut s.open);
        self.each_open(offered, state, &mut open, |number| {
            self.edges_within(&words, ops, number, twins, &mut s, out);
        });
        (s.state, s.open) = (words, open);
        out.memory.leave(s);
    }

    fn check(&self, state: &[u64], out: &mut Findings) {
        self.check_with(state, self.compiled(state), ALL, out, &mut Scratch::default());
    }

    fn check_these(&self, states: &[u64], which: &[u32], found: &mut dyn FnMut(u32, Findings)) {
        self.check_groups(states, which, |_| ALL, found, &mut Scratch::default());
    }

    fn check_reached(
        &self,
        steps: &mut Steps,
        which: &[u32],
        sound: bool,
        found: &mut dyn FnMut(u32, Findings),
    ) {
        let mut s: Box<Scratch> = steps.memory.take().unwrap_or_default();
        self.check_after(steps, which, sound, found, &mut s);
        steps.memory.leave(s);
    }

    fn check_assertions(&self, state: &[u64], out: &mut Findings) {
        self.plain.check_assertions(state, out);
    }

    fn operations(&self) -> &[String] {
        self.plain.operations()
    }

    fn label(&self, state: &[u64], nth: u32) -> Option<Label> {
        self.label_with(state, nth, &mut Scratch::default())
    }

    fn show_state_in(&self, most: usize, state: &[u64]) -> Vec<(String, String)> {
        self.plain.show_state_in(most, state)
    }

    fn told(&self, most: usize, before: Option<&[u64]>, after: &[u64]) -> Told {
        self.plain.told(most, before, after)
    }

    fn show_valuation_in(&self, most: usize, valuation: u32) -> Vec<(String, String)> {
        self.plain.show_valuation_in(most, valuation)
    }
}
