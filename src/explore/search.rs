//! The search loop: breadth first, level by level, in an order that depends on nothing but the system.
//!
//! In: a `System`, a `Reducer` for states, one for valuations. Out: an [`Outcome`] and the parents of all
//! nodes. Every state is checked when it is stored, so the first violation found has a shortest trace.
//! States are expanded in chunks, perhaps by several threads (`expand`), and merged in order, so the outcome is the
//! same for any number of threads.

use super::expand::{Checked, Chunk, Expander, check};
use super::findings::{self, Kind, Place};
use super::keys::Keys;
use super::trace::{Parents, ROOT};
use super::{OperationCount, Options, Outcome, Stop};
use crate::diagnostic::Code;
use crate::model::{Findings, Steps, System};
use crate::ops::Fault;
use crate::symmetry::Reducer;
use num_bigint::BigUint;

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// States stored.
    pub states: u64,
    /// Edges found.
    pub transitions: u64,
    /// States known but not yet expanded.
    pub waiting: u64,
    /// Steps from the root.
    pub depth: u64,
}

/// States between two calls of the observer.
const PROGRESS: u64 = 1 << 12;

/// Explores a system. `valuation_reducer` says which valuations count as the same (usually the same reducer).
pub fn explore(
    system: &dyn System,
    reducer: &dyn Reducer,
    valuation_reducer: &dyn Reducer,
    options: &Options,
    observer: &mut dyn FnMut(Progress),
) -> (Outcome, Parents) {
    let mut search = Search::new(system, reducer, options, observer);
    search.root(valuation_reducer);
    while search.out.stopped.is_none() && !search.next.is_empty() {
        search.level();
    }
    search.finish()
}

struct Search<'a> {
    system: &'a dyn System,
    reducer: &'a dyn Reducer,
    options: &'a Options,
    observer: &'a mut dyn FnMut(Progress),
    width: usize,
    seen: Keys,
    parents: Vec<(u32, u32)>,
    current: Vec<u64>,
    next: Vec<u64>,
    waiting: u64,
    expander: Expander,
    findings: Findings,
    full: Option<BigUint>,
    out: Outcome,
}

impl<'a> Search<'a> {
    fn new(
        system: &'a dyn System,
        reducer: &'a dyn Reducer,
        options: &'a Options,
        observer: &'a mut dyn FnMut(Progress),
    ) -> Self {
        let operations = vec![OperationCount::default(); system.operations().len()];
        Self {
            system,
            reducer,
            options,
            observer,
            width: system.width().max(1),
            seen: Keys::default(),
            parents: Vec::new(),
            current: Vec::new(),
            next: Vec::new(),
            waiting: 0,
            expander: Expander::new(options.threads),
            findings: Findings::default(),
            full: Some(BigUint::ZERO),
            out: Outcome { operations, ..Outcome::default() },
        }
    }

    fn finish(mut self) -> (Outcome, Parents) {
        self.out.keys = self.seen.len() as u64;
        self.out.key_bytes = self.seen.bytes() as u64;
        self.out.full_states = self.full;
        (self.out, Parents(self.parents))
    }

    fn stop(&mut self, why: Stop) {
        self.out.stopped.get_or_insert(why);
    }

    fn running(&mut self) -> bool {
        if self.options.interrupt.raised() {
            self.stop(Stop::Interrupted);
        }
        self.out.stopped.is_none()
    }

    fn found(&mut self, kind: Kind, node: Option<u32>) {
        if kind.is_violation() && !self.options.keep_going {
            self.stop(Stop::Violation);
        }
        findings::add(&mut self.out.findings, kind, node);
    }

    /// Reports faults of one node; whether there were any. Interruption is no fault.
    fn faults(&mut self, faults: impl IntoIterator<Item = Kind>, node: Option<u32>) -> bool {
        let mut any = false;
        for kind in faults {
            if matches!(&kind, Kind::Fault(_, f) if f.0.code == Code::Interrupted) {
                self.stop(Stop::Interrupted);
                continue;
            }
            any = true;
            self.found(kind, node);
        }
        self.out.errors += u64::from(any);
        any
    }

    /// Stores a node; `None` if the limit is reached.
    fn store(&mut self, parent: u32, nth: u32) -> Option<u32> {
        let node = u32::try_from(self.parents.len()).ok().filter(|n| *n < ROOT);
        if node.is_none() || self.options.max_states.is_some_and(|m| self.out.states >= m) {
            self.stop(Stop::States);
            return None;
        }
        self.parents.push((parent, nth));
        self.out.states += 1;
        node
    }

    /// The root: valuations, then their initial states.
    fn root(&mut self, valuation_reducer: &dyn Reducer) {
        let setup = self.system.has_setup();
        let mut valuations: Vec<(u32, u32)> = Vec::new();
        let system = self.system;
        let end = system.valuations(&mut |v| {
            if !self.running() {
                return false;
            }
            if !setup {
                valuations.push((ROOT, v));
                return true;
            }
            if self.seen.insert(valuation_reducer.valuation_key(v)) {
                valuation_reducer.further_valuation_keys(v, &mut |k| {
                    self.seen.insert(k);
                });
                let Some(node) = self.store(ROOT, v) else { return false };
                valuations.push((node, v));
                self.out.valuations += 1;
                self.out.transitions += 1;
            }
            self.out.stopped.is_none()
        });
        let fault = end.err().map(|f| Kind::Fault(Place::Properties, f));
        let faulty = self.faults(fault, None);
        if valuations.is_empty() && !faulty && self.running() {
            self.deadlock(None);
        }
        self.out.depth = u64::from(setup);
        for (node, v) in valuations {
            if !self.running() {
                return;
            }
            self.valuation(node, v);
        }
    }

    /// A valuation: its assertions and its initial states.
    fn valuation(&mut self, node: u32, v: u32) {
        let at = (node != ROOT).then_some(node);
        self.assertions(v, at);
        let mut steps = Steps::default();
        self.system.initial(v, &mut steps);
        let interrupted = !self.running();
        let faults = steps.faults.drain(..).map(|f| Kind::Fault(Place::Initialisation, f.fault));
        let faulty = self.faults(faults.collect::<Vec<_>>(), at);
        if steps.is_empty() && !faulty && !interrupted {
            self.deadlock(at);
        }
        self.out.transitions += steps.weights.iter().sum::<u64>();
        let before = self.out.states;
        for (nth, target) in (0u32..).zip(steps.targets.chunks(self.width)) {
            if self.out.stopped.is_some() {
                break;
            }
            let key = self.reducer.key(target);
            self.offer(key, target, node, nth, None);
        }
        self.out.initial_states += self.out.states - before;
    }

    fn deadlock(&mut self, node: Option<u32>) {
        self.out.deadlocks += 1;
        if self.options.deadlock {
            self.found(Kind::Deadlock, node);
        }
    }

    /// Stores a state unless its key is known, and checks it unless that has been done.
    fn offer(&mut self, key: u128, state: &[u64], parent: u32, nth: u32, checked: Option<Checked>) {
        if !self.seen.insert(key) {
            return;
        }
        let Some(node) = self.store(parent, nth) else { return };
        let seen = &mut self.seen;
        self.reducer.further_keys(state, &mut |k| {
            seen.insert(k);
        });
        self.next.extend_from_slice(state);
        self.full = match (self.full.take(), self.reducer.orbit_size(state)) {
            (Some(sum), Some(n)) => Some(sum + n),
            _ => None,
        };
        match checked {
            Some(Checked::Found(mut findings)) => self.findings(&mut findings, node),
            Some(_) => {}
            None => {
                let mut findings = std::mem::take(&mut self.findings);
                findings.clear();
                check(self.system, state, &mut findings);
                self.findings(&mut findings, node);
                self.findings = findings;
            }
        }
        if self.out.states.is_multiple_of(PROGRESS) {
            self.report();
        }
    }

    /// Takes over what checking a state has found.
    fn findings(&mut self, findings: &mut Findings, node: u32) {
        self.out.invariant_violations += u64::from(!findings.invariants.is_empty());
        for i in findings.invariants.drain(..) {
            self.found(Kind::Invariant(i), Some(node));
        }
        self.out.assertion_violations += u64::from(!findings.assertions.is_empty());
        for i in findings.assertions.drain(..) {
            self.found(Kind::Assertion(i), Some(node));
        }
        if findings.goal {
            self.out.goal_states += 1;
            self.found(Kind::Goal, Some(node));
        }
        if !findings.faults.is_empty() {
            let faults: Vec<Fault> = std::mem::take(&mut findings.faults);
            self.faults(faults.into_iter().map(|f| Kind::Fault(Place::Check, f)), Some(node));
        }
    }

    /// The assertions without variables, under a valuation.
    fn assertions(&mut self, valuation: u32, node: Option<u32>) {
        let mut findings = Findings::default();
        self.system.check_assertions(&[u64::from(valuation)], &mut findings);
        self.out.assertion_violations += u64::from(!findings.assertions.is_empty());
        for i in findings.assertions {
            self.found(Kind::Assertion(i), node);
        }
        self.faults(findings.faults.into_iter().map(|f| Kind::Fault(Place::Assertion, f)), node);
    }

    /// Expands all states found last.
    fn level(&mut self) {
        if self.options.max_depth.is_some_and(|d| self.out.depth >= d) {
            return self.stop(Stop::Depth);
        }
        self.out.depth += 1;
        let mut current = std::mem::take(&mut self.current);
        std::mem::swap(&mut current, &mut self.next);
        self.next.clear();
        let count = current.len() / self.width;
        let first = self.parents.len() - count;
        self.waiting = count as u64;
        let mut at = 0;
        while at < count && self.running() {
            let end = count.min(at + self.expander.window(count));
            let words = current.get(at * self.width..end * self.width).unwrap_or(&[]);
            let node = u32::try_from(first + at).unwrap_or(ROOT);
            let mut expander = std::mem::take(&mut self.expander);
            expander.expand(self.system, self.reducer, &self.seen, words, self.width);
            let mut node = node;
            for chunk in expander.chunks() {
                node = self.merge(chunk, node);
            }
            self.expander = expander;
            self.waiting = (count - end) as u64;
            at = end;
        }
        self.current = current;
    }

    /// Takes over what was found when a chunk of states, of which `node` is the first, was expanded; the node
    /// after them. Strictly in the order of states and edges, so that the result does not depend on chunks.
    fn merge(&mut self, chunk: &mut Chunk, mut node: u32) -> u32 {
        self.seen.prefetch(&chunk.keys);
        let mut faults = std::mem::take(&mut chunk.faults).into_iter().peekable();
        let mut checked = std::mem::take(&mut chunk.checked);
        let mut first = 0;
        for (source, &last) in chunk.ends.iter().enumerate() {
            if !self.running() {
                break;
            }
            let mut here = Vec::new();
            while let Some((_, fault)) = faults.next_if(|(s, _)| *s == source) {
                here.push(Kind::from(fault));
            }
            let faulty = !here.is_empty() && self.faults(here, Some(node));
            if first == last && !faulty && self.out.stopped.is_none() {
                self.deadlock(Some(node));
            }
            self.count(&chunk.steps, first, last);
            for edge in first..last {
                if self.out.stopped.is_some() {
                    break;
                }
                let known = checked.get_mut(edge).and_then(Option::take);
                if known != Some(Checked::Known) {
                    self.edge(chunk, edge, node, edge - first, known);
                }
            }
            first = last;
            node = node.saturating_add(1);
        }
        node
    }

    fn edge(&mut self, chunk: &Chunk, edge: usize, node: u32, nth: usize, known: Option<Checked>) {
        let target = chunk.steps.targets.get(edge * self.width..(edge + 1) * self.width);
        if let (Some(target), Some(key)) = (target, chunk.keys.get(edge)) {
            self.offer(*key, target, node, u32::try_from(nth).unwrap_or(u32::MAX), known);
        }
    }

    /// Counts edges of one state.
    fn count(&mut self, steps: &Steps, first: usize, last: usize) {
        let mut last_op = None;
        let edges = steps.ops.iter().zip(&steps.weights).skip(first).take(last - first);
        for (&op, &weight) in edges {
            self.out.transitions += weight;
            if let Some(c) = self.out.operations.get_mut(op as usize) {
                c.transitions += weight;
                c.states_enabled += u64::from(last_op != Some(op));
            }
            last_op = Some(op);
        }
    }

    fn report(&mut self) {
        let waiting = self.waiting + (self.next.len() / self.width) as u64;
        (self.observer)(Progress {
            states: self.out.states,
            transitions: self.out.transitions,
            waiting,
            depth: self.out.depth,
        });
    }
}
