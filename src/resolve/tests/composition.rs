//! Machines that include, see and refine others.

use super::{flat, names, operations, shown};
use crate::diagnostic::{Code, Severity};

const COUNTER: (&str, &str) = (
    "Counter.mch",
    "MACHINE Counter SETS S={red,blue} CONSTANTS most PROPERTIES most = 3 VARIABLES n INVARIANT n:0..most \
     INITIALISATION n:=0 OPERATIONS inc = n := n+1; r <-- get = r := n END",
);

#[test]
fn included_operations_are_offered_if_promoted() {
    let main = |clause: &str| {
        format!("MACHINE M {clause} VARIABLES x INVARIANT x:NAT INITIALISATION x:=n OPERATIONS op = inc END")
    };
    let run = |clause: &str| operations(&flat(&[("M.mch", &main(clause)), COUNTER]));
    assert_eq!(run("INCLUDES Counter"), ["inc", "get", "op*"]);
    assert_eq!(run("INCLUDES Counter PROMOTES get"), ["inc", "get*", "op*"]);
    assert_eq!(run("EXTENDS Counter"), ["inc*", "get*", "op*"]);
    assert_eq!(run("SEES Counter"), ["inc*", "get*", "op*"]);
    assert_eq!(run("USES Counter"), ["inc*", "get*", "op*"]);
}

#[test]
fn copies_share_sets_and_constants() {
    let main = "MACHINE M EXTENDS a.Counter, b.Counter INVARIANT a.n <= b.n & red : S & most > 1 END";
    let flat = flat(&[("M.mch", main), COUNTER]);
    assert_eq!(names(flat.variables.iter().map(|v| &v.name)), ["a.n", "b.n"]);
    assert_eq!(flat.sets.len(), 1);
    assert_eq!(flat.constants.len(), 1);
    assert_eq!(flat.properties.len(), 1);
    assert_eq!(flat.invariants.len(), 3);
    assert_eq!(shown(&flat, &flat.invariants[2]), "<a.n> <= <b.n> & <red> : <S> & <most> > 1");
    assert_eq!(operations(&flat), ["a.inc*", "a.get*", "b.inc*", "b.get*"]);
}

#[test]
fn prefixes_add_up() {
    let main = "MACHINE M INCLUDES x.Middle INVARIANT x.y.n = 0 OPERATIONS op = x.step END";
    let middle = "MACHINE Middle INCLUDES y.Counter OPERATIONS step = y.inc END";
    let flat = flat(&[("M.mch", main), ("Middle.mch", middle), COUNTER]);
    assert_eq!(names(flat.variables.iter().map(|v| &v.name)), ["x.y.n"]);
    assert_eq!(operations(&flat), ["x.y.inc", "x.y.get", "x.step", "op*"]);
}

#[test]
fn a_machine_seen_twice_is_one() {
    let main = "MACHINE M INCLUDES A, B SEES Counter END";
    let a = "MACHINE A SEES Counter VARIABLES va INVARIANT va:S INITIALISATION va:=red END";
    let b = "MACHINE B SEES Counter VARIABLES vb INVARIANT vb:S INITIALISATION vb:=blue END";
    let flat = flat(&[("M.mch", main), ("A.mch", a), ("B.mch", b), COUNTER]);
    assert_eq!(names(flat.variables.iter().map(|v| &v.name)), ["n", "va", "vb"]);
    assert_eq!(flat.initialisations.len(), 3);
}

#[test]
fn actual_parameters_replace_formal_ones() {
    let main = "MACHINE M(most) CONSTRAINTS most : 1..4 INCLUDES Box({0,1}, most+1) END";
    let boxed = "MACHINE Box(ELEM, top) CONSTRAINTS top : NAT1 VARIABLES v INVARIANT v <: ELEM & card(v) < top \
                 INITIALISATION v := {} END";
    let flat = flat(&[("M.mch", main), ("Box.mch", boxed)]);
    assert_eq!(shown(&flat, &flat.invariants[0]), "<v> <: {0, 1} & card(<v>) < <most> + 1");
    assert!(flat.constants[0].parameter);
    assert_eq!(flat.properties.len(), 2);
    assert!(flat.sets.is_empty());
}

#[test]
fn parameters_of_the_main_machine_are_sets_and_constants() {
    let flat = flat(&[("M.mch", "MACHINE M(ELEM, top) CONSTRAINTS top : ELEM END")]);
    assert!(flat.sets[0].parameter && flat.constants[0].parameter);
    assert_eq!(shown(&flat, &flat.properties[0]), "<top> : <ELEM>");
}

#[test]
fn actual_parameters_reach_machines_that_only_see_the_copy() {
    let main = "MACHINE M INCLUDES A, Box(7) END";
    let a = "MACHINE A SEES Box END";
    let boxed = "MACHINE Box(top) CONSTRAINTS top : NAT END";
    let flat = flat(&[("M.mch", main), ("A.mch", a), ("Box.mch", boxed)]);
    assert!(flat.constants.is_empty());
    assert_eq!(shown(&flat, &flat.properties[0]), "7 : NAT");
}

#[test]
fn a_refinement_stands_for_itself() {
    let abstraction = "MACHINE A(ELEM, top) CONSTRAINTS top : NAT SETS S={a,b} CONSTANTS c PROPERTIES c : S \
                       VARIABLES x, y INVARIANT x : S & y : NAT INITIALISATION x := a || y := 0 OPERATIONS op = x :: S END";
    let main = "REFINEMENT R(ELEM, top) REFINES A VARIABLES y, z INVARIANT z : S & z = x & y : NAT \
                INITIALISATION z, y := c, top OPERATIONS op = z := b END";
    let flat = flat(&[("R.ref", main), ("A.mch", abstraction)]);
    assert_eq!(names(flat.variables.iter().map(|v| &v.name)), ["y", "z"]);
    assert_eq!((flat.sets.len(), flat.constants.len()), (2, 2));
    // What the abstraction says of the variable that is kept comes first.
    assert_eq!(shown(&flat, &flat.invariants[0]), "<y> : NAT");
    assert_eq!(shown(&flat, &flat.invariants[1]), "<z> : <S> & <y> : NAT");
    assert_eq!(operations(&flat), ["op*"]);
    // That it refines A, and `z = x`.
    let said: Vec<_> = flat.notes.iter().map(|d| (d.severity, d.code)).collect();
    assert_eq!(said, [(Severity::Warning, Code::NotChecked); 2]);
}

#[test]
fn loop_invariants_may_speak_of_the_refined_machine() {
    let abstraction =
        "MACHINE A VARIABLES x INVARIANT x : NAT INITIALISATION x := 0 OPERATIONS op = x := 9 END";
    let main = "IMPLEMENTATION I REFINES A IMPORTS Counter VALUES most = 3 INVARIANT n = x INITIALISATION skip \
                OPERATIONS op = VAR i IN i := 0; WHILE i < 3 DO inc; i := i+1 INVARIANT i : NAT & x = n VARIANT 3-i END END END";
    let flat = flat(&[("I.imp", main), ("A.mch", abstraction), COUNTER]);
    assert_eq!(operations(&flat), ["inc", "get", "op*"]);
    assert_eq!(shown(&flat, &flat.properties[1]), "<most> = 3");
    assert!(flat.invariants.len() == 1, "only that of the imported machine");
}

#[test]
fn packages_move_the_search() {
    let flat = flat(&[
        ("a/aa/M.mch", "/*@package a.aa */ /*@import-package b.bb */ MACHINE M SEES N END"),
        ("b/bb/N.mch", "/*@package b.bb */ MACHINE N SETS S END"),
    ]);
    assert_eq!(flat.sets.len(), 1);
}

#[test]
fn a_pragma_names_the_file() {
    let flat = flat(&[
        ("M.mch", "MACHINE M SEES N /*@file \"sub/N.mch\" */ END"),
        ("sub/N.mch", "MACHINE N SETS S END"),
    ]);
    assert_eq!(flat.sets.len(), 1);
}

#[test]
fn free_types_have_resolved_arguments() {
    let flat = flat(&[(
        "M.mch",
        "MACHINE M SETS S FREETYPES T = none, some(S) CONSTANTS c PROPERTIES c : T & c /= none END",
    )]);
    let argument = flat.free_types[0].1[1].1.as_ref().expect("an argument");
    assert_eq!(shown(&flat, argument), "<S>");
    assert_eq!(shown(&flat, &flat.properties[0]), "<c> : <T> & <c> /= <none>");
}
