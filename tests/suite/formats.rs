//! Formats of CI systems, and sweeps over sizes.

use super::bsym;
use quick_junit::{NonSuccessKind, Report as Suites, TestCaseStatus};
use serde_json::Value as Json;

fn run(args: &[&str], code: i32) -> String {
    let mut all = vec!["check"];
    all.extend(args);
    let out = bsym(&all);
    assert_eq!(out.status.code(), Some(code), "{all:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("text")
}

fn json(args: &[&str], code: i32) -> Json {
    serde_json::from_str(&run(args, code)).expect("JSON")
}

#[test]
fn junit_has_a_test_for_each_property() {
    let text = run(&["machines/basics/CounterViolated.mch", "--format", "junit"], 1);
    let all = Suites::deserialize_from_str(&text).expect("JUnit XML");
    let suite = &all.test_suites[0];
    assert_eq!(suite.name.as_str(), "CounterViolated");
    assert_eq!((suite.tests, suite.failures, suite.errors), (suite.test_cases.len(), 1, 0));
    let failed =
        suite.test_cases.iter().find(|c| c.name.as_str().starts_with("invariant: ") && is_failure(&c.status));
    let failed = failed.expect("a conjunct that fails");
    assert!(failed.extra.contains_key("line"));
    // What was not violated when the search stopped has not passed.
    assert!(suite.test_cases.iter().any(|c| matches!(c.status, TestCaseStatus::Skipped { .. })));
    let whole = run(&["machines/basics/Counter.mch", "--format", "junit"], 0);
    let all = Suites::deserialize_from_str(&whole).expect("JUnit XML");
    assert!(all.test_suites[0].test_cases.iter().all(|c| matches!(c.status, TestCaseStatus::Success { .. })));
}

fn is_failure(status: &TestCaseStatus) -> bool {
    matches!(status, TestCaseStatus::NonSuccess { kind: NonSuccessKind::Failure, .. })
}

#[test]
fn junit_tells_errors_from_failures() {
    for (file, code) in [("DivisionByZero", 4), ("TypeError", 2)] {
        let text = run(&[&format!("machines/faults/{file}.mch"), "--format", "junit"], code);
        let all = Suites::deserialize_from_str(&text).expect("JUnit XML");
        assert_eq!((all.errors, all.failures), (1, 0), "{text}");
    }
}

#[test]
fn sarif_has_rules_places_and_steps() {
    let log = json(&["machines/basics/CounterViolated.mch", "--format", "sarif"], 1);
    assert_eq!(log["version"], "2.1.0");
    let results = log["runs"][0]["results"].as_array().cloned().unwrap_or_default();
    assert_eq!(results.len(), 1);
    assert_eq!((&results[0]["ruleId"], &results[0]["level"]), (&"invariant".into(), &"error".into()));
    assert_eq!(log["runs"][0]["tool"]["driver"]["rules"][0]["id"], "invariant");
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "machines/basics/CounterViolated.mch");
    let text = std::fs::read_to_string(super::root().join("machines/basics/CounterViolated.mch"))
        .expect("a machine");
    let number =
        |key: &str| place["region"][key].as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(1) - 1;
    let line = text.lines().nth(number("startLine")).unwrap_or_default();
    let marked = &line[number("startColumn")..number("endColumn")];
    let message = results[0]["message"]["text"].as_str().unwrap_or_default();
    assert!(message.contains(&format!("`{marked}`")), "{marked}: {message}");
    let steps = &results[0]["codeFlows"][0]["threadFlows"][0]["locations"];
    assert_eq!(steps[0]["location"]["message"]["text"], "INITIALISATION");
}

/// Numbers that do not fit together are noticed.
#[test]
fn reports_that_contradict_themselves_are_noticed() {
    let good = json(&["machines/basics/CounterViolated.mch", "--format", "json"], 1);
    assert!(super::numbers::contradictions(&good).is_empty());
    let wrong = [
        ("nodes", 9.into()),
        ("verdict", "holds".into()),
        ("transitions", 1.into()),
        ("invariant_violations", 0.into()),
        ("stopped_by", Json::Null),
        ("goal_states", 1.into()),
        ("full_states", 1.into()),
        ("checked", Json::Array(Vec::new())),
    ];
    for (key, value) in wrong {
        let mut report = good.clone();
        report[key] = value;
        assert!(!super::numbers::contradictions(&report).is_empty(), "{key}");
    }
}

/// What is not checked, and what has no influence, stands in every format.
#[test]
fn nothing_is_passed_over_in_any_format() {
    let told = |file: &str, text: &str| {
        for format in ["text", "html", "json", "junit", "sarif", "github"] {
            let written = run(&[file, "--format", format, "--no-deadlock", "--no-refinement"], 0);
            assert!(written.contains(text), "{format}: {written}");
        }
    };
    told("machines/structure/Unglued_r.ref", "this predicate speaks of the refined machine");
    told("machines/basics/OutOfScope.mch", "only draws pictures");
    let answer = "HOLDS Unglued_r: no violation in 10 states; 2 properties of the file were not checked";
    for format in ["text", "github"] {
        let file = "machines/structure/Unglued_r.ref";
        let written = run(&[file, "--format", format, "--no-deadlock", "--no-refinement"], 0);
        assert!(written.contains(answer), "{written}");
    }
    let text = run(&["machines/basics/OutOfScope.mch"], 0);
    assert!(text.contains("all reachable states within SCOPE are covered") || text.contains("within SCOPE"));
    assert!(!text.contains("all reachable states are covered"), "{text}");
}

/// A refinement is a property in every format, whatever came of it.
#[test]
fn refinements_are_in_every_format() {
    let told = |file: &str, more: &[&str], code: i32, texts: [&str; 5]| {
        for (format, text) in ["text", "json", "junit", "sarif", "github"].into_iter().zip(texts) {
            let file = format!("machines/refinement/{file}");
            let written = run(&[&[&*file, "--format", format, "--no-deadlock"], more].concat(), code);
            assert!(written.contains(text), "{format}: {written}");
        }
    };
    let holds = "refinement Stack_nodes of Stack (gluing): holds (5 states of both together";
    let json = "\"refines\": \"Stack\"";
    let test = "name=\"refinement: Stack_nodes of Stack (gluing)\"";
    let answer = "HOLDS Stack_nodes: no violation in 5 states, Stack_nodes refines Stack";
    told("Stack_nodes.ref", &[], 0, [holds, json, test, "\"executionSuccessful\": true", answer]);
    let wrong = "a step of `pop` is none of `Stack`";
    told("Stack_forgets.ref", &[], 1, [wrong; 5]);
    let cut = "Unbounded_r of Unbounded (gluing): incomplete: a step of `leap` has no counterpart";
    let known = "\"verdict\": \"incomplete\",\n      \"reason\": \"a step of `leap`";
    told("Unbounded_r.ref", &["--maxint", "5"], 3, [cut, known, cut, cut, cut]);
    let refused = "not checked: that this refines `Choice`: ";
    told("Choice_lacks.ref", &[], 0, [refused; 5]);
}

#[test]
fn sarif_shows_refused_inputs() {
    let log = json(&["machines/faults/UnknownName.mch", "--format", "sarif"], 2);
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "B0201");
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 7);
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
}

#[test]
fn github_annotations_are_escaped_commands() {
    let text = run(&["machines/basics/CounterViolated.mch", "--format", "github"], 1);
    let first = text.lines().next().unwrap_or_default();
    assert!(first.starts_with("::error file=machines/basics/CounterViolated.mch,line="), "{first}");
    assert!(
        first.contains("title=CounterViolated%3A invariant::") && first.contains("%0A1. INITIALISATION"),
        "{first}"
    );
    assert_eq!(text.lines().count(), 2);
    let refused = run(&["machines/faults/UnknownName.mch", "--format", "github"], 2);
    assert!(
        refused.starts_with(
            "::error file=machines/faults/UnknownName.mch,line=7,col=11,endLine=7,endColumn=18,"
        )
    );
}

#[test]
fn a_sweep_says_what_stops_changing() {
    let file = "machines/symmetry/Scheduler0.mch";
    let s = json(&[file, "--card", "1..6", "--format", "json"], 0);
    assert_eq!((&s["schema"], &s["verdict"]), (&"bsym.sweep/1".into(), &"holds".into()));
    let states: Vec<u64> =
        s["sizes"].as_array().into_iter().flatten().filter_map(|r| r["report"]["states"].as_u64()).collect();
    assert_eq!(states, [4, 9, 16, 25, 36, 49]);
    assert_eq!(s["growth"], serde_json::json!({"shape": "polynomial", "degree": 2, "from": 1}));
    assert_eq!((&s["same_verdict_from"], &s["same_operations_from"]), (&1.into(), &1.into()));
    let text = run(&[file, "--card", "PROC=1..6"], 0);
    assert!(text.contains("a polynomial of degree 2 from size 1 on"), "{text}");
}

#[test]
fn a_sweep_stops_at_the_first_violation() {
    // Both proposals can be chosen from five voters on.
    let file = "machines/symmetry/Quorum.mch";
    let s = json(&[file, "--card", "1..6", "--format", "json"], 1);
    assert_eq!((&s["verdict"], &s["size_of_verdict"]), (&"violated".into(), &5.into()));
    assert_eq!(s["not_run"], serde_json::json!([6]));
    let on = json(&[file, "--card", "1..6", "--format", "json", "--keep-going"], 1);
    assert_eq!((&on["size_of_verdict"], &on["same_verdict_from"]), (&5.into(), &5.into()));
    assert_eq!(on["not_run"], serde_json::json!([]));
    let junit = run(&[file, "--card", "1..6", "--format", "junit"], 1);
    assert_eq!(Suites::deserialize_from_str(&junit).expect("JUnit XML").test_suites.len(), 5);
}

#[test]
fn ranges_are_refused_where_one_size_is_wanted() {
    let file = "machines/symmetry/Scheduler0.mch";
    assert_eq!(bsym(&["eval", file, "card(PROC)", "--card", "1..3"]).status.code(), Some(2));
    assert_eq!(bsym(&["check", "machines/basics/Counter.mch", "--card", "1..3"]).status.code(), Some(2));
    assert_eq!(
        bsym(&["check", "machines/symmetry/TwoSets.mch", "--card", "1..3,X=2..3"]).status.code(),
        Some(2)
    );
}

#[test]
fn several_different_violations_are_told_if_wanted() {
    let dir = std::env::temp_dir().join(format!("bsym-errors-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder is made");
    let file = dir.join("Three.mch").display().to_string();
    let text = "MACHINE Three VARIABLES x INVARIANT x : 0..9 & x /= 2 & x /= 4 & x /= 6 INITIALISATION x := 0\n\
                OPERATIONS up = PRE x < 9 THEN x := x + 1 END; down = PRE x > 0 THEN x := x - 1 END END";
    std::fs::write(&file, text).expect("written");
    for (most, expected) in [("1", 1), ("2", 2), ("9", 3)] {
        let json = run(&[&file, "--max-errors", most, "--format", "json"], 1);
        let json: Json = serde_json::from_str(&json).expect("JSON");
        assert_eq!(json["violations"].as_array().map(Vec::len), Some(expected));
        assert_eq!(json["stopped_by"].is_null(), most == "9");
    }
    assert_eq!(bsym(&["check", &file, "--max-errors", "0"]).status.code(), Some(2));
    let _ = std::fs::remove_dir_all(&dir);
}

#[test]
fn expressions_are_shown_along_traces() {
    let file = "machines/basics/NoWayOut.mch";
    let ask = [file, "--show-expr", "card(r) + x", "--show-expr", "x < 2"];
    let shown = run(&ask, 1);
    let lines: Vec<&str> =
        shown.lines().filter(|l| l.contains('`')).map(|l| l.trim_matches(['│', ' '])).collect();
    for line in ["`card(r) + x` = 0", "`x < 2`: TRUE -> FALSE", "`card(r) + x`: 3 -> 4", "`card(r) + x` = 4"]
    {
        assert!(lines.contains(&line), "{line}\n{shown}");
    }
    let json = run(&[&ask[..], &["--format", "json"]].concat(), 1);
    let json: Json = serde_json::from_str(&json).expect("JSON");
    let trace = json["violations"][0]["trace"].as_array().expect("steps");
    let values: Vec<&Json> = trace.iter().map(|s| &s["expressions"]["card(r) + x"]).collect();
    assert_eq!(values, ["0", "1", "2", "3", "4"]);
    assert_eq!(bsym(&["check", file, "--show-expr", "nowhere + 1"]).status.code(), Some(2));
}

#[test]
fn long_traces_and_large_reports_are_cut() {
    let dir = std::env::temp_dir().join(format!("bsym-long-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder is made");
    let path = |name: &str| dir.join(name).display().to_string();
    let text = "MACHINE Long VARIABLES x, s INVARIANT x < 4000 INITIALISATION x := 0 || s := \"a text of some length, the same in every state\"\n\
                OPERATIONS count = BEGIN x := x + 1 END END";
    std::fs::write(path("Long.mch"), text).expect("written");
    let shown = run(&[&path("Long.mch")], 1);
    assert!(shown.contains("after 4,001 steps") && shown.contains("3951 steps are left out here"), "{shown}");
    assert!(shown.contains("│ 4001   count"), "{shown}");
    let all = run(&[&path("Long.mch"), "--trace-full"], 1);
    assert!(!all.contains("left out here") && all.contains("│ 2000   count"), "{}", all.len());
    let cut = run(&[&path("Long.mch"), "--format", "json"], 1);
    assert!(cut.len() <= 1 << 20);
    std::fs::write(path("cut.json"), &cut).expect("written");
    let cut: Json = serde_json::from_str(&cut).expect("JSON");
    let first = &cut["violations"][0];
    let steps = first["trace"].as_array().expect("steps");
    let left_out = Json::from(4001 - steps.len());
    assert_eq!((&cut["left_out"]["steps"], &first["left_out"]["steps"]), (&left_out, &left_out));
    assert_eq!(steps.last().map(|s| &s["state"]["x"]), Some(&"4000".into()));
    let whole = run(&[&path("Long.mch"), "--format", "json", "--full"], 1);
    std::fs::write(path("whole.json"), &whole).expect("written");
    let whole: Json = serde_json::from_str(&whole).expect("JSON");
    assert!(whole["left_out"].is_null() && whole["violations"][0].get("left_out").is_none());
    assert_eq!(whole["violations"][0]["trace"].as_array().map(Vec::len), Some(4001));
    assert_eq!(bsym(&["trace", &path("Long.mch"), &path("whole.json")]).status.code(), Some(0));
    assert_eq!(bsym(&["trace", &path("Long.mch"), &path("cut.json")]).status.code(), Some(2));
    let _ = std::fs::remove_dir_all(&dir);
}
