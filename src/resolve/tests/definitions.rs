//! Definitions put in place of their uses.

use super::{Folder, flat, mistake, mistakes, property, shown};
use crate::diagnostic::Code;
use crate::resolve::{resolve, resolve_formula};
use crate::source::Sources;
use crate::syntax::print;

#[test]
fn replacement_is_on_trees() {
    assert_eq!(property("PLUS(x,y) == x+y", "c = PLUS(2,3)*10"), "<c> = (2 + 3) * 10");
    assert_eq!(property("ONE == 1; TWO == ONE+ONE", "c = TWO*TWO"), "<c> = (1 + 1) * (1 + 1)");
}

#[test]
fn a_definition_without_parameters_can_be_applied() {
    assert_eq!(property("F == d", "c = F(1)"), "<c> = <d>(1)");
    assert_eq!(property("F == %x.(x:S|x)", "c = F(s1)"), "<c> = %x.(x : <S> | x)(<s1>)");
}

#[test]
fn a_parameter_hides_an_element_of_its_name() {
    assert_eq!(property("G(s1) == s1+1", "c = G(2)"), "<c> = 2 + 1");
}

#[test]
fn binders_hide_definitions_and_may_capture() {
    assert_eq!(property("x == 5", "!x.(x:S => x=x) & c = x"), "!x.(x : <S> => x = x) & <c> = 5");
    assert_eq!(
        property("SOME(y) == #x.(x:S & x=y)", "!x.(x:S => SOME(x))"),
        "!x.(x : <S> => #x.(x : <S> & x = x))"
    );
}

#[test]
fn a_parameter_may_name_a_bound_variable() {
    assert_eq!(property("ALL(v,P) == !v.(v:S => P)", "ALL(k,k=c)"), "!k.(k : <S> => k = <c>)");
}

#[test]
fn a_definition_may_be_a_list_of_names() {
    assert_eq!(property("xy == x,y", "c = {xy | x:S & y:T}"), "<c> = {x, y | x : <S> & y : <T>}");
    let text = "MACHINE M DEFINITIONS all == (x,y); swap == y,x VARIABLES all INVARIANT x:NAT & y:NAT \
                INITIALISATION all := 1,2 OPERATIONS op = BEGIN swap := x,y END END";
    let flat = flat(&[("M.mch", text)]);
    assert_eq!(super::names(flat.variables.iter().map(|v| &v.name)), ["x", "y"]);
    assert_eq!(print::substitution(&flat.initialisations[0]).matches(',').count(), 2);
}

#[test]
fn sets_may_be_given_by_a_definition() {
    let flat =
        flat(&[("M.mch", "MACHINE M DEFINITIONS D == {a,b} SETS S = D CONSTANTS c PROPERTIES c : D END")]);
    assert_eq!(flat.sets[0].elements.as_ref().map(Vec::len), Some(2));
    assert_eq!(shown(&flat, &flat.properties[0]), "<c> : {<a>, <b>}");
}

#[test]
fn the_use_decides_between_call_and_expression() {
    let text = "MACHINE M INCLUDES N DEFINITIONS step == inc; by(n) == add(n); set(t,v) == t := v; both(n) == BEGIN by(n); step END \
                VARIABLES y INVARIANT y:NAT INITIALISATION y := 0 \
                OPERATIONS a = step; b = by(2); c = set(y,3); d = BEGIN both(1) END END";
    let other = "MACHINE N VARIABLES x INVARIANT x:NAT INITIALISATION x:=0 \
                 OPERATIONS inc = x := x+1; add(n) = x := x+n END";
    let flat = flat(&[("M.mch", text), ("N.mch", other)]);
    let body = |name: &str| {
        let found = flat.operations.iter().find(|o| &*o.name.name == name).expect("operation");
        print::substitution(&found.body).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(body("a"), "inc");
    assert_eq!(body("b"), "add(2)");
    assert!(body("c").ends_with(":= 3"), "{}", body("c"));
    assert!(body("d").contains("add(1)") && body("d").contains("inc"), "{}", body("d"));
}

#[test]
fn definition_files_are_read_once_and_relative_to_their_user() {
    let flat = flat(&[
        ("M.mch", "MACHINE M DEFINITIONS \"sub/A.def\"; \"sub/B.def\" CONSTANTS c PROPERTIES c = A+B END"),
        ("sub/A.def", "DEFINITIONS \"B.def\"; A == 1"),
        ("sub/B.def", "DEFINITIONS B == 2"),
    ]);
    assert_eq!(shown(&flat, &flat.properties[0]), "<c> = 1 + 2");
}

#[test]
fn printing_helpers_mean_their_body() {
    let text = "MACHINE M DEFINITIONS \"LibraryIO.def\" VARIABLES x INVARIANT x:NAT & printf(\"x\",x) \
                INITIALISATION x:=0 OPERATIONS op = BEGIN PRINT(x); x := 1 END END";
    let flat = flat(&[("M.mch", text)]);
    assert!(shown(&flat, &flat.invariants[0]).ends_with("0 = 0"));
}

#[test]
fn externals_without_a_meaning_are_refused_when_used() {
    let used = "MACHINE M DEFINITIONS EXTERNAL_FUNCTION_ODD_ONE(t) == t; ODD_ONE(x) == x CONSTANTS c PROPERTIES c = ODD_ONE(3) END";
    assert_eq!(mistake(&[("M.mch", used)]), (Code::Unsupported, "ODD_ONE".to_owned()));
    flat(&[("M.mch", &used.replace("c = ODD_ONE(3)", "c = 3"))]);
}

#[test]
fn mistakes_in_definitions_show_where() {
    let cycle = "MACHINE M DEFINITIONS A == B+1; B == A+1 CONSTANTS c PROPERTIES c = A END";
    assert_eq!(mistake(&[("M.mch", cycle)]), (Code::DefinitionCycle, "A".to_owned()));
    let arity = "MACHINE M DEFINITIONS F(x) == x CONSTANTS c PROPERTIES c = F(1,2) END";
    assert_eq!(mistake(&[("M.mch", arity)]), (Code::WrongArity, "F(1,2)".to_owned()));
    let twice = "MACHINE M DEFINITIONS A == 1; A == 2 END";
    assert_eq!(mistake(&[("M.mch", twice)]), (Code::NameClash, "A".to_owned()));
    let kind = "MACHINE M DEFINITIONS A == x := 1 CONSTANTS c PROPERTIES c = A END";
    assert_eq!(mistake(&[("M.mch", kind)]), (Code::MixedKinds, "A".to_owned()));
    let missing = "MACHINE M DEFINITIONS \"none.def\" END";
    assert_eq!(mistake(&[("M.mch", missing)]), (Code::MachineNotFound, "\"none.def\"".to_owned()));
}

#[test]
fn a_mistake_in_a_body_shows_a_use() {
    let text = "MACHINE M DEFINITIONS A == foo+1 CONSTANTS c PROPERTIES c = A END";
    let (result, sources) = super::run(&[("M.mch", text)]);
    let errors = result.map(drop).expect_err("unknown name");
    assert_eq!(errors[0].others.len(), 1);
    assert_eq!(sources.text(errors[0].others[0].0), "A");
    assert_eq!(mistakes(&[("M.mch", text)])[0].1, "foo");
}

#[test]
fn names_and_circles_of_unused_definitions_are_not_looked_at() {
    flat(&[("M.mch", "MACHINE M DEFINITIONS A == nowhere+1; C == C END")]);
}

#[test]
fn doubling_definitions_are_given_up() {
    let mut text = "MACHINE M DEFINITIONS D0 == 1".to_owned();
    for i in 1..60 {
        text.push_str(&format!("; D{i} == D{}+D{}", i - 1, i - 1));
    }
    text.push_str(" CONSTANTS c PROPERTIES c = D59 END");
    assert_eq!(mistake(&[("M.mch", &text)]), (Code::TooLarge, "D59".to_owned()));
}

#[test]
fn formulas_given_later_know_the_machine() {
    let folder = Folder::new(&[(
        "M.mch",
        "MACHINE M SETS S={a,b} DEFINITIONS TWO(x) == x+x CONSTANTS c PROPERTIES c = 1 END",
    )]);
    let mut sources = Sources::default();
    let flat = resolve(&folder.0.join("M.mch"), &mut sources).expect("a good machine");
    let mut read = |text: &str| {
        let file = sources.add("formula", text);
        crate::syntax::parse_formula(file, text).0.expect("a formula")
    };
    let good = resolve_formula(read("TWO(c) = 2 & a : S"), &flat).expect("known names");
    assert_eq!(shown(&flat, &good), "<c> + <c> = 2 & <a> : <S>");
    let bad = resolve_formula(read("TWO(q)"), &flat).expect_err("unknown name");
    assert_eq!(bad[0].code, Code::UnknownName);
}
