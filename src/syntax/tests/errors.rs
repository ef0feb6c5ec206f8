//! What the parser says about broken texts.

use super::errors;
use crate::diagnostic::Code;

/// The text under each error, with its code.
fn marked(text: &str) -> Vec<(&str, &'static str)> {
    let at = |s: crate::source::Span| text.get(s.lo as usize..s.hi as usize).unwrap_or("");
    errors(text).iter().map(|d| (d.span.map_or("", at), d.code.as_str())).collect()
}

/// The advice that comes with the first error of a machine with this invariant.
fn advice(invariant: &str) -> String {
    let text = format!("MACHINE M VARIABLES x INVARIANT {invariant} INITIALISATION x := 1 END");
    errors(&text).first().and_then(|d| d.help.clone()).unwrap_or_default()
}

#[test]
fn several_errors_in_one_run() {
    let text = "MACHINE M VARIABLES n INVARIANT n : & 0..3 & n + : 1 INITIALISATION n := 0 OPERATIONS
                a = PRE n < 3 THEN n := END; b = skip; c = n + 1 END";
    assert_eq!(marked(text), [("&", "B0102"), (":", "B0102"), ("END", "B0102"), ("+", "B0102")]);
}

#[test]
fn a_missing_end_does_not_hide_the_next_operation() {
    let text = "MACHINE M OPERATIONS a = BEGIN skip; b = skip; c = BEGIN skip + END END";
    assert_eq!(marked(text), [(";", "B0102"), ("+", "B0102")]);
}

#[test]
fn a_clause_twice_names_both_places() {
    let found = errors("MACHINE M VARIABLES x ABSTRACT_VARIABLES y END");
    assert_eq!(found.len(), 1);
    assert!(found.iter().all(|d| d.code == Code::ClauseTwice && d.others.len() == 1));
}

#[test]
fn the_usual_slips_get_advice() {
    assert!(advice("0 < x < 3").contains("do not chain"));
    assert!(advice("x = r;s").contains("parentheses"));
}

/// Each slip is one error, at its place, with advice; nothing that follows from it is told.
#[test]
fn slips_are_told_once_each() {
    let machine = |clauses: &str| format!("MACHINE M {clauses} END");
    let invariant = |p: &str| machine(&format!("VARIABLES x INVARIANT {p} INITIALISATION x := 1"));
    let operations = |ops: &str| machine(&format!("OPERATIONS {ops}"));
    let rows = [
        (invariant("x != 1 & x : 0..3"), "!=", "`/=`"),
        (invariant("x <> 1"), "<>", "`/=`"),
        (invariant("x == 1"), "==", "`=`"),
        (invariant("x := 1"), ":=", "`=`"),
        (invariant("x =< 1"), "=<", "`<=`"),
        (invariant("x < 4 && x > 1"), "&&", "`&`"),
        (invariant("x < 4 and x > 1"), "and", "`&`"),
        (invariant("x < 4 /\\ x > 1"), "/\\", "for `and` write `&`"),
        (invariant("x < 4 \\/ x > 1"), "\\/", "for `or` write `or`"),
        (invariant("x > 0, x < 3"), ",", "`&`"),
        (invariant("(x > 0 or x < 3))"), ")", "take it away"),
        (machine("VARIABLES x; y INVARIANT x = y"), ";", "commas"),
        (machine("SETS S, T"), ",", "`;`"),
        (machine("VARIABLE x INVARIANT x = 1"), "VARIABLE", "`VARIABLES`"),
        (machine("VARIABLES x INVARIANTS x = 1"), "INVARIANTS", "`INVARIANT`"),
        (machine("VARIABLES x INVARIANT x = 1 INIT x := 1"), "INIT", "`INITIALISATION`"),
        (machine("variables x invariant x = 1"), "variables", "capitals"),
        (machine("CONSTANTS skip PROPERTIES skip = 1 & skip : NAT"), "skip", "another name"),
        (machine("CONSTANTS dom, x PROPERTIES dom : 1..3 & x = 1"), "dom", "another name"),
        (machine("SETS S = {on, or, off}"), "or", "another name"),
        (operations("a = skip b = skip").replace("a = skip", "a = BEGIN skip END"), "b", "`;`"),
        (operations("a = BEGIN skip END, b = skip"), ",", "`;`"),
        (operations("a n = PRE n : NAT THEN skip END"), "n", "`a(n) = ..`"),
        (operations("r <- a = BEGIN r := 1 END"), "<-", "`r <-- op(x) = ..`"),
        (operations("a = IF 1=1 THEN skip ELSEIF 1=2 THEN skip END"), "ELSEIF", "`ELSIF`"),
        (operations("a = PRE 1=1 THEM skip END"), "THEM", "`THEN`"),
        ("MACHINE M\n-- a counter, of x\nVARIABLES x INVARIANT x = 1 END".to_owned(), "--", "`// text`"),
        (
            "MACHINE M VARIABLES x INVARIANTS i1: x = 1 EVENTS e when x = 1 then x := 2 end END".to_owned(),
            "INVARIANTS",
            "classical B",
        ),
        (invariant("x in {1}"), "in", "`:`"),
        (invariant("x % 2 = 0"), "%", "`mod`"),
        (invariant("|{x}| < 3"), "|{x}|", "`card({x})`"),
        (invariant("x = 'abc'"), "'abc'", "double quotes"),
        (invariant("x : 0...3"), "...", "`..`"),
        (invariant("x : NAT & inv1: x = 0"), "inv1:", "labels"),
        (operations("a = x++"), "++", "`x := x + 1`"),
        (operations("a = x += 2"), "+=", "`x := x + ..`"),
        (operations("a = return x"), "return", "`r <-- op"),
        (operations("a = IF x = 0 x := 1 END"), "x", "`IF P THEN S END`"),
        (operations("a = x <- x + 1"), "<-", "`x := ..`"),
        (operations("a(n : NAT) = skip"), ":", "in PRE"),
        (operations("a = VAR y : S IN skip END"), ":", "VAR x IN"),
        (operations("a = CHOICE x := 1 or x := 2 END"), "or", "`OR`"),
        (operations("a = SELECT x = 0 THEN skip OR x = 1 THEN skip END"), "OR", "`WHEN`"),
        (operations("r := a = r := 1"), ":=", "`r <-- op(x) = ..`"),
        (operations("a == skip"), "==", "`op = ..`"),
        (operations("a = IF 1=1 { skip } END"), "{", "`IF P THEN S END`"),
        (operations("a = IF 1=1 { skip }"), "{", "`IF P THEN S END`"),
        (operations("a = IF 1=1 THEN skip; b = skip"), ";", "next operation"),
        (
            "MACHINE M\nVARIABLES x -- how many there are of it\nINVARIANT x = 1 END".to_owned(),
            "--",
            "`// text`",
        ),
        ("machine M variables x invariant x = 1 end".to_owned(), "machine", "capitals"),
        (invariant("x notin {1}"), "notin", "`/:`"),
        (invariant("x not in {1}"), "not in", "`/:`"),
        (invariant("{x} subset {1}"), "subset", "`<:`"),
        (invariant("{x} union {1} = {x}"), "union", "`\\/`"),
        (invariant("x = 1 ==> x = 2"), "==>", "`=>`"),
        (invariant("(x > 1 -> x + 1 > 0)"), "->", "`=>`"),
        (invariant("x : 0..3 & !(x = 1)"), "!", "`not(P)`"),
        (invariant("!y : 0..3 . x > y"), "!y :", "`!y.(y : S => P)`"),
        (invariant("x : NAT & #y . y : 0..3 & x > y"), "#y . y :", "`#y.(y : S & P)`"),
        (invariant("x : 0..5;"), ";", "take it away"),
        (invariant("x : 0..5; x /= 2"), ";", "`&`"),
        (
            machine("VARIABLES x INVARIANT x = 1 INITIALISATION x := 1; OPERATIONS a = skip"),
            ";",
            "take it away",
        ),
        (machine("VARIABLES x, INVARIANT x = 1"), ",", "take it away"),
        (machine("CONSTANTS n = 5 PROPERTIES n : NAT"), "=", "PROPERTIES"),
        (machine("VARIABLES x := 0, y INVARIANT x = y"), ":=", "INITIALISATION"),
        (machine("SETS S = 1..4; T"), "1..4", "PROPERTIES S = 1..4"),
        (machine("SETS S = a, b; T"), "a, b", "`S = {a, b}`"),
        (machine("SETS S = [a, b]"), "[a, b]", "`S = {a, b}`"),
        (operations("a = BEGIN x := 1 & y := 2 END"), "&", "`||`"),
        (operations("a = f[x + 1] := 2"), "[", "`f(x + 1) := ..`"),
        (operations("a = f(1)[2] := 2"), "[", "assigned by"),
        (operations("a = x := y++"), "++", "`y + 1`"),
        (operations("a = LET y = 2 IN x := y END"), "=", "`LET y BE y = .. IN S END`"),
        (operations("a = WHEN x > 1 THEN x := 1 END"), "WHEN", "`SELECT P THEN S END`"),
        (operations("a = CASE x OF 1 : x := 2 | 2 : x := 1 END; b = skip"), "1", "EITHER"),
        (operations("a = CASE x OF 1 : x := 2 | 2 : x := 1 END END"), "1", "EITHER"),
        (operations("a = ANY p WHERE p : 1..3 THEN act1: x := p END"), "act1:", "labels"),
        ("---- MODULE M ----\nVARIABLES x\nInit == x = 1\n====".to_owned(), "MODULE", "classical B"),
        ("CONTEXT C SETS S AXIOMS card(S) = 3 END".to_owned(), "CONTEXT", "classical B"),
    ];
    for (text, place, help) in rows {
        assert_eq!(marked(&text), [(place, "B0102")], "{text}");
        let said = errors(&text).into_iter().find_map(|d| d.help).unwrap_or_default();
        assert!(said.contains(help), "{text}: {said}");
    }
}

#[test]
fn what_no_slip_explains_stays_as_it_is() {
    let text = "MACHINE M VARIABLES x INVARIANT x != 1 & x + : 3 & x && 2 INITIALISATION x := 1 END";
    assert_eq!(marked(text), [("!=", "B0102"), (":", "B0102"), ("&&", "B0102")]);
}

/// What is wrong in the same way at several places is one error.
#[test]
fn one_error_for_all_places_of_a_slip() {
    let found = errors("MACHINE M VARIABLES x INVARIANT x < 3 and x > 1 and x /= 2 and x = 3 END");
    assert_eq!(found.iter().map(|d| d.others.len()).collect::<Vec<_>>(), [2], "{found:?}");
    let found = errors("MACHINE M PROPERTIES x = ? & y = @ & z = ? END");
    assert_eq!(found.iter().map(|d| d.others.len()).collect::<Vec<_>>(), [1, 0], "{found:?}");
}

#[test]
fn a_semicolon_before_end() {
    let found = errors("MACHINE M OPERATIONS a = BEGIN skip; END END");
    assert!(found.iter().any(|d| d.help.as_deref().is_some_and(|h| h.contains("remove"))), "{found:?}");
}

#[test]
fn bad_text() {
    assert_eq!(marked("MACHINE M PROPERTIES x = ?? & y = 1 END"), [("??", "B0101")]);
    assert_eq!(marked("MACHINE M /* open END"), [("/*", "B0103")]);
    assert_eq!(marked("MACHINE M END END"), [("END", "B0102")]);
    assert_eq!(marked("MACHINE M SETS S = {a,b}"), [("", "B0102")]);
    assert_eq!(marked(""), [("", "B0102")]);
    let help = errors("").into_iter().find_map(|d| d.help).unwrap_or_default();
    assert!(help.contains("`MACHINE M END`"), "{help}");
}
