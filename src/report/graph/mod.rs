//! State graphs in formats of other tools: one file per format, one row each.

pub mod aut;
pub mod dot;
pub mod json;
pub mod svg;

use crate::explore::graph::Graph;

/// A graph format.
pub struct GraphFormat {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for `--help`.
    pub help: &'static str,
    /// Writes a graph.
    pub write: fn(&Graph) -> String,
}

/// All formats.
pub const FORMATS: &[GraphFormat] = &[
    GraphFormat { name: "dot", help: "Graphviz", write: dot::write },
    GraphFormat { name: "svg", help: "a picture, for up to a few hundred states", write: svg::write },
    GraphFormat { name: "aut", help: "Aldebaran, for mCRL2, CADP, LTSmin", write: aut::write },
    GraphFormat { name: "json", help: "nodes and edges as JSON", write: json::write },
];

/// A node's text: its values, one per line, or what it is.
fn caption(graph: &Graph, node: usize) -> Vec<String> {
    use crate::explore::graph::NodeKind;
    let n = &graph.nodes[node];
    match n.kind {
        NodeKind::Root => vec!["root".to_owned()],
        _ if n.values.is_empty() => vec!["(no variables)".to_owned()],
        _ => n.values.iter().map(|(name, value)| format!("{name} = {value}")).collect(),
    }
}
