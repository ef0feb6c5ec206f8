//! What the command line adds to a machine: as if its text said so, or an error.

use super::{Json, bsym};
use std::path::Path;

/// A counter up to a constant; its text with more clauses, in a file of its own.
fn machine(name: &str, more: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("given");
    std::fs::create_dir_all(&folder).expect("folder");
    let text = format!(
        "MACHINE Given CONSTANTS n PROPERTIES n : 1..4 VARIABLES x INVARIANT x : 0..n INITIALISATION x := 0 \
         OPERATIONS up = SELECT x < n THEN x := x + 1 END; down = SELECT x > 0 THEN x := x - 1 END \
         DEFINITIONS half == n / 2{more} END"
    );
    let file = folder.join(format!("{name}.mch"));
    std::fs::write(&file, text).expect("written");
    file.display().to_string()
}

fn check(file: &str, more: &[&str]) -> (Option<i32>, Json) {
    let out = bsym(&[&["check", file, "--format=json"], more].concat());
    (out.status.code(), serde_json::from_slice(&out.stdout).unwrap_or_default())
}

#[test]
fn it_is_as_if_the_text_said_so() {
    let given = machine("Given", "");
    let written = machine("Written", "; GOAL == x = half + 2; SCOPE == x < 3");
    let options = ["--goal", "x = half + 2", "--scope", "x < 3"];
    let ((a, mut by_option), (b, mut by_text)) = (check(&given, &options), check(&written, &[]));
    for report in [&mut by_option, &mut by_text] {
        let parts = [
            "seconds",
            "peak_bytes",
            "file",
            "goal",
            "violations",
            "checked",
            "coverage",
            "notes",
            "warnings",
        ];
        parts.iter().for_each(|part| drop(report.as_object_mut().and_then(|r| r.remove(*part))));
    }
    assert_eq!((a, by_option), (b, by_text));
    let (exit, report) = check(&given, &["--goal", "x = half + 2"]);
    assert_eq!((exit, &report["goal_states"]), (Some(0), &2.into()), "{report}");
    // Of a goal that the machine states and one that is given, the given one is looked for.
    let (_, report) = check(&written, &["--goal", "x = 1 & n = 4"]);
    assert_eq!(report["goal_states"], 1);
}

#[test]
fn an_invariant_is_violated_at_its_option() {
    let (exit, report) = check(&machine("Invariant", ""), &["--invariant", "x >= 0", "--invariant", "x < 3"]);
    let violation = &report["violations"][0];
    assert_eq!(exit, Some(1));
    assert_eq!((&violation["conjunct"], &violation["file"]), (&"x < 3".into(), &"--invariant".into()));
    assert_eq!(violation["trace"].as_array().map(Vec::len), Some(5));
}

#[test]
fn a_constant_has_its_value() {
    let file = machine("Set", "");
    let (exit, report) = check(&file, &["--set", "n = 2 + 1"]);
    assert_eq!((exit, &report["constants_valuations"], &report["states"]), (Some(0), &1.into(), &5.into()));
    // What does not go together with PROPERTIES is told as such.
    let (exit, report) = check(&file, &["--set=n=7"]);
    assert_eq!((exit, &report["violations"][0]["kind"]), (Some(1), &"setup".into()), "{report}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let file = machine("Refused", "");
    let rows = [
        ("--set=x=2", "no constant"),
        ("--set=m=2", "declared nowhere"),
        ("--set=n=x", "does not depend on variables"),
        ("--set=n", "has no `=`"),
        ("--set=n=TRUE", "expected type `INTEGER`"),
        ("--goal=x+1", "takes a predicate"),
        ("--invariant=x <", "expected an expression"),
        ("--scope=y = 1", "declared nowhere"),
    ];
    for (option, what) in rows {
        let out = bsym(&["check", &file, option]);
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(2), "{option}: {said}");
        assert!(said.contains(what), "{option}: {said}");
    }
}
