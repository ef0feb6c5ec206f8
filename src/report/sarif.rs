//! Reports as SARIF 2.1.0, which code hosts and editors show at the lines that are meant.
//!
//! One run with one result for each violation, fault, warning and limit; traces are code flows; messages of
//! refused inputs are results as well. Written as plain JSON: typed models of SARIF bring a generator of Rust
//! code along.

use super::annotations::{Annotation, of_refusal, of_report};
use super::{Location, Refusal, Report, Sweep, TraceStep, shorten, text};
use crate::diagnostic::Severity;
use serde_json::{Map, Value as Json, json};

/// The report as SARIF.
#[must_use]
pub fn write(r: &Report) -> String {
    log(results(&r.file, &of_report(r)), true)
}

/// A refused input as SARIF.
#[must_use]
pub fn refused(r: &Refusal) -> String {
    log(results(&r.file, &of_refusal(r)), false)
}

/// All sizes as SARIF.
#[must_use]
pub fn sweep(s: &Sweep) -> String {
    log(s.runs.iter().flat_map(|(_, r)| results(&r.file, &of_report(r))).collect(), true)
}

/// A result with the meaning of its rule.
struct Found {
    rule: &'static str,
    meaning: &'static str,
    result: Json,
}

fn results(file: &str, all: &[Annotation<'_>]) -> Vec<Found> {
    all.iter().map(|a| Found { rule: a.rule, meaning: a.meaning, result: result(file, a) }).collect()
}

fn log(found: Vec<Found>, ran: bool) -> String {
    let mut rules: Vec<(&str, &str)> = Vec::new();
    for f in &found {
        if rules.iter().all(|(id, _)| *id != f.rule) {
            rules.push((f.rule, f.meaning));
        }
    }
    let rules: Vec<Json> =
        rules.iter().map(|(id, meaning)| json!({"id": id, "shortDescription": {"text": meaning}})).collect();
    let all = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "bsym", "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"), "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{"executionSuccessful": ran}],
            "results": found.into_iter().map(|f| f.result).collect::<Vec<_>>(),
        }],
    });
    format!("{all:#}\n")
}

fn result(file: &str, a: &Annotation<'_>) -> Json {
    let level = match a.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let place = physical(file, a.location);
    let mut out = json!({
        "ruleId": a.rule, "level": level, "message": {"text": a.message}, "locations": [{"physicalLocation": place}],
    });
    if let (false, Some(map)) = (a.trace.is_empty(), out.as_object_mut()) {
        let (head, between, tail) = shorten::ends(a.trace);
        let gap =
            (between > 0).then(|| TraceStep { operation: shorten::gap(between), ..TraceStep::default() });
        let steps = head.iter().chain(&gap).chain(tail).map(|s| step(file, a.location, s));
        let steps: Vec<Json> = steps.collect();
        map.insert("codeFlows".into(), json!([{"threadFlows": [{"locations": steps}]}]));
    }
    out
}

/// A step; readers want a place for each, and get that of the whole.
fn step(file: &str, at: Option<&Location>, s: &TraceStep) -> Json {
    let values: Map<String, Json> =
        s.values.iter().map(|(n, v)| (n.clone(), json!({"text": v.as_str()}))).collect();
    json!({
        "location": {"message": {"text": text::call(s)}, "physicalLocation": physical(file, at)},
        "state": values,
    })
}

fn physical(file: &str, at: Option<&Location>) -> Json {
    let Some(l) = at else { return json!({"artifactLocation": {"uri": uri(file)}}) };
    let (line, column) = l.end();
    json!({
        "artifactLocation": {"uri": uri(&l.file)},
        "region": {"startLine": l.line, "startColumn": l.column, "endLine": line, "endColumn": column},
    })
}

/// A path as a reference: relative as it is, absolute as `file://`.
fn uri(path: &str) -> String {
    let keep = |b: u8| b.is_ascii_alphanumeric() || b"-._~/".contains(&b);
    let text: String =
        path.bytes().map(|b| if keep(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect();
    if path.starts_with('/') { format!("file://{text}") } else { text }
}
