//! A picture of a small graph without Graphviz: layers by distance from the root, nodes as boxes of text,
//! edges as curves with their labels. Crossings are reduced by placing each node near the mean of those
//! that lead to it.

use super::caption;
use crate::explore::graph::Graph;

const CHAR: f64 = 7.3;
const LINE: f64 = 15.0;
const PAD: f64 = 8.0;
const GAP_X: f64 = 36.0;
const GAP_Y: f64 = 70.0;

#[derive(Clone, Copy, Default)]
struct Frame {
    x: f64,
    y: f64,
    w: f64,
    h: f64,
}

#[allow(clippy::cast_precision_loss, reason = "sizes of a picture")]
fn float(n: usize) -> f64 {
    n as f64
}

/// The graph as SVG.
#[must_use]
pub fn write(graph: &Graph) -> String {
    let texts: Vec<Vec<String>> = (0..graph.nodes.len()).map(|i| caption(graph, i)).collect();
    let layers = layers(graph);
    let frames = place(graph, &texts, &layers);
    let width = frames.iter().map(|f| f.x + f.w).fold(0.0, f64::max) + GAP_X;
    let height = frames.iter().map(|f| f.y + f.h).fold(0.0, f64::max) + GAP_X;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"monospace\" font-size=\"12\">\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#444\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for e in &graph.edges {
        out += &edge(frames[e.from], frames[e.to], e.from == e.to, &e.label);
    }
    for (i, f) in frames.iter().enumerate() {
        out += &node(graph, i, *f, &texts[i]);
    }
    out + "</svg>\n"
}

/// Nodes by distance from the root.
fn layers(graph: &Graph) -> Vec<Vec<usize>> {
    let mut depth = vec![usize::MAX; graph.nodes.len()];
    if let Some(d) = depth.first_mut() {
        *d = 0;
    }
    // Edges come in breadth-first order of their sources, so one pass settles all depths.
    for e in &graph.edges {
        if depth[e.to] == usize::MAX {
            depth[e.to] = depth[e.from].saturating_add(1);
        }
    }
    let mut out: Vec<Vec<usize>> = Vec::new();
    for (i, d) in depth.into_iter().enumerate().filter(|(_, d)| *d != usize::MAX) {
        if out.len() <= d {
            out.resize(d + 1, Vec::new());
        }
        out[d].push(i);
    }
    out
}

fn place(graph: &Graph, texts: &[Vec<String>], layers: &[Vec<usize>]) -> Vec<Frame> {
    let mut frames = vec![Frame::default(); texts.len()];
    for (f, lines) in frames.iter_mut().zip(texts) {
        let longest = lines.iter().map(|l| l.chars().count()).max().unwrap_or(0);
        f.w = float(longest) * CHAR + 2.0 * PAD;
        f.h = float(lines.len()) * LINE + 2.0 * PAD;
    }
    let mut y = GAP_X;
    for layer in layers {
        let mut wish: Vec<(f64, usize)> = layer
            .iter()
            .map(|&i| {
                let from: Vec<f64> = graph
                    .edges
                    .iter()
                    .filter(|e| e.to == i && frames[e.from].y < y && frames[e.from].x > 0.0)
                    .map(|e| frames[e.from].x + frames[e.from].w / 2.0)
                    .collect();
                (from.iter().sum::<f64>() / float(from.len().max(1)), i)
            })
            .collect();
        wish.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut x = GAP_X;
        let mut tallest: f64 = 0.0;
        for (_, i) in wish {
            frames[i].x = x;
            frames[i].y = y;
            x += frames[i].w + GAP_X;
            tallest = tallest.max(frames[i].h);
        }
        y += tallest + GAP_Y;
    }
    frames
}

fn node(graph: &Graph, i: usize, f: Frame, lines: &[String]) -> String {
    let n = &graph.nodes[i];
    let (stroke, dash) = if n.violating { ("#b00020", " stroke-dasharray=\"5 3\"") } else { ("#222", "") };
    let fill = if n.deadlock { "#dddddd" } else { "#ffffff" };
    let thick = if n.initial { 2.5 } else { 1.0 };
    let mut out = format!(
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"4\" fill=\"{fill}\" stroke=\"{stroke}\" \
         stroke-width=\"{thick}\"{dash}/>\n",
        f.x, f.y, f.w, f.h
    );
    for (k, line) in lines.iter().enumerate() {
        out += &format!(
            "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
            f.x + PAD,
            f.y + PAD + LINE * (float(k) + 0.8),
            escape(line)
        );
    }
    out
}

fn edge(a: Frame, b: Frame, own: bool, label: &str) -> String {
    let (x1, y1) = (a.x + a.w / 2.0, a.y + a.h);
    let down = b.y > a.y;
    let (x2, y2) = (b.x + b.w / 2.0, if down { b.y } else { b.y + b.h });
    let path = if own {
        let (x, y) = (a.x + a.w, a.y + a.h / 2.0);
        format!(
            "M{x:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {x:.1} {:.1}",
            y - 6.0,
            x + 26.0,
            y - 16.0,
            x + 26.0,
            y + 16.0,
            y + 6.0
        )
    } else {
        let bend = if down { (y2 - y1) / 2.0 } else { GAP_Y };
        let end = if down { y2 - bend } else { y2 + bend };
        format!("M{x1:.1} {y1:.1}C{x1:.1} {:.1} {x2:.1} {end:.1} {x2:.1} {y2:.1}", y1 + bend)
    };
    let (tx, ty) = if own { (a.x + a.w + 22.0, a.y + a.h / 2.0) } else { (x1.midpoint(x2), y1.midpoint(y2)) };
    format!(
        "<path d=\"{path}\" fill=\"none\" stroke=\"#444\" marker-end=\"url(#tip)\"/>\n\
         <text x=\"{tx:.1}\" y=\"{ty:.1}\" fill=\"#00429d\" text-anchor=\"middle\">{}</text>\n",
        escape(label)
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
