//! What must be true of the numbers of every report, whatever was checked: the same thing has the same number everywhere.
//!
//! In: a JSON report (`bsym.check/1`). Out: what contradicts itself in it. Used by all tests that read reports.

use serde_json::Value as Json;

/// What contradicts itself in a report; a refused input has no numbers.
pub(crate) fn contradictions(r: &Json) -> Vec<String> {
    if r["schema"] != "bsym.check/1" || r["verdict"] == "refused" || r.get("operations").is_none() {
        return Vec::new();
    }
    let mut wrong = Vec::new();
    let mut law = |holds: bool, what: &str| {
        if !holds {
            wrong.push(format!("the report contradicts itself: {what}"));
        }
    };
    verdict(r, &mut law);
    states(r, &mut law);
    found(r, &mut law);
    full(r, &mut law);
    wrong
}

type Law<'l> = &'l mut dyn FnMut(bool, &str);

fn number(r: &Json, key: &str) -> u64 {
    r[key].as_u64().unwrap_or(0)
}

fn list<'r>(r: &'r Json, key: &str) -> &'r [Json] {
    r[key].as_array().map_or(&[], Vec::as_slice)
}

/// The verdict follows from what was found and what was covered.
fn verdict(r: &Json, law: Law<'_>) {
    let (complete, violations) = (r["complete"] == true, list(r, "violations"));
    let (open, bounds) = (list(r, "open"), list(r, "bounds"));
    let is_error = |v: &Json| v["kind"] == "error";
    law(complete == r["stopped_by"].is_null(), "`complete` is that nothing stopped it");
    law(open.is_empty() || !complete, "what is open is not complete");
    let cut = bounds.iter().filter(|b| b["option"].is_null() && !b["from"].is_null()).count();
    law(cut == list(r, "cut_at_maxint").len(), "`bounds` of integers without options are `cut_at_maxint`");
    match r["verdict"].as_str().unwrap_or_default() {
        "holds" => law(complete && violations.is_empty() && bounds.is_empty(), "holds"),
        "holds-within-bounds" => {
            law(complete && violations.is_empty() && !bounds.is_empty(), "holds within bounds");
        }
        "violated" => law(violations.iter().any(|v| !is_error(v)), "violated"),
        "error" => law(!violations.is_empty() && violations.iter().all(is_error), "error"),
        "incomplete" => law(!complete && violations.is_empty(), "incomplete"),
        other => law(false, other),
    }
    let levels = |verdict: &str| list(r, "refinements").iter().any(|l| l["verdict"] == verdict);
    law(!levels("violated") || r["verdict"] == "violated", "what does not refine violates");
    law(!levels("incomplete") || !complete && r["verdict"] != "holds", "what is not known does not hold");
}

/// States, nodes and edges.
fn states(r: &Json, law: Law<'_>) {
    let (states, transitions) = (number(r, "states"), number(r, "transitions"));
    let (valuations, initial) = (number(r, "constants_valuations"), number(r, "initial_states"));
    law(number(r, "nodes") == states + 1, "nodes are the states and the root");
    law(valuations + initial <= states, "valuations and initial states are states");
    law(number(r, "depth") <= states + 1, "the farthest state is not farther than there are states");
    let operations = list(r, "operations");
    let edges: u64 = operations.iter().map(|o| number(o, "transitions")).sum();
    law(edges + valuations + initial <= transitions, "the edges of operations are among the transitions");
    for o in operations {
        let (edges, enabled) = (number(o, "transitions"), number(o, "states_enabled"));
        law(enabled <= edges && (enabled > 0) == (edges > 0), "an operation is possible where it has edges");
        law(enabled <= states - valuations, "an operation is possible in states");
    }
    law(number(r, "outside_scope") <= states - valuations, "states outside the scope are states");
    let p = r["collision_probability"].as_f64().unwrap_or(-1.0);
    law((0.0..=1.0).contains(&p), "a probability");
    let parts = ["by_equality", "by_enumeration", "by_type", "by_labelling", "by_certificate"];
    let proper: u64 = parts.iter().filter_map(|k| r["basis"][*k].as_u64()).sum();
    if parts.iter().any(|k| r["basis"].get(*k).is_some()) && r["complete"] == true {
        law(proper == states - valuations, "each state has one reason");
    }
}

/// What was found, and in how many states.
fn found(r: &Json, law: Law<'_>) {
    // Of refinements pairs of states are counted.
    let pairs: u64 = list(r, "refinements").iter().map(|l| number(l, "states") + 1).sum();
    let nodes = number(r, "nodes") + pairs;
    let of = |kind: &str| -> Vec<u64> {
        let all = list(r, "violations").iter().chain(list(r, "open"));
        all.filter(|v| v["kind"] == kind).map(|v| number(v, "count")).collect()
    };
    for v in list(r, "violations").iter().chain(list(r, "open")) {
        law((1..=nodes).contains(&number(v, "count")), "a violation is seen in one node at least");
    }
    let kinds = [
        ("invariant", "invariant_violations"),
        ("assertion", "assertion_violations"),
        ("error", "errors"),
        ("refinement", "refinement_violations"),
    ];
    for (kind, key) in kinds {
        let (counts, states) = (of(kind), number(r, key));
        law(states <= nodes, key);
        law(counts.is_empty() == (states == 0), key);
        law(counts.iter().all(|n| *n <= states) && states <= counts.iter().sum(), key);
    }
    let stuck: u64 = of("deadlock").iter().chain(&of("setup")).sum();
    law(stuck <= number(r, "deadlocks") && number(r, "deadlocks") <= nodes, "deadlocks");
    law(r["goal"].is_null() == (number(r, "goal_states") == 0), "the goal");
    law(number(r, "goal_states") <= number(r, "states"), "goal states");
    let not_checked = list(r, "not_checked");
    law(not_checked.iter().all(|m| list(r, "warnings").contains(m)), "what is not checked is warned of");
    let checked = list(r, "checked");
    let has = |v: &Json| {
        let same =
            |c: &Json| c["kind"] == v["kind"] && (c["conjunct"].is_null() || c["conjunct"] == v["conjunct"]);
        checked.iter().any(same)
    };
    law(list(r, "violations").iter().all(has), "what is violated was checked");
}

/// The graph that the stored states stand for.
fn full(r: &Json, law: Law<'_>) {
    // More digits than fit are text.
    let large = |key: &str| match &r[key] {
        Json::Null => None,
        Json::Number(n) => n.as_u64().map(u128::from),
        other => other.as_str().and_then(|t| t.parse::<u128>().ok()).or(Some(u128::MAX)),
    };
    let stopped = !matches!(
        r["stopped_by"].as_str(),
        None | Some("evaluation" | "bounds" | "property-timeout" | "formula" | "refinement")
    );
    for (all, key) in [("full_states", "states"), ("full_transitions", "transitions")] {
        let whole = r["symmetry"] == "off" && r["constants"] == "all" && r["complete"] == true;
        law(!whole || !r[all].is_null(), "where every state is stored the whole graph is counted");
        let Some(n) = large(all) else { continue };
        law(!stopped, "the whole graph is not counted where the search was stopped");
        law(n >= u128::from(number(r, key)), "a reduced graph is not larger than the whole");
        law(r["symmetry"] != "off" || n == u128::from(number(r, key)), "without reduction it is the whole");
    }
}
