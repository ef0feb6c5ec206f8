//! Nodes that look the same put together: what is left of a graph under a projection.
//!
//! In: a [`Graph`] whose nodes show what they are projected to. Out: the graph with one node for each kind and
//! content, and each of its edges once. A mark of one of the nodes is a mark of all; a path in the quotient need not
//! be a path of the machine.

use super::graph::{Edge, Graph, Node, NodeKind};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The quotient of a graph by what its nodes show.
#[must_use]
pub fn quotient(graph: Graph) -> Graph {
    let mut index: HashMap<(NodeKind, Vec<(String, String)>), usize> = HashMap::new();
    let mut nodes: Vec<Node> = Vec::new();
    let mut place = Vec::with_capacity(graph.nodes.len());
    for node in graph.nodes {
        let at = *index.entry((node.kind, node.values.clone())).or_insert(nodes.len());
        match nodes.get_mut(at) {
            Some(known) => merge(known, node),
            None => nodes.push(node),
        }
        place.push(at);
    }
    let to = |n: usize| place.get(n).copied().unwrap_or_default();
    let mut seen = HashMap::new();
    let mut edges: Vec<Edge> = Vec::new();
    for e in graph.edges {
        let e = Edge { from: to(e.from), to: to(e.to), ..e };
        match seen.entry((e.from, e.to, e.text())) {
            Entry::Vacant(place) => {
                place.insert(edges.len());
                edges.push(e);
            }
            Entry::Occupied(known) => edges[*known.get()].steps.extend(e.steps),
        }
    }
    edges.iter_mut().for_each(|e| e.steps.sort_unstable());
    Graph { nodes, edges, cut: graph.cut }
}

fn merge(known: &mut Node, node: Node) {
    known.initial |= node.initial;
    known.deadlock |= node.deadlock;
    known.violating |= node.violating;
    known.error |= node.error;
    known.goal |= node.goal;
    known.expanded &= node.expanded;
    known.merged += node.merged;
    known.stands_for = known.stands_for.take().zip(node.stands_for).map(|(a, b)| a + b);
}
