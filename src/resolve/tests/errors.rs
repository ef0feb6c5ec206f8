//! What is refused, and which text is underlined.

use super::{mistake, mistakes, run};
use crate::diagnostic::Code;

/// A machine with one operation.
fn machine(clauses: &str, body: &str) -> String {
    format!(
        "MACHINE M {clauses} SETS S={{red,blue}}; T CONSTANTS limit PROPERTIES limit = 3 VARIABLES x,f \
         INVARIANT x:NAT & f : NAT +-> NAT INITIALISATION x,f:=0,{{}} OPERATIONS op(p) = PRE p:NAT THEN {body} END END"
    )
}

fn one(clauses: &str, body: &str) -> (Code, String) {
    mistake(&[("M.mch", &machine(clauses, body)), OTHER])
}

const OTHER: (&str, &str) = (
    "N.mch",
    "MACHINE N VARIABLES y INVARIANT y:NAT INITIALISATION y:=0 OPERATIONS inc(k) = y := y+k; r <-- get = r := y END",
);

#[test]
fn unknown_names_come_with_advice() {
    assert_eq!(one("", "x := limmit"), (Code::UnknownName, "limmit".to_owned()));
    let (result, _) = run(&[("M.mch", &machine("", "x := limmit"))]);
    assert_eq!(result.map(drop).expect_err("unknown")[0].help.as_deref(), Some("did you mean `limit`?"));
    let (result, _) = run(&[("M.mch", &machine("", "ANY z WHERE z : {redd} THEN skip END"))]);
    assert_eq!(result.map(drop).expect_err("unknown")[0].help.as_deref(), Some("did you mean `red`?"));
    // An operation is no guess for a name in a formula.
    let (result, _) = run(&[("M.mch", &machine("INCLUDES N", "x := gett + incc")), OTHER]);
    let helps: Vec<_> = result.map(drop).expect_err("unknown").into_iter().map(|d| d.help).collect();
    assert_eq!(helps, [None, None]);
    assert_eq!(one("INCLUDES N", "in(1)"), (Code::UnknownName, "in".to_owned()));
}

#[test]
fn all_unknown_names_are_told() {
    let all = mistakes(&[("M.mch", &machine("", "x := aaa + bbb"))]);
    assert_eq!(all.iter().map(|m| m.1.as_str()).collect::<Vec<_>>(), ["aaa", "bbb"]);
    let (result, _) = run(&[("M.mch", &machine("", "x := aaa + bbb + aaa"))]);
    let errors = result.map(drop).expect_err("unknown");
    assert_eq!(errors.iter().map(|d| d.others.len()).collect::<Vec<_>>(), [1, 0]);
}

#[test]
fn only_own_variables_are_assigned() {
    assert_eq!(one("", "limit := 1"), (Code::NotAssignable, "limit".to_owned()));
    assert_eq!(one("", "p := 1"), (Code::NotAssignable, "p".to_owned()));
    assert_eq!(one("", "red := 1"), (Code::NotAssignable, "red".to_owned()));
    assert_eq!(one("INCLUDES N", "y := 1"), (Code::NotAssignable, "y".to_owned()));
    assert_eq!(one("SEES N", "y :: NAT"), (Code::NotAssignable, "y".to_owned()));
    assert_eq!(one("", "ANY z WHERE z:NAT THEN z := 1 END"), (Code::NotAssignable, "z".to_owned()));
    assert!(run(&[("M.mch", &machine("", "VAR z IN z := 1; f(z) := x; x := z END"))]).0.is_ok());
}

#[test]
fn calls_are_checked() {
    assert_eq!(one("INCLUDES N", "inc"), (Code::WrongArity, "inc".to_owned()));
    assert_eq!(one("INCLUDES N", "inc(1,2)"), (Code::WrongArity, "inc(1,2)".to_owned()));
    assert_eq!(one("INCLUDES N", "get"), (Code::WrongArity, "get".to_owned()));
    assert_eq!(one("", "op(1)"), (Code::NotVisible, "op".to_owned()));
    let allowed = "DEFINITIONS SET_PREF_ALLOW_LOCAL_OPERATION_CALLS == TRUE";
    assert!(run(&[("M.mch", &machine(allowed, "op(1)"))]).0.is_ok());
}

#[test]
fn clashes_show_both_places() {
    let text = "MACHINE M SEES N VARIABLES y INVARIANT y:NAT INITIALISATION y:=0 END";
    let (result, sources) = run(&[("M.mch", text), OTHER]);
    let errors = result.map(drop).expect_err("two variables of one name");
    assert_eq!(errors[0].code, Code::NameClash);
    assert_eq!(sources.text(errors[0].others[0].0), "y");
    let twice = "MACHINE M SETS S={a,b}; T={b,c} END";
    assert_eq!(mistake(&[("M.mch", twice)]), (Code::NameClash, "b".to_owned()));
    let binder = "MACHINE M CONSTANTS c PROPERTIES !(x,x).(x:NAT => x=c) END";
    assert_eq!(mistake(&[("M.mch", binder)]), (Code::NameClash, "x".to_owned()));
}

#[test]
fn files_that_are_missing_or_misnamed() {
    assert_eq!(
        mistake(&[("M.mch", "MACHINE M SEES Nowhere END")]),
        (Code::MachineNotFound, "Nowhere".to_owned())
    );
    let misnamed = mistake(&[("M.mch", "MACHINE M SEES N END"), ("N.mch", "MACHINE P END")]);
    assert_eq!(misnamed, (Code::MachineNotFound, "N".to_owned()));
    let (result, _) = run(&[]);
    assert_eq!(result.map(drop).expect_err("no such file")[0].code, Code::FileUnreadable);
}

#[test]
fn cycles_of_machines() {
    let files = [("M.mch", "MACHINE M INCLUDES N END"), ("N.mch", "MACHINE N SEES M END")];
    assert_eq!(mistake(&files), (Code::MachineCycle, "M".to_owned()));
}

#[test]
fn parameters_must_be_as_many() {
    let boxed = ("Box.mch", "MACHINE Box(top) CONSTRAINTS top : NAT END");
    let few = mistake(&[("M.mch", "MACHINE M INCLUDES Box END"), boxed]);
    assert_eq!(few, (Code::WrongArity, "Box".to_owned()));
    let many = mistake(&[("M.mch", "MACHINE M INCLUDES Box(1,2) END"), boxed]);
    assert_eq!(many, (Code::WrongArity, "Box".to_owned()));
}

#[test]
fn promotes_needs_an_operation() {
    let main = "MACHINE M INCLUDES N PROMOTES ink END";
    assert_eq!(mistake(&[("M.mch", main), OTHER]), (Code::UnknownName, "ink".to_owned()));
}

#[test]
fn abstract_variables_are_not_used() {
    let main = "REFINEMENT R REFINES N VARIABLES z INVARIANT z=y INITIALISATION z:=0 OPERATIONS inc(k) = z := y+k END";
    assert_eq!(mistake(&[("R.ref", main), OTHER]), (Code::NotVisible, "y".to_owned()));
}

#[test]
fn trees_and_missing_initialisations() {
    let tree = "MACHINE M CONSTANTS c PROPERTIES c = bin(1, 2) END";
    assert_eq!(mistake(&[("M.mch", tree)]), (Code::WrongArity, "bin".to_owned()));
    let top = "MACHINE M CONSTANTS top, c PROPERTIES top = {1|->2} & c = top(1) END";
    assert!(run(&[("M.mch", top)]).0.is_ok());
    let bare = "MACHINE M VARIABLES x INVARIANT x:NAT END";
    assert_eq!(mistake(&[("M.mch", bare)]), (Code::MissingClause, "x".to_owned()));
}
