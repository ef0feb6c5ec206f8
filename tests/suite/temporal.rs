//! Temporal formulas on machines: with and without symmetry they are the same, every path that is shown is one, mistakes are told where they are.

use super::{bsym, number, random_machine, root};
use serde_json::Value as Json;
use std::time::{SystemTime, UNIX_EPOCH};

/// Random machines per run; `BSYM_RANDOM_MACHINES` asks for more.
const RANDOM: u64 = 60;
/// Formulas for each.
const FORMULAS: usize = 4;

/// The report of a check of some formulas.
fn check(file: &str, formulas: &[String], more: &[&str]) -> Json {
    let mut args = vec!["check", file, "--no-deadlock", "--no-invariant", "--format", "json", "--full"];
    args.extend(formulas.iter().flat_map(|f| ["--ltl", f.as_str()]));
    args.extend(more);
    let out = bsym(&args);
    serde_json::from_slice(&out.stdout)
        .unwrap_or_else(|e| panic!("{args:?}: no JSON ({e})\n{}", String::from_utf8_lossy(&out.stderr)))
}

fn verdicts(report: &Json) -> Vec<String> {
    let formulas = report["formulas"].as_array().cloned().unwrap_or_default();
    formulas.iter().map(|f| f["verdict"].as_str().unwrap_or("?").to_owned()).collect()
}

/// Replays all traces of a report.
fn replay(file: &str, report: &Json, name: &str, card: &str) {
    if report["violations"].as_array().is_none_or(Vec::is_empty) {
        return;
    }
    let path = root().join(format!("target/random-machines/{name}.json"));
    std::fs::write(&path, report.to_string()).expect("target is writable");
    let path = path.display().to_string();
    let out = bsym(&["trace", file, &path, "--card", card]);
    let text = String::from_utf8_lossy(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{file}: {text}\n{report:#}");
}

#[test]
fn symmetry_makes_no_difference_to_formulas_on_random_machines() {
    let count = number("BSYM_RANDOM_MACHINES").unwrap_or(RANDOM);
    let fresh = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |d| u64::from(d.subsec_nanos()));
    let first = number("BSYM_RANDOM_SEED").unwrap_or_else(fresh);
    println!("seed {first}");
    let dir = root().join("target/random-machines");
    std::fs::create_dir_all(&dir).expect("target is writable");
    let mut seen = std::collections::BTreeMap::<String, u64>::new();
    for seed in first..first + count {
        let (text, formulas) = random_machine::with_formulas(seed, FORMULAS);
        let file = dir.join(format!("temporal{seed}.mch"));
        std::fs::write(&file, text).expect("target is writable");
        let name = file.display().to_string();
        let card = if seed % 2 == 0 { "2" } else { "3" };
        let common = ["--card", card, "--timeout", "5s", "--max-states", "3000"];
        let run = |mode: &str| {
            let mut more = vec!["--symmetry", mode];
            more.extend(common);
            check(&name, &formulas, &more)
        };
        let (off, exact) = (run("off"), run("exact"));
        let (a, b) = (verdicts(&off), verdicts(&exact));
        for (i, (of_off, of_exact)) in a.iter().zip(&b).enumerate() {
            *seen.entry(of_exact.clone()).or_default() += 1;
            let known = |v: &str| v == "holds" || v == "violated";
            let same = of_off == of_exact || !known(of_off) || !known(of_exact);
            assert!(same, "seed {seed}: {} is {of_off} and {of_exact} ({name})", formulas[i]);
        }
        if a.iter().any(|v| v == "violated") {
            replay(&name, &off, &format!("temporal{seed}-off"), card);
        }
        if b.iter().any(|v| v == "violated") {
            replay(&name, &exact, &format!("temporal{seed}-exact"), card);
        }
        let _ = std::fs::remove_file(file);
    }
    println!("{seen:?}");
    assert!(
        seen.get("holds").is_some_and(|n| *n > 0) && seen.get("violated").is_some_and(|n| *n > 0),
        "{seen:?}"
    );
}

/// A report without what formulas add to it, and without time and memory.
fn without_formulas(mut report: Json) -> Json {
    let of_formula = |v: &Json| {
        let kind = v["kind"].as_str().unwrap_or("");
        let message = v["message"].as_str().unwrap_or("");
        matches!(kind, "ltl" | "ctl") || message.contains("(in the formula")
    };
    for list in ["violations", "checked"] {
        if let Some(list) = report[list].as_array_mut() {
            list.retain(|v| !of_formula(v));
        }
    }
    let of_run = ["formulas", "verdict", "complete", "stopped_by", "seconds", "peak_bytes"];
    if let Some(fields) = report.as_object_mut() {
        fields.retain(|name, _| !of_run.contains(&name.as_str()));
    }
    report
}

#[test]
fn formulas_make_no_difference_to_what_else_is_checked() {
    let count = number("BSYM_RANDOM_MACHINES").unwrap_or(RANDOM);
    let fresh = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |d| u64::from(d.subsec_nanos()));
    let first = number("BSYM_RANDOM_SEED").unwrap_or_else(fresh);
    println!("seed {first}");
    let dir = root().join("target/random-machines");
    std::fs::create_dir_all(&dir).expect("target is writable");
    let (mut compared, mut decided) = (0, 0);
    for seed in first..first + count {
        let (text, formulas) = random_machine::with_formulas(seed, FORMULAS);
        let file = dir.join(format!("beside{seed}.mch"));
        std::fs::write(&file, text).expect("target is writable");
        let name = file.display().to_string();
        let card = if seed % 2 == 0 { "2" } else { "3" };
        let ways: [&[&str]; 4] = [
            &["--symmetry", "off", "--keep-going"],
            &["--symmetry", "exact", "--keep-going", "--no-deadlock"],
            &["--symmetry", "off", "--max-states", "20", "--threads", "2"],
            &["--symmetry", "flood", "--no-invariant", "--no-deadlock"],
        ];
        let way = ways[usize::try_from(seed / 2 % 4).unwrap_or(0)];
        let run = |formulas: &[String]| {
            let mut args =
                vec!["check", &name, "--card", card, "--timeout", "10s", "--format", "json", "--full"];
            args.extend(["--property-timeout", "0"]);
            args.extend(way);
            if !way.contains(&"--max-states") {
                args.extend(["--max-states", "3000"]);
            }
            args.extend(formulas.iter().flat_map(|f| ["--ltl", f.as_str()]));
            let out = bsym(&args);
            let error = String::from_utf8_lossy(&out.stderr).into_owned();
            serde_json::from_slice::<Json>(&out.stdout)
                .unwrap_or_else(|e| panic!("{args:?}: no JSON ({e})\n{error}"))
        };
        let (alone, both) = (run(&[]), run(&formulas));
        let late = |r: &Json| r["stopped_by"].as_str() == Some("time");
        // Some formulas are refused.
        if both["diagnostics"].is_null() && !late(&alone) && !late(&both) {
            compared += 1;
            decided += verdicts(&both).iter().filter(|v| *v == "holds" || *v == "violated").count();
            let (a, b) = (without_formulas(alone), without_formulas(both));
            assert_eq!(a, b, "seed {seed} {way:?} ({name})");
        }
        let _ = std::fs::remove_file(file);
    }
    println!("{compared} compared, {decided} formulas decided");
    assert!(compared > count / 4 && decided > 0);
}

/// A mistake in a formula of the command line, and what is said of it, with its column.
#[test]
fn mistakes_are_told_where_they_are() {
    let cases = [
        ("G {floor = nowhere}", "`nowhere` is declared nowhere", 12),
        ("G e(fly)", "there is no operation `fly`", 5),
        ("G (e(up)", "the formula ends too early", 8),
        ("{floor = 1} => {floor = 2} => true", "this does not fit here", 28),
        ("G {floor = TRUE}", "expected type `INTEGER`", 12),
        ("F [up(1)]", "`up` takes 0 arguments, not 1", 4),
        ("AG {floor = 1}", "`AG` is no part of a temporal formula", 1),
        ("G {floor = 1", "this is not closed", 3),
        ("F [call(TRUE)]", "", 9),
    ];
    for (formula, message, column) in cases {
        let out = bsym(&["check", "machines/temporal/Elevator.mch", "--ltl", formula, "--format", "json"]);
        let report: Json = serde_json::from_slice(&out.stdout).expect("a report");
        assert_eq!(out.status.code(), Some(2), "{formula}");
        let first = &report["diagnostics"][0];
        assert!(first["message"].as_str().is_some_and(|m| m.contains(message)), "{formula}: {first}");
        assert_eq!(first["column"].as_u64(), Some(column), "{formula}: {first}");
    }
}

/// Formulas of the file that cannot be read are not checked, with the reason; asked for, they are refused.
#[test]
fn formulas_of_the_file_that_cannot_be_read() {
    let file = "machines/temporal/Unread.mch";
    let out = bsym(&["check", file, "--format", "json"]);
    let report: Json = serde_json::from_slice(&out.stdout).expect("a report");
    assert_eq!((report["verdict"].as_str(), out.status.code()), (Some("holds"), Some(0)));
    let all: Vec<&str> =
        report["not_checked"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    assert!(all.iter().any(|m| m.contains("`gone` is declared nowhere")), "{all:?}");
    assert!(all.iter().any(|m| m.contains("no state that it stands at")), "{all:?}");
    assert_eq!(bsym(&["check", file, "--only", "ASSERT_LTL_wrong"]).status.code(), Some(2));
    assert_eq!(bsym(&["check", file, "--only", "ASSERT_LTL_fine"]).status.code(), Some(0));
    assert_eq!(bsym(&["check", file, "--only", "ASSERT_LTL_missing"]).status.code(), Some(2));
}

#[test]
fn automata_are_shown() {
    let out = bsym(&[
        "show",
        "machines/temporal/Elevator.mch",
        "--stage",
        "formula",
        "--ltl",
        "WF(up) => G({door = TRUE} => F [close])",
    ]);
    let text = String::from_utf8_lossy(&out.stdout);
    for part in [
        "HOA: v1",
        "AP: 2 \"{door = TRUE}\" \"[close]\"",
        "Acceptance: 1 Inf(0)",
        "weakly fair: [up]",
        "digraph formula",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

/// A formula speaks of the runs of the machine whose file it is asked of, with and without the machine that it refines.
#[test]
fn formulas_of_a_refinement_are_about_its_own_runs() {
    let said = |words: &[&str]| {
        let file = root().join("machines/refinement/Log_bits.ref").display().to_string();
        let mut all = vec![words[0], &file, "--symmetry", "off", "--format", "json", "--keep-going"];
        all.extend(&words[1..]);
        all.extend(["--ltl", "G {1 = 1}", "--ltl", "G ([come] -> X e(come))", "--ltl", "G F [come]"]);
        let report: Json = serde_json::from_slice(&bsym(&all).stdout).expect("a report");
        let formulas = report["formulas"].as_array().expect("formulas").clone();
        let told = formulas.into_iter().map(|f| [f["verdict"].clone(), f["states"].clone()]);
        told.collect::<Vec<_>>()
    };
    let alone = said(&["check", "--no-refinement"]);
    assert_eq!(alone.len(), 3);
    assert!(alone.iter().all(|[verdict, _]| verdict == "holds" || verdict == "violated"), "{alone:?}");
    for against in ["gluing", "traces", "failures"] {
        assert_eq!(said(&["refine", "--against", against]), alone, "{against}");
    }
}

/// Runs that nobody may cause by a call are its runs all the same, and are not left out where the refinement check excuses what is wrong there.
#[test]
fn formulas_are_about_runs_that_the_refinement_check_excuses() {
    let said = |words: &[&str]| {
        let file = root().join("machines/refinement/Wheel_cogs.imp").display().to_string();
        let mut all = vec!["check", &file, "--format", "json", "--keep-going"];
        all.extend(words);
        all.extend([
            "--ltl",
            "G not([turn])",
            "--ltl",
            "G {at = 0}",
            "--ltl",
            "F {at = 3}",
            "--ltl",
            "G F [turn]",
        ]);
        let report: Json = serde_json::from_slice(&bsym(&all).stdout).expect("a report");
        let formulas = report["formulas"].as_array().expect("formulas").clone();
        let verdicts = formulas.iter().map(|f| f["verdict"].as_str().unwrap_or("").to_owned());
        verdicts.collect::<Vec<_>>()
    };
    assert_eq!(said(&[]), ["violated", "violated", "holds", "holds"]);
    assert_eq!(said(&[]), said(&["--no-refinement"]));
}

/// A refinement whose own runs have no end, where nobody may call what leads there: that is found before the time is spent on its formula.
#[test]
fn formulas_leave_time_for_what_else_is_asked() {
    let file = root().join("machines/refinement/Ring_array.imp").display().to_string();
    let words = ["check", &file, "--ltl", "G F [get]", "--timeout", "3s", "--format", "json"];
    let report: Json = serde_json::from_slice(&bsym(&words).stdout).expect("a report");
    assert_eq!(
        (&report["verdict"], &report["refinements"][0]["verdict"]),
        (&"incomplete".into(), &"holds".into())
    );
}
