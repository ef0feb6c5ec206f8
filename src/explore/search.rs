//! The search loop: breadth first, level by level, in an order that depends on nothing but the system.
//!
//! In: a `System`, a `Reducer` for states, one for valuations. Out: an [`Outcome`] and the parents of all
//! nodes. Every state is checked when it is stored, so the first violation found has a shortest trace.
//! Successors are stored in batches: keys are computed and their slots prefetched before they are inserted.

use super::findings::{self, Kind, Place};
use super::keys::Keys;
use super::trace::{Parents, ROOT};
use super::{OperationCount, Options, Outcome, Stop};
use crate::diagnostic::Code;
use crate::model::{Findings, StepFault, Steps, System};
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

/// Edges that are worth handing over at once.
const BATCH: usize = 256;

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

/// The source of a batch's edges.
#[derive(Clone, Copy)]
struct Source {
    node: u32,
    /// Edges of the batch before and up to the last of this source.
    first: usize,
    last: usize,
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
    steps: Steps,
    sources: Vec<Source>,
    keys: Vec<u128>,
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
            steps: Steps::default(),
            sources: Vec::new(),
            keys: Vec::new(),
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
        self.assertions(&[u64::from(v)], at);
        let mut steps = std::mem::take(&mut self.steps);
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
            self.offer(key, target, node, nth);
        }
        self.out.initial_states += self.out.states - before;
        steps.clear();
        self.steps = steps;
    }

    fn deadlock(&mut self, node: Option<u32>) {
        self.out.deadlocks += 1;
        if self.options.deadlock {
            self.found(Kind::Deadlock, node);
        }
    }

    /// Stores a state unless its key is known, and checks it.
    fn offer(&mut self, key: u128, state: &[u64], parent: u32, nth: u32) {
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
        self.check(state, node);
        if self.out.states % PROGRESS == 0 {
            self.report();
        }
    }

    fn check(&mut self, state: &[u64], node: u32) {
        let mut findings = std::mem::take(&mut self.findings);
        findings.clear();
        self.system.check(state, &mut findings);
        self.out.invariant_violations += u64::from(!findings.invariants.is_empty());
        for i in findings.invariants.drain(..) {
            self.found(Kind::Invariant(i), Some(node));
        }
        if findings.goal {
            self.out.goal_states += 1;
            self.found(Kind::Goal, Some(node));
        }
        if !findings.faults.is_empty() {
            let faults: Vec<Fault> = std::mem::take(&mut findings.faults);
            self.faults(faults.into_iter().map(|f| Kind::Fault(Place::Check, f)), Some(node));
        }
        self.findings = findings;
        if self.width > 1 {
            self.assertions(state, Some(node));
        }
    }

    fn assertions(&mut self, state: &[u64], node: Option<u32>) {
        let mut findings = Findings::default();
        self.system.check_assertions(state, &mut findings);
        self.out.assertion_violations += u64::from(!findings.assertions.is_empty());
        for i in findings.assertions {
            self.found(Kind::Assertion(i), node);
        }
        self.faults(findings.faults.into_iter().map(|f| Kind::Fault(Place::Assertion, f)), node);
    }

    /// Expands all states found last.
    fn level(&mut self) {
        self.out.depth += 1;
        std::mem::swap(&mut self.current, &mut self.next);
        self.next.clear();
        let current = std::mem::take(&mut self.current);
        let count = current.len() / self.width;
        let first = self.parents.len() - count;
        if self.options.max_depth.is_some_and(|d| self.out.depth > d) {
            self.out.depth -= 1;
            self.stop(Stop::Depth);
        }
        for (i, state) in current.chunks(self.width).enumerate() {
            if !self.running() {
                break;
            }
            self.expand(state, u32::try_from(first + i).unwrap_or(ROOT));
            if self.steps.len() >= BATCH {
                self.flush();
            }
        }
        self.flush();
        self.current = current;
    }

    /// Adds the edges of a state to the batch.
    fn expand(&mut self, state: &[u64], node: u32) {
        let first = self.steps.len();
        self.system.successors(state, &mut self.steps);
        let last = self.steps.len();
        self.sources.push(Source { node, first, last });
        let faults: Vec<StepFault> = std::mem::take(&mut self.steps.faults);
        let faulty = !faults.is_empty() && self.faults(faults.into_iter().map(Kind::from), Some(node));
        if first == last && !faulty && self.running() {
            self.deadlock(Some(node));
        }
        self.count(first);
    }

    /// Counts the edges of the batch from `first` on, which leave one state.
    fn count(&mut self, first: usize) {
        let mut last_op = None;
        let edges = self.steps.ops.iter().zip(&self.steps.weights).skip(first);
        for (&op, &weight) in edges {
            self.out.transitions += weight;
            if let Some(c) = self.out.operations.get_mut(op as usize) {
                c.transitions += weight;
                c.states_enabled += u64::from(last_op != Some(op));
            }
            last_op = Some(op);
        }
    }

    /// Stores the targets of the batch.
    fn flush(&mut self) {
        let mut steps = std::mem::take(&mut self.steps);
        let mut keys = std::mem::take(&mut self.keys);
        let sources = std::mem::take(&mut self.sources);
        keys.clear();
        keys.extend(steps.targets.chunks(self.width).map(|t| self.reducer.key(t)));
        self.seen.prefetch(&keys);
        let mut targets = steps.targets.chunks(self.width).zip(&keys);
        'all: for source in &sources {
            for nth in 0..source.last - source.first {
                let Some((target, key)) = targets.next() else { break 'all };
                if self.out.stopped.is_some() {
                    break 'all;
                }
                self.offer(*key, target, source.node, u32::try_from(nth).unwrap_or(u32::MAX));
            }
        }
        steps.clear();
        self.steps = steps;
        self.keys = keys;
        self.sources = sources;
        self.sources.clear();
    }

    fn report(&mut self) {
        let waiting = (self.next.len() + self.current.len()) / self.width;
        (self.observer)(Progress {
            states: self.out.states,
            transitions: self.out.transitions,
            waiting: waiting as u64,
            depth: self.out.depth,
        });
    }
}
