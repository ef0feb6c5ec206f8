//! Searches with known numbers of solutions.

use crate::eval::Env;
use crate::eval::testing::*;
use crate::ir::*;
use crate::ops::Op;
use crate::ty::Ty;
use std::ops::ControlFlow::Continue;
use std::sync::Arc;

fn rel() -> Ty {
    Ty::rel(Ty::Int, Ty::Int)
}

fn f() -> Expr {
    e(ExprKind::Local(LocalId(0)), rel())
}

fn upto(n: i64) -> Expr {
    op(Op::Interval, vec![int(1), int(n)], Ty::pow(Ty::Int))
}

fn at_point(i: u32) -> Expr {
    op(Op::Apply, vec![f(), x(i)], Ty::Int)
}

fn forall(id: u32, vars: &[u32], pred: Pred, body: Pred) -> Pred {
    let vars = vars.iter().map(|i| local(*i, Ty::Int)).collect();
    let binder = Arc::new(Binder { vars, pred, captures: Vec::new(), frame: 8, reads_state: false, id });
    Pred { kind: PredKind::Forall(Arc::new(Scoped { binder, body })), span: at(1) }
}

fn count(ty: Ty, pred: &Pred) -> usize {
    let mut env = Env::new(Arc::default(), Arc::default(), 8);
    let mut n = 0;
    let _ = evaluator().solve(&[local(0, ty)], &[pred], &mut env, &mut |_, _| {
        n += 1;
        Ok(Continue(()))
    });
    n
}

fn space(o: Op, a: i64, b: i64) -> Pred {
    p(Op::In, vec![f(), op(o, vec![upto(a), upto(b)], Ty::pow(rel()))])
}

#[test]
fn function_spaces_have_their_sizes() {
    for (o, n) in [
        (Op::TotalFun, 9),
        (Op::PartialFun, 16),
        (Op::TotalInj, 6),
        (Op::PartialInj, 13),
        (Op::TotalSurj, 0),
        (Op::Rel, 64),
    ] {
        assert_eq!(count(rel(), &space(o, 2, 3)), n, "{o:?}");
    }
    assert_eq!(count(rel(), &space(Op::TotalBij, 4, 4)), 24);
    assert_eq!(count(rel(), &space(Op::TotalSurj, 3, 2)), 6);
}

#[test]
fn queens() {
    let n = 6;
    let between = |i| p(Op::In, vec![x(i), upto(n)]);
    let pair = and(vec![between(1), between(2), p(Op::Gt, vec![x(2), x(1)])]);
    let gap = || op(Op::Sub, vec![x(2), x(1)], Ty::Int);
    let plus = op(Op::Add, vec![at_point(1), gap()], Ty::Int);
    let minus = op(Op::Sub, vec![at_point(1), gap()], Ty::Int);
    let body = and(vec![p(Op::Neq, vec![plus, at_point(2)]), p(Op::Neq, vec![minus, at_point(2)])]);
    let all = and(vec![space(Op::TotalInj, n, n), forall(1, &[1, 2], pair, body)]);
    assert_eq!(count(rel(), &all), 4);
}

#[test]
fn subsets_by_size_and_sum() {
    let s = e(ExprKind::Local(LocalId(0)), Ty::pow(Ty::Int));
    let all = and(vec![
        p(Op::Subset, vec![s.clone(), upto(12)]),
        p(Op::Eq, vec![op(Op::Card, vec![s], Ty::Int), int(3)]),
    ]);
    assert_eq!(count(Ty::pow(Ty::Int), &all), 220);
}
