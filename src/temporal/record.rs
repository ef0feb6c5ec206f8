//! The states of a machine as a graph for formulas.
//!
//! In: a system whose invariant is the predicates of the formulas ([`Subject`]), a reducer. Out: [`Recorded`]: the graph with the truth of all atoms,
//! the states themselves, how each was reached first. A state stands for all of its class; its steps are those that it has, so that what a step changes
//! is seen on its real target. Where evaluation met a fault the graph is open. Sibling: `look` (one state).

use super::graph::{Edge, Graph};
use super::look::{Looker, Subject, Unknown};
use crate::model::Steps;
use crate::ops::Interrupt;
use crate::symmetry::Reducer;
use hashbrown::HashMap;

/// How far to go.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Most states, valuations not counted.
    pub states: Option<u64>,
    /// Most steps from the beginning.
    pub depth: Option<u64>,
    /// Most valuations to begin with.
    pub valuations: Option<u64>,
    /// Raised when time or memory is used up.
    pub interrupt: Interrupt,
}

/// The reducers of states and of valuations.
#[derive(Clone, Copy)]
pub struct Reducers<'a> {
    /// Which states count as the same.
    pub states: &'a dyn Reducer,
    /// Which valuations do.
    pub valuations: &'a dyn Reducer,
}

/// Why states are missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missing {
    /// As many states as allowed.
    States,
    /// As deep as allowed.
    Depth,
    /// As many valuations as allowed.
    Valuations,
    /// The interrupt was raised.
    Interrupted,
    /// Steps could not be evaluated.
    Faults,
    /// The machine's scope leaves them out.
    Scope,
}

impl Missing {
    /// In words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Missing::States => "as many states as allowed were stored",
            Missing::Depth => "steps were taken as deep as allowed",
            Missing::Valuations => "not all valuations of the constants were taken",
            Missing::Interrupted => "time or memory was used up",
            Missing::Faults => "some steps could not be evaluated",
            Missing::Scope => "`SCOPE` leaves out what follows some states",
        }
    }
}

/// A graph with its states.
pub struct Recorded {
    /// The graph.
    pub graph: Graph,
    /// Words of a state.
    pub width: usize,
    states: Vec<u64>,
    parents: Vec<u32>,
    index: HashMap<u128, u32>,
    /// Atoms that could not be decided somewhere.
    pub unknown: Vec<(Unknown, u32)>,
    /// Why states are missing.
    pub missing: Option<Missing>,
}

const NONE: u32 = u32::MAX;

/// States between two looks at the limits.
const PATIENCE: usize = 64;

/// Records all states of a subject.
pub fn record(subject: &Subject<'_>, reducers: Reducers<'_>, limits: &Limits) -> Recorded {
    let width = subject.system.width().max(1);
    let mut recorder = Recorder {
        subject,
        reducers,
        limits,
        out: Recorded {
            graph: Graph::new(subject.atoms.states.len(), subject.atoms.steps.len()),
            width,
            states: Vec::new(),
            parents: Vec::new(),
            index: HashMap::new(),
            unknown: Vec::new(),
            missing: None,
        },
    };
    recorder.begin();
    recorder.explore();
    recorder.out
}

struct Recorder<'a> {
    subject: &'a Subject<'a>,
    reducers: Reducers<'a>,
    limits: &'a Limits,
    out: Recorded,
}

impl Recorder<'_> {
    fn miss(&mut self, why: Missing) {
        self.out.missing.get_or_insert(why);
    }

    fn begin(&mut self) {
        let system = self.subject.system;
        let mut valuations = Vec::new();
        let found = system.valuations(&mut |v| {
            valuations.push(v);
            !self.limits.interrupt.raised()
        });
        if found.is_err() {
            self.miss(Missing::Faults);
        }
        valuations.sort_by(|&a, &b| system.compare_valuations(a, b));
        let most = self.limits.valuations.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX));
        if valuations.len() > most {
            self.miss(Missing::Valuations);
            valuations.truncate(most);
        }
        let mut known = hashbrown::HashSet::new();
        for v in valuations {
            if system.has_setup() {
                let reducer = self.reducers.valuations;
                if !known.insert(reducer.valuation_key(v)) {
                    continue;
                }
                reducer.further_valuation_keys(v, &mut |k| {
                    known.insert(k);
                });
            }
            let mut steps = Steps::default();
            system.initial(v, &mut steps);
            if !steps.faults.is_empty() {
                self.miss(Missing::Faults);
            }
            for target in steps.targets.chunks(self.out.width) {
                let key = self.reducers.states.key(target);
                self.visit(target, key, NONE);
            }
        }
        let initial = u32::try_from(self.out.parents.len()).unwrap_or(NONE);
        self.out.graph.initial = (0..initial).collect();
        if self.limits.interrupt.raised() {
            self.miss(Missing::Interrupted);
        }
    }

    /// The number of a state, new or known; `None` if it is new and there is no room.
    fn visit(&mut self, state: &[u64], key: u128, parent: u32) -> Option<u32> {
        if let Some(at) = self.out.index.get(&key) {
            return Some(*at);
        }
        let number = u32::try_from(self.out.parents.len()).ok().filter(|n| *n < NONE);
        if number.is_none() || self.limits.states.is_some_and(|most| self.out.parents.len() as u64 >= most) {
            self.miss(Missing::States);
            return None;
        }
        let number = number?;
        self.out.index.insert(key, number);
        self.reducers.states.further_keys(state, &mut |k| {
            self.out.index.entry(k).or_insert(number);
        });
        self.out.states.extend_from_slice(state);
        self.out.parents.push(parent);
        Some(number)
    }

    fn explore(&mut self) {
        let mut looker = Looker::new(self.subject);
        let (mut edges, mut keys) = (Vec::new(), Vec::new());
        let (mut depth, mut level_ends) = (1u64, self.out.parents.len());
        let mut at = 0;
        while at < self.out.parents.len() {
            if at == level_ends {
                depth += 1;
                level_ends = self.out.parents.len();
            }
            if at.is_multiple_of(PATIENCE) && self.limits.interrupt.raised() {
                self.miss(Missing::Interrupted);
            }
            let number = u32::try_from(at).unwrap_or(NONE);
            at += 1;
            let stopped = matches!(self.out.missing, Some(Missing::Interrupted));
            let deep = self.limits.depth.is_some_and(|most| depth > most);
            if deep {
                self.miss(Missing::Depth);
            }
            if stopped || deep {
                self.out.graph.push([], None);
                continue;
            }
            let state = self.out.state(number).to_vec();
            let mut graph = std::mem::replace(&mut self.out.graph, Graph::new(0, 0));
            looker.look(&state, &mut graph);
            self.out.graph = graph;
            if self.limits.interrupt.raised() {
                // What was found may be a part.
                self.miss(Missing::Interrupted);
                self.out.graph.push([], None);
                continue;
            }
            for unknown in looker.unknown.drain(..) {
                if self.out.unknown.iter().all(|(u, _)| !u.is_same(&unknown)) {
                    self.out.unknown.push((unknown, number));
                }
            }
            let mut whole = looker.whole;
            if !whole {
                let outside = self.subject.system.is_outside(&state);
                self.miss(if outside { Missing::Scope } else { Missing::Faults });
            }
            edges.clear();
            keys.clear();
            self.reducers.states.keys(looker.targets(), self.out.width, &mut keys);
            for (i, key) in keys.iter().enumerate().take(looker.steps.len()) {
                let Some((label, target)) = looker.step(i) else { break };
                let Some(to) = self.visit(target, *key, number) else {
                    whole = false;
                    continue;
                };
                edges.push(Edge { target: to, label });
            }
            self.out.graph.push(looker.truth.iter().copied(), whole.then_some(&mut edges));
        }
    }
}

impl Recorded {
    /// The words of a state.
    #[must_use]
    pub fn state(&self, number: u32) -> &[u64] {
        let at = number as usize * self.width;
        self.states.get(at..at + self.width).unwrap_or_default()
    }

    /// The number of the class of a state.
    pub(super) fn number(&self, reducer: &dyn Reducer, state: &[u64]) -> Option<u32> {
        self.index.get(&reducer.key(state)).copied()
    }

    /// The states on the way to one: each is reached from the one before.
    #[must_use]
    pub fn way(&self, number: u32) -> Vec<u32> {
        let mut way = vec![number];
        let mut at = number;
        while let Some(&parent) = self.parents.get(at as usize).filter(|p| **p != NONE) {
            way.push(parent);
            at = parent;
        }
        way.reverse();
        way
    }
}
