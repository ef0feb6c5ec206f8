//! What does not type, and which text is underlined.

use super::{check, shown};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Sources;

/// The first error about a predicate put into an invariant, and the sources.
fn error(pred: &str) -> (Diagnostic, Sources) {
    whole(&format!(
        "MACHINE M SETS S; C = {{aa,bb}} VARIABLES xx, ss, ff
         INVARIANT xx : INTEGER & ss <: S & ff : S +-> C & {pred}
         INITIALISATION xx, ss, ff := 0, {{}}, {{}} END"
    ))
}

/// The first error of a machine.
fn whole(text: &str) -> (Diagnostic, Sources) {
    let mut sources = Sources::default();
    match check(text, &mut sources) {
        Ok(_) => panic!("this types: {text}"),
        Err(errors) => (errors.into_iter().next().expect("no empty list of errors"), sources),
    }
}

/// The underlined texts: the main one, then the others.
fn places(d: &Diagnostic, sources: &Sources) -> Vec<String> {
    let others = d.others.iter().map(|o| o.0);
    d.span.into_iter().chain(others).map(|s| sources.text(s).to_owned()).collect()
}

#[track_caller]
fn mismatch(pred: &str, message: &str, underlined: &[&str]) {
    let (d, sources) = error(pred);
    let text = shown(std::slice::from_ref(&d), &sources);
    assert_eq!(d.code, Code::TypeMismatch, "{text}");
    assert_eq!(d.message, message, "{text}");
    assert_eq!(places(&d, &sources), underlined, "{text}");
}

#[test]
fn both_types_and_both_places() {
    let message = "expected type `INTEGER`, found `BOOL`";
    mismatch("xx = TRUE", message, &["TRUE", "xx", "xx : INTEGER"]);
    mismatch("xx + TRUE = 1", message, &["TRUE", "xx", "xx : INTEGER"]);
    mismatch("{1, 2, TRUE} = {}", message, &["TRUE", "1"]);
    mismatch("IF 1 = 1 THEN 1 ELSE TRUE END = 1", message, &["TRUE", "1"]);
    mismatch("aa : ss", "expected type `POW(C)`, found `POW(S)`", &["ss", "aa", "ss <: S"]);
    mismatch("dom(xx) = ss", "expected type `POW((?*?))`, found `INTEGER`", &["xx", "xx : INTEGER"]);
    mismatch("@partition(ss, {aa})", "expected type `POW(S)`, found `POW(C)`", &["{aa}", "ss", "ss <: S"]);
}

#[test]
fn applications() {
    let argument = "the argument does not have the function's type";
    mismatch("ff(xx) = aa", argument, &["xx", "ff"]);
    mismatch("ff(aa, bb) = aa", argument, &["aa, bb", "ff"]);
    mismatch("xx(1) = 2", "only functions and relations can be applied", &["xx"]);
}

#[test]
fn overloads() {
    mismatch(
        "xx - ss = 1",
        "expected type `INTEGER`, found `POW(S)`",
        &["ss", "xx", "ss <: S", "xx : INTEGER"],
    );
    mismatch(
        "xx * ss = 1",
        "expected type `INTEGER`, found `POW(S)`",
        &["ss", "xx", "ss <: S", "xx : INTEGER"],
    );
    mismatch("aa - bb = aa", "`-` takes numbers or sets, not `C`", &["aa - bb"]);
    mismatch("aa * bb = aa", "`*` takes numbers or sets, not `C` and `C`", &["aa * bb"]);
}

#[test]
fn records() {
    mismatch("rec(a : 1)'b = 1", "there is no field `b`", &["b", "rec(a : 1)"]);
    mismatch("xx'b = 1", "the field `b` of something that is no record", &["b", "xx"]);
    mismatch(
        "rec(a : 1) = rec(a : TRUE)",
        "expected type `struct(a:INTEGER)`, found `struct(a:BOOL)`",
        &["rec(a : TRUE)", "rec(a : 1)"],
    );
    let (d, sources) = error("#r.(r'b = 1)");
    assert_eq!((d.code, places(&d, &sources)), (Code::TypeUnknown, vec!["r".to_owned()]));
}

#[test]
fn no_type_contains_itself() {
    mismatch("#y.(y : y)", "expected type `POW(?)`, but no type can be a part of itself", &["y", "y"]);
}

#[test]
fn a_type_of_astronomical_size() {
    let names: Vec<String> = (0..40).map(|i| format!("y{i}")).collect();
    let equations: Vec<String> = names.windows(2).map(|w| format!("{1} = ({0}, {0})", w[0], w[1])).collect();
    let (d, _) = error(&format!("#({}).(y0 = 1 & {})", names.join(","), equations.join(" & ")));
    assert_eq!(d.code, Code::Unsupported);
}

#[test]
fn expressions_and_predicates_mixed_up() {
    let (d, sources) = error("xx + 1");
    assert_eq!((d.code, places(&d, &sources)), (Code::MixedKinds, vec!["xx + 1".to_owned()]));
    let (d, _) = error("TRUE");
    assert_eq!(d.help.as_deref(), Some("a value of BOOL becomes a predicate by `= TRUE`"));
    let (d, sources) = error("bool(xx) = TRUE");
    assert_eq!((d.code, places(&d, &sources)), (Code::MixedKinds, vec!["xx".to_owned()]));
}

#[test]
fn names_without_type() {
    let (d, sources) = whole("MACHINE M CONSTANTS k PROPERTIES k = k END");
    assert_eq!((d.code, places(&d, &sources)), (Code::TypeUnknown, vec!["k".to_owned()]));
    assert_eq!(d.label, "any type would fit");
    let (d, _) = whole("MACHINE M VARIABLES v INVARIANT v = {} INITIALISATION v := {} END");
    assert_eq!(d.label, "its type is `POW(?)`");
}

#[test]
fn substitutions() {
    let in_operation = |body: &str| {
        whole(&format!(
            "MACHINE M VARIABLES xx, bb INVARIANT xx : INTEGER & bb : BOOL INITIALISATION xx, bb := 0, TRUE
             OPERATIONS op(pp) = PRE pp : BOOL THEN {body} END END"
        ))
    };
    for (body, underlined) in [
        ("xx := TRUE", vec!["TRUE", "xx", "xx : INTEGER"]),
        ("xx, bb :: {1 |-> 2}", vec!["{1 |-> 2}", "xx, bb"]),
        ("xx :: BOOL", vec!["BOOL", "xx", "xx : INTEGER"]),
        ("CASE xx OF EITHER TRUE THEN skip END END", vec!["TRUE", "xx", "xx : INTEGER"]),
        ("xx := pp", vec!["pp", "xx", "pp : BOOL", "xx : INTEGER"]),
        ("WHILE xx > 0 DO skip INVARIANT 1 = 1 VARIANT bb END", vec!["bb", "bb : BOOL"]),
    ] {
        let (d, sources) = in_operation(body);
        let text = shown(std::slice::from_ref(&d), &sources);
        assert_eq!((d.code, places(&d, &sources)), (Code::TypeMismatch, to_owned(&underlined)), "{text}");
    }
}

fn to_owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|t| (*t).to_owned()).collect()
}

#[test]
fn calls_name_the_parameter() {
    let (d, sources) = whole(
        "MACHINE M DEFINITIONS SET_PREF_ALLOW_LOCAL_OPERATION_CALLS == TRUE
         VARIABLES xx INVARIANT xx : INTEGER INITIALISATION xx := 0
         OPERATIONS put(pp) = xx := pp; go = put(TRUE) END",
    );
    assert_eq!(d.message, "expected type `INTEGER`, found `BOOL`");
    assert_eq!(places(&d, &sources), ["TRUE", "pp"]);
}

/// The result of an operator whose arguments do not fit clashes with nothing, nor is it a type that nothing determines.
#[test]
fn one_error_for_an_operator() {
    for pred in ["ff : S -> C", "ff : S -> 0..3", "#gg.(gg : S -> C)", "xx ^ [1] = TRUE"] {
        let text = format!(
            "MACHINE M SETS S; C = {{aa,bb}} VARIABLES xx, ff INVARIANT xx : INTEGER & ff : S +-> C & {pred}
             INITIALISATION xx, ff := 0, {{}} END"
        );
        let errors = check(&text, &mut Sources::default()).expect_err("no function is put in front of a set");
        assert_eq!(errors.len(), 1, "{pred}: {errors:?}");
    }
}

#[test]
fn every_error_is_told_once() {
    let text = "MACHINE M VARIABLES xx, yy INVARIANT xx : INTEGER & yy : BOOL
                INITIALISATION xx, yy := 0, TRUE
                OPERATIONS one = xx := yy; two = yy := xx; three = xx := TRUE END";
    let errors = check(text, &mut Sources::default()).expect_err("three assignments are wrong");
    assert_eq!(errors.len(), 3);
}

/// One error each, and no error in its wake.
#[test]
fn signs_of_other_kinds() {
    let errors = |pred: &str| {
        let mut sources = Sources::default();
        let text = format!(
            "MACHINE M SETS S; T VARIABLES ff, xx INVARIANT {pred} INITIALISATION ff, xx := {{}}, 0 END"
        );
        check(&text, &mut sources).err().unwrap_or_default()
    };
    for (pred, message) in [
        ("ff : S => T & xx : NAT", "`=>` joins predicates, not sets"),
        ("xx : NAT & ff : S => POW(T)", "`=>` joins predicates, not sets"),
        ("ff : S +-> T & (xx < 3 || xx > 1)", "`||` joins no predicates"),
    ] {
        let all: Vec<String> = errors(pred).into_iter().map(|d| d.message).collect();
        assert_eq!(all, [message], "{pred}");
    }
}
