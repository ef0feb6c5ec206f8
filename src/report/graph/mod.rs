//! State graphs in formats of other tools: one file per format, one row each. Shapes: `docs/graphs.md`.

pub mod aut;
pub mod dot;
pub mod json;
mod labels;
mod layout;
pub mod svg;

use crate::explore::graph::{Graph, NodeKind};

/// A graph format.
pub struct GraphFormat {
    /// Name on the command line, and ending of the file's name.
    pub name: &'static str,
    /// One line for `--help`.
    pub help: &'static str,
    /// Most nodes unless asked for more.
    pub limit: usize,
    /// Writes a graph.
    pub write: fn(&Graph) -> String,
}

/// All formats.
pub const FORMATS: &[GraphFormat] = &[
    GraphFormat { name: "dot", help: "Graphviz", limit: 1000, write: dot::write },
    GraphFormat {
        name: "svg",
        help: "a picture, for up to a few hundred states",
        limit: 200,
        write: svg::write,
    },
    GraphFormat {
        name: "aut",
        help: "Aldebaran, for mCRL2, CADP, LTSmin",
        limit: 1_000_000,
        write: aut::write,
    },
    GraphFormat { name: "json", help: "nodes and edges as JSON", limit: 1_000_000, write: json::write },
];

/// A node's text: its values, one per line, then what there is to say of it.
fn caption(graph: &Graph, node: usize) -> Vec<String> {
    let Some(n) = graph.nodes.get(node) else { return Vec::new() };
    let mut lines: Vec<String> = match n.kind {
        NodeKind::Root => vec!["root".to_owned()],
        _ if n.values.is_empty() => vec![format!("({})", n.kind.name())],
        _ => n.values.iter().map(|(name, value)| format!("{name} = {value}")).collect(),
    };
    match &n.stands_for {
        Some(count) if *count != 1u32.into() => lines.push(format!("stands for {count} states")),
        None if n.merged > 1 => lines.push(format!("{} nodes", n.merged)),
        _ => {}
    }
    let marks = marks(graph, node);
    if !marks.is_empty() {
        lines.push(format!("[{}]", marks.join(", ")));
    }
    lines
}

/// The marks of a node in words, so that none is told by colour alone.
fn marks(graph: &Graph, node: usize) -> Vec<&'static str> {
    let Some(n) = graph.nodes.get(node) else { return Vec::new() };
    let all = [
        (n.initial, "initial"),
        (n.deadlock, "deadlock"),
        (n.violating, "violation"),
        (n.error, "error"),
        (n.goal, "goal"),
        (!n.expanded, "edges are missing"),
    ];
    all.into_iter().filter(|(is, _)| *is).map(|(_, word)| word).collect()
}

/// Edges with the same ends as one, with all their labels, in order.
fn bundles(graph: &Graph) -> Vec<(usize, usize, Vec<String>)> {
    let mut index = std::collections::HashMap::new();
    let mut out: Vec<(usize, usize, Vec<String>)> = Vec::new();
    for e in &graph.edges {
        let at = *index.entry((e.from, e.to)).or_insert(out.len());
        match out.get_mut(at) {
            Some((.., labels)) => labels.push(e.text()),
            None => out.push((e.from, e.to, vec![e.text()])),
        }
    }
    out
}
