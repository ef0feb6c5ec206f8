//! Random walks as JSON, schema `bsym.simulate/1`.

use super::{Found, Simulated};
use crate::report::TraceStep;
use crate::report::json::bound;
use serde_json::{Map, Value as Json, json};

/// All of it.
pub(super) fn write(s: &Simulated) -> String {
    let counts = |all: &mut dyn Iterator<Item = (String, u64)>| -> Map<String, Json> {
        all.map(|(name, n)| (name, n.into())).collect()
    };
    let all = json!({
        "schema": "bsym.simulate/1",
        "version": env!("CARGO_PKG_VERSION"),
        "machine": s.machine,
        "file": s.file,
        "seed": s.seed,
        "walks": s.walks.0,
        "wanted": s.walks.1,
        "longest": s.longest,
        "steps": s.steps,
        "states": s.states,
        "ends": counts(&mut s.ends.iter().map(|(how, n)| ((*how).to_owned(), *n))),
        "operations": counts(&mut s.operations.iter().cloned()),
        "stopped_by": s.stopped,
        "valuations": s.valuations.0,
        "more_valuations": s.valuations.1,
        "unknown": s.unknown,
        "bounds": s.bounds.iter().map(bound).collect::<Vec<_>>(),
        "violation": s.found.as_ref().map(found),
    });
    format!("{all:#}\n")
}

fn found(f: &Found) -> Json {
    json!({ "kind": f.kind, "text": f.text, "trace": f.trace.iter().map(step).collect::<Vec<_>>() })
}

fn step(s: &TraceStep) -> Json {
    let object = |all: &[(String, String)]| -> Map<String, Json> {
        all.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect()
    };
    json!({
        "operation": s.operation,
        "arguments": object(&s.arguments),
        "results": object(&s.results),
        "state": object(&s.values),
    })
}
