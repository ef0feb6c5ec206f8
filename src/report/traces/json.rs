//! The traces inside a report of a check (schema `bsym.check/1`), to be replayed.

use super::{Recorded, RecordedStep};
use crate::explore::trace::abbreviated;
use serde_json::Value as Json;

/// All traces of a report: violations, then the goal.
pub fn read(text: &str) -> Result<Vec<Recorded>, String> {
    let report: Json = serde_json::from_str(text).map_err(|e| format!("no JSON: {e}"))?;
    if report.get("schema").and_then(Json::as_str) != Some("bsym.check/1") {
        return Err("no report of `bsym check --format json`".to_owned());
    }
    // Steps of pairs of states are none of the machine.
    let alone = |v: &&Json| v.get("kind").and_then(Json::as_str) != Some("refinement");
    let violations = report.get("violations").and_then(Json::as_array).into_iter().flatten().filter(alone);
    let goal = report.get("goal").filter(|g| !g.is_null());
    // Where a limit came first there is no trace.
    let traced = |v: &&Json| v.get("trace").is_some_and(|t| !t.is_null());
    if violations.clone().chain(goal).any(|v| v.get("left_out").is_some_and(|l| !l.is_null())) {
        return Err("steps are left out of the traces; `check --full` writes all of them".to_owned());
    }
    Ok(violations.chain(goal).filter(traced).map(trace).collect())
}

fn trace(violation: &Json) -> Recorded {
    let steps = violation.get("trace").and_then(Json::as_array).into_iter().flatten();
    Recorded {
        kind: violation.get("kind").and_then(Json::as_str).map(str::to_owned),
        steps: steps.map(step).collect(),
        back: violation.get("loop").and_then(Json::as_u64).and_then(|n| usize::try_from(n).ok()),
        prefix: violation.get("prefix").and_then(Json::as_bool) == Some(true),
        end: end(violation),
    }
}

/// What the last state satisfies.
fn end(violation: &Json) -> Option<String> {
    let conjunct = violation.get("conjunct").and_then(Json::as_str).filter(|c| abbreviated(c).is_none())?;
    match violation.get("kind").and_then(Json::as_str)? {
        "goal" => Some(conjunct.to_owned()),
        "invariant" => Some(format!("not({conjunct})")),
        _ => None,
    }
}

fn step(s: &Json) -> RecordedStep {
    RecordedStep {
        operation: s.get("operation").and_then(Json::as_str).map(str::to_owned),
        arguments: pairs(s.get("arguments")),
        results: pairs(s.get("results")),
        // What is not said in full cannot be compared.
        values: pairs(s.get("state")).into_iter().filter(|(_, v)| abbreviated(v).is_none()).collect(),
        predicates: Vec::new(),
        after: Vec::new(),
        fault: s.get("error").is_some(),
    }
}

/// An object of strings.
pub(super) fn pairs(object: Option<&Json>) -> Vec<(String, String)> {
    let entries = object.and_then(Json::as_object).into_iter().flatten();
    entries.filter_map(|(k, v)| Some((k.clone(), v.as_str()?.to_owned()))).collect()
}
