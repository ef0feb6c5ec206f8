//! A picture of a small graph without Graphviz: nodes as boxes of text, edges as curves with their labels.
//!
//! `layout` says where nodes and edges are, `labels` keeps labels apart. What has a colour has a word, too. Pointing at a node or an edge
//! shows all that it says.

use super::labels::{Curve, Frame, place};
use super::layout::{self, BESIDE, Placed, Wanted};
use super::{Bundle, RUN, bundles, caption, visits};
use crate::explore::graph::{Graph, Node};
use crate::report::markup::escape;

const CHAR: f64 = 7.3;
const LINE: f64 = 15.0;
const PAD: f64 = 8.0;
const MARGIN: f64 = 44.0;
/// Width of a node that has room for an edge in each direction.
const NARROWEST: f64 = 70.0;
/// More labels of one edge than this are counted, not shown.
const MOST_LABELS: usize = 4;

/// An edge that is pointed at stands out.
const STYLE: &str = "g:hover>path.edge{stroke:#cc79a7;stroke-width:3}g:hover>rect{stroke-width:4}";

#[allow(clippy::cast_precision_loss, reason = "sizes of a picture")]
fn float(n: usize) -> f64 {
    n as f64
}

/// Width and height of lines of text.
fn size(lines: &[String]) -> (f64, f64) {
    let longest = lines.iter().map(|l| l.chars().count()).max().unwrap_or(0);
    (float(longest) * CHAR, float(lines.len()) * LINE)
}

/// The graph as SVG.
#[must_use]
pub fn write(graph: &Graph) -> String {
    let visits = visits(graph);
    let texts: Vec<Vec<String>> = visits.iter().enumerate().map(|(i, v)| caption(graph, i, v)).collect();
    let edges = bundles(graph);
    let Placed { frames, routes } = arrange(&edges, &texts, &layers(graph));
    let mut taken = frames.clone();
    let (mut curves, mut labels) = (String::new(), String::new());
    // Labels of loops have their places, others what is left.
    for own in [true, false] {
        for (edge, route) in edges.iter().zip(&routes).filter(|(e, _)| (e.from == e.to) == own) {
            let title = format!("<title>{}</title>", escape(&edge.labels.join("\n")));
            let lines = shown(edge.labels.clone());
            let (w, h) = size(&lines);
            let frame = match (own, route.first()) {
                (true, _) => beside(frames[edge.from], (w, h), &mut taken),
                // Neighbours do not read as one word.
                (false, Some(curve)) => place(&mut taken, curve, w + CHAR, h),
                (false, None) => continue,
            };
            curves += &format!("<g>{title}{}</g>\n", path(route, edge.on_run));
            labels += &format!("<g>{title}{}</g>\n", label(frame, &lines));
        }
    }
    let nodes: String = (graph.nodes.iter().zip(&visits))
        .zip(frames.iter().zip(&texts))
        .map(|((n, visits), (f, t))| node(n, !visits.is_empty(), *f, t))
        .collect();
    let left = taken.iter().map(|f| f.x).fold(MARGIN, f64::min) - MARGIN;
    let width = taken.iter().map(|f| f.x + f.w).fold(0.0, f64::max) + MARGIN - left;
    let height = taken.iter().map(|f| f.y + f.h).fold(0.0, f64::max) + MARGIN;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"{left:.0} 0 {width:.0} {height:.0}\" font-family=\"monospace\" font-size=\"12\">\n\
         <style>{STYLE}</style>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#444\"/></marker></defs>\n\
         <rect x=\"{left:.0}\" width=\"100%\" height=\"100%\" fill=\"white\"/>\n{curves}{nodes}{labels}</svg>\n"
    )
}

/// The box of a loop's label: to the right of the node.
fn beside(node: Frame, (w, h): (f64, f64), taken: &mut Vec<Frame>) -> Frame {
    let frame = Frame { x: node.x + node.w + BESIDE, y: node.y + node.h / 2.0 - h / 2.0, w, h };
    // The curve is not to be covered, either.
    taken.push(Frame { x: node.x + node.w, y: node.y + node.h / 2.0 - 12.0, w: BESIDE, h: 24.0 });
    taken.push(frame);
    frame
}

fn shown(mut labels: Vec<String>) -> Vec<String> {
    if labels.len() > MOST_LABELS {
        let more = labels.len() - MOST_LABELS;
        labels.truncate(MOST_LABELS);
        labels.push(format!("and {more} more"));
    }
    labels
}

/// Nodes by distance from the root.
fn layers(graph: &Graph) -> Vec<Vec<usize>> {
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for e in &graph.edges {
        after[e.from].push(e.to);
    }
    let mut seen = vec![false; graph.nodes.len()];
    let mut layer: Vec<usize> = (0..graph.nodes.len().min(1)).collect();
    layer.iter().for_each(|&i| seen[i] = true);
    let mut out = Vec::new();
    while !layer.is_empty() {
        let mut next = Vec::new();
        for &i in &layer {
            for &to in &after[i] {
                if !std::mem::replace(&mut seen[to], true) {
                    next.push(to);
                }
            }
        }
        out.push(std::mem::replace(&mut layer, next));
    }
    out
}

fn arrange(edges: &[Bundle], texts: &[Vec<String>], layers: &[Vec<usize>]) -> Placed {
    let own =
        |i: usize| edges.iter().find(|e| (e.from, e.to) == (i, i)).map(|e| size(&shown(e.labels.clone())));
    let (mut sizes, mut room) = (Vec::new(), Vec::new());
    for (i, lines) in texts.iter().enumerate() {
        let (w, h) = size(lines);
        let beside = own(i);
        // A loop's label may be higher than the node.
        sizes.push(((w + 2.0 * PAD).max(NARROWEST), (h + 2.0 * PAD).max(beside.map_or(0.0, |(_, h)| h))));
        room.push(beside.map_or(0.0, |(w, _)| w + BESIDE));
    }
    // Below a layer there is room for the labels of what leaves and enters it.
    let below = |layer: &Vec<usize>| {
        let leaving = edges.iter().filter(|e| e.from != e.to && layer.contains(&e.from));
        let lines: usize = leaving.map(|e| e.labels.len().min(MOST_LABELS + 1)).sum();
        LINE * float(lines.div_ceil(layer.len().max(1)).min(14))
    };
    let below: Vec<f64> = layers.iter().map(below).collect();
    let ends: Vec<(usize, usize)> = edges.iter().map(|e| (e.from, e.to)).collect();
    layout::place(&Wanted { sizes: &sizes, edges: &ends, beside: &room, layers, below: &below })
}

/// The curves of an edge as one path.
fn path(route: &[Curve], on_run: bool) -> String {
    let mut line = String::new();
    for (i, c) in route.iter().enumerate() {
        let [a, b, d, e] = c.map(|(x, y)| format!("{x:.1} {y:.1}"));
        let start = if i == 0 { format!("M{a}") } else { String::new() };
        line += &format!("{start}C{b} {d} {e}");
    }
    let (colour, width) = if on_run { (RUN, 3.0) } else { ("#444", 1.0) };
    format!(
        "<path class=\"edge\" d=\"{line}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" \
         marker-end=\"url(#tip)\"/>"
    )
}

fn node(n: &Node, on_run: bool, f: Frame, lines: &[String]) -> String {
    let (fill, stroke, dash) = match () {
        () if n.violating || n.error => ("#fde3e3", "#b00020", " stroke-dasharray=\"5 3\""),
        () if n.goal => ("#dfeaff", "#00429d", ""),
        () if n.deadlock => ("#dddddd", "#222", ""),
        () if n.initial => ("#e2f4e8", "#0a6b3b", ""),
        () => ("#ffffff", "#222", ""),
    };
    let thick = if n.initial || n.violating || n.error || n.goal { 2.5 } else { 1.0 };
    // Beside the border, which says something else.
    let around = if on_run {
        let Frame { x, y, w, h } = f;
        format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"7\" fill=\"none\" stroke=\"{RUN}\" \
             stroke-width=\"3\"/>",
            x - 4.0,
            y - 4.0,
            w + 8.0,
            h + 8.0
        )
    } else {
        String::new()
    };
    let mut out = format!(
        "<g><title>{}</title>{around}<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"4\" fill=\"{fill}\" \
         stroke=\"{stroke}\" stroke-width=\"{thick}\"{dash}/>\n",
        escape(&lines.join("\n")),
        f.x,
        f.y,
        f.w,
        f.h
    );
    for (k, line) in lines.iter().enumerate() {
        let y = f.y + PAD + LINE * (float(k) + 0.8);
        out += &format!("<text x=\"{:.1}\" y=\"{y:.1}\">{}</text>\n", f.x + PAD, escape(line));
    }
    out + "</g>\n"
}

/// A label with a white rim, so that it can be read on the curves it stands on.
fn label(f: Frame, lines: &[String]) -> String {
    let line = |(k, text): (usize, &String)| {
        format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#00429d\" text-anchor=\"middle\" stroke=\"white\" stroke-width=\"4\" \
             paint-order=\"stroke\">{}</text>\n",
            f.x + f.w / 2.0,
            f.y + LINE * (float(k) + 0.8),
            escape(text)
        )
    };
    lines.iter().enumerate().map(line).collect()
}
