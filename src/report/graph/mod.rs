//! State graphs in formats of other tools: one file per format, one row each. Shapes: `docs/graphs.md`.

pub mod aut;
pub mod dot;
pub mod json;
mod labels;
mod layout;
pub mod svg;

use crate::explore::graph::{Edge, Graph, NodeKind};
use crate::symmetry::told::Element;

/// The colour of the run that is shown.
const RUN: &str = "#d55e00";

/// Most steps that a node or an edge names.
const MOST_STEPS: usize = 6;

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

/// For each node the steps after which the run that is shown is there; the root's is 0.
fn visits(graph: &Graph) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new(); graph.nodes.len()];
    for e in graph.edges.iter().filter(|e| !e.steps.is_empty()) {
        all[e.to].extend(&e.steps);
        if e.steps.contains(&1) {
            all[e.from].push(0);
        }
    }
    all.iter_mut().for_each(|steps| steps.sort_unstable());
    all
}

/// A node's text: its values, one per line, then what there is to say of it.
fn caption(graph: &Graph, node: usize, visits: &[usize]) -> Vec<String> {
    let Some(n) = graph.nodes.get(node) else { return Vec::new() };
    let mut lines: Vec<String> = match n.kind {
        NodeKind::Root => vec!["root".to_owned()],
        _ if n.values.is_empty() => vec![format!("({})", n.kind.name())],
        _ => n.values.iter().map(|(name, value)| format!("{name} = {value}")).collect(),
    };
    if let Some(told) = &n.marker {
        let line = |e: &Element| format!("{} {}: {}", e.name, e.colour, e.text());
        lines.extend(told.elements.iter().map(line));
        let told = told.values.iter().filter(|v| !n.values.contains(v));
        lines.extend(told.map(|(name, value)| format!("{name}: {value}")));
    }
    match &n.stands_for {
        Some(count) if *count != 1u32.into() => lines.push(format!("stands for {count} states")),
        None if n.merged > 1 => lines.push(format!("{} nodes", n.merged)),
        _ => {}
    }
    let marks = marks(graph, node, visits);
    if !marks.is_empty() {
        lines.push(format!("[{}]", marks.join(", ")));
    }
    lines
}

/// The marks of a node in words, so that none is told by colour alone.
fn marks(graph: &Graph, node: usize, visits: &[usize]) -> Vec<String> {
    let Some(n) = graph.nodes.get(node) else { return Vec::new() };
    let all = [
        (n.initial, "initial"),
        (n.deadlock, "deadlock"),
        (n.violating, "violation"),
        (n.error, "error"),
        (n.goal, "goal"),
        (!n.expanded, "edges are missing"),
    ];
    let words = all.into_iter().filter(|(is, _)| *is).map(|(_, word)| word.to_owned());
    let steps: Vec<usize> = visits.iter().copied().filter(|n| *n > 0).collect();
    words.chain((!steps.is_empty()).then(|| format!("after {}", numbered(&steps)))).collect()
}

/// Steps by their numbers.
fn numbered(steps: &[usize]) -> String {
    let shown: Vec<String> = steps.iter().take(MOST_STEPS).map(usize::to_string).collect();
    let more = if steps.len() > MOST_STEPS { ", .." } else { "" };
    format!("step {}{more}", shown.join(", "))
}

/// Edges with the same ends.
struct Bundle {
    from: usize,
    to: usize,
    /// Those of the run that is shown first, then in order of discovery.
    labels: Vec<String>,
    /// Whether one of them is of the run.
    on_run: bool,
}

/// Edges with the same ends as one, with all their labels.
fn bundles(graph: &Graph) -> Vec<Bundle> {
    let mut index = std::collections::HashMap::new();
    let mut all: Vec<(usize, usize, Vec<&Edge>)> = Vec::new();
    for e in &graph.edges {
        let at = *index.entry((e.from, e.to)).or_insert(all.len());
        match all.get_mut(at) {
            Some((.., edges)) => edges.push(e),
            None => all.push((e.from, e.to, vec![e])),
        }
    }
    let bundle = |(from, to, mut edges): (usize, usize, Vec<&Edge>)| {
        edges.sort_by_key(|e| (e.steps.is_empty(), e.steps.first()));
        let text = |e: &&Edge| match &e.steps[..] {
            [] => e.text(),
            steps => format!("{}: {}", numbered(steps), e.text()),
        };
        let on_run = edges.iter().any(|e| !e.steps.is_empty());
        Bundle { from, to, labels: edges.iter().map(text).collect(), on_run }
    };
    all.into_iter().map(bundle).collect()
}
