//! Reports as JSON, schema `bsym.check/1`. Keys are only ever added.

use super::{Location, Message, Refusal, Report, SetLine, TraceStep, Violation};
use crate::diagnostic::Severity;
use crate::explore::Audited;
use crate::symmetry::Basis;
use serde_json::{Map, Value as Json, json};

/// The report as JSON.
#[must_use]
pub fn write(r: &Report) -> String {
    format!("{:#}\n", object(r))
}

/// The report as a JSON object.
#[must_use]
pub fn object(r: &Report) -> Json {
    let sizes: Map<String, Json> = r.sets.iter().map(|s| (s.name.clone(), s.size.into())).collect();
    let operations: Vec<Json> = r
        .operations
        .iter()
        .map(|o| json!({"name": o.name, "transitions": o.transitions, "states_enabled": o.states_enabled}))
        .collect();
    let counters: Map<String, Json> =
        r.counters.iter().map(|(n, c)| ((*n).to_owned(), (*c).into())).collect();
    let big = |n: &Option<String>| n.as_ref().map(|n| n.parse::<u64>().map_or_else(|_| json!(n), Json::from));
    json!({
        "schema": "bsym.check/1", "version": env!("CARGO_PKG_VERSION"), "machine": r.machine, "file": r.file,
        "cardinalities": sizes, "maxint": r.integers.0, "minint": r.integers.1,
        "symmetry": r.symmetry, "constants": r.constants, "guarantee": r.guarantee_name(),
        "basis": basis(r), "audit": r.audit.as_ref().map(audit),
        "collision_probability": r.collision_probability,
        "verdict": r.verdict.name(), "complete": r.complete, "stopped_by": r.stopped_by,
        "states": r.states, "nodes": r.states.saturating_add(1), "full_states": big(&r.full_states),
        "transitions": r.transitions, "full_transitions": big(&r.full_transitions), "constants_valuations": r.valuations,
        "initial_states": r.initial_states, "depth": r.depth,
        "invariant_violations": r.invariant_violations, "deadlocks": r.deadlocks,
        "assertion_violations": r.assertion_violations, "errors": r.errors,
        "goal_states": r.goal_states.unwrap_or(0), "operations": operations,
        "violations": r.violations.iter().map(violation).collect::<Vec<_>>(),
        "goal": r.goal.as_ref().map(violation), "warnings": r.warnings.iter().map(Message::line).collect::<Vec<_>>(),
        "cut_at_maxint": r.cuts,
        "permuted": r.symmetry_sets.iter().map(|l| l.text.as_str()).collect::<Vec<_>>(),
        "symmetry_sets": r.symmetry_sets.iter().map(set_line).collect::<Vec<_>>(), "counters": counters,
        "seconds": {"load": r.load_seconds, "explore": r.explore_seconds}, "peak_bytes": r.peak_bytes,
    })
}

/// The object for an input that was refused.
#[must_use]
pub fn refused(r: &Refusal) -> String {
    let errors: Vec<Json> =
        r.messages.iter().filter(|m| m.severity == Severity::Error).map(message).collect();
    let all = json!({
        "schema": "bsym.check/1", "version": env!("CARGO_PKG_VERSION"), "file": r.file,
        "verdict": "refused", "complete": false, "stopped_by": "refused", "diagnostics": errors,
    });
    format!("{all:#}\n")
}

fn message(m: &Message) -> Json {
    let mut out = Map::new();
    out.insert("code".into(), m.code.into());
    out.insert("message".into(), m.message.as_str().into());
    if let Some(Location { file, line, column, text }) = &m.location {
        out.insert("file".into(), file.as_str().into());
        out.insert("line".into(), (*line).into());
        out.insert("column".into(), (*column).into());
        out.insert("text".into(), text.as_str().into());
    }
    if let Some(help) = &m.help {
        out.insert("help".into(), help.as_str().into());
    }
    Json::Object(out)
}

/// Why states of one key are symmetric: the way, and the stored states that each part of it decides.
fn basis(r: &Report) -> Json {
    let stored = r.states.saturating_sub(r.valuations);
    match r.basis {
        Basis::None => json!({"class": "approximate"}),
        Basis::Equality => json!({"class": "equality", "by_equality": stored}),
        Basis::Enumeration => json!({"class": "enumeration", "by_enumeration": stored}),
        Basis::Types => json!({"class": "types", "by_type": stored}),
        Basis::Labelling => json!({"class": "labelling", "by_labelling": stored}),
        Basis::States { certificate, labelling } => {
            let class = if labelling == 0 { "certificate" } else { "labelling" };
            json!({"class": class, "by_certificate": certificate, "by_labelling": labelling})
        }
    }
}

fn audit(a: &Audited) -> Json {
    json!({"known": a.known, "compared": a.compared, "different": a.different, "bound": a.bound()})
}

fn set_line(l: &SetLine) -> Json {
    let at = |l: &Location| json!({"file": l.file, "line": l.line, "column": l.column, "text": l.text});
    json!({"set": l.set, "size": l.size, "permuted": l.permuted, "why": l.why, "at": l.at.as_ref().map(at)})
}

fn violation(v: &Violation) -> Json {
    let mut out = Map::new();
    let mut put = |key: &str, value: Json| out.insert(key.to_owned(), value);
    put("kind", v.kind.into());
    if let Some(conjunct) = &v.conjunct {
        put("conjunct", conjunct.as_str().into());
    }
    if let Some(operation) = &v.operation {
        put("operation", operation.as_str().into());
    }
    if let Some(code) = v.code {
        put("code", code.into());
    }
    put("message", v.message.as_str().into());
    if let Some(Location { file, line, column, text }) = &v.location {
        put("file", file.as_str().into());
        put("line", (*line).into());
        put("column", (*column).into());
        put("text", text.as_str().into());
    }
    put("count", v.count.into());
    put("trace", if v.untraced { Json::Null } else { v.trace.iter().map(step).collect() });
    Json::Object(out)
}

fn pairs(list: &[(String, String)]) -> Json {
    Json::Object(list.iter().map(|(n, v)| (n.clone(), v.as_str().into())).collect())
}

fn step(s: &TraceStep) -> Json {
    let changes: Vec<Json> =
        s.changes.iter().map(|c| json!({"name": c.name, "before": c.before, "after": c.after})).collect();
    let mut out = json!({
        "operation": s.operation, "arguments": pairs(&s.arguments), "results": pairs(&s.results),
        "state": pairs(&s.values), "changes": changes,
    });
    if let (Some(fault), Some(map)) = (&s.fault, out.as_object_mut()) {
        map.insert("error".to_owned(), fault.as_str().into());
    }
    out
}
