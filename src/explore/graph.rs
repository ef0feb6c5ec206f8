//! The state graph as data, for export.
//!
//! In: a `System` and a `Reducer`. Out: a [`Graph`] of at most so many nodes, in breadth-first order. With a
//! reduction a node stands for all states of its orbit. Explores on its own, without checks' traces: it is
//! for graphs a person or another tool looks at, not for verdicts.

use crate::model::{Findings, Steps, System};
use crate::symmetry::Reducer;
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
    /// No edge leaves it.
    pub deadlock: bool,
    /// An invariant conjunct is false there.
    pub violating: bool,
    /// Whether all its edges are in the graph (false once the limit cut the search).
    pub expanded: bool,
}

/// Kinds of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// The node before everything.
    Root,
    /// A valuation of the constants.
    Valuation,
    /// A state.
    State,
}

/// An edge between nodes, by index.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Source.
    pub from: usize,
    /// Target.
    pub to: usize,
    /// Operation with arguments and results, as `r <-- op(a, b)` without the names.
    pub label: String,
}

/// A state graph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Nodes; the first is the root.
    pub nodes: Vec<Node>,
    /// Edges in order of discovery.
    pub edges: Vec<Edge>,
    /// Whether the limit cut the graph.
    pub cut: bool,
}

struct Builder<'a> {
    system: &'a dyn System,
    reducer: &'a dyn Reducer,
    limit: usize,
    graph: Graph,
    index: HashMap<u128, usize>,
    queue: Vec<(usize, Box<[u64]>)>,
}

/// The graph of a system up to `limit` nodes.
pub fn build(system: &dyn System, reducer: &dyn Reducer, limit: usize) -> Graph {
    let mut b =
        Builder { system, reducer, limit, graph: Graph::default(), index: HashMap::new(), queue: Vec::new() };
    b.root();
    let mut next = 0;
    while let Some((at, state)) = b.queue.get(next).cloned() {
        next += 1;
        b.expand(at, &state);
    }
    b.graph
}

impl Builder<'_> {
    fn add(&mut self, kind: NodeKind, values: Vec<(String, String)>) -> usize {
        self.graph.nodes.push(Node {
            values,
            kind,
            initial: false,
            deadlock: false,
            violating: false,
            expanded: kind != NodeKind::State,
        });
        self.graph.nodes.len() - 1
    }

    fn root(&mut self) {
        let root = self.add(NodeKind::Root, Vec::new());
        let mut valuations = Vec::new();
        let limit = self.limit;
        // A fault in PROPERTIES leaves the graph with what was found before it.
        let _ = self.system.valuations(&mut |v| {
            valuations.push(v);
            valuations.len() < limit
        });
        for v in valuations {
            let from = if self.system.has_setup() {
                let key = self.reducer.valuation_key(v);
                if self.index.contains_key(&key) {
                    continue;
                }
                let node = self.add(NodeKind::Valuation, self.system.show_valuation(v));
                self.index.insert(key, node);
                self.graph.edges.push(Edge { from: root, to: node, label: "set-up".into() });
                node
            } else {
                root
            };
            let mut steps = Steps::default();
            self.system.initial(v, &mut steps);
            let width = self.system.width();
            for target in steps.targets.chunks(width) {
                if let Some(to) = self.visit(target) {
                    self.graph.nodes[to].initial = true;
                    self.graph.edges.push(Edge { from, to, label: "initialise".into() });
                }
            }
            self.graph.nodes[from].deadlock |= steps.targets.is_empty();
        }
    }

    /// The node of a state, new or known; `None` if it is new and the limit is reached.
    fn visit(&mut self, state: &[u64]) -> Option<usize> {
        let key = self.reducer.key(state);
        if let Some(&at) = self.index.get(&key) {
            return Some(at);
        }
        if self.graph.nodes.len() >= self.limit {
            self.graph.cut = true;
            return None;
        }
        let at = self.add(NodeKind::State, self.system.show_state(state));
        self.index.insert(key, at);
        self.reducer.further_keys(state, &mut |k| {
            self.index.insert(k, at);
        });
        let mut findings = Findings::default();
        self.system.check(state, &mut findings);
        self.graph.nodes[at].violating = !findings.invariants.is_empty();
        self.queue.push((at, state.into()));
        Some(at)
    }

    fn expand(&mut self, from: usize, state: &[u64]) {
        let mut steps = Steps::default();
        self.system.successors(state, &mut steps);
        let width = self.system.width();
        self.graph.nodes[from].deadlock = steps.targets.is_empty();
        self.graph.nodes[from].expanded = true;
        for (n, target) in steps.targets.chunks(width).enumerate() {
            let Some(to) = self.visit(target) else {
                self.graph.nodes[from].expanded = false;
                continue;
            };
            let nth = u32::try_from(n).unwrap_or(u32::MAX);
            let label = self.system.label(state, nth).map_or_else(String::new, |l| text(&l));
            self.graph.edges.push(Edge { from, to, label });
        }
    }
}

/// A label as text: `op(a, b)`, with results `r <-- op(a, b)`.
fn text(label: &crate::model::Label) -> String {
    let values =
        |list: &[(String, String)]| list.iter().map(|(_, v)| v.as_str()).collect::<Vec<_>>().join(", ");
    let mut out = String::new();
    if !label.results.is_empty() {
        out += &values(&label.results);
        out += " <-- ";
    }
    out += &label.operation;
    if !label.arguments.is_empty() {
        out += &format!("({})", values(&label.arguments));
    }
    out
}
