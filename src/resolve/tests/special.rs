//! Definitions whose name has a meaning.

use super::{flat, shown};
use crate::diagnostic::{Code, Severity};

#[test]
fn settings_are_folded() {
    let text = "MACHINE M DEFINITIONS N == 4; SET_PREF_MAXINT == N*2+1; SET_PREF_MININT == -N; scope_T == 1..N; \
                SET_PREF_SHOW_EVENTB_ANY_VALUES == TRUE; SET_PREF_DEFAULT_SETSIZE == 3; FORCE_SYMMETRY_S == TRUE; \
                scope_S == 3; SET_PREF_CLPFD == FALSE; ANIMATION_FUNCTION == nonsense; ASSERT_LTL_1 == \"G true\" \
                SETS S={a,b}; T END";
    let flat = flat(&[("M.mch", text)]);
    let s = &flat.settings;
    assert_eq!((s.maxint, s.minint, s.default_set_size), (Some(9), Some(-4), Some(3)));
    assert_eq!((s.scopes.as_slice(), s.force_symmetry.as_slice()), ([(1, 4)].as_slice(), [0].as_slice()));
    assert!(s.show_any && !s.simultaneous);
    let notes: Vec<_> = flat.notes.iter().map(|d| d.message.as_str()).collect();
    let told = [
        "`FORCE_SYMMETRY_S` has no effect here: what can be permuted is found from the machine",
        "`scope_S` is ignored: the elements of `S` have names",
        "`SET_PREF_CLPFD` has no effect here",
        "`ANIMATION_FUNCTION` only draws pictures: it is not looked at",
        "not checked: the temporal formula `ASSERT_LTL_1`",
    ];
    assert_eq!(notes, told);
}

#[test]
fn only_the_main_machine_sets_preferences() {
    let flat = flat(&[
        ("M.mch", "MACHINE M INCLUDES N END"),
        ("N.mch", "MACHINE N DEFINITIONS SET_PREF_MAXINT == 9 END"),
    ]);
    assert_eq!(flat.settings.maxint, None);
}

#[test]
fn the_goal_is_resolved_or_ignored() {
    let text = |goal: &str| {
        format!("MACHINE M DEFINITIONS GOAL == {goal} VARIABLES x INVARIANT x:NAT INITIALISATION x:=0 END")
    };
    let good = flat(&[("M.mch", &text("x = 3"))]);
    assert_eq!(good.goal.as_ref().map(|g| shown(&good, g)), Some("<x> = 3".to_owned()));
    let bad = flat(&[("M.mch", &text("z = 3"))]);
    assert!(bad.goal.is_none() && bad.notes.len() == 1);
}

#[test]
fn values_that_are_not_understood_are_noted() {
    let flat = flat(&[("M.mch", "MACHINE M DEFINITIONS SET_PREF_MAXINT == card({1,2}); scope_U == 3 END")]);
    assert_eq!(flat.settings.maxint, None);
    assert_eq!(flat.notes.len(), 2);
}

#[test]
fn unknown_preferences_are_warnings_with_a_near_name() {
    let text = "MACHINE M DEFINITIONS SET_PREF_MAX_INT == 7; SET_PREF_TIME_OUT == 100 END";
    let flat = flat(&[("M.mch", text)]);
    assert_eq!(flat.settings.maxint, None);
    let said: Vec<_> = flat.notes.iter().map(|d| (d.severity, d.help.as_deref())).collect();
    assert_eq!(said, [(Severity::Warning, Some("did you mean `SET_PREF_MAXINT`?")), (Severity::Note, None)]);
}

#[test]
fn what_has_no_influence_is_told_once_for_each_kind() {
    let text = "MACHINE M /*@ unit m */ DEFINITIONS VISB_A == 1; VISB_B == 2; VISB_C == 3; VISB_D == 4; VISB_E == 5; \
                HEURISTIC_FUNCTION == 1; /*@unit s */ aa == 1; MAX_OPERATIONS_op == 1 /*@label it */ END";
    let flat = flat(&[("M.mch", text)]);
    let said: Vec<_> = flat.notes.iter().map(|d| d.message.as_str()).collect();
    let told = [
        "the pragma `unit` (at 2 places) has no effect here, and nothing checks it",
        "`VISB_A`, `VISB_B`, `VISB_C` and 2 more only draw pictures: they are not looked at",
        "`HEURISTIC_FUNCTION` has no effect here: states are taken breadth first",
        "`MAX_OPERATIONS_op` has no effect here: all steps are taken",
    ];
    assert_eq!(said, told);
}

#[test]
fn pictures_that_cannot_be_read_are_noted() {
    let flat = flat(&[("M.mch", "MACHINE M DEFINITIONS VISB_SVG_FILE == 1 + +; aa == 1 END")]);
    let said: Vec<_> = flat.notes.iter().map(|d| (d.severity, d.code)).collect();
    assert_eq!(said, [(Severity::Note, Code::Ignored)]);
}

#[test]
fn a_scope_is_honoured_or_counted_as_not_checked() {
    let text = |scope: &str| {
        format!("MACHINE M DEFINITIONS SCOPE == {scope} VARIABLES x INVARIANT x:NAT INITIALISATION x:=0 END")
    };
    let codes = |flat: &crate::resolve::Flat| flat.notes.iter().map(|d| d.code).collect::<Vec<_>>();
    let good = flat(&[("M.mch", &text("x < 3"))]);
    assert_eq!(good.scope.as_ref().map(|(s, _)| shown(&good, s)), Some("<x> < 3".to_owned()));
    // That it is honoured is said once it types.
    assert!(codes(&good).is_empty());
    let bad = flat(&[("M.mch", &text("z < 3"))]);
    assert!(bad.scope.is_none());
    assert_eq!(codes(&bad), [Code::NotChecked]);
}
