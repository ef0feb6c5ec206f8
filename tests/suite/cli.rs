//! Exit codes, options and determinism of the command line.

use super::{bsym, report, root};
use serde_json::Value as Json;
use std::process::Command;

fn code(args: &[&str]) -> Option<i32> {
    bsym(args).status.code()
}

#[test]
fn exit_codes() {
    assert_eq!(code(&["check", "machines/basics/Counter.mch"]), Some(0));
    assert_eq!(code(&["check", "machines/basics/CounterViolated.mch"]), Some(1));
    assert_eq!(code(&["check", "machines/faults/TypeError.mch"]), Some(2));
    assert_eq!(code(&["check", "machines/no/such/file.mch"]), Some(2));
    assert_eq!(code(&["check", "machines/basics/Counter.mch", "--no-such-option"]), Some(2));
    assert_eq!(code(&["check", "machines/basics/Counter.mch", "--max-states", "2"]), Some(3));
    assert_eq!(code(&["check", "machines/faults/DivisionByZero.mch"]), Some(4));
}

#[test]
fn an_expected_verdict_is_success() {
    assert_eq!(code(&["check", "machines/basics/CounterViolated.mch", "--expect", "violated"]), Some(0));
    assert_ne!(code(&["check", "machines/basics/Counter.mch", "--expect", "violated"]), Some(0));
}

#[test]
fn a_limit_gives_a_partial_report() {
    let out = bsym(&[
        "check",
        "machines/symmetry/Scheduler1.mch",
        "--card",
        "6",
        "--symmetry",
        "off",
        "--max-states",
        "100",
        "--format",
        "json",
    ]);
    let r: Json = serde_json::from_slice(&out.stdout).expect("a report");
    assert_eq!(r["complete"], Json::Bool(false));
    assert_eq!(r["verdict"], "incomplete");
    assert_eq!(r["stopped_by"], "states");
}

#[test]
fn the_report_has_its_contract_keys() {
    let r = report(&["machines/symmetry/Scheduler0.mch", "--card", "3"]);
    for key in [
        "schema",
        "version",
        "machine",
        "file",
        "cardinalities",
        "symmetry",
        "constants",
        "guarantee",
        "collision_probability",
        "verdict",
        "complete",
        "stopped_by",
        "states",
        "nodes",
        "transitions",
        "constants_valuations",
        "initial_states",
        "invariant_violations",
        "deadlocks",
        "assertion_violations",
        "errors",
        "goal_states",
        "operations",
        "violations",
        "seconds",
        "peak_bytes",
    ] {
        assert!(r.get(key).is_some(), "`{key}` is missing");
    }
    assert_eq!(r["schema"], "bsym.check/1");
}

#[test]
fn threads_and_repetition_change_nothing() {
    let clean = |mut r: Json| {
        if let Some(o) = r.as_object_mut() {
            o.remove("seconds");
            o.remove("peak_bytes");
        }
        r
    };
    for mode in ["off", "markers", "exact", "flood"] {
        let run = |threads| {
            clean(report(&[
                "machines/symmetry/PhilosophersRing.mch",
                "--card",
                "3",
                "--symmetry",
                mode,
                "--threads",
                threads,
            ]))
        };
        let one = run("1");
        assert_eq!(one, run("1"), "{mode}: a second run differs");
        assert_eq!(one, run("2"), "{mode}: two threads differ from one");
        assert_eq!(one, run("3"), "{mode}: three threads differ from one");
    }
}

#[test]
fn eval_prints_values() {
    let out = bsym(&["eval", "machines/relations/Relations.mch", "r[{1}] \\/ {9}"]);
    assert_eq!(String::from_utf8_lossy(&out.stdout).trim(), "{2,3,9}");
}

#[test]
fn symmetry_is_explained_with_places() {
    let file = "machines/symmetry/NamedElement.mch";
    let out = bsym(&["check", file, "--card", "3", "--explain-symmetry", "-q"]);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    for line in [
        "COLOUR: 2 of 3 elements are permuted, green, blue: `red` is named in the machine \
         (machines/symmetry/NamedElement.mch:",
        "PART: all 3 elements are permuted, PART1, PART2, PART3: no formula names one of them",
        "UNUSED: not permuted: no constant or variable contains its elements",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let r = report(&[file, "--card", "3"]);
    assert_eq!(r["symmetry_sets"][0]["permuted"], serde_json::json!(["green", "blue"]));
    assert_eq!(r["symmetry_sets"][0]["at"]["text"], "red");
}

#[test]
fn reports_say_why_states_are_symmetric() {
    let run = |file: &str, mode: &str| {
        report(&[&format!("machines/symmetry/{file}.mch"), "--card", "3", "--symmetry", mode])
    };
    assert_eq!(run("Scheduler0", "exact")["basis"]["class"], "types");
    assert_eq!(run("Scheduler0", "markers")["basis"]["class"], "types");
    assert_eq!(run("Philosophers", "markers")["basis"]["class"], "approximate");
    assert_eq!(run("Scheduler0", "off")["basis"]["class"], "equality");
    for (file, class) in [("Philosophers", "enumeration"), ("TokenRing", "certificate")] {
        let r = run(file, "exact");
        assert_eq!(r["basis"]["class"], class, "{file}");
        let by = |k: &str| r["basis"][k].as_u64().unwrap_or(0);
        let stored = r["states"].as_u64().unwrap_or(0) - r["constants_valuations"].as_u64().unwrap_or(0);
        let told = by("by_certificate") + by("by_labelling") + by("by_enumeration");
        assert_eq!(told, stored, "{file}");
    }
}

/// What is put together is symmetric, for all ways to do so; and an audit notices where it is not.
#[test]
fn audits_find_what_markers_confuse() {
    let audit = |file: &str, card: &str, mode: &str| {
        let file = format!("machines/symmetry/{file}.mch");
        report(&[&file, "--card", card, "--symmetry", mode, "--constants", "all", "--audit", "1"])
    };
    for mode in ["exact", "canon", "flood", "off"] {
        let r = audit("Philosophers", "3", mode);
        assert_eq!(r["audit"]["different"], 0, "{mode}");
        assert!(r["audit"]["compared"].as_u64() > Some(10), "{mode}");
        assert_eq!(r["audit"]["compared"], r["audit"]["known"], "{mode}");
        assert_eq!(r["guarantee"], "fingerprint", "{mode}");
    }
    let r = audit("Philosophers", "4", "markers");
    assert!(r["audit"]["different"].as_u64() > Some(0));
    assert_eq!(r["guarantee"], "approximate");
}

/// One canonical form of six hundred equal elements takes longer than anybody waits.
#[test]
fn a_step_that_does_not_end_is_ended() {
    let arguments = ["--card=600", "--symmetry=canon", "--timeout=100ms", "--format=json", "-q"];
    let out = bsym(&[&["check", "machines/symmetry/Scheduler0.mch"][..], &arguments[..]].concat());
    assert_eq!(out.status.code(), Some(3));
    let report: Json = serde_json::from_slice(&out.stdout).expect("a partial report");
    assert_eq!((&report["complete"], &report["stopped_by"]), (&false.into(), &"time".into()));
    assert!(
        String::from_utf8_lossy(&out.stderr)
            .contains("stopped by a limit (time) while looking for initial states")
    );
}

/// What is asked for at once may be more than all that is left, whatever was watched before.
#[cfg(target_os = "linux")]
#[test]
fn refused_memory_ends_with_a_message() {
    let line = format!(
        "ulimit -v 800000; exec '{}' eval machines/basics/Counter.mch 'ran(%x.(x:1..300000000|x+1))'",
        env!("CARGO_BIN_EXE_bsym")
    );
    let out = Command::new("sh").args(["-c", &line]).current_dir(root()).output().expect("sh starts");
    let said = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(3), "{said}");
    assert!(said.contains("memory"), "{said}");
}

/// A report that cannot be written is not one that says all is well; a reader that has gone away is no failure.
#[test]
#[cfg(target_os = "linux")]
fn a_report_that_cannot_be_written_is_an_error() {
    let commands: [&[&str]; 4] = [
        &["check", "machines/basics/Counter.mch"],
        &["check", "machines/basics/Counter.mch", "--format", "json"],
        &["show", "machines/basics/Counter.mch", "--stage", "ast"],
        &["eval", "machines/basics/Counter.mch", "1+1"],
    ];
    for args in commands {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let mut command = Command::new(env!("CARGO_BIN_EXE_bsym"));
        let status = command.args(args).current_dir(root()).stdout(full).output().expect("it runs").status;
        assert_eq!(status.code(), Some(2), "{args:?}");
    }
}

/// Where messages cannot be written the exit code is what it would be.
#[test]
#[cfg(target_os = "linux")]
fn messages_that_cannot_be_written_change_no_exit_code() {
    for (args, expected) in [
        (&["check", "machines/basics/Counter.mch"][..], 0),
        (&["eval", "machines/basics/Counter.mch", "nowhere = 1"], 2),
        (&["agree", "machines/basics/Counter.mch"], 0),
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let mut command = Command::new(env!("CARGO_BIN_EXE_bsym"));
        let status = command.args(args).current_dir(root()).stderr(full).output().expect("it runs").status;
        assert_eq!(status.code(), Some(expected), "{args:?}");
    }
}

#[test]
fn machines_in_other_folders_are_found_and_the_error_names_all_places() {
    let folder = std::env::temp_dir().join(format!("bsym-include-{}", std::process::id()));
    let far = folder.join("far");
    std::fs::create_dir_all(&far).expect("a folder");
    let write = |path: &std::path::Path, text: &str| std::fs::write(path, text).expect("a file");
    let near = folder.join("Near.mch");
    write(
        &near,
        "MACHINE Near SEES Far DEFINITIONS \"Far.def\"; D == ONE CONSTANTS d PROPERTIES d = c + D END",
    );
    write(&far.join("Far.mch"), "MACHINE Far CONSTANTS c PROPERTIES c = 1 END");
    write(&far.join("Far.def"), "DEFINITIONS ONE == 1");
    let run = |options: &[&str], path: Option<&std::path::Path>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bsym"));
        command.arg("check").arg(&near).args(options).env_remove("PROBPATH").env_remove("BSYMPATH");
        if let Some(path) = path {
            command.env("PROBPATH", path);
        }
        command.output().expect("bsym runs")
    };
    assert_eq!(run(&["-I", &far.display().to_string()], None).status.code(), Some(0));
    assert_eq!(run(&[], Some(&far)).status.code(), Some(0));
    let missing = run(&["-I", "no/such/folder"], None);
    assert_eq!(missing.status.code(), Some(2));
    let text = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(text.contains("`no/such/folder`") && text.contains(&folder.display().to_string()), "{text}");
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}
