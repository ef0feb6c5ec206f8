//! `bsym compare`: the paper's node columns, precision, collisions, repeatable output.

use super::bsym;
use serde_json::Value as Json;

fn compare(machine: &str, card: &str, format: &str) -> String {
    let file = format!("machines/symmetry/{machine}.mch");
    let modes = "flood,markers,exact";
    let out =
        bsym(&["compare", &file, "--card", card, "--modes", modes, "--repeat", "1", "--format", format]);
    assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("text")
}

fn precision(machine: &str, card: &str) -> (Vec<(u64, u64)>, Json) {
    let all: Json = serde_json::from_str(&compare(machine, card, "json")).expect("JSON");
    let list = all["precision"].as_array().cloned().unwrap_or_default();
    let pair = |p: &Json| (p["markers"].as_u64().unwrap_or(0), p["orbits"].as_u64().unwrap_or(0));
    (list.iter().map(pair).collect(), all)
}

#[test]
fn markers_are_precise_on_the_scheduler() {
    assert_eq!(precision("Scheduler0", "1..3").0, [(5, 5), (10, 10), (17, 17)]);
}

#[test]
fn philosophers_collide() {
    let (found, all) = precision("PhilosophersRing", "2..3");
    assert_eq!(found, [(7, 8), (11, 13)]);
    let collision = &all["precision"][0]["collision"];
    let holder = |which: &str| collision["values"][2][which].as_str().map(str::to_owned);
    assert_eq!(collision["values"][2]["name"], "holder");
    assert_ne!(holder("first"), holder("second"));
    let difference = collision["difference"].as_str().unwrap_or_default();
    assert!(difference.contains("#(phil_1, fork_1)") && difference.contains("holder"), "{difference}");
}

/// JSON without what is measured.
fn unmeasured(mut all: Json) -> Json {
    for row in all["rows"].as_array_mut().into_iter().flatten().filter_map(Json::as_object_mut) {
        row.retain(|k, _| {
            !matches!(k.as_str(), "seconds" | "peak_bytes" | "key_share") && !k.starts_with("speed")
        });
    }
    all
}

#[test]
fn two_runs_differ_in_measurements_only() {
    let run = || unmeasured(precision("Email", "2").1);
    assert_eq!(run().to_string(), run().to_string());
}

#[test]
fn the_page_needs_no_network() {
    let page = compare("Scheduler0", "1..3", "html");
    let lower = page.to_lowercase();
    assert!(!["src=", "<script", "<link", "@import", "url("].iter().any(|w| lower.contains(w)));
    for word in ["seconds (log scale)", "nodes (log scale)", "elements per deferred set", ">markers</text>"] {
        assert!(page.contains(word), "`{word}` is missing");
    }
}

#[test]
fn a_budget_that_is_exceeded_is_shown() {
    let file = "machines/symmetry/Scheduler1.mch";
    let out = bsym(&["compare", file, "--card", "7", "--modes", "off", "--repeat", "1", "--timeout", "1ms"]);
    assert!(String::from_utf8_lossy(&out.stdout).contains("> 0.001 s"));
}
