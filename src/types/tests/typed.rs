//! What types, and how.

use super::{Typed, check, formula, machine};
use crate::diagnostic::{Code, Severity};
use crate::source::Sources;

/// The type that a constant gets from `k = text` beside the sets `S` and `C = {aa,bb}`.
fn type_of(text: &str) -> String {
    type_by(&format!("k = {text}"))
}

/// The type that a constant `k` gets from a predicate.
fn type_by(properties: &str) -> String {
    let m = machine(&format!(
        "MACHINE M SETS S; C = {{aa,bb}} CONSTANTS k, ss PROPERTIES {properties} & ss <: S END"
    ));
    m.constants.first().map(|k| k.ty.show(&m).to_string()).unwrap_or_default()
}

#[test]
fn literals_and_operators() {
    for (text, ty) in [
        ("1 + 2", "INTEGER"),
        ("1.5 + 2.5", "REAL"),
        ("\"text\"", "STRING"),
        ("bool(1 < 2)", "BOOL"),
        ("aa", "C"),
        ("{1, 2}", "POW(INTEGER)"),
        ("[aa, bb]", "POW((INTEGER*C))"),
        ("union({{aa}})", "POW(C)"),
        ("aa |-> 1 |-> TRUE", "((C*INTEGER)*BOOL)"),
        ("prj1(S, C)", "POW(((S*C)*S))"),
        ("fnc({aa |-> 1})", "POW((C*POW(INTEGER)))"),
        ("({1 |-> aa} ; {aa |-> TRUE})", "POW((INTEGER*BOOL))"),
        ("S <-> C", "POW(POW((S*C)))"),
        ("rec(b : 1, a : TRUE)", "struct(a:BOOL,b:INTEGER)"),
        ("struct(b : C, a : BOOL)", "POW(struct(a:BOOL,b:C))"),
        ("rec(b : 1, a : TRUE)'a", "BOOL"),
        ("min({1, 2})", "INTEGER"),
    ] {
        assert_eq!(type_of(text), ty, "{text}");
    }
}

#[test]
fn binders_and_branches() {
    for (text, ty) in [
        ("{x, y | x : S & y : C}", "POW((S*C))"),
        ("%x.(x : 1..3 | x * x)", "POW((INTEGER*INTEGER))"),
        ("%(x, y).(x : S & y : C | {x})", "POW(((S*C)*POW(S)))"),
        ("SIGMA(x).(x : 1..3 | x)", "INTEGER"),
        ("UNION(x).(x : S | {x |-> aa})", "POW((S*C))"),
        ("IF 1 = 1 THEN {} ELSE {aa} END", "POW(C)"),
        ("LET x BE x = 1 IN x + 1 END", "INTEGER"),
    ] {
        assert_eq!(type_of(text), ty, "{text}");
    }
}

#[test]
fn minus_and_star_go_by_their_operands() {
    for (text, ty) in [
        ("3 - 1", "INTEGER"),
        ("S - {}", "POW(S)"),
        ("3 * 4", "INTEGER"),
        ("S * C", "POW((S*C))"),
        ("S * C - {}", "POW((S*C))"),
        ("2.5 * 2.0 - 1.0", "REAL"),
    ] {
        assert_eq!(type_of(text), ty, "{text}");
    }
}

#[test]
fn overloads_wait_for_what_comes_later() {
    // The operands are typed by the conjunct behind the overload.
    assert_eq!(type_by("k - l0 = k & l0 = k & k <: C".replace("l0", "{}").as_str()), "POW(C)");
    assert_eq!(type_by("k = {x | #(y, z).(x = y * z & z = C & y = S)}"), "POW(POW((S*C)))");
    assert_eq!(type_by("k = {x | #y.(x = y * y - y * y)}"), "POW(INTEGER)");
    assert_eq!(type_by("k = {r | #x.(x = r'f & x = aa & r = rec(f : bb))}"), "POW(struct(f:C))");
}

#[test]
fn any_use_types_a_name() {
    assert_eq!(type_by("k(1) = TRUE"), "POW((INTEGER*BOOL))");
    assert_eq!(type_by("!x.(k(x) = aa => x /= 1)"), "POW((INTEGER*C))");
    assert_eq!(type_by("1 : k"), "POW(INTEGER)");
    assert_eq!(type_by("k > 0"), "INTEGER");
    assert_eq!(type_by("dom(k) = S & ran(k) = BOOL"), "POW((S*BOOL))");
}

#[test]
fn unknown_parts_of_formulas_are_harmless() {
    let m =
        machine("MACHINE M VARIABLES n INVARIANT n = 0 & {} = {} & card([]) = 0 INITIALISATION n := 0 END");
    assert_eq!(m.invariants.len(), 3);
}

#[test]
fn parameters_are_typed_by_the_body_or_a_call() {
    let m = machine(
        "MACHINE M DEFINITIONS SET_PREF_ALLOW_LOCAL_OPERATION_CALLS == TRUE
         VARIABLES n INVARIANT n : INTEGER INITIALISATION n := 0
         OPERATIONS put(x) = n := x; r <-- get = r := bool(n = 0); all(y) = put(y) END",
    );
    let types: Vec<String> = m
        .operations
        .iter()
        .flat_map(|o| o.params.iter().chain(&o.results))
        .map(|l| l.ty.show(&m).to_string())
        .collect();
    assert_eq!(types, ["INTEGER", "BOOL", "INTEGER"]);
}

#[test]
fn a_goal_that_does_not_type_is_not_checked_with_a_warning() {
    let text = "MACHINE M DEFINITIONS GOAL == (n = TRUE)
                VARIABLES n INVARIANT n : INTEGER INITIALISATION n := 0 END";
    let (m, notes) = check(text, &mut Sources::default()).expect("only the goal is wrong");
    assert!(m.goal.is_none());
    let warned =
        |d: &crate::diagnostic::Diagnostic| d.severity == Severity::Warning && d.code == Code::NotChecked;
    assert!(notes.iter().any(warned));
}

#[test]
fn formulas_given_later() {
    let text = "MACHINE M VARIABLES n INVARIANT n : INTEGER INITIALISATION n := 0 END";
    assert!(matches!(formula(text, "n + 1"), Ok(Typed::Expr(..))));
    assert!(matches!(formula(text, "#x.(x = n)"), Ok(Typed::Pred(_, 1))));
    assert!(matches!(formula(text, "LET x BE x = 1 IN x = n END"), Ok(Typed::Pred(..))));
    let errors = formula(text, "n = TRUE").expect_err("a number is no truth value");
    assert_eq!(errors.first().map(|d| d.code), Some(Code::TypeMismatch));
}

#[test]
fn thousands_of_conjuncts() {
    let conjuncts = "n >= 0 & ".repeat(9_000);
    let text = format!("MACHINE M VARIABLES n INVARIANT {conjuncts} n : INTEGER INITIALISATION n := 0 END");
    // The tree is nine thousand levels deep; the command line gives such trees a large stack as well.
    let check = move || machine(&text).invariants.len();
    let thread = std::thread::Builder::new().stack_size(1 << 28).spawn(check);
    let conjuncts = thread.expect("threads can be made").join().expect("no panic");
    assert_eq!(conjuncts, 9_001);
}
