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

/// Beside a gluing invariant it is checked of every pair, and no pair is left out because of it; the gluing invariant stays whole.
#[test]
fn an_invariant_is_no_gluing_invariant() {
    let file = |name: &str| format!("{}/machines/refinement/{name}", env!("CARGO_MANIFEST_DIR"));
    let refine = |name: &str, invariant: &str| {
        let sizes = ["--card=DATA=2,NODE=2", "--symmetry=off", "--format=json"];
        let out = bsym(&[&["refine", &file(name), "--invariant", invariant], &sizes[..]].concat());
        serde_json::from_slice::<Json>(&out.stdout).unwrap_or_default()
    };
    let wrong = &refine("Stack_swaps.ref", "top <: NODE")["violations"][0];
    assert_eq!((&wrong["kind"], &wrong["operation"]), (&"refinement".into(), &"pop".into()));
    let wrong = &refine("Stack_nodes.ref", "top = {}")["violations"][0];
    assert_eq!((&wrong["kind"], &wrong["conjunct"]), (&"invariant".into(), &"top = {}".into()));
    assert_eq!(refine("Stack_nodes.ref", "card(top) < 2")["verdict"], "holds");
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

/// A definition of the command line counts as if the machine, or a file that it refers to, had it.
#[test]
fn a_definition_counts_instead() {
    let file = machine("Define", "; top == n; twice(k) == 2 * k");
    let value = |more: &[&str], formula: &str| {
        let out = bsym(&[&["eval", &file, formula], more].concat());
        String::from_utf8_lossy(&out.stdout).trim().to_owned()
    };
    assert_eq!(value(&[], "twice(4)"), "8");
    assert_eq!(value(&["-D", "half=3"], "half"), "3");
    assert_eq!(value(&["-D", "half == twice(4)", "--define=twice(k)=k+k+1"], "half"), "9");
    let (exit, report) = check(&file, &["-D", "top=1", "--goal", "x = top", "--set", "n=3"]);
    assert_eq!((exit, &report["goal_states"]), (Some(0), &1.into()), "{report}");
}

/// A machine that includes another, and a definition file of both.
#[test]
fn a_definition_counts_in_every_file_that_has_it() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("given").join("files");
    std::fs::create_dir_all(&folder).expect("folder");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("written");
    write("Top.def", "DEFINITIONS top == 2");
    let text = "VARIABLES y INVARIANT y : 0..top INITIALISATION y := 0 OPERATIONS up = SELECT y < top THEN y := y + 1 END";
    write("Inner.mch", &format!("MACHINE Inner DEFINITIONS \"Top.def\" {text} END"));
    let text = "INCLUDES Inner PROMOTES up INVARIANT y <= top";
    write("Outer.mch", &format!("MACHINE Outer DEFINITIONS \"Top.def\" {text} END"));
    let file = folder.join("Outer.mch").display().to_string();
    for (more, states) in [(vec!["--no-deadlock"], 3), (vec!["--no-deadlock", "-Dtop=5"], 6)] {
        let (exit, report) = check(&file, &more);
        assert_eq!((exit, &report["states"]), (Some(0), &states.into()), "{report}");
    }
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
        ("-Dhalv=1", "did you mean `half`?"),
        ("-Dhalf", "has no `=`"),
        ("-Dhalf=1; third == 3", "is not one definition"),
        ("-Dhalf=1 +", "expected an expression"),
    ];
    for (option, what) in rows {
        let out = bsym(&["check", &file, option]);
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(2), "{option}: {said}");
        assert!(said.contains(what), "{option}: {said}");
    }
}

/// Where callers of a refinement may not call, what is wrong is no violation; an invariant of the command line is asked in all other states.
#[test]
fn invariants_are_asked_where_callers_may_call() {
    let file = super::root().join("machines/refinement/Wheel_cogs.imp").display().to_string();
    let verdict = |invariant: &str| {
        let (_, report) = check(&file, &["--invariant", invariant]);
        report["verdict"].as_str().unwrap_or_default().to_owned()
    };
    let verdicts = ["at <= 1", "at /= 3", "at = 0", "1 / at = 1"].map(verdict);
    assert_eq!(verdicts, ["holds", "holds", "violated", "error"]);
}

/// A scope of the command line is that of the refinement check beside, too; one that only a machine further up states is told with its level.
#[test]
fn a_scope_is_that_of_the_refinement_check() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("given");
    std::fs::create_dir_all(&folder).expect("folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).expect("written");
        folder.join(name).display().to_string()
    };
    let operations =
        "INITIALISATION v := 0 OPERATIONS inc = SELECT v < 5 THEN v := v + 1 END; r <-- get = r := ";
    let refinement = |name: &str, refined: &str, v: &str, more: &str, shown: &str| {
        let with = operations.replace(" v ", &format!(" {v} "));
        format!("REFINEMENT {name} REFINES {refined} VARIABLES {v} INVARIANT {more} {with}{shown} END")
    };
    write("Up.mch", &format!("MACHINE Up VARIABLES v INVARIANT v : 0..5 {operations}v END"));
    let scope = "w : 0..5 & (w < 4 => w = v) DEFINITIONS SCOPE == w < 2";
    let middle = write("Up1.ref", &refinement("Up1", "Up", "w", scope, "IF w < 3 THEN w ELSE 0 END"));
    let last =
        write("Up2.ref", &refinement("Up2", "Up1", "u", "u : 0..5 & u = w", "IF u < 3 THEN u ELSE 0 END"));
    let (_, narrow) = check(&middle, &["--no-deadlock"]);
    assert_eq!((&narrow["verdict"], &narrow["outside_scope"]), (&"holds".into(), &1.into()));
    let (_, wide) = check(&middle, &["--no-deadlock", "--scope", "w = w"]);
    assert_eq!(wide["refinements"][0]["verdict"], "violated", "{wide}");
    let (_, above) = check(&last, &["--no-deadlock"]);
    assert_eq!(above["refinements"][1]["outside_scope"], 1, "{above}");
}
