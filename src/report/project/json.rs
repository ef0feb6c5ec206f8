//! The tasks of a project as JSON, schema `bsym.project/1`.

use super::{Done, Outcome, TaskLine};
use serde_json::{Value as Json, json};

/// All of it.
pub(super) fn write(done: &Done) -> String {
    let all = json!({
        "schema": "bsym.project/1",
        "version": env!("CARGO_PKG_VERSION"),
        "project": done.project,
        "tasks": done.lines.iter().map(task).collect::<Vec<_>>(),
    });
    format!("{all:#}\n")
}

fn task(line: &TaskLine) -> Json {
    let missing = match &line.outcome {
        Outcome::Missing(why) => Some(why),
        _ => None,
    };
    json!({
        "machine": line.machine, "task": line.name, "expected": line.expected, "found": line.found,
        "outcome": line.outcome.word().to_lowercase(), "missing": missing, "said": line.said,
    })
}
