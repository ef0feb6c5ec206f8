//! What is found, by the text that it underlines.

use crate::diagnostic::{Code, Severity};
use crate::resolve::resolve;
use crate::source::Sources;
use crate::types::typecheck;
use std::sync::atomic::{AtomicU32, Ordering};

/// What is said of a machine: `error` or `warning`, the code, the text underlined.
fn said(clauses: &str) -> Vec<String> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let dir = std::env::temp_dir().join(format!("bsym-flow-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("the temporary folder is writable");
    let path = dir.join("M.mch");
    std::fs::write(&path, format!("MACHINE M {clauses} END")).expect("the temporary folder is writable");
    let mut sources = Sources::default();
    let flat = resolve(&path, &mut sources);
    std::fs::remove_dir_all(&dir).ok();
    let flat = flat.expect("the machine is read");
    let (machine, _) = typecheck(&flat, &sources).expect("the machine is typed");
    let line = |d: crate::diagnostic::Diagnostic| {
        let what = if d.severity == Severity::Error { "error" } else { "warning" };
        let text = d.span.map_or("", |s| sources.text(s));
        format!("{what} {}: {text}", d.code.as_str())
    };
    super::check(&machine).into_iter().map(line).collect()
}

/// What is said of the body of an operation `r <-- op(p)` over x, y : INTEGER and f : 1..2 +-> INTEGER. What it leaves open
/// about r is not listed.
fn body(text: &str) -> Vec<String> {
    let mut said = said(&format!(
        "VARIABLES x, y, f INVARIANT x : INTEGER & y : INTEGER & f : 1..2 +-> INTEGER
         INITIALISATION x, y, f := 0, 0, {{}}
         OPERATIONS r <-- op(p) = PRE p : 0..3 THEN {text} END"
    ));
    said.retain(|s| !s.contains(Code::NeverAssigned.as_str()));
    said
}

fn error(code: Code, text: &str) -> Vec<String> {
    vec![format!("error {}: {text}", code.as_str())]
}

fn warning(code: Code, text: &str) -> Vec<String> {
    vec![format!("warning {}: {text}", code.as_str())]
}

#[test]
fn a_case_of_all_values_has_no_other_path() {
    let said = |first: &str, second: &str| {
        said(&format!(
            "SETS COL = {{red, green}} VARIABLES c INVARIANT c : COL INITIALISATION c := red
             OPERATIONS r <-- go = CASE c OF EITHER red THEN r := 1 OR {first} THEN r := 0 END END;
             q <-- yes = CASE bool(c = red) OF EITHER TRUE THEN q := 1 OR {second} THEN q := 0 END END"
        ))
    };
    assert_eq!(said("green", "FALSE"), [""; 0]);
    let twice = |value| warning(Code::Misread, value).concat();
    assert_eq!(said("red", "TRUE"), ["warning B0210: r", &twice("red"), "warning B0210: q", &twice("TRUE")]);
}

#[test]
fn two_assignments_at_once() {
    let twice = |text| error(Code::DoubleAssignment, text);
    assert_eq!(body("x := 1 || x := 2"), twice("x"));
    assert_eq!(body("x, x := 1, 2"), twice("x"));
    assert_eq!(body("f(1) := 1 || f(2) := 1"), twice("f(2)"));
    assert_eq!(body("x :: 1..2 || y := 1 || x : (x > x$0 & x < 9)"), twice("x"));
    assert_eq!(body("SELECT y = 1 THEN x := 1 END || ANY z WHERE z : 1..2 THEN x := z END"), twice("x"));
    assert_eq!(body("IF y = 1 THEN x := 1 ELSE x := 2 END || BEGIN x := 3 ; y := 1 END"), twice("x"));
    assert_eq!(body("r := 1 || r := 2"), twice("r"));
}

#[test]
fn branches_that_are_not_taken_do_not_count() {
    let none: Vec<String> = Vec::new();
    assert_eq!(body("IF y = 1 THEN x := 1 END || IF y = 2 THEN x := 2 END"), none);
    assert_eq!(body("CHOICE x := 1 OR y := 1 END || CHOICE y := 2 OR x := 2 END"), none);
    assert_eq!(body("x := 1 || IF y = 1 THEN x := 2 END"), warning(Code::DoubleAssignment, "x"));
    assert_eq!(body("x := 1 ; x := 2"), none);
    assert_eq!(body("VAR z IN z := 1 END || VAR z IN z := 2 END"), none);
}

#[test]
fn simultaneous_assignments_that_are_wanted() {
    let found = said(
        "DEFINITIONS SET_PREF_ALLOW_SIMULTANEOUS_ASSIGNMENTS == TRUE VARIABLES f INVARIANT f : 1..2 --> 0..1
         INITIALISATION f := {1 |-> 0, 2 |-> 0} OPERATIONS op = BEGIN f(1) := 1 || f(2) := 1 END",
    );
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn locals_that_are_read_too_early() {
    let early = |text| error(Code::Unset, text);
    assert_eq!(body("VAR z IN x := z ; z := 1 END"), early("z"));
    assert_eq!(body("VAR z IN z := 1 || x := z END"), early("z"));
    assert_eq!(body("VAR z IN IF z = 1 THEN x := 1 END ; z := 2 END"), early("z"));
    assert_eq!(body("VAR g IN g(1) := 2 ; f := g END"), early("g(1)"));
    assert_eq!(body("VAR z IN f(z) := 1 ; z := 1 END"), early("z"));
    assert_eq!(body("x := r ; r := 1"), early("r"));
    assert_eq!(
        body("VAR z IN WHILE x > 0 DO x := x - 1 INVARIANT z = 1 VARIANT x END ; z := 1 END"),
        early("z")
    );
    assert_eq!(
        body("VAR z IN WHILE x > 0 DO x := x - z ; z := 1 INVARIANT x : INTEGER VARIANT x END END"),
        early("z")
    );
}

#[test]
fn locals_that_may_be_read_too_early() {
    let perhaps = |text| warning(Code::Unset, text);
    assert_eq!(body("VAR z IN IF y = 1 THEN z := 1 END ; x := z END"), perhaps("z"));
    assert_eq!(body("VAR z IN IF y = 1 or z = 1 THEN x := 1 END ; z := 1 END"), perhaps("z"));
    // An earlier round may have assigned it.
    let rounds = "VAR z IN
        WHILE x > 0 DO IF x > 5 THEN z := 1 ELSE y := z END ; x := x - 1 INVARIANT x : INTEGER VARIANT x END END";
    assert_eq!(body(rounds), perhaps("z"));
    let none: Vec<String> = Vec::new();
    assert_eq!(body("VAR z IN IF y = 1 THEN z := 1 ELSE z := 2 END ; x := z END"), none);
    assert_eq!(
        body("VAR z IN CASE y OF EITHER 1 THEN z := 1 OR 2 THEN z := 2 ELSE z := 3 END END ; x := z END"),
        none
    );
    assert_eq!(body("r := 1 ; x := r"), none);
    assert_eq!(body("VAR z IN z : (z : 1..3) ; x := z END"), none);
}

#[test]
fn results_and_variables_that_are_never_assigned() {
    let found = said(
        "VARIABLES x, y INVARIANT x : INTEGER & y : INTEGER INITIALISATION x := 0
         OPERATIONS q <-- none = x := 1; r <-- some = IF x = 1 THEN r := 1 END; s <-- all = s := 1",
    );
    let code = Code::NeverAssigned.as_str();
    assert_eq!(found, [format!("error {code}: y"), format!("error {code}: q"), format!("warning {code}: r")]);
}
