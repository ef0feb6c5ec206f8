//! Graphviz DOT. Initial states have a double border, deadlocks are grey, violations have a thick broken red
//! border, a run is orange; every mark also stands in the node as a word.

use super::{Bundle, RUN, bundles, caption, visits};
use crate::explore::graph::{Graph, NodeKind};

/// The graph in DOT.
#[must_use]
pub fn write(graph: &Graph) -> String {
    let mut out = String::from("digraph states {\n  node [shape=box, fontname=\"monospace\"];\n");
    out += "  edge [fontname=\"monospace\"];\n";
    for (i, (n, visits)) in graph.nodes.iter().zip(visits(graph)).enumerate() {
        let mut style = Vec::new();
        let mut attributes = String::new();
        if n.kind == NodeKind::Root {
            attributes += ", shape=ellipse";
        }
        if n.initial {
            attributes += ", peripheries=2";
        }
        if n.violating || n.error {
            style.push("dashed");
            attributes += ", color=\"#b00020\", penwidth=2";
        }
        // Whatever the border says.
        if !visits.is_empty() {
            attributes += &format!(", fontcolor=\"{RUN}\"");
        }
        if n.deadlock {
            style.push("filled");
            attributes += ", fillcolor=\"#dddddd\"";
        }
        if !style.is_empty() {
            attributes += &format!(", style=\"{}\"", style.join(","));
        }
        out += &format!("  n{i} [label=\"{}\"{attributes}];\n", lines(&caption(graph, i, &visits)));
    }
    for Bundle { from, to, labels, on_run } in bundles(graph) {
        let run = if on_run { format!(", color=\"{RUN}\", penwidth=3") } else { String::new() };
        out += &format!("  n{from} -> n{to} [label=\"{}\"{run}];\n", lines(&labels));
    }
    out + "}\n"
}

/// Lines that are set flush left.
fn lines(all: &[String]) -> String {
    all.iter().map(|l| format!("{}\\l", l.replace('\\', "\\\\").replace('"', "\\\""))).collect()
}
