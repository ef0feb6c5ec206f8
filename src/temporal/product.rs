//! The paths of a graph that an automaton accepts and that are fair: whether there is one.
//!
//! In: a [`Problem`]. Out: a [`Path`] that the automaton accepts, or that there is none. Nodes are states of the graph with a state and a memory of the
//! automaton, made as they are met; the search ends at the first component that has an accepted cycle, or at the
//! first end of a path that may be one. Weak fairness is one more set of steps to take again and again; strong fairness is asked of
//! components (`streett`). Siblings: `graph`, `automaton`, `components`, `lasso` (the path).

use super::automaton::{Automaton, Transition};
use super::components::{Place, Walk, components};
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
    /// Whether every path that begins like this is one: how it goes on need not be known.
    pub prefix: bool,
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

/// The numbers of nodes.
enum Numbers {
    /// Without memory, and if the automaton is small: state of the graph and, in the last bits, state of the automaton.
    Placed { bits: u32, states: usize },
    /// As they are met.
    Known { numbers: HashMap<Node, u32>, nodes: Vec<Node> },
}

/// Numbers have room for so many bits of the automaton's state: what is known of nodes is a list of all that there can be, and most
/// are met by formulas of this size.
const NARROW: u32 = 3;

impl Numbers {
    fn new(problem: &Problem<'_>, states: usize) -> Self {
        let bits = problem.automaton.states.len().next_power_of_two().ilog2();
        let fits = u32::try_from(states << bits).is_ok_and(|n| n < u32::MAX);
        if problem.automaton.past.len() > 0 || bits > NARROW || !fits {
            return Numbers::Known { numbers: HashMap::new(), nodes: Vec::new() };
        }
        Numbers::Placed { bits, states }
    }

    #[inline]
    fn get(&self, node: Node) -> Option<u32> {
        match self {
            Numbers::Placed { bits, .. } => Some(node.0 << bits | node.1),
            Numbers::Known { numbers, .. } => numbers.get(&node).copied(),
        }
    }

    /// The number of a node, the next one if it is met for the first time.
    #[inline]
    fn number(&mut self, node: Node) -> u32 {
        match self {
            Numbers::Placed { bits, .. } => node.0 << *bits | node.1,
            Numbers::Known { numbers, nodes } => {
                let next = u32::try_from(nodes.len()).unwrap_or(u32::MAX);
                let number = *numbers.entry(node).or_insert(next);
                if number == next {
                    nodes.push(node);
                }
                number
            }
        }
    }

    #[inline]
    fn node(&self, number: u32) -> Option<Node> {
        match self {
            Numbers::Placed { bits, .. } => Some((number >> bits, number & !(u32::MAX << bits), 0)),
            Numbers::Known { nodes, .. } => nodes.get(number as usize).copied(),
        }
    }

    /// A number above those of all nodes, where there is one from the beginning.
    fn bound(&self) -> usize {
        match self {
            Numbers::Placed { bits, states } => states << bits,
            Numbers::Known { .. } => 0,
        }
    }
}

/// A transition of the automaton, made ready: what its guard asks of states and of steps apart.
struct Ready {
    /// Atoms about states, with what they are to be.
    states: Vec<(u32, bool)>,
    /// By label whether the atoms about steps are as asked.
    steps: Vec<bool>,
    /// The transition.
    nth: usize,
}

/// The product as far as it is known.
pub(super) struct Product<'a> {
    problem: &'a Problem<'a>,
    /// Transitions by state of the automaton.
    ready: Vec<Vec<Ready>>,
    /// By label the bits of fairness that its steps have wherever they begin.
    fair: Vec<u64>,
    numbers: Numbers,
    /// How many states of the graph are looked at: the first ones.
    states: u32,
    pub(super) initial: Vec<u32>,
    /// An end of a path that is accepted.
    end: Option<u32>,
    stopped: bool,
    entered: u64,
    steps: u64,
}

/// Nodes between two looks at whether to stop.
const PATIENCE: u64 = 1 << 12;

/// Before all states are looked at, as many as this part of them: together less than 4 % more nodes where there is no path.
const PART: usize = 32;

/// Looks for a path: first among few states, which are those that fewest steps lead to, so that it is short and soon found.
#[must_use]
pub fn find(problem: &Problem<'_>) -> (Answer, Effort) {
    let smaller = |states: &usize| Some(states / PART).filter(|part| *part > 0);
    let mut sizes: Vec<usize> = std::iter::successors(Some(problem.graph.len()), smaller).collect();
    let mut last = (Answer::None, Effort::default());
    while let (Some(states), Answer::None) = (sizes.pop(), &last.0) {
        last = among(problem, states);
    }
    last
}

/// Looks for a path among the first states of the graph. What is known of a state, as whether a path ends there, is so of the whole.
fn among(problem: &Problem<'_>, states: usize) -> (Answer, Effort) {
    let mut product = Product::new(problem, states);
    let initial = product.initial.clone();
    let mut core: Option<Vec<u32>> = None;
    let flow = components(&mut product, initial, &mut |p, component| {
        core = streett::accepted(p, component);
        if core.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let effort = Effort { nodes: product.entered, steps: product.steps };
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
    fn new(problem: &'a Problem<'a>, states: usize) -> Self {
        let labels = u32::try_from(problem.graph.labels.len()).unwrap_or(u32::MAX);
        let ready = |of: &Vec<Transition>| -> Vec<Ready> {
            of.iter().enumerate().map(|(nth, t)| Ready::new(nth, t, problem.graph, labels)).collect()
        };
        let mut p = Self {
            problem,
            ready: problem.automaton.states.iter().map(ready).collect(),
            fair: Vec::new(),
            numbers: Numbers::new(problem, states),
            states: u32::try_from(states).unwrap_or(u32::MAX),
            initial: Vec::new(),
            end: None,
            stopped: false,
            entered: 0,
            steps: 0,
        };
        p.fair = (0..labels).map(|l| p.taken(l)).collect();
        let memory = problem.automaton.past.start();
        let initial = problem.graph.initial.iter().filter(|s| **s < p.states);
        p.initial = initial.map(|&s| p.numbers.number((s, 0, memory))).collect();
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

    /// Whether something can be done at a node, as far as is known.
    pub(super) fn enabled(&self, node: u32, fair: Fair) -> bool {
        !self.problem.graph.is(self.state(node), fair.enabled, false)
    }

    /// Whether every path is accepted that leads to a node, asked where not all steps are known: elsewhere the end or the cycle of one is.
    pub(super) fn is_settled(&self, node: u32) -> bool {
        let Problem { graph, automaton, .. } = self.problem;
        graph.has_open()
            && self
                .numbers
                .node(node)
                .is_some_and(|(state, q, _)| automaton.settled(q, |letter| self.settles(state, letter)))
    }

    /// The state of the graph of a node.
    pub(super) fn state(&self, node: u32) -> u32 {
        self.numbers.node(node).map_or(0, |n| n.0)
    }

    /// The moves of a node to nodes that have numbers.
    pub(super) fn moves(&self, node: u32) -> impl Iterator<Item = Move> + '_ {
        let mut at = (0, 0);
        std::iter::from_fn(move || {
            loop {
                let (to, label, marks) = self.step(node, &mut at)?;
                if let Some(to) = self.numbers.get(to) {
                    return Some(Move { to, label, marks });
                }
            }
        })
    }

    /// The next move of a node: where it leads, the label, the marks. The edges of the state are gone through for each transition.
    #[inline]
    fn step(&self, node: u32, at: &mut Place) -> Option<(Node, u32, u64)> {
        let (state, q, memory) = self.numbers.node(node)?;
        let Problem { graph, automaton, .. } = self.problem;
        let (edges, ready) = (graph.edges(state), self.ready.get(q as usize)?);
        while let Some(ready) = ready.get(at.0 as usize) {
            if at.1 > 0 || ready.fits(graph, state) {
                let t = automaton.states.get(q as usize)?.get(ready.nth)?;
                while let Some(edge) = edges.get(at.1 as usize) {
                    at.1 += 1;
                    if edge.target >= self.states || !ready.steps.get(edge.label as usize).is_some_and(|s| *s)
                    {
                        continue;
                    }
                    let memory = match automaton.past.len() {
                        0 => Some(memory),
                        _ => self.reads(&t.guard, state, Some(edge.label), memory),
                    };
                    if let Some(memory) = memory {
                        let marks = t.marks | self.fair(state, edge.label);
                        return Some(((edge.target, t.to, memory), edge.label, marks));
                    }
                }
            }
            *at = (at.0 + 1, 0);
        }
        None
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
            Letter::State(n) => graph.is(state, *n, *positive),
            other => plain(*other) == *positive,
        };
        if !guard.iter().all(fits) {
            return None;
        }
        if past.len() == 0 {
            return Some(0);
        }
        // What is not known here would be remembered.
        if graph.is_open(state) {
            return None;
        }
        let (now, next) = past.at(memory, plain);
        let fits = |(letter, positive): &(Letter, bool)| match letter {
            Letter::Past(n) => (now >> n & 1 == 1) == *positive,
            _ => true,
        };
        guard.iter().all(fits).then_some(next)
    }

    /// Whether a letter is so, whatever the steps of a state are that are not known.
    fn settles(&self, state: u32, (letter, positive): (Letter, bool)) -> bool {
        matches!(letter, Letter::State(n) if self.problem.graph.is(state, n, positive))
    }

    /// Bits of fairness of a step: it does what is asked for, or that was not possible before it.
    #[inline]
    fn fair(&self, state: u32, label: u32) -> u64 {
        let Problem { graph, automaton, weak, .. } = self.problem;
        let mut bits = self.fair.get(label as usize).copied().unwrap_or(0);
        for (bit, f) in (automaton.sets..).zip(*weak) {
            bits |= u64::from(graph.is(state, f.enabled, false)) << bit;
        }
        bits
    }

    /// Those that do what is asked for.
    fn taken(&self, label: u32) -> u64 {
        let Problem { graph, automaton, weak, strong, .. } = self.problem;
        let taken = weak.iter().chain(*strong).map(|f| graph.labels.get(label, f.taken));
        (automaton.sets..).zip(taken).map(|(bit, is)| u64::from(is) << bit).sum()
    }
}

impl Ready {
    fn new(nth: usize, t: &Transition, graph: &Graph, labels: u32) -> Self {
        let about_states = t.guard.iter().filter_map(|(l, is)| match l {
            Letter::State(n) => Some((*n, *is)),
            _ => None,
        });
        let fits = |label: u32| {
            t.guard.iter().all(|(l, is)| match l {
                Letter::Step(n) => graph.labels.get(label, *n) == *is,
                _ => true,
            })
        };
        Self { states: about_states.collect(), steps: (0..labels).map(fits).collect(), nth }
    }

    #[inline]
    fn fits(&self, graph: &Graph, state: u32) -> bool {
        self.states.iter().all(|(n, is)| graph.is(state, *n, *is))
    }
}

impl Walk for Product<'_> {
    fn enter(&mut self, node: u32) -> ControlFlow<()> {
        self.entered += 1;
        if self.entered.is_multiple_of(PATIENCE) && (self.problem.stop)() {
            self.stopped = true;
            return ControlFlow::Break(());
        }
        let Some((state, at, memory)) = self.numbers.node(node) else {
            return ControlFlow::Continue(());
        };
        let Problem { graph, automaton, .. } = self.problem;
        let mut transitions = automaton.states.get(at as usize).into_iter().flatten();
        if self.is_settled(node) {
            self.end = Some(node);
            return ControlFlow::Break(());
        }
        if graph.is_end(state)
            && transitions.any(|t| t.may_end && self.reads(&t.guard, state, None, memory).is_some())
        {
            self.end = Some(node);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn bound(&self) -> usize {
        self.numbers.bound()
    }

    #[inline]
    fn ahead(&self, node: u32, mut ask: impl FnMut(u32)) {
        let Numbers::Placed { .. } = self.numbers else { return };
        let Some((state, q, _)) = self.numbers.node(node) else { return };
        let Problem { graph, automaton, .. } = self.problem;
        let (Some(ready), Some(all)) = (self.ready.get(q as usize), automaton.states.get(q as usize)) else {
            return;
        };
        for (_, t) in ready.iter().zip(all).filter(|(r, _)| r.fits(graph, state)) {
            for edge in graph.edges(state) {
                if edge.target < self.states {
                    graph.ask_for(edge.target);
                    self.numbers.get((edge.target, t.to, 0)).into_iter().for_each(&mut ask);
                }
            }
        }
    }

    #[inline]
    fn next(&mut self, node: u32, at: &mut Place) -> Option<(u32, u64)> {
        let (to, _, marks) = self.step(node, at)?;
        self.steps += 1;
        Some((self.numbers.number(to), marks))
    }
}
