//! Comparisons as one HTML page: plots and tables, no script, no network.

use super::plot::{Line, plot};
use super::{Cell, Comparison, Table};
use crate::report::markup::escape;

const STYLE: &str = "body{font:15px/1.45 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#111}\
table{border-collapse:collapse;margin:.5em 0 1.5em}td,th{border-bottom:1px solid #ccc;padding:.2em .8em;\
text-align:right}th{border-bottom:2px solid #111}td:first-child,th:first-child{text-align:left}\
svg{max-width:42em;width:100%;height:auto;display:block;margin:1em 0}code{white-space:pre-wrap}\
@media print{body{margin:0;max-width:none}svg,table{break-inside:avoid}}";

/// The comparison as a page.
#[must_use]
pub fn write(c: &Comparison) -> String {
    let name = escape(&c.machine);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{name}: symmetry strategies \
         compared</title>\n<style>{STYLE}</style></head><body>\n<h1>{name}: symmetry strategies compared</h1>\n\
         <p><code>{}</code>, medians of {}.</p>\n",
        escape(&c.file),
        c.repetitions
    );
    out += &plot("Exploration time", "seconds (log scale)", &lines(c, |x| x.seconds.max(1e-6)));
    #[allow(clippy::cast_precision_loss, reason = "a plotted value")]
    let nodes = |x: &Cell| x.nodes.max(1) as f64;
    out += &plot("Nodes stored", "nodes (log scale)", &lines(c, nodes));
    for t in c.tables() {
        out += &table(&t);
    }
    if let Some((card, collision)) = c.collision() {
        out += &format!("<h2>First collision, at card {card}: one marker, two orbits</h2>\n");
        let header = ["", "first state", "second state"].map(str::to_owned).to_vec();
        let rows = collision.rows.iter().map(|(n, a, b)| vec![n.clone(), a.clone(), b.clone()]).collect();
        out += &grid(&Table { title: String::new(), header, rows });
        out += &format!("<p>{}</p>\n", escape(&collision.difference));
    }
    out + "</body></html>\n"
}

fn lines(c: &Comparison, value: impl Fn(&Cell) -> f64) -> Vec<Line<'_>> {
    let points = |m: usize| {
        let cells = c.cards.iter().zip(&c.cells);
        cells.filter_map(|(card, row)| row.get(m).filter(|x| x.finished).map(|x| (*card, value(x)))).collect()
    };
    c.modes.iter().enumerate().map(|(m, name)| Line { name, points: points(m) }).collect()
}

fn table(t: &Table) -> String {
    format!("<h2>{}</h2>\n{}", escape(&t.title), grid(t))
}

fn grid(t: &Table) -> String {
    let row = |cells: &[String], tag: &str| {
        let cells: String = cells.iter().map(|c| format!("<{tag}>{}</{tag}>", escape(c))).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let body: String = t.rows.iter().map(|r| row(r, "td")).collect();
    format!("<table>\n{}{body}</table>\n", row(&t.header, "th"))
}
