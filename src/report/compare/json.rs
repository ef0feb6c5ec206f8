//! Comparisons as JSON, schema `bsym.compare/1`.

use super::{Comparison, Decided};
use serde_json::{Value as Json, json};

/// The comparison as JSON.
#[must_use]
pub fn write(c: &Comparison) -> String {
    let mut rows = Vec::new();
    for (i, card) in c.cards.iter().enumerate() {
        for (m, mode) in c.modes.iter().enumerate() {
            let Some(cell) = c.cells.get(i).and_then(|r| r.get(m)) else { continue };
            let formula = |f: &Decided| json!({"name": f.name, "verdict": f.verdict, "states": f.states, "product": f.product});
            let formulas: Vec<Json> = cell.formulas.iter().map(formula).collect();
            rows.push(json!({
                "card": card, "mode": mode, "finished": cell.finished, "limit": cell.limit,
                "nodes": cell.nodes, "transitions": cell.transitions, "seconds": cell.seconds,
                "peak_bytes": cell.peak_bytes, "key_share": cell.key_share, "verdict": cell.verdict,
                "formulas": formulas,
                "speed_up_over_off": c.speed_up(i, mode, "off"),
                "speed_up_over_flood": c.speed_up(i, mode, "flood"),
            }));
        }
    }
    let precision: Vec<Json> = c
        .cards
        .iter()
        .zip(&c.precision)
        .filter_map(|(card, p)| {
            let p = p.as_ref()?;
            let collision = p.collision.as_ref().map(|x| {
                json!({
                    "values": x.rows.iter().map(|(n, a, b)| json!({"name": n, "first": a, "second": b}))
                        .collect::<Vec<_>>(),
                    "difference": x.difference,
                })
            });
            Some(json!({"card": card, "markers": p.markers, "orbits": p.orbits, "collision": collision}))
        })
        .collect();
    let growth: Vec<Json> =
        c.modes.iter().zip(&c.growth).map(|(m, g)| json!({"mode": m, "base": g})).collect();
    let all = json!({
        "schema": "bsym.compare/1", "version": env!("CARGO_PKG_VERSION"), "machine": c.machine, "file": c.file,
        "repetitions": c.repetitions, "rows": rows, "precision": precision, "growth": growth,
    });
    format!("{all:#}\n")
}
