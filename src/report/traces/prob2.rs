//! `ProB2`'s `.prob2trace`, format version 6. Shape: `docs/traces.md`.
//!
//! All values are strings in B syntax. A step that meets a fault is no transition and is left out; the
//! description says what the trace shows.

use super::json::pairs;
use super::{INITIALISATION, Recorded, RecordedStep, SETUP, hint};
use crate::report::{Report, TraceStep, Violation};
use serde_json::{Map, Value as Json, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// The trace as a prob2trace file.
pub fn write(r: &Report, v: &Violation, steps: &[TraceStep]) -> String {
    let transitions: Vec<Json> = steps.iter().filter(|s| s.fault.is_none()).map(transition).collect();
    let all = json!({
        "description": format!("{} ({})", v.message, hint(r)),
        "transitionList": transitions,
        "metadata": {
            "fileType": "Trace", "formatVersion": 6, "savedAt": now(),
            "creator": format!("bsym {}", env!("CARGO_PKG_VERSION")), "modelName": r.machine,
        },
    });
    format!("{all:#}\n")
}

fn transition(s: &TraceStep) -> Json {
    let name = match s.operation.as_str() {
        SETUP => "$setup_constants",
        INITIALISATION => "$initialise_machine",
        other => other,
    };
    let object = |list: Vec<(&String, &String)>| {
        Json::Object(list.into_iter().map(|(n, v)| (n.clone(), v.as_str().into())).collect::<Map<_, _>>())
    };
    let list = |l: &[(String, String)]| object(l.iter().map(|(n, v)| (n, v)).collect());
    let changed = |name: &str| s.changes.iter().any(|c| c.name == name);
    let kept: Vec<&String> = s.values.iter().map(|(n, _)| n).filter(|n| !changed(n)).collect();
    json!({
        "name": name,
        "params": list(&s.arguments),
        "results": list(&s.results),
        "destState": object(s.values.iter().filter(|(n, _)| changed(n)).map(|(n, v)| (n, v)).collect()),
        "destStateNotChanged": kept,
        "preds": Json::Null,
        "postconditions": [],
        "description": "",
    })
}

/// Reads the one trace of a file.
pub fn read(text: &str) -> Result<Vec<Recorded>, String> {
    let file: Json = serde_json::from_str(text).map_err(|e| format!("no JSON: {e}"))?;
    // The first versions have the list inside `trace`.
    let inner = file.get("transitionList").or_else(|| file.get("trace")?.get("transitionList"));
    let list = inner.and_then(Json::as_array);
    let list = list.ok_or("there is no `transitionList`")?;
    let steps: Result<Vec<_>, String> = list
        .iter()
        .enumerate()
        .map(|(i, t)| {
            let name = t.get("name").and_then(Json::as_str);
            let name = name.ok_or_else(|| format!("transition {} has no name", i + 1))?;
            Ok(RecordedStep {
                operation: Some(match name {
                    "$setup_constants" | "$partial_setup_constants" => SETUP.to_owned(),
                    "$initialise_machine" => INITIALISATION.to_owned(),
                    other => other.to_owned(),
                }),
                arguments: pairs(t.get("params")),
                results: pairs(t.get("results")),
                values: pairs(t.get("destState")),
                predicates: texts(t.get("preds")),
                after: postconditions(t.get("postconditions")),
                fault: false,
            })
        })
        .collect();
    Ok(vec![Recorded { steps: steps?, ..Recorded::default() }])
}

/// A list of strings.
fn texts(list: Option<&Json>) -> Vec<String> {
    let all = list.and_then(Json::as_array).into_iter().flatten();
    all.filter_map(|t| t.as_str().map(str::to_owned)).collect()
}

/// The predicates among postconditions; those about what is possible next are left to the steps that follow.
fn postconditions(list: Option<&Json>) -> Vec<String> {
    let all = list.and_then(Json::as_array).into_iter().flatten();
    let predicates = all.filter(|p| p.get("kind").and_then(Json::as_str) == Some("PREDICATE"));
    predicates.filter_map(|p| p.get("predicate")?.as_str().map(str::to_owned)).collect()
}

/// The time now as RFC 3339 in UTC.
fn now() -> String {
    rfc3339(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs()))
}

/// Seconds since 1970 as RFC 3339.
fn rfc3339(seconds: u64) -> String {
    let (mut days, rest) = (seconds / 86_400, seconds % 86_400);
    let leap = |y: u64| y.is_multiple_of(4) && (!y.is_multiple_of(100) || y.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let months = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in months {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (h, m, s) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{:02}T{h:02}:{m:02}:{s:02}Z", days + 1)
}

#[cfg(test)]
mod tests {
    use super::rfc3339;

    #[test]
    fn dates() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(rfc3339(1_700_000_000), "2023-11-14T22:13:20Z");
    }
}
