//! The states of a machine as a graph for formulas.
//!
//! In: a system whose invariant is the predicates of the formulas ([`Subject`]), a reducer. Out: [`Recorded`]: the graph with the truth of all atoms,
//! the states themselves, how each was reached first. A search hands on states and edges ([`Keeper`]): one of its own ([`record`]), or that which checks the machine,
//! whose operations are whole where the subject's are split: then what has the split ones only says which part each of their edges belongs to. A state stands for
//! all of its class; its steps are those that it has, so that what a step changes is seen on its real target. Where evaluation met a fault the graph is open.
//! Sibling: `look` (one state).

use super::atoms::StateAtom;
use super::graph::{Edge, Graph};
use super::look::{Looker, Subject, Unknown};
use super::variants::Origin;
use crate::explore::kept::{Edges, Keeper, Onlooker, UNSTORED};
use crate::explore::trace::Parents;
use crate::explore::{Kind, Options, Outcome, Place, Stop, explore_kept, room};
use crate::model::{Findings, PlainEdge, Run, Steps, System};
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
        checks: false,
        max_states: limits.states,
        max_depth: limits.depth,
        max_valuations: limits.valuations,
        interrupt: limits.interrupt.clone(),
        threads: limits.threads,
        ..Options::default()
    };
    let reducers = (reducers.states, reducers.valuations);
    let onlooker = Onlooker { system: subject.system, keeper: &mut recorder };
    let (outcome, parents) = explore_kept(subject.system, reducers, &options, onlooker, &mut |_| {});
    recorder.recorded(&outcome, parents)
}

/// Why a search did not come by all states. Faults of what it checks are no matter of states.
fn why(outcome: &Outcome, interrupt: &Interrupt) -> Option<Missing> {
    let stopped = outcome.stopped.map(|stop| match stop {
        Stop::States => Missing::States,
        Stop::Depth => Missing::Depth,
        Stop::Bounds => Missing::Faults,
        Stop::Violation | Stop::Time | Stop::Memory | Stop::Interrupted => Missing::Interrupted,
    });
    let of_steps = |k: &Kind| matches!(k, Kind::Fault(place, _) if !matches!(place, Place::Check(_)));
    let faults = outcome.findings.iter().any(|f| of_steps(&f.kind));
    let raised = interrupt.raised().then_some(Missing::Interrupted);
    let valuations = outcome.more_valuations.then_some(Missing::Valuations);
    stopped.or(raised).or(valuations).or(faults.then_some(Missing::Faults))
}

/// Records what a search hands on.
pub struct Recorder<'a> {
    looker: Looker<'a>,
    parts: Option<Parts<'a>>,
    divided: Divided,
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

/// The parts of operations that the subject has split and the system of the search has not.
struct Parts<'a> {
    /// Has these parts as operations, in the order that the subject has them in behind the others.
    system: &'a dyn System,
    /// By operation of the search its number in the subject; `None` if that has it in parts.
    whole: Vec<Option<u32>>,
    /// By part, the operation of the search.
    of: Vec<u32>,
    /// The number of the first part in the subject.
    first: u32,
    /// By operation of the search that is in parts, which edges of the state at hand it has.
    ranges: Vec<(usize, usize)>,
    steps: Steps,
}

impl<'a> Parts<'a> {
    fn new(system: &'a dyn System, origins: &[Origin]) -> Self {
        let (parts, others): (Vec<&Origin>, Vec<&Origin>) = origins.iter().partition(|o| o.is_part());
        let of: Vec<u32> = parts.iter().map(|o| o.operation).collect();
        let last = origins.iter().map(|o| o.operation).max().unwrap_or(0);
        let number = |op| others.iter().position(|o| o.operation == op).and_then(|n| u32::try_from(n).ok());
        let first = u32::try_from(others.len()).unwrap_or(u32::MAX);
        Self {
            system,
            whole: (0..=last).map(number).collect(),
            of,
            first,
            ranges: Vec::new(),
            steps: Steps::default(),
        }
    }

    /// The edges of a state as the subject has them; whether all edges of parts are among those that the search has found, and the other way round.
    fn divide(&mut self, state: &[u64], edges: &Edges<'_>, out: &mut Divided) -> bool {
        let width = state.len().max(1);
        let mut left = self.take_whole(width, edges, out);
        if left == 0 {
            return true;
        }
        left += out.numbers.len();
        let Self { system, of, first, ranges, steps, .. } = self;
        steps.clear();
        system.successors(state, steps);
        let mut targets = steps.targets.chunks(width);
        for run in steps.runs() {
            let range = of.get(run.op as usize).and_then(|op| ranges.get(*op as usize));
            let (begin, end) = range.copied().unwrap_or_default();
            // Edges of a part come in the order that those of the whole have.
            let mut those = (begin..end).zip(edges.targets.chunks(width).skip(begin));
            for target in targets.by_ref().take(run.edges as usize) {
                let Some((at, _)) = those.by_ref().find(|(_, t)| *t == target) else { return false };
                out.numbers.push(edges.numbers.get(at).copied().unwrap_or(UNSTORED));
                out.targets.extend_from_slice(target);
            }
            out.runs.push(Run { op: *first + run.op, ..run });
        }
        out.numbers.len() == left
    }

    /// The edges of whole operations, and where those of the others are; how many these are.
    fn take_whole(&mut self, width: usize, edges: &Edges<'_>, out: &mut Divided) -> usize {
        out.clear();
        self.ranges.clear();
        self.ranges.resize(self.whole.len(), (0, 0));
        let (mut begin, mut left) = (0, 0);
        for run in edges.runs {
            let end = begin + run.edges as usize;
            if let Some(Some(op)) = self.whole.get(run.op as usize) {
                out.runs.push(Run { op: *op, ..*run });
                let targets = edges.targets.get(begin * width..end * width);
                out.targets.extend_from_slice(targets.unwrap_or_default());
                out.numbers.extend_from_slice(edges.numbers.get(begin..end).unwrap_or_default());
            } else {
                left += end - begin;
                if let Some(range) = self.ranges.get_mut(run.op as usize) {
                    *range = (if range.1 == 0 { begin } else { range.0 }, end);
                }
            }
            begin = end;
        }
        left
    }
}

/// The edges of a state by the operations of a subject that has some of them in parts.
#[derive(Default)]
struct Divided {
    runs: Vec<Run>,
    targets: Vec<u64>,
    numbers: Vec<u32>,
}

impl Divided {
    fn clear(&mut self) {
        self.runs.clear();
        self.targets.clear();
        self.numbers.clear();
    }
}

impl<'a> Recorder<'a> {
    /// For a search whose system has the operations of the subject, or whole ones instead of parts that are the operations of `parts`.
    #[must_use]
    pub fn for_search(
        subject: &'a Subject<'a>,
        parts: Option<&'a dyn System>,
        interrupt: &'a Interrupt,
    ) -> Self {
        let parts = parts.zip(subject.origins).map(|(system, origins)| Parts::new(system, origins));
        Self { parts, ..Self::new(subject, interrupt) }
    }

    fn new(subject: &'a Subject<'a>, interrupt: &'a Interrupt) -> Self {
        let mut graph = Graph::new(subject.atoms.states.len(), subject.atoms.steps.len());
        graph.late = subject.atoms.states.iter().map(|a| !matches!(a, StateAtom::Holds(_))).collect();
        Self {
            looker: Looker::new(subject),
            parts: None,
            divided: Divided::default(),
            interrupt,
            width: subject.system.width().max(1),
            graph,
            states: Vec::new(),
            unknown: Vec::new(),
            missing: None,
            next: 0,
            truth: Vec::new(),
            steps: Vec::new(),
            labelled: Vec::new(),
        }
    }

    /// What was recorded of a search that has come to its end.
    #[must_use]
    pub fn recorded(self, outcome: &Outcome, parents: Parents) -> Recorded {
        let missing = why(outcome, self.interrupt).or(self.missing);
        let mut graph = self.graph;
        graph.close();
        Recorded {
            graph,
            width: self.width,
            states: self.states,
            parents,
            valuations: u32::try_from(outcome.valuations).unwrap_or(u32::MAX),
            unknown: self.unknown,
            missing,
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
        room(&mut self.states, state.len());
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
        let Self { looker, interrupt, graph, states, missing, steps, labelled, parts, divided, .. } = self;
        let at = number as usize * width;
        let state = states.get(at..at + width).unwrap_or_default();
        looker.begin();
        steps.clear();
        let (mut whole, mut stored) = (!edges.faulty && !edges.outside, true);
        let mut edges = *edges;
        let mut divides = true;
        if let Some(parts) = parts {
            divides = parts.divide(state, &edges, divided);
            let Divided { runs, targets, numbers } = &*divided;
            edges = Edges { runs, targets, numbers, ..edges };
        }
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
        whole &= stored && divides;
        // What is known of a state that was not expanded to the end: steps to states that are known.
        if !divides {
            steps.clear();
            looker.truth.clear();
        } else if !stored {
            steps.retain(|step| step.target != UNSTORED);
        }
        if whole {
            looker.end(steps.len());
        } else {
            // What stopped the search comes first, if that is why a target was not stored.
            let why = if edges.outside { Missing::Scope } else { Missing::Faults };
            missing.get_or_insert(why);
        }
        graph.expand(looker.truth.iter().copied(), steps, whole);
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
