//! The states of a machine as a graph for formulas.
//!
//! In: a system whose invariant is the predicates of the formulas ([`Subject`]), a reducer. Out: [`Recorded`]: the graph with the truth of all atoms,
//! the states themselves, how each was reached first. The search that explores hands on states and edges ([`Keeper`]). A state stands for all of its class; its steps are those that it has, so that what a step changes
//! is seen on its real target. Where evaluation met a fault the graph is open. Sibling: `look` (one state).

use super::graph::{Edge, Graph};
use super::look::{Looker, Subject, Unknown};
use crate::explore::kept::{Edges, Keeper, UNSTORED};
use crate::explore::trace::Parents;
use crate::explore::{Kind, Options, Outcome, Stop, explore_kept};
use crate::model::{Findings, PlainEdge};
use crate::ops::Interrupt;
use crate::symmetry::Reducer;

/// How far to go.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Most states.
    pub states: Option<u64>,
    /// Most steps from the beginning.
    pub depth: Option<u64>,
    /// Most valuations to begin with.
    pub valuations: Option<u64>,
    /// Raised when time or memory is used up.
    pub interrupt: Interrupt,
    /// Threads that expand states.
    pub threads: usize,
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
    parents: Parents,
    /// Nodes of the search that are valuations: they come first.
    valuations: u32,
    /// Atoms that could not be decided somewhere.
    pub unknown: Vec<(Unknown, u32)>,
    /// Why states are missing.
    pub missing: Option<Missing>,
}

/// Records all states of a subject.
pub fn record(subject: &Subject<'_>, reducers: Reducers<'_>, limits: &Limits) -> Recorded {
    let mut recorder = Recorder::new(subject, &limits.interrupt);
    let options = Options {
        keep_going: true,
        deadlock: false,
        max_states: limits.states,
        max_depth: limits.depth,
        max_valuations: limits.valuations,
        interrupt: limits.interrupt.clone(),
        threads: limits.threads,
        ..Options::default()
    };
    let reducers = (reducers.states, reducers.valuations);
    let (outcome, parents) = explore_kept(subject.system, reducers, &options, &mut recorder, &mut |_| {});
    let missing = why(&outcome, limits).or(recorder.missing);
    let mut graph = recorder.graph;
    graph.close();
    Recorded {
        graph,
        width: recorder.width,
        states: recorder.states,
        parents,
        valuations: u32::try_from(outcome.valuations).unwrap_or(u32::MAX),
        unknown: recorder.unknown,
        missing,
    }
}

/// Why a search did not come by all states.
fn why(outcome: &Outcome, limits: &Limits) -> Option<Missing> {
    let stopped = outcome.stopped.map(|stop| match stop {
        Stop::States => Missing::States,
        Stop::Depth => Missing::Depth,
        Stop::Bounds => Missing::Faults,
        Stop::Violation | Stop::Time | Stop::Memory | Stop::Interrupted => Missing::Interrupted,
    });
    let faults = outcome.findings.iter().any(|f| matches!(f.kind, Kind::Fault(..)));
    let raised = limits.interrupt.raised().then_some(Missing::Interrupted);
    let valuations = outcome.more_valuations.then_some(Missing::Valuations);
    stopped.or(raised).or(valuations).or(faults.then_some(Missing::Faults))
}

struct Recorder<'a> {
    looker: Looker<'a>,
    interrupt: &'a Interrupt,
    width: usize,
    graph: Graph,
    states: Vec<u64>,
    unknown: Vec<(Unknown, u32)>,
    missing: Option<Missing>,
    /// The number of the next state to be expanded.
    next: u32,
    truth: Vec<u32>,
    steps: Vec<Edge>,
    labelled: Vec<PlainEdge>,
}

impl<'a> Recorder<'a> {
    fn new(subject: &'a Subject<'a>, interrupt: &'a Interrupt) -> Self {
        Self {
            looker: Looker::new(subject),
            interrupt,
            width: subject.system.width().max(1),
            graph: Graph::new(subject.atoms.states.len(), subject.atoms.steps.len()),
            states: Vec::new(),
            unknown: Vec::new(),
            missing: None,
            next: 0,
            truth: Vec::new(),
            steps: Vec::new(),
            labelled: Vec::new(),
        }
    }

    /// Takes over what could not be decided at a state.
    fn note(&mut self, state: u32) {
        for unknown in self.looker.unknown.drain(..) {
            if self.unknown.iter().all(|(u, _)| !u.is_same(&unknown)) {
                self.unknown.push((unknown, state));
            }
        }
    }
}

impl Keeper for Recorder<'_> {
    fn state(&mut self, state: &[u64], initial: bool, found: Option<&Findings>) {
        let number = u32::try_from(self.graph.len()).unwrap_or(u32::MAX);
        self.states.extend_from_slice(state);
        self.looker.predicates(state, found, &mut self.truth);
        self.graph.discover(self.truth.iter().copied());
        if initial {
            self.graph.initial.push(number);
        }
        if !self.looker.unknown.is_empty() {
            self.note(number);
        }
    }

    fn edges(&mut self, edges: &Edges<'_>) {
        let (number, width) = (self.next, self.width);
        self.next += 1;
        let Self { looker, interrupt, graph, states, missing, steps, labelled, .. } = self;
        let at = number as usize * width;
        let state = states.get(at..at + width).unwrap_or_default();
        looker.begin();
        steps.clear();
        let (mut whole, mut stored) = (!edges.faulty && !edges.outside, true);
        let (mut first, mut asked) = (0, None);
        for run in edges.runs {
            let last = first + run.edges as usize;
            let targets = edges.targets.get(first * width..last * width).unwrap_or_default();
            let numbers = edges.numbers.get(first..last).unwrap_or_default();
            first = last;
            if let Some(label) = looker.alike(state, run.op, targets, graph) {
                stored &= numbers.iter().all(|n| *n != UNSTORED);
                steps.extend(numbers.iter().map(|target| Edge { target: *target, label }));
                continue;
            }
            if !looker.asks_arguments(run.op) {
                for (target, number) in targets.chunks(width).zip(numbers) {
                    let label = looker.label((state, target), run.op, None, graph);
                    stored &= *number != UNSTORED;
                    steps.push(Edge { target: *number, label });
                }
                continue;
            }
            // Of twins all steps count, once: their arguments differ.
            if asked.replace(run.op) == Some(run.op) {
                continue;
            }
            whole &= looker.labelled(state, run.op, labelled);
            // What was found may be a part then.
            whole &= !interrupt.raised();
            for (values, target) in labelled.iter() {
                let label = looker.label((state, target), run.op, Some(values), graph);
                let number = (edges.number)(target).unwrap_or(UNSTORED);
                stored &= number != UNSTORED;
                steps.push(Edge { target: number, label });
            }
        }
        whole &= stored;
        if whole {
            looker.end(steps.len());
        } else if stored {
            let why = if edges.outside { Missing::Scope } else { Missing::Faults };
            missing.get_or_insert(why);
        }
        graph.expand(looker.truth.iter().copied(), whole.then_some(steps));
        if !looker.unknown.is_empty() {
            self.note(number);
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

    /// The keys of the class of a state.
    pub(super) fn keys(&self, reducer: &dyn Reducer, number: u32) -> Vec<u128> {
        let state = self.state(number);
        let mut keys = vec![reducer.key(state)];
        reducer.further_keys(state, &mut |k| keys.push(k));
        keys
    }

    /// The states on the way to one: each is reached from the one before.
    #[must_use]
    pub fn way(&self, number: u32) -> Vec<u32> {
        let nodes = self.parents.way(number + self.valuations);
        nodes.into_iter().filter_map(|n| n.checked_sub(self.valuations)).collect()
    }
}
