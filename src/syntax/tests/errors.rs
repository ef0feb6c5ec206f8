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
    assert!(advice("x <> 1").contains("empty sequence"));
    assert!(advice("x == 1").contains("one `=`"));
    assert!(advice("0 < x < 3").contains("do not chain"));
    assert!(advice("x := 1").contains("equality"));
    assert!(advice("x = r;s").contains("parentheses"));
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
}
