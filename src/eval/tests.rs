//! Tests of the evaluator on small formulas built as IR.

use super::testing::*;
use super::*;
use crate::diagnostic::Code;
use crate::ir::*;
use crate::ops::Op;
use crate::ty::{SetId, Ty};
use crate::value::Value;
use std::ops::ControlFlow::Continue;

fn solutions(vars: &[Local], pred: &Pred) -> Result<Vec<Vec<Value>>, Fault> {
    let ev = evaluator();
    let mut env = Env::new(Arc::default(), Arc::default(), 8);
    let mut found = Vec::new();
    let _ = ev.solve(vars, &[pred], &mut env, &mut |_, env| {
        found.push(vars.iter().filter_map(|v| env.local(v.id).cloned()).collect());
        Ok(Continue(()))
    })?;
    Ok(found)
}

fn ints(found: &[Vec<Value>]) -> Vec<Vec<i64>> {
    let n = |v: &Value| if let Value::Int(n) = v { *n } else { i64::MIN };
    found.iter().map(|row| row.iter().map(n).collect()).collect()
}

#[test]
fn members_and_comparisons_bind() {
    let vars = [local(0, Ty::Int), local(1, Ty::Int)];
    let pred = and(vec![
        p(Op::In, vec![x(0), set(&[1, 5, 9])]),
        p(Op::In, vec![x(1), set(&[2, 6])]),
        p(Op::Lt, vec![x(0), x(1)]),
    ]);
    let found = ints(&solutions(&vars, &pred).unwrap_or_default());
    assert_eq!(found, [[1, 2], [1, 6], [5, 6]]);
}

#[test]
fn open_integers_take_missing_sides_from_the_known_one() {
    let vars = [local(0, Ty::Int)];
    let at_least = |n| solutions(&vars, &p(Op::Ge, vec![x(0), int(n)])).unwrap_or_default();
    assert_eq!(ints(&at_least(700)), [[700]]);
    assert_eq!(ints(&at_least(1)), [[1], [2], [3]]);
    let at_most = solutions(&vars, &p(Op::Le, vec![x(0), int(400)])).unwrap_or_default();
    assert_eq!(at_most.len(), 402);
}

#[test]
fn sums_bound_their_parts() {
    let vars = [local(0, Ty::Int)];
    let twice = || op(Op::Add, vec![x(0), x(0)], Ty::Int);
    let pred = and(vec![p(Op::Gt, vec![twice(), int(10)]), p(Op::Lt, vec![twice(), int(20)])]);
    assert_eq!(ints(&solutions(&vars, &pred).unwrap_or_default()), [[6], [7], [8], [9]]);
}

#[test]
fn equations_are_run_backwards() {
    let vars = [local(0, Ty::Int), local(1, Ty::Int)];
    let pred = and(vec![
        p(Op::Eq, vec![op(Op::Add, vec![x(0), int(2)], Ty::Int), x(1)]),
        p(Op::Eq, vec![x(1), int(100)]),
    ]);
    assert_eq!(ints(&solutions(&vars, &pred).unwrap_or_default()), [[98, 100]]);
}

#[test]
fn branches_of_a_disjunction_are_joined_without_duplicates() {
    let vars = [local(0, Ty::Int)];
    let is = |n| p(Op::Eq, vec![x(0), int(n)]);
    let found = solutions(&vars, &or(vec![is(50), is(7), is(50)])).unwrap_or_default();
    assert_eq!(ints(&found), [[7], [50]]);
}

#[test]
fn given_sets_are_enumerated() {
    let vars = [local(0, Ty::Given(SetId(0))), local(1, Ty::Given(SetId(0)))];
    let pred = p(Op::Neq, vec![given(0), given(1)]);
    assert_eq!(solutions(&vars, &pred).unwrap_or_default().len(), 6);
}

#[test]
fn a_fault_counts_only_if_nothing_is_false() {
    let unset = p(Op::Eq, vec![x(5), int(0)]);
    let vars = [local(0, Ty::Int)];
    let empty = and(vec![p(Op::Eq, vec![x(0), int(1)]), unset.clone(), p(Op::Lt, vec![x(0), int(0)])]);
    assert_eq!(solutions(&vars, &empty), Ok(Vec::new()));
    let full = and(vec![p(Op::Eq, vec![x(0), int(1)]), unset]);
    assert_eq!(solutions(&vars, &full).map_err(|f| f.0.code), Err(Code::Unset));
}

fn assign(id: u32, value: Expr) -> Subst {
    let target = Target { place: Place::Var(VarId(id)), path: Vec::new(), ty: Ty::Int, span: at(4) };
    Subst { kind: SubstKind::Assign(vec![(target, value)]), span: at(4) }
}

fn outcomes(s: &Subst) -> Result<Vec<Vec<i64>>, Fault> {
    let ev = evaluator();
    let vars = Arc::new(vec![Some(Value::Int(10)), Some(Value::Int(20))]);
    let mut env = Env::new(Arc::default(), vars.clone(), 8);
    let mut found = Vec::new();
    let _ = ev.outcomes(s, &mut env, &mut |_, env| {
        found.push(env.vars.iter().flatten().cloned().collect());
        Ok(Continue(()))
    })?;
    assert_eq!(env.vars, vars);
    Ok(ints(&found))
}

fn var(id: u32) -> Expr {
    e(ExprKind::Var(VarId(id)), Ty::Int)
}

fn subst(kind: SubstKind) -> Subst {
    Subst { kind, span: at(5) }
}

#[test]
fn parallel_reads_the_old_state_and_sequence_the_new() {
    let swap = || vec![assign(0, var(1)), assign(1, var(0))];
    assert_eq!(outcomes(&subst(SubstKind::Par(swap()))), Ok(vec![vec![20, 10]]));
    assert_eq!(outcomes(&subst(SubstKind::Seq(swap()))), Ok(vec![vec![20, 20]]));
    let twice = subst(SubstKind::Par(vec![assign(0, int(1)), assign(0, int(1))]));
    assert_eq!(outcomes(&twice).map_err(|f| f.0.code), Err(Code::DoubleAssignment));
    let nested = subst(SubstKind::Par(vec![
        subst(SubstKind::Seq(vec![assign(0, int(1)), assign(0, int(2))])),
        assign(1, var(0)),
    ]));
    assert_eq!(outcomes(&nested), Ok(vec![vec![2, 10]]));
}

#[test]
fn choices_multiply_in_sequence() {
    let choice = |a, b| subst(SubstKind::Choice(vec![assign(0, a), assign(0, b)]));
    let plus = |n| op(Op::Add, vec![var(0), int(n)], Ty::Int);
    let s = subst(SubstKind::Seq(vec![choice(int(1), int(2)), choice(plus(10), plus(20))]));
    assert_eq!(outcomes(&s), Ok(vec![vec![11, 20], vec![21, 20], vec![12, 20], vec![22, 20]]));
}

#[test]
fn loops_run_and_are_watched() {
    let while_ = |variant: Expr| {
        subst(SubstKind::While {
            cond: p(Op::Lt, vec![var(0), var(1)]),
            body: Box::new(assign(0, op(Op::Add, vec![var(0), int(1)], Ty::Int))),
            invariant: p(Op::Le, vec![var(0), var(1)]),
            variant,
        })
    };
    assert_eq!(outcomes(&while_(op(Op::Sub, vec![var(1), var(0)], Ty::Int))), Ok(vec![vec![20, 20]]));
    assert_eq!(outcomes(&while_(int(5))).map_err(|f| f.0.code), Err(Code::LoopFault));
}
