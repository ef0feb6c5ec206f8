//! Agreements as JSON, schema `bsym.agree/1`.

use super::{Agreements, Outcome, Way};
use serde_json::{Map, Value as Json, json};

/// All agreements as JSON.
#[must_use]
pub fn write(agreements: &Agreements) -> String {
    let machines: Vec<Json> = agreements
        .all
        .iter()
        .map(|a| {
            json!({"file": a.file, "outcome": a.outcome.name(), "contradictions": a.contradictions,
                "runs": a.ways.iter().map(way).collect::<Vec<_>>()})
        })
        .collect();
    let counts: Map<String, Json> =
        Outcome::ALL.iter().map(|&o| (o.name().to_owned(), agreements.count(o).into())).collect();
    let out = json!({"schema": "bsym.agree/1", "version": env!("CARGO_PKG_VERSION"),
        "complete": agreements.complete(), "asked": agreements.asked,
        "machines": machines, "counts": counts});
    format!("{out:#}\n")
}

fn way(w: &Way) -> Json {
    json!({"way": w.name, "complete": w.complete(), "stopped_by": w.report.get("stopped_by"),
        "states": w.number("states"), "transitions": w.number("transitions"),
        "full_states": w.report.get("full_states"), "seconds": w.report.pointer("/seconds/explore")})
}
