//! Expectations as JSON, schema `bsym.test/1`.

use super::{Line, OUTCOMES, Outcome, Tested};
use serde_json::{Map, Value as Json, json};

/// All as JSON.
pub(super) fn write(t: &Tested) -> String {
    let machines: Vec<Json> = t
        .machines
        .iter()
        .map(|m| json!({"file": m.file, "expectations": m.lines.iter().map(line).collect::<Vec<_>>()}))
        .collect();
    let counts: Map<String, Json> = OUTCOMES.iter().map(|o| ((*o).to_owned(), t.count(o).into())).collect();
    let out = json!({"schema": "bsym.test/1", "version": env!("CARGO_PKG_VERSION"),
        "machines": machines, "without": t.without, "counts": counts});
    format!("{out:#}\n")
}

fn line(l: &Line) -> Json {
    let unmet = match &l.outcome {
        Outcome::Unmet(why) => why.as_slice(),
        _ => &[],
    };
    json!({"line": l.expected.line, "text": l.expected.text, "outcome": l.outcome.name(), "unmet": unmet,
        "seconds": l.took.as_secs_f64()})
}
