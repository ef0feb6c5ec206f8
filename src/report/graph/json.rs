//! Nodes and edges as JSON (schema `bsym.graph/1`).

use crate::explore::graph::{Edge, Graph, Node};
use crate::symmetry::told::Element;
use num_bigint::BigUint;
use serde_json::{Map, Value as Json, json};

/// The graph as JSON.
#[must_use]
pub fn write(graph: &Graph) -> String {
    let nodes: Vec<Json> = graph.nodes.iter().enumerate().map(|(i, n)| node(i, n)).collect();
    let edges: Vec<Json> = graph.edges.iter().map(edge).collect();
    let all = json!({"schema": "bsym.graph/1", "cut": graph.cut, "nodes": nodes, "edges": edges});
    format!("{all:#}\n")
}

fn node(id: usize, n: &Node) -> Json {
    let mut node = json!({
        "id": id, "kind": n.kind.name(), "values": pairs(&n.values), "initial": n.initial,
        "deadlock": n.deadlock, "violating": n.violating, "error": n.error, "goal": n.goal,
        "expanded": n.expanded, "stands_for": n.stands_for.as_ref().map(number), "merged": n.merged,
    });
    if let Some(told) = &n.marker {
        node["marker"] = json!({"elements": told.elements.iter().map(element).collect::<Vec<_>>(), "values": pairs(&told.values)});
    }
    node
}

fn element(e: &Element) -> Json {
    let paths: Map<String, Json> = e.paths.iter().map(|(path, n)| (path.clone(), (*n).into())).collect();
    json!({"name": e.name, "colour": e.colour, "paths": paths})
}

fn edge(e: &Edge) -> Json {
    json!({
        "from": e.from, "to": e.to, "label": e.text(), "operation": e.label.operation,
        "arguments": pairs(&e.label.arguments), "results": pairs(&e.label.results), "steps": e.steps,
    })
}

fn pairs(list: &[(String, String)]) -> Json {
    Json::Object(list.iter().map(|(n, v)| (n.clone(), v.as_str().into())).collect::<Map<_, _>>())
}

/// Digits where the number is too large for JSON's readers.
fn number(n: &BigUint) -> Json {
    u64::try_from(n).map_or_else(|_| n.to_string().into(), Json::from)
}
