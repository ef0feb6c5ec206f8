//! The state graph as data, for export.
//!
//! In: a [`Wish`]: a `System`, a `Reducer`, limits. Out: a [`Graph`] of at most so many nodes, in breadth-first
//! order. With a reduction a node stands for all states of its orbit. Explores on its own, and keeps no traces: it
//! is for graphs a person or another tool looks at, not for verdicts. Projection is in `quotient`.

use super::trace::{INITIALISATION, SETUP, StepKind};
use crate::model::{Findings, Label, Steps, System};
use crate::ops::Interrupt;
use crate::symmetry::Reducer;
use crate::symmetry::told::Told;
use num_bigint::BigUint;
use std::collections::HashMap;

/// A node of the graph.
#[derive(Clone, Debug)]
pub struct Node {
    /// The state as (variable, value), or the constants of a valuation.
    pub values: Vec<(String, String)>,
    /// What the node is.
    pub kind: NodeKind,
    /// Reached directly from the root or a valuation.
    pub initial: bool,
    /// No edge leaves it, and none would if evaluation had met no fault.
    pub deadlock: bool,
    /// An invariant conjunct or an assertion is false there.
    pub violating: bool,
    /// Evaluation met a fault there.
    pub error: bool,
    /// The goal holds there.
    pub goal: bool,
    /// Whether all its edges are in the graph (false once the limit cut the search).
    pub expanded: bool,
    /// How many states of the unreduced graph it stands for; `None` if nobody can tell.
    pub stands_for: Option<BigUint>,
    /// Its marker in words, if that is wanted.
    pub marker: Option<Told>,
    /// How many nodes a projection has put together here; 1 without projection.
    pub merged: usize,
}

/// Kinds of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NodeKind {
    /// The node before everything.
    Root,
    /// A valuation of the constants.
    Valuation,
    /// A state.
    State,
}

impl NodeKind {
    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            NodeKind::Root => "root",
            NodeKind::Valuation => "valuation",
            NodeKind::State => "state",
        }
    }
}

/// An edge between nodes, by index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Source.
    pub from: usize,
    /// Target.
    pub to: usize,
    /// Operation with arguments and results.
    pub label: Label,
    /// The steps of the run that is shown which take it, from 1.
    pub steps: Vec<usize>,
}

impl Edge {
    /// The label as text: `r <-- op(a, b)`, values without names.
    #[must_use]
    pub fn text(&self) -> String {
        let values =
            |list: &[(String, String)]| list.iter().map(|(_, v)| v.as_str()).collect::<Vec<_>>().join(", ");
        let l = &self.label;
        let results =
            if l.results.is_empty() { String::new() } else { format!("{} <-- ", values(&l.results)) };
        let arguments =
            if l.arguments.is_empty() { String::new() } else { format!("({})", values(&l.arguments)) };
        format!("{results}{}{arguments}", l.operation)
    }
}

/// A state graph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Nodes; the first is the root.
    pub nodes: Vec<Node>,
    /// Edges in order of discovery.
    pub edges: Vec<Edge>,
    /// Whether a limit cut the graph.
    pub cut: bool,
}

/// A step of a run that is to be found in the graph.
#[derive(Clone, Debug)]
pub struct Taken {
    /// What kind of step.
    pub kind: StepKind,
    /// Operation, arguments and results.
    pub label: Label,
    /// Where it leads: a valuation alone, or a state.
    pub words: Box<[u64]>,
}

/// What graph is wanted.
pub struct Wish<'a> {
    /// The system.
    pub system: &'a dyn System,
    /// Which states count as the same.
    pub reducer: &'a dyn Reducer,
    /// Who counts the states that a node stands for, if anybody can.
    pub counter: Option<&'a dyn Reducer>,
    /// How a state is shown.
    pub show: &'a dyn Fn(&[u64]) -> Vec<(String, String)>,
    /// Who tells the marker of a state, if that is wanted.
    pub mark: Option<&'a dyn Fn(&[u64]) -> Told>,
    /// The run to be found in the graph; perhaps none.
    pub run: &'a [Taken],
    /// Most nodes.
    pub limit: usize,
    /// Raised when time is up.
    pub interrupt: Interrupt,
}

struct Builder<'a> {
    wish: &'a Wish<'a>,
    graph: Graph,
    index: HashMap<u128, usize>,
    queue: Vec<(usize, Box<[u64]>)>,
}

/// The graph that is wished for.
#[must_use]
pub fn build(wish: &Wish<'_>) -> Graph {
    let mut b = Builder { wish, graph: Graph::default(), index: HashMap::new(), queue: Vec::new() };
    b.root();
    let mut next = 0;
    while let Some((at, state)) = b.queue.get_mut(next).map(|(at, s)| (*at, std::mem::take(s))) {
        next += 1;
        if b.stopped() {
            break;
        }
        b.expand(at, &state);
    }
    b.mark_run();
    b.graph
}

impl Graph {
    /// How many steps of the run that was wished for are in the graph.
    #[must_use]
    pub fn followed(&self) -> usize {
        self.edges.iter().flat_map(|e| &e.steps).copied().max().unwrap_or(0)
    }
}

impl Builder<'_> {
    fn stopped(&mut self) -> bool {
        self.graph.cut |= self.wish.interrupt.raised();
        self.wish.interrupt.raised()
    }

    fn add(&mut self, kind: NodeKind, values: Vec<(String, String)>) -> usize {
        self.graph.nodes.push(Node {
            values,
            kind,
            initial: false,
            deadlock: false,
            violating: false,
            error: false,
            goal: false,
            expanded: false,
            stands_for: None,
            marker: None,
            merged: 1,
        });
        self.graph.nodes.len() - 1
    }

    fn full(&mut self) -> bool {
        let full = self.graph.nodes.len() >= self.wish.limit;
        self.graph.cut |= full;
        full
    }

    fn edge(&mut self, from: usize, to: usize, operation: &str) {
        self.labelled(from, to, Label { operation: operation.to_owned(), ..Label::default() });
    }

    fn labelled(&mut self, from: usize, to: usize, label: Label) {
        self.graph.edges.push(Edge { from, to, label, steps: Vec::new() });
    }

    /// Finds the run's steps among the edges, up to the first that is not there: the graph is cut, or the run begins with
    /// a valuation of which only an image is in it.
    fn mark_run(&mut self) {
        let Wish { reducer, run, .. } = *self.wish;
        let mut from = 0;
        for (i, step) in run.iter().enumerate() {
            let (key, operation) = match (step.kind, &*step.words) {
                (StepKind::Setup, &[v]) => (u32::try_from(v).ok().map(|v| reducer.valuation_key(v)), SETUP),
                (StepKind::Initialisation, words) => (Some(reducer.key(words)), INITIALISATION),
                (_, words) => (Some(reducer.key(words)), &*step.label.operation),
            };
            let Some(&to) = key.and_then(|key| self.index.get(&key)) else { return };
            // Of symmetric states the arguments are those of the one that was met first.
            let edges = self.graph.edges.iter_mut();
            let edges = edges.filter(|e| (e.from, e.to) == (from, to) && e.label.operation == operation);
            let Some(edge) = edges.min_by_key(|e| e.label.arguments != step.label.arguments) else { return };
            edge.steps.push(i + 1);
            from = to;
        }
    }

    fn root(&mut self) {
        let (system, reducer) = (self.wish.system, self.wish.reducer);
        let root = self.add(NodeKind::Root, Vec::new());
        let mut valuations = Vec::new();
        let found = system.valuations(&mut |v| {
            valuations.push(v);
            !self.wish.interrupt.raised()
        });
        self.node(root).error = found.is_err();
        self.node(root).expanded = found.is_ok();
        // As the search does: which of several that count as the same is kept must not depend on their numbers.
        valuations.sort_by(|&a, &b| system.compare_valuations(a, b));
        self.node(root).deadlock = valuations.is_empty() && found.is_ok();
        for v in valuations {
            if self.stopped() {
                return;
            }
            let mut from = root;
            if system.has_setup() {
                let key = reducer.valuation_key(v);
                if self.index.contains_key(&key) {
                    continue;
                }
                if self.full() {
                    self.node(root).expanded = false;
                    return;
                }
                from = self.add(NodeKind::Valuation, system.show_valuation(v));
                self.index.insert(key, from);
                reducer.further_valuation_keys(v, &mut |k| {
                    self.index.entry(k).or_insert(from);
                });
                let images = self.wish.counter.and_then(|c| c.valuation_orbit_size(v));
                self.node(from).stands_for = images.map(BigUint::from);
                self.edge(root, from, SETUP);
                let mut findings = Findings::default();
                system.check_assertions(&[u64::from(v)], &mut findings);
                self.found(from, &findings);
            }
            let mut steps = Steps::default();
            system.initial(v, &mut steps);
            self.node(from).expanded = true;
            self.node(from).error |= !steps.faults.is_empty();
            self.node(from).deadlock |= steps.is_empty() && steps.faults.is_empty();
            let mut reached = Vec::new();
            for target in steps.targets.chunks(system.width()) {
                match self.visit(target) {
                    Some(to) if reached.contains(&to) => {}
                    Some(to) => {
                        reached.push(to);
                        self.node(to).initial = true;
                        self.edge(from, to, INITIALISATION);
                    }
                    None => self.node(from).expanded = false,
                }
            }
        }
    }

    fn node(&mut self, at: usize) -> &mut Node {
        &mut self.graph.nodes[at]
    }

    fn found(&mut self, at: usize, findings: &Findings) {
        let node = self.node(at);
        node.violating |= !(findings.invariants.is_empty() && findings.assertions.is_empty());
        node.error |= !findings.faults.is_empty();
        node.goal |= findings.goal;
    }

    /// The node of a state, new or known; `None` if it is new and the limit is reached.
    fn visit(&mut self, state: &[u64]) -> Option<usize> {
        let Wish { system, reducer, .. } = *self.wish;
        let key = reducer.key(state);
        if let Some(&at) = self.index.get(&key) {
            return Some(at);
        }
        if self.full() {
            return None;
        }
        let at = self.add(NodeKind::State, (self.wish.show)(state));
        self.node(at).marker = self.wish.mark.map(|mark| mark(state));
        self.index.insert(key, at);
        reducer.further_keys(state, &mut |k| {
            self.index.entry(k).or_insert(at);
        });
        self.node(at).stands_for = self.wish.counter.and_then(|c| c.orbit_size(state)).map(BigUint::from);
        let mut findings = Findings::default();
        system.check(state, &mut findings);
        if state.len() > 1 {
            system.check_assertions(state, &mut findings);
        }
        self.found(at, &findings);
        self.queue.push((at, state.into()));
        Some(at)
    }

    fn expand(&mut self, from: usize, state: &[u64]) {
        let system = self.wish.system;
        let mut steps = Steps::default();
        system.successors(state, &mut steps);
        if self.stopped() {
            // What was found may be only a part.
            return;
        }
        let stuck = steps.is_empty() && steps.faults.is_empty() && !system.is_outside(state);
        let node = self.node(from);
        node.deadlock = stuck;
        node.error |= !steps.faults.is_empty();
        node.expanded = true;
        for (nth, target) in (0u32..).zip(steps.targets.chunks(system.width())) {
            let Some(to) = self.visit(target) else {
                self.node(from).expanded = false;
                continue;
            };
            let label = system.label(state, nth).unwrap_or_default();
            self.labelled(from, to, label);
        }
    }
}
