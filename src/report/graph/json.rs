//! Nodes and edges as JSON (schema `bsym.graph/1`).

use crate::explore::graph::{Graph, NodeKind};
use serde_json::{Map, Value as Json, json};

/// The graph as JSON.
#[must_use]
pub fn write(graph: &Graph) -> String {
    let nodes: Vec<Json> = graph
        .nodes
        .iter()
        .enumerate()
        .map(|(i, n)| {
            let values: Map<String, Json> = n.values.iter().map(|(k, v)| (k.clone(), json!(v))).collect();
            let kind = match n.kind {
                NodeKind::Root => "root",
                NodeKind::Valuation => "valuation",
                NodeKind::State => "state",
            };
            json!({
                "id": i, "kind": kind, "values": values, "initial": n.initial, "deadlock": n.deadlock,
                "violating": n.violating, "expanded": n.expanded,
            })
        })
        .collect();
    let edges: Vec<Json> =
        graph.edges.iter().map(|e| json!({"from": e.from, "to": e.to, "label": e.label})).collect();
    let all = json!({"schema": "bsym.graph/1", "cut": graph.cut, "nodes": nodes, "edges": edges});
    format!("{all:#}\n")
}
