//! The paths of a graph that an automaton accepts and that are fair: whether there is one.
//!
//! In: a [`Problem`]. Out: a [`Path`] that the automaton accepts, or that there is none. Nodes are states of the graph with a state and a memory of the
//! automaton, made as they are met; the search ends at the first component that has an accepted cycle, or at the
//! first end of a path that may be one. Weak fairness is one more set of steps to take again and again; strong fairness is asked of
//! components (`streett`). Siblings: `graph`, `automaton`, `components`, `lasso` (the path).

use super::automaton::Automaton;
use super::components::{Walk, components};
use super::graph::Graph;
use super::lasso;
use super::normal::Letter;
use super::streett;
use hashbrown::HashMap;
use std::ops::ControlFlow;

/// What a fair path does again and again, if it is possible from some time on (weak) or again and again (strong).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fair {
    /// The atom about states that says it is possible.
    pub enabled: u32,
    /// The atom about steps that says it is done.
    pub taken: u32,
}

/// What is looked for.
pub struct Problem<'a> {
    /// In these paths,
    pub graph: &'a Graph,
    /// one that is accepted,
    pub automaton: &'a Automaton,
    /// and weakly fair to these
    pub weak: &'a [Fair],
    /// and strongly to these.
    pub strong: &'a [Fair],
    /// Asked now and then whether to stop.
    pub stop: &'a dyn Fn() -> bool,
}

/// A path that was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Path {
    /// States in order.
    pub states: Vec<u32>,
    /// Labels of the steps between them.
    pub labels: Vec<u32>,
    /// The place of the state that the last one is, if the path goes on from there for ever.
    pub back: Option<usize>,
}

/// How it ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is such a path.
    Found(Path),
    /// There is none.
    None,
    /// It was stopped.
    Stopped,
}

/// What it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Nodes.
    pub nodes: u64,
    /// Steps between them.
    pub steps: u64,
}

/// A step of the product.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) to: u32,
    pub(super) label: u32,
    pub(super) marks: u64,
}

/// A node: state of the graph, state of the automaton, memory.
type Node = (u32, u32, u64);

/// The product as far as it is known.
pub(super) struct Product<'a> {
    problem: &'a Problem<'a>,
    numbers: HashMap<Node, u32>,
    pub(super) nodes: Vec<Node>,
    ranges: Vec<(usize, usize)>,
    moves: Vec<Move>,
    pub(super) initial: Vec<u32>,
    /// An end of a path that is accepted.
    end: Option<u32>,
    stopped: bool,
    entered: u64,
}

/// Nodes between two looks at whether to stop.
const PATIENCE: u64 = 1 << 12;

/// Looks for a path.
#[must_use]
pub fn find(problem: &Problem<'_>) -> (Answer, Effort) {
    let mut product = Product::new(problem);
    let initial = product.initial.clone();
    let mut core: Option<Vec<u32>> = None;
    let flow = components(&mut product, initial, &mut |p, nodes| {
        core = streett::accepted(p, nodes);
        if core.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let effort = Effort { nodes: product.nodes.len() as u64, steps: product.moves.len() as u64 };
    let answer = match (flow, core, product.end) {
        _ if product.stopped => Answer::Stopped,
        (ControlFlow::Continue(()), ..) => Answer::None,
        (_, Some(core), _) => Answer::Found(lasso::cycle(&product, core)),
        (_, None, Some(end)) => Answer::Found(lasso::finite(&product, end)),
        (_, None, None) => Answer::Stopped,
    };
    (answer, effort)
}

impl<'a> Product<'a> {
    fn new(problem: &'a Problem<'a>) -> Self {
        let mut p = Self {
            problem,
            numbers: HashMap::new(),
            nodes: Vec::new(),
            ranges: Vec::new(),
            moves: Vec::new(),
            initial: Vec::new(),
            end: None,
            stopped: false,
            entered: 0,
        };
        let memory = problem.automaton.past.start();
        p.initial = problem.graph.initial.iter().map(|&s| p.number((s, 0, memory))).collect();
        p
    }

    /// The bits that an accepted cycle needs, but for strong fairness.
    pub(super) fn needed(&self) -> u64 {
        (1 << (self.problem.automaton.sets as usize + self.problem.weak.len())) - 1
    }

    /// The kinds of strong fairness: the bit of steps that do it.
    pub(super) fn strong(&self) -> impl Iterator<Item = (u64, Fair)> + '_ {
        let first = self.problem.automaton.sets as usize + self.problem.weak.len();
        (first..).map(|bit| 1 << bit).zip(self.problem.strong.iter().copied())
    }

    /// Whether something can be done at a node.
    pub(super) fn enabled(&self, node: u32, fair: Fair) -> bool {
        let state = self.nodes.get(node as usize).map_or(0, |n| n.0);
        self.problem.graph.states.get(state, fair.enabled)
    }

    /// The moves of a node that was entered.
    pub(super) fn moves(&self, node: u32) -> &[Move] {
        let (start, end) = self.ranges.get(node as usize).copied().unwrap_or_default();
        self.moves.get(start..end).unwrap_or_default()
    }

    fn number(&mut self, node: Node) -> u32 {
        let nodes = &mut self.nodes;
        *self.numbers.entry(node).or_insert_with(|| {
            let number = u32::try_from(nodes.len()).unwrap_or(u32::MAX);
            nodes.push(node);
            number
        })
    }

    /// Whether a step, or the end of a path, is as a guard says; the memory after it.
    fn reads(&self, guard: &[(Letter, bool)], state: u32, label: Option<u32>, memory: u64) -> Option<u64> {
        let graph = self.problem.graph;
        let past = &self.problem.automaton.past;
        let plain = |letter| match letter {
            Letter::State(n) => graph.states.get(state, n),
            Letter::Step(n) => label.is_some_and(|l| graph.labels.get(l, n)),
            // Where a guess is read it is what the guard says.
            other => guard.iter().any(|(l, positive)| *l == other && *positive),
        };
        let fits = |(letter, positive): &(Letter, bool)| match letter {
            Letter::Past(_) => true,
            other => plain(*other) == *positive,
        };
        if !guard.iter().all(fits) {
            return None;
        }
        if past.len() == 0 {
            return Some(0);
        }
        let (now, next) = past.at(memory, plain);
        let fits = |(letter, positive): &(Letter, bool)| match letter {
            Letter::Past(n) => (now >> n & 1 == 1) == *positive,
            _ => true,
        };
        guard.iter().all(fits).then_some(next)
    }

    /// Bits of a step that fairness asks for.
    fn fair(&self, state: u32, label: u32) -> u64 {
        let Problem { graph, automaton, weak, strong, .. } = self.problem;
        let weak =
            weak.iter().map(|f| !graph.states.get(state, f.enabled) || graph.labels.get(label, f.taken));
        let strong = strong.iter().map(|f| graph.labels.get(label, f.taken));
        let bits = (automaton.sets..).zip(weak.chain(strong));
        bits.map(|(bit, is)| u64::from(is) << bit).sum()
    }
}

impl Walk for Product<'_> {
    fn enter(&mut self, node: u32) -> ControlFlow<()> {
        self.entered += 1;
        if self.entered.is_multiple_of(PATIENCE) && (self.problem.stop)() {
            self.stopped = true;
            return ControlFlow::Break(());
        }
        let Some(&(state, at, memory)) = self.nodes.get(node as usize) else {
            return ControlFlow::Continue(());
        };
        let Problem { graph, automaton, .. } = self.problem;
        let transitions = automaton.states.get(at as usize).map_or(&[][..], Vec::as_slice);
        if graph.is_end(state)
            && transitions.iter().any(|t| t.may_end && self.reads(&t.guard, state, None, memory).is_some())
        {
            self.end = Some(node);
            return ControlFlow::Break(());
        }
        let start = self.moves.len();
        for edge in graph.edges(state) {
            let fair = self.fair(state, edge.label);
            for t in transitions {
                if let Some(memory) = self.reads(&t.guard, state, Some(edge.label), memory) {
                    let to = self.number((edge.target, t.to, memory));
                    self.moves.push(Move { to, label: edge.label, marks: t.marks | fair });
                }
            }
        }
        if self.ranges.len() <= node as usize {
            self.ranges.resize(node as usize + 1, (0, 0));
        }
        if let Some(slot) = self.ranges.get_mut(node as usize) {
            *slot = (start, self.moves.len());
        }
        ControlFlow::Continue(())
    }

    fn successor(&self, node: u32, at: usize) -> Option<u32> {
        self.moves(node).get(at).map(|m| m.to)
    }
}
