//! Many machines as SARIF: a run each in one log.

use super::Many;
use serde_json::{Value as Json, json};

/// All of them; a machine without a report has a run that did not succeed.
pub(in super::super) fn write(all: &Many) -> String {
    let mut log: Option<Json> = None;
    let mut runs: Vec<Json> = Vec::new();
    for m in &all.machines {
        match serde_json::from_str::<Json>(&m.report) {
            Ok(mut one) => {
                let own = one.get_mut("runs").and_then(Json::as_array_mut).map(std::mem::take);
                runs.extend(own.unwrap_or_default());
                log = log.or(Some(one));
            }
            Err(_) => runs.push(json!({
                "tool": {"driver": {"name": "bsym", "version": env!("CARGO_PKG_VERSION")}},
                "invocations": [{"executionSuccessful": false}],
                "artifacts": [{"location": {"uri": m.file}}],
                "results": [],
            })),
        }
    }
    let mut log = log.unwrap_or_else(|| json!({"version": "2.1.0"}));
    if let Some(object) = log.as_object_mut() {
        object.insert("runs".into(), runs.into());
    }
    format!("{log:#}\n")
}
