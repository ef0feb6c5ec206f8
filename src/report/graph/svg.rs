//! A picture of a small graph without Graphviz: layers by distance from the root, nodes as boxes of text,
//! edges as curves with their labels. Crossings are reduced by placing each node near the mean of those
//! that lead to it; `labels` keeps labels apart.

use super::labels::{Curve, Frame, place};
use super::{bundles, caption};
use crate::explore::graph::Graph;

const CHAR: f64 = 7.3;
const LINE: f64 = 15.0;
const PAD: f64 = 8.0;
const GAP_X: f64 = 44.0;
const GAP_Y: f64 = 50.0;
/// Where edges leave and enter a box, as shares of its width: down on the left, up on the right.
const DOWN: f64 = 0.35;
const UP: f64 = 0.65;
/// More labels of one edge than this are counted, not shown.
const MOST_LABELS: usize = 4;

#[allow(clippy::cast_precision_loss, reason = "sizes of a picture")]
fn float(n: usize) -> f64 {
    n as f64
}

/// Width and height of lines of text.
fn size(lines: &[String]) -> (f64, f64) {
    let longest = lines.iter().map(|l| l.chars().count()).max().unwrap_or(0);
    (float(longest) * CHAR, float(lines.len()) * LINE)
}

/// Edges with the lines that are shown of their labels.
type Bundles = Vec<(usize, usize, Vec<String>)>;

/// The graph as SVG.
#[must_use]
pub fn write(graph: &Graph) -> String {
    let texts: Vec<Vec<String>> = (0..graph.nodes.len()).map(|i| caption(graph, i)).collect();
    let edges: Bundles = bundles(graph).into_iter().map(|(a, b, l)| (a, b, shown(l))).collect();
    let frames = arrange(&edges, &texts, &layers(graph));
    let mut taken = frames.clone();
    let (mut curves, mut labels) = (String::new(), String::new());
    for (from, to, lines) in &edges {
        let curve = curve(frames[*from], frames[*to], from == to);
        curves += &path(&curve);
        let (w, h) = size(lines);
        labels += &label(place(&mut taken, &curve, w, h), lines);
    }
    let nodes: String =
        frames.iter().zip(&texts).enumerate().map(|(i, (f, t))| node(graph, i, *f, t)).collect();
    let width = taken.iter().map(|f| f.x + f.w).fold(0.0, f64::max) + GAP_X;
    let height = taken.iter().map(|f| f.y + f.h).fold(0.0, f64::max) + GAP_X;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"monospace\" font-size=\"12\">\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#444\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{curves}{nodes}{labels}</svg>\n"
    )
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

fn arrange(edges: &Bundles, texts: &[Vec<String>], layers: &[Vec<usize>]) -> Vec<Frame> {
    let mut frames = vec![Frame::default(); texts.len()];
    for (f, lines) in frames.iter_mut().zip(texts) {
        let (w, h) = size(lines);
        (f.w, f.h) = (w + 2.0 * PAD, h + 2.0 * PAD);
    }
    let mut y = GAP_X;
    for layer in layers {
        let mut wish: Vec<(f64, usize)> = layer
            .iter()
            .map(|&i| {
                let from: Vec<f64> = edges
                    .iter()
                    .filter(|(a, b, _)| *b == i && frames[*a].y < y && frames[*a].x > 0.0)
                    .map(|(a, ..)| frames[*a].x + frames[*a].w / 2.0)
                    .collect();
                (from.iter().sum::<f64>() / float(from.len().max(1)), i)
            })
            .collect();
        wish.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut x = GAP_X;
        let mut tallest: f64 = 0.0;
        for (_, i) in wish {
            // Labels of edges to the node itself stand beside it.
            let own = edges.iter().filter(|(a, b, _)| *a == i && *b == i).map(|(.., l)| size(l).0);
            frames[i].x = x;
            frames[i].y = y;
            x += frames[i].w + GAP_X + own.fold(0.0, f64::max);
            tallest = tallest.max(frames[i].h);
        }
        // Below a layer there is room for the labels of what leaves and enters it.
        let lines: usize =
            edges.iter().filter(|(a, b, _)| a != b && layer.contains(a)).map(|(.., l)| l.len()).sum();
        let share = float(lines.div_ceil(layer.len().max(1)).min(14));
        y += tallest + GAP_Y + LINE * share;
    }
    frames
}

fn curve(a: Frame, b: Frame, own: bool) -> Curve {
    if own {
        let (x, y) = (a.x + a.w, a.y + a.h / 2.0);
        return [(x, y - 6.0), (x + 60.0, y - 16.0), (x + 60.0, y + 16.0), (x, y + 6.0)];
    }
    let (side, y1, y2) = if b.y > a.y {
        (DOWN, a.y + a.h, b.y)
    } else if b.y < a.y {
        (UP, a.y, b.y + b.h)
    } else {
        (0.5, a.y + a.h, b.y + b.h)
    };
    let (x1, x2) = (a.x + a.w * side, b.x + b.w * side);
    // Between nodes of one layer the curve hangs below them.
    let bend = if y1.total_cmp(&y2).is_eq() { GAP_Y } else { (y2 - y1) / 2.0 };
    let back = if y1.total_cmp(&y2).is_eq() { -bend } else { bend };
    [(x1, y1), (x1, y1 + bend), (x2, y2 - back), (x2, y2)]
}

fn path(c: &Curve) -> String {
    let [a, b, d, e] = c.map(|(x, y)| format!("{x:.1} {y:.1}"));
    format!("<path d=\"M{a}C{b} {d} {e}\" fill=\"none\" stroke=\"#444\" marker-end=\"url(#tip)\"/>\n")
}

fn node(graph: &Graph, i: usize, f: Frame, lines: &[String]) -> String {
    let n = &graph.nodes[i];
    let (stroke, dash) =
        if n.violating || n.error { ("#b00020", " stroke-dasharray=\"5 3\"") } else { ("#222", "") };
    let fill = if n.deadlock { "#dddddd" } else { "#ffffff" };
    let thick = if n.initial || n.violating || n.error { 2.5 } else { 1.0 };
    let mut out = format!(
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"4\" fill=\"{fill}\" stroke=\"{stroke}\" \
         stroke-width=\"{thick}\"{dash}/>\n",
        f.x, f.y, f.w, f.h
    );
    for (k, line) in lines.iter().enumerate() {
        let y = f.y + PAD + LINE * (float(k) + 0.8);
        out += &format!("<text x=\"{:.1}\" y=\"{y:.1}\">{}</text>\n", f.x + PAD, escape(line));
    }
    out
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

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
