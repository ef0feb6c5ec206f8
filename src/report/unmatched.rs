//! Why a step of a refinement is none of the refined machine: as text, and as JSON.

use super::TraceStep;
use super::text::count;
use crate::model::{Attempt, Delta, Label, Unmatched, Why};
use serde_json::{Map, Value as Json, json};
use std::fmt::Write as _;

/// Outcomes of the refined machine that are written for people; programs get more.
pub(super) const SHOWN: usize = 8;

/// For people.
pub(super) fn text(u: &Unmatched) -> String {
    let mut out = format!("  in the refinement: {}\n", what(u));
    if u.why == Why::Precondition {
        let _ = writeln!(out, "  in {}: the precondition holds with these arguments", u.refined);
        return out;
    }
    if u.attempts.is_empty() {
        let _ = writeln!(out, "  in {}: nothing, it blocks", u.refined);
    }
    for a in u.attempts.iter().take(SHOWN) {
        let _ = writeln!(out, "  in {}: {}", u.refined, attempt(a));
    }
    let more = u.more + u.attempts.len().saturating_sub(SHOWN);
    if more > 0 {
        let _ = writeln!(out, "  in {}: {}", u.refined, count(more as u64, "more outcome"));
    }
    out
}

/// What the refinement does.
pub(super) fn what(u: &Unmatched) -> String {
    match u.why {
        Why::Precondition => "the precondition is false".to_owned(),
        Why::Outcome => outcome(&u.label.results, &u.own),
        Why::Refusal => format!("`{}` is not possible", call(&u.label)),
    }
}

/// An operation with its arguments.
fn call(label: &Label) -> String {
    let Label { operation, arguments, .. } = label.clone();
    super::text::call(&TraceStep { operation, arguments, ..TraceStep::default() })
}

/// An outcome of the refined machine, with what is wrong about it.
pub(super) fn attempt(a: &Attempt) -> String {
    if let Some(offers) = &a.offers {
        let values = if a.changes.is_empty() { String::new() } else { outcome(&[], &a.changes) + ": " };
        return format!("{values}`{}` is possible", call(offers));
    }
    let done = outcome(&a.results, &a.changes);
    if a.other_results {
        return format!("{done}: other results");
    }
    let broken: Vec<String> = a.broken.iter().map(|c| format!("`{c}`")).collect();
    match broken.as_slice() {
        [] => done,
        [one] => format!("{done}: {one} is false"),
        several => format!("{done}: {} are false", several.join(", ")),
    }
}

/// Results and changes on one line.
fn outcome(results: &[(String, String)], changes: &[Delta]) -> String {
    let all = parts(results, changes);
    if all.is_empty() { NOTHING.to_owned() } else { all.join(", ") }
}

/// Where there are no results and no changes.
pub(super) const NOTHING: &str = "no change";

/// Results and changes, one by one.
pub(super) fn parts(results: &[(String, String)], changes: &[Delta]) -> Vec<String> {
    let results = results.iter().map(|(n, v)| format!("result {n} = {v}"));
    let changes = changes.iter().map(|c| match &c.before {
        Some(before) => format!("{}: {before} -> {}", c.name, c.after),
        None => format!("{} = {}", c.name, c.after),
    });
    results.chain(changes).collect()
}

/// For programs.
pub(super) fn json(u: &Unmatched) -> Json {
    json!({
        "why": u.why.name(), "refined": u.refined, "results": pairs(&u.label.results), "changes": deltas(&u.own),
        "outcomes": u.attempts.iter().map(outcome_json).collect::<Vec<_>>(), "more": u.more,
    })
}

fn outcome_json(a: &Attempt) -> Json {
    json!({
        "results": pairs(&a.results), "changes": deltas(&a.changes), "other_results": a.other_results,
        "false": a.broken, "offers": a.offers.as_ref().map(call),
    })
}

fn pairs(all: &[(String, String)]) -> Map<String, Json> {
    all.iter().map(|(n, v)| (n.clone(), v.as_str().into())).collect()
}

fn deltas(all: &[Delta]) -> Vec<Json> {
    all.iter().map(|d| json!({"name": d.name, "before": d.before, "after": d.after})).collect()
}
