//! `bsym test`: what comments of machines expect, held against runs.

use super::{Json, bsym};
use std::path::{Path, PathBuf};

/// A folder with one machine that is as it says in two lines of three, one that expects nothing, and a folder below.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("expectations").join(name);
    std::fs::create_dir_all(folder.join("below")).expect("folder");
    let write = |file: &str, text: &str| std::fs::write(folder.join(file), text).expect("written");
    let counter = "VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0 OPERATIONS \
                   up = SELECT x < 3 THEN x := x + 1 END; down = SELECT x > 0 THEN x := x - 1 END END";
    write(
        "Counter.mch",
        &format!(
            "/* Up and down.\n   expect: verdict=holds states=4\n   expect: states=5 exit=0\n   expect: slow states=4 */\n\
             MACHINE Counter {counter}"
        ),
    );
    write("Plain.mch", &format!("MACHINE Plain {counter}"));
    write(
        "below/False.mch",
        "// expect: ltl=\"G {x = 0}\"=holds no-deadlock\nMACHINE False VARIABLES x INVARIANT x = 0 INITIALISATION x := 0 END",
    );
    folder
}

fn tested(folder: &Path, more: &[&str]) -> (Option<i32>, String) {
    let folder = folder.display().to_string();
    let out = bsym(&[&["test", &folder], more].concat());
    (out.status.code(), String::from_utf8_lossy(&out.stdout).replace(&folder, "F"))
}

#[test]
fn each_line_is_a_run() {
    let folder = folder("lines");
    let (exit, text) = tested(&folder, &[]);
    let expected = "met      F/Counter.mch:2: verdict=holds states=4\n\
                    unmet    F/Counter.mch:3: states=5 exit=0\n\
                    \x20   states: expected `5`, found `4`\n\
                    slow     F/Counter.mch:4: slow states=4\n\
                    met      F/below/False.mch:1: ltl=\"G {x = 0}\"=holds no-deadlock\n\
                    nothing  F/Plain.mch\n\
                    4 expectations: 2 met, 1 unmet, 1 slow; 1 machine expects nothing\n";
    assert_eq!((exit, text.as_str()), (Some(1), expected));
    let (_, two) = tested(&folder, &["--jobs=2"]);
    assert_eq!(two, expected);
    let (exit, text) = tested(&folder, &["--slow", "--all"]);
    assert_eq!(exit, Some(1));
    assert!(text.contains("met      F/Plain.mch:1: exit=0\n"), "{text}");
    assert!(text.ends_with("5 expectations: 4 met, 1 unmet\n"), "{text}");
}

#[test]
fn words_for_all_yield_to_those_of_a_line() {
    let folder = folder("with");
    // A limit that all runs have but those that say one of their own.
    let (_, text) = tested(&folder, &["--with", "max-states=2"]);
    assert!(text.contains("unmet    F/Counter.mch:2: verdict=holds states=4\n    verdict: expected `holds`, found `incomplete`\n"), "{text}");
    std::fs::write(
        folder.join("Counter.mch"),
        "// expect: max-states=9 states=1\nMACHINE Counter VARIABLES x INVARIANT x = 0 INITIALISATION x := 0 END",
    )
    .expect("written");
    let (exit, text) = tested(&folder, &["--with", "max-states=2 no-goal"]);
    assert!(text.contains("met      F/Counter.mch:1: max-states=9 states=1\n"), "{text}");
    assert_eq!(exit, Some(0), "{text}");
}

#[test]
fn programs_read_it_too() {
    let folder = folder("formats");
    let (exit, text) = tested(&folder, &["--format=json"]);
    let report: Json = serde_json::from_str(&text).expect("JSON");
    assert_eq!((exit, &report["schema"]), (Some(1), &"bsym.test/1".into()));
    assert_eq!(report["counts"], serde_json::json!({"met": 2, "unmet": 1, "slow": 1, "untried": 0}));
    assert_eq!(report["machines"][0]["expectations"][1]["unmet"][0], "states: expected `5`, found `4`");
    let (_, text) = tested(&folder, &["--format=junit"]);
    assert!(text.contains("tests=\"4\" skipped=\"1\" failures=\"1\""), "{text}");
}

#[test]
fn nothing_to_run_is_no_success() {
    let folder = folder("nothing");
    let plain = folder.join("Plain.mch").display().to_string();
    let out = bsym(&["test", &plain]);
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("no machine here has a line `expect: ...`"));
    let missing = folder.join("Missing.mch").display().to_string();
    assert_eq!(bsym(&["test", &missing]).status.code(), Some(2));
}
