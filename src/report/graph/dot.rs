//! Graphviz DOT. Initial states have a double border, deadlocks are grey, violations red and dashed.

use super::caption;
use crate::explore::graph::{Graph, NodeKind};

/// The graph in DOT.
#[must_use]
pub fn write(graph: &Graph) -> String {
    let mut out = String::from("digraph states {\n  node [shape=box, fontname=\"monospace\"];\n");
    for (i, n) in graph.nodes.iter().enumerate() {
        let mut style = Vec::new();
        if n.kind == NodeKind::Root {
            style.push("shape=point".to_owned());
        }
        if n.initial {
            style.push("peripheries=2".to_owned());
        }
        if n.violating {
            style.push("color=\"#b00020\", style=dashed".to_owned());
        } else if n.deadlock {
            style.push("style=filled, fillcolor=\"#dddddd\"".to_owned());
        }
        let lines: Vec<String> = caption(graph, i).iter().map(|l| escape(l)).collect();
        let more = style.iter().map(|s| format!(", {s}")).collect::<String>();
        out += &format!("  n{i} [label=\"{}\\l\"{more}];\n", lines.join("\\l"));
    }
    for e in &graph.edges {
        out += &format!("  n{} -> n{} [label=\"{}\"];\n", e.from, e.to, escape(&e.label));
    }
    out + "}\n"
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
