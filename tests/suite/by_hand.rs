//! `bsym repl` and `bsym simulate`: machines explored by hand and by chance.
//!
//! What a session says is held against other commands: values against `eval`, steps against the graph of all states, traces against
//! their replay.

use super::plain::written;
use super::traces::machines;
use super::{Json, bsym, root};
use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::{Command, Stdio};

const SCHEDULER: &str = "machines/symmetry/Scheduler0.mch";

/// A session of these lines: exit code, standard output, standard error.
fn session(args: &[&str], lines: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bsym"));
    command.arg("repl").args(args).current_dir(root());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("bsym starts");
    let text: String = lines.iter().map(|l| format!("{l}\n")).collect();
    // A session that ends early does not read all lines.
    let _ = child.stdin.take().expect("a pipe").write_all(text.as_bytes());
    let out = child.wait_with_output().expect("bsym ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (out.status.code(), text(&out.stdout), text(&out.stderr))
}

#[test]
fn a_session_goes_forth_and_back() {
    let lines = [
        ":step new(PROC2)",
        ":step new",
        ":step 1",
        "known",
        ":undo",
        "known = {PROC2}",
        ":step new(p = PROC1)",
        ":step ready(PROC1)",
        ":step wake(PROC3)",
        ":goto 1",
        ":trace",
        ":reset",
        "known",
        ":quit",
        "1 + 1",
    ];
    let (code, out, err) = session(&[SCHEDULER, "--card=3"], &lines);
    let expected = [
        "2  new(p = PROC2)",
        "   known: + PROC2",
        "   phase: + PROC2|->idle",
        "1  new(p = PROC1)",
        "2  new(p = PROC3)",
        "`:step N` takes one of them",
        "3  new(p = PROC1)",
        "   known: + PROC1",
        "   phase: + PROC1|->idle",
        "{PROC1,PROC2}",
        "back at step 2",
        "TRUE",
        "3  new(p = PROC1)",
        "   known: + PROC1",
        "   phase: + PROC1|->idle",
        "back at step 1",
    ];
    let said: Vec<&str> = out.lines().take(expected.len()).collect();
    assert_eq!(said, expected, "{out}\n{err}");
    assert!(out.contains("at the beginning"), "{out}");
    assert!(!out.contains("\n2\n"), "nothing is answered after the end: {out}");
    assert!(err.contains("there is no operation `ready`; the operations are: new, del"), "{err}");
    assert!(err.contains("`wake(PROC3)` is not possible here"), "{err}");
    assert_eq!(code, Some(2), "the exit code of a script is that of the first line without an answer");
}

#[test]
fn formulas_have_reasons_types_and_solutions() {
    let lines = [
        ":step new(PROC2)",
        ":why known = {} or card(known) > 1",
        ":type known * {TRUE}",
        ":solve x : PROC & y : PROC & x /= y & x : known",
        ":solve x : known & x /: known",
        ":solve x : PROC & z,",
        "unknown_name",
        "1 / card(PROC - PROC)",
        "{x | x : NATURAL & x mod 7 = 3 & x * x = 100}",
    ];
    let (code, out, err) = session(&[SCHEDULER, "--card=3"], &lines);
    for line in [
        "FALSE",
        "POW((PROC*BOOL))",
        "2 solutions",
        "x = PROC2, y = PROC1",
        "x = PROC2, y = PROC3",
        "no solution",
        "{10}",
    ] {
        assert!(out.lines().any(|l| l == line), "{line}: {out}\n{err}");
    }
    assert!(out.contains("known = {PROC2}"), "{out}");
    assert!(err.contains("`unknown_name` is declared nowhere") && err.contains(":solve P"), "{err}");
    assert!(err.contains("division by zero"), "{err}");
    assert_eq!(code, Some(2));
}

/// Formulas of one session share nothing: each has the value that it has by itself, though the memory of the one before is free.
#[test]
fn formulas_do_not_stand_in_for_each_other() {
    let mut lines = Vec::new();
    let mut expected = Vec::new();
    for i in 0..200_u32 {
        let (n, m) = (i % 23 + 2, i % 5 + 2);
        lines.push(format!("{{x | x : 1..{n} & x mod {m} = 1}}"));
        let members: Vec<String> = (1..=n).filter(|x| x % m == 1).map(|x| x.to_string()).collect();
        expected.push(format!("{{{}}}", members.join(",")));
        lines.push(format!("card({{x, y | x : 1..{m} & y : 1..{n} & x < y}})"));
        let pairs = (1..=m).flat_map(|x| (1..=n).filter(move |y| x < *y)).count();
        expected.push(pairs.to_string());
        lines.push(format!("!x.(x : 1..{n} => #y.(y : 1..{m} & x mod {m} = y mod {m}))"));
        expected.push("TRUE".to_owned());
    }
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (code, out, err) = session(&[SCHEDULER, "--card=2"], &lines);
    assert_eq!(code, Some(0), "{err}");
    let said: Vec<&str> = out.lines().collect();
    for ((line, expected), said) in lines.iter().zip(&expected).zip(said) {
        assert_eq!(said, expected, "{line}");
    }
}

/// The labels that a list of steps shows.
fn listed(out: &str) -> BTreeSet<String> {
    let line = |l: &str| {
        let (number, label) = l.trim_start().split_once("  ")?;
        number.parse::<usize>().ok()?;
        Some(label.to_owned())
    };
    out.lines().filter_map(line).collect()
}

/// What is possible in the initial state is what the graph of all states says, and every machine is there at once.
#[test]
fn steps_are_those_of_the_graph() {
    let mut compared = 0;
    for path in machines(&root().join("machines/basics")).iter().step_by(3) {
        let file = path.display().to_string();
        let graph =
            bsym(&["graph", &file, "--symmetry=off", "--format=json", "--max-nodes=500", "--timeout=3s"]);
        let (code, out, err) = session(&[&file, "--timeout=5s"], &[":enabled"]);
        assert!(code.is_some_and(|c| c < 6), "{file}: {code:?} {err}");
        if graph.status.code() != Some(0) {
            continue;
        }
        let graph: Json = serde_json::from_slice(&graph.stdout).expect("JSON");
        let nodes = graph["nodes"].as_array().cloned().unwrap_or_default();
        let initial: Vec<&Json> = nodes.iter().filter(|n| n["initial"] == true).collect();
        // Which of several initial states is the first is not told.
        let [only] = initial.as_slice() else { continue };
        if out.contains("more of") || out.contains("error in") {
            continue;
        }
        let edges = graph["edges"].as_array().cloned().unwrap_or_default();
        let left = edges.iter().filter(|e| e["from"] == only["id"]).count();
        assert_eq!(
            out.lines().filter(|l| listed(l).len() == 1).count(),
            left,
            "{file}: {out}\n{:?}",
            edges.iter().filter(|e| e["from"] == only["id"]).collect::<Vec<_>>()
        );
        compared += 1;
    }
    assert!(compared > 5, "{compared} machines were compared");
}

/// The way to the first violation ends in a state that is one.
#[test]
fn the_first_violation_is_gone_to() {
    let mut seen = 0;
    for path in machines(&root().join("machines")) {
        let text = std::fs::read_to_string(&path).expect("a machine");
        let plainly = text.lines().filter(|l| l.contains("expect:")).all(|l| !l.contains('"'));
        if !text.contains("verdict=violated") || !plainly || text.contains("slow") || text.contains("card=") {
            continue;
        }
        let file = path.display().to_string();
        let check = bsym(&["check", &file, "--quiet", "--format=json", "--timeout=20s", "--no-goal"]);
        let report: Json = serde_json::from_slice(&check.stdout).expect("JSON");
        let Some(first) = report["violations"].as_array().and_then(|v| v.first()).cloned() else { continue };
        if first["trace"].as_array().is_none_or(Vec::is_empty) {
            continue;
        }
        let (_, out, err) = session(&[&file, "--timeout=20s"], &[":goto violation", ":enabled"]);
        let shown = match first["kind"].as_str() {
            Some("invariant") => out.contains("invariant violated"),
            Some("assertion") => out.contains("assertion violated"),
            Some("deadlock") => out.contains("no step is possible"),
            Some("error") => out.contains("error in") || out.contains("no value"),
            _ => continue,
        };
        assert!(shown, "{file}: {first:#}\n{out}\n{err}");
        seen += 1;
    }
    assert!(seen > 5, "{seen} violations were gone to");
}

#[test]
fn a_state_is_looked_for() {
    let lines = [
        ":find card(known) = 2 & active : ran(phase)",
        "card(known)",
        ":find card(known) = 4",
        ":find card(known",
    ];
    let (code, out, err) = session(&[SCHEDULER, "--card=3"], &lines);
    assert!(out.contains("5 steps, the last one") && out.lines().any(|l| l == "2"), "{out}\n{err}");
    assert!(err.contains("no such state is found"), "{err}");
    assert_eq!(code, Some(2));
}

#[test]
fn walks_by_chance_are_the_same_for_a_seed_and_can_be_replayed() {
    let mut replayed = 0;
    for (file, kind, code) in [
        ("machines/basics/CounterViolated.mch", "invariant", 1),
        ("machines/basics/Deadlock.mch", "deadlock", 1),
        ("machines/structure/Tank.mch", "invariant", 1),
        ("machines/structure/WhichCell.mch", "invariant", 1),
    ] {
        let run = |seed: &str| bsym(&["simulate", file, "--format=json", "--walks=200", seed]);
        let (out, again) = (run("--seed=7"), run("--seed=7"));
        assert_eq!(out.stdout, again.stdout, "{file}");
        assert_eq!(out.status.code(), Some(code), "{file}");
        let report: Json = serde_json::from_slice(&out.stdout).expect("JSON");
        assert_eq!(report["violation"]["kind"], kind, "{file}");
        let steps: Vec<Json> = report["violation"]["trace"]
            .as_array()
            .expect("a trace")
            .iter()
            .map(|s| {
                serde_json::json!({
                    "name": s["operation"].as_str().map(|o| match o {
                        "SETUP_CONSTANTS" => "$setup_constants",
                        "INITIALISATION" => "$initialise_machine",
                        other => other,
                    }),
                    "params": s["arguments"], "results": s["results"], "destState": s["state"],
                })
            })
            .collect();
        assert!(!steps.is_empty(), "{file}");
        let path = std::env::temp_dir().join(format!("bsym-walk-{}.prob2trace", std::process::id()));
        std::fs::write(&path, serde_json::json!({ "transitionList": steps }).to_string()).expect("written");
        let out = bsym(&["trace", file, &path.display().to_string()]);
        let _ = std::fs::remove_file(&path);
        assert_eq!(out.status.code(), Some(0), "{file}: {}", String::from_utf8_lossy(&out.stdout));
        replayed += 1;
    }
    assert_eq!(replayed, 4);
}

/// That chance finds nothing is no verdict.
#[test]
fn walks_that_find_nothing_prove_nothing() {
    let out = bsym(&["simulate", SCHEDULER, "--card=2", "--walks=10", "--steps=20"]);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert_eq!(out.status.code(), Some(3), "{text}");
    assert!(text.contains("no violation on 10 random walks (200 steps, seed 1)"), "{text}");
    assert!(text.contains("proves nothing"), "{text}");
}

/// What is not known is no violation and no error, and is said: values that were not tried, in PROPERTIES and in guards, steps that may be
/// possible beside others, and valuations that walks do not begin with.
#[test]
fn walks_say_what_they_could_not_meet() {
    let unknown = "y : INTEGER & y * y mod 1000 = 576 & y > 100";
    let properties = unknown.replace('y', "c");
    let machine = |header: &str, operations: &str| {
        format!(
            "MACHINE M {header} VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0 OPERATIONS {operations} END"
        )
    };
    let guard = format!("go = ANY y WHERE {unknown} THEN x := y mod 2 END");
    let cases = [
        (
            "constants",
            machine(&format!("CONSTANTS c PROPERTIES {properties}"), "go = skip"),
            vec!["no walk was possible", "`c` was tried from 101 to 101 only"],
        ),
        (
            "guard",
            machine("", &guard),
            vec!["no violation", "go: unknown: `y`", "10 where it is not known whether a step is possible"],
        ),
        (
            "beside",
            machine("", &format!("{guard}; stay = x := (x + 1) mod 4")),
            vec!["no violation", "go: unknown: `y`", "10 after the most steps", "nothing bounds these"],
        ),
        (
            "many",
            machine("CONSTANTS c PROPERTIES c : 1..1000", "go = x := (x + 1) mod 4"),
            vec!["no violation", "begin with the first 100 valuations of the constants"],
        ),
    ];
    for (name, text, expected) in cases {
        let file = written("by-hand", name, &text);
        let out = bsym(&["simulate", &file, "--walks=10", "--steps=20"]);
        let said = String::from_utf8_lossy(&out.stdout).into_owned();
        let json = bsym(&["simulate", &file, "--walks=10", "--steps=20", "--format=json"]);
        let json: Json = serde_json::from_slice(&json.stdout).expect("JSON");
        let listed = session(&[&file], &[":enabled"]).1;
        assert_eq!(out.status.code(), Some(3), "{name}: {said}");
        assert!(json["violation"].is_null(), "{name}: {json}");
        assert_eq!(json["more_valuations"], ["constants", "many"].contains(&name), "{name}: {json}");
        assert_eq!(json["bounds"].as_array().expect("bounds").is_empty(), name == "many", "{name}: {json}");
        for part in expected {
            assert!(said.contains(part), "{name}: {part}: {said}");
        }
        if name == "constants" {
            assert!(listed.contains("no values were found") && !listed.contains("no values are"), "{listed}");
        }
    }
}

/// A formula is evaluated after any step of a trace: it has there the value that the trace shows, and the steps are shown by its replay.
#[test]
fn formulas_are_evaluated_along_a_trace() {
    let file = "machines/basics/CounterViolated.mch";
    let folder = std::env::temp_dir().join(format!("bsym-along-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let report = bsym(&["check", file, "--quiet", "--format=json"]);
    let json: Json = serde_json::from_slice(&report.stdout).expect("JSON");
    let steps = json["violations"][0]["trace"].as_array().expect("a trace").clone();
    let saved = folder.join("report.json").display().to_string();
    std::fs::write(&saved, &report.stdout).expect("written");
    let prob = folder.join("trace.prob2trace").display().to_string();
    bsym(&["check", file, "--quiet", &format!("--trace-out={prob}")]);
    let mut looked_at = 0;
    for trace in [&saved, &prob] {
        let eval = |formula: &str, n: usize| {
            let out = bsym(&["eval", file, formula, "--trace", trace, "--step", &n.to_string()]);
            (out.status.code(), String::from_utf8_lossy(&out.stdout).trim().to_owned())
        };
        for (i, step) in steps.iter().enumerate() {
            for (name, value) in step["state"].as_object().expect("values") {
                let value = value.as_str().expect("text").to_owned();
                assert_eq!(eval(name, i + 1), (Some(0), value), "{name} after {} steps", i + 1);
                looked_at += 1;
            }
        }
        let last = bsym(&["eval", file, "n >= 3", "--trace", trace]);
        assert_eq!(String::from_utf8_lossy(&last.stdout).trim(), "TRUE", "{trace}");
        assert_eq!(eval("n", steps.len() + 1).0, Some(2), "there is no such step");
        let shown = bsym(&["trace", file, trace, "--show"]);
        let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
        assert!(shown.contains("replayed") && shown.contains("n: 1 -> 2"), "{shown}");
    }
    let _ = std::fs::remove_dir_all(&folder);
    assert!(looked_at >= 8, "{looked_at} values");
}

/// A limit ends an answer, whatever it does, and the session goes on.
#[test]
fn a_limit_ends_an_answer() {
    let lines = [":random 100000000", "1 + 1", ":find 1 + 1"];
    let (code, out, err) = session(&[SCHEDULER, "--card=2", "--timeout=1s"], &lines);
    assert!(err.contains("stopped by a limit: time; the trace has "), "{err}");
    assert!(out.lines().any(|l| l == "2"), "{out}");
    assert!(err.contains("`1 + 1` is neither true nor false"), "{err}");
    assert_eq!(code, Some(3), "{err}");
}

/// A property that takes longer than its time is not known; the next step is.
#[test]
fn a_property_has_the_time_that_it_is_given() {
    let file = "machines/basics/Undecided.mch";
    let args = ["simulate", file, "--walks=1", "--steps=1", "--property-timeout=0.1s", "--format=json"];
    let out = bsym(&args);
    let walked: Json = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!(out.status.code(), Some(3), "{walked}");
    assert!(!walked["unknown"].as_array().expect("what is not known").is_empty(), "{walked}");
    let (code, out, err) = session(&[file, "--property-timeout=0.1s"], &["1", ":enabled"]);
    assert!(out.contains("reset"), "{code:?} {out} {err}");
}
