//! No answer rests on a limit of the search for values: with every limit lowered to 1, 2, 4, .. a run says what the full run says,
//! or that it does not know.
//!
//! In: `machines/` and random machines, in a handful; with `BSYM_LIMITS=all` all machines and `BSYM_RANDOM_MACHINES` random ones (3,000
//! unless said), and those in the folder `BSYM_LIMITS_DIR` (machines that pose random constraints have integers, which random machines
//! have not: see `constraints/`). Out: the number of answers of each kind, and a failure for every other answer.

use super::{bsym, number, random_machine, root};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What limits are lowered to.
const LIMITS: [&str; 5] = ["1", "2", "4", "16", "64"];

/// Of so many machines one is tried, unless all are asked for.
const EVERY: usize = 12;

/// Random machines, unless all are asked for.
const RANDOM: u64 = 6;

/// Codes that say that something was not evaluated: infinite, too large, interrupted, undecided.
const NOT_EVALUATED: [&str; 4] = ["B0506", "B0511", "B0512", "B0513"];

/// Counts that agree where both runs are complete.
const COUNTS: [&str; 8] = [
    "states",
    "transitions",
    "deadlocks",
    "invariant_violations",
    "assertion_violations",
    "goal_states",
    "constants_valuations",
    "initial_states",
];

/// A report, or nothing if there is none (refused).
fn check(file: &Path, more: &[&str]) -> Option<Json> {
    let name = file.display().to_string();
    let mut args = vec!["check", &name, "--keep-going", "--format", "json", "--symmetry", "off"];
    args.extend(["--timeout", "5s"]);
    args.extend(more);
    let out = bsym(&args);
    let json: Json =
        serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{args:?}: no JSON ({e}): {out:?}"));
    (json["verdict"].is_string() && json["verdict"] != "refused").then_some(json)
}

/// Codes of the errors of a report.
fn codes(report: &Json) -> BTreeSet<&str> {
    report["violations"].as_array().into_iter().flatten().filter_map(|v| v["code"].as_str()).collect()
}

/// Kind and conjunct of each violation that is no error.
fn shown(report: &Json) -> BTreeSet<(&str, Option<&str>)> {
    let violations = report["violations"].as_array().into_iter().flatten();
    let shown = violations.map(|v| (v["kind"].as_str().unwrap_or_default(), v["conjunct"].as_str()));
    shown.filter(|(kind, _)| *kind != "error").collect()
}

/// Whether something was found and not described, since time was up in the middle: it cannot be compared.
fn is_vague(report: &Json) -> bool {
    let vague = |v: &Json| v["kind"] == "invariant" && v["conjunct"].is_null();
    report["violations"].as_array().is_some_and(|all| all.iter().any(vague))
}

/// The kind of the answer of a run with lowered limits.
///
/// # Errors
/// It is another answer than that of the full run.
fn kind(full: &Json, low: &Json) -> Result<&'static str, String> {
    let verdict = low["verdict"].as_str().unwrap_or_default();
    let faults = codes(low);
    let refused = faults.iter().any(|c| NOT_EVALUATED.contains(c));
    let bounded = low["bounds"].as_array().is_some_and(|b| !b.is_empty());
    match verdict {
        "holds-within-bounds" => return Ok("holds within bounds"),
        "incomplete" => return Ok("incomplete"),
        "error" if faults.iter().all(|c| NOT_EVALUATED.contains(c)) => return Ok("not evaluated"),
        // Something was not looked at, and says so; what was found is there all the same.
        "violated" if full["verdict"] == "error" && bounded => return Ok("the same, of a part"),
        _ if full["verdict"] != low["verdict"] => {
            return Err(format!("{} became {verdict}", full["verdict"]));
        }
        _ => {}
    }
    // What the full run would have found later is not known.
    if is_vague(low) || full["stopped_by"] == "time" {
        return Ok("the same, of a part");
    }
    if !shown(low).is_subset(&shown(full)) {
        return Err(format!("other violations: {:?}, not {:?}", shown(low), shown(full)));
    }
    let known = codes(full);
    if let Some(code) = faults.iter().find(|c| !NOT_EVALUATED.contains(c) && !known.contains(*c)) {
        return Err(format!("another error: {code}"));
    }
    if refused || bounded || low["complete"] != Json::Bool(true) {
        return Ok("the same, of a part");
    }
    match COUNTS.iter().find(|count| full[**count] != low[**count]) {
        Some(count) => Err(format!("{count}: {} became {}", full[*count], low[*count])),
        None => Ok("the same"),
    }
}

/// Runs one machine with each limit; counts the kinds, and keeps what is wrong.
fn tried(file: &Path, kinds: &mut BTreeMap<&'static str, u64>, wrong: &mut Vec<String>) {
    let mut count = |kind| *kinds.entry(kind).or_default() += 1;
    let Some(full) = check(file, &[]) else { return count("refused") };
    if full["verdict"] == "incomplete" || is_vague(&full) {
        return count("incomplete in full");
    }
    for limit in LIMITS {
        let low = check(file, &["--lower-limits", limit]);
        match low.map_or_else(|| Err("refused".to_owned()), |low| kind(&full, &low)) {
            Ok(kind) => count(kind),
            Err(why) => {
                count("ANOTHER");
                wrong.push(format!("{} --lower-limits {limit}: {why}", file.display()));
            }
        }
    }
}

/// All machines below a folder, sorted.
fn machines(dir: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> =
        std::fs::read_dir(dir).into_iter().flatten().flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            machines(&path, out);
        } else if path.extension().is_some_and(|e| e == "mch") {
            out.push(path);
        }
    }
}

#[test]
fn lower_limits_change_no_answer() {
    let all = std::env::var("BSYM_LIMITS").is_ok_and(|v| v == "all");
    let random = if all { number("BSYM_RANDOM_MACHINES").unwrap_or(3000) } else { RANDOM };
    let first = number("BSYM_RANDOM_SEED").unwrap_or(1);
    let mut files = Vec::new();
    machines(&root().join("machines"), &mut files);
    let (mut kinds, mut wrong) = (BTreeMap::new(), Vec::new());
    for file in files.iter().step_by(if all { 1 } else { EVERY }) {
        tried(file, &mut kinds, &mut wrong);
    }
    let dir = root().join("target/lower-limits");
    std::fs::create_dir_all(&dir).expect("target is writable");
    for seed in first..first + random {
        let file = dir.join(format!("Random{seed}.mch"));
        std::fs::write(&file, random_machine::machine(seed)).expect("target is writable");
        tried(&file, &mut kinds, &mut wrong);
    }
    if let Some(posed) = std::env::var_os("BSYM_LIMITS_DIR") {
        let mut files = Vec::new();
        machines(Path::new(&posed), &mut files);
        files.iter().for_each(|file| tried(file, &mut kinds, &mut wrong));
    }
    println!("answers with lowered limits: {kinds:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(kinds.contains_key("the same"), "{kinds:?}");
}

/// The judge itself can fail.
#[test]
fn another_answer_is_seen() {
    let report = |verdict: &str, states: u64, bounds: &[u64]| serde_json::json!({"verdict": verdict, "states": states, "complete": true, "bounds": bounds, "violations": []});
    let full = report("holds", 3, &[]);
    assert_eq!(kind(&full, &report("holds", 3, &[])), Ok("the same"));
    assert_eq!(kind(&full, &report("holds-within-bounds", 2, &[1])), Ok("holds within bounds"));
    assert!(kind(&full, &report("holds", 2, &[])).is_err());
    assert!(kind(&full, &report("violated", 3, &[])).is_err());
    assert!(kind(&report("violated", 3, &[]), &full).is_err());
}
