//! Aldebaran `.aut`: `des (first, transitions, states)`, then one line per transition. State 0 is the root; the
//! format has no place for what is said of states.

use crate::explore::graph::Graph;

/// The graph in Aldebaran's format.
#[must_use]
pub fn write(graph: &Graph) -> String {
    let mut out = format!("des (0, {}, {})\n", graph.edges.len(), graph.nodes.len());
    for e in &graph.edges {
        let label = e.text().replace('\\', "\\\\").replace('"', "\\\"");
        out += &format!("({}, \"{label}\", {})\n", e.from, e.to);
    }
    out
}
