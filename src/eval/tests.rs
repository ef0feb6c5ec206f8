//! Tests of the evaluator on small formulas built as IR.

use super::testing::*;
use super::*;
use crate::diagnostic::Code;
use crate::ir::*;
use crate::ops::Op;
use crate::ty::{SetId, Ty};
use crate::value::{SetRef, Value};
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
fn terms_that_equations_make_equal_cannot_differ() {
    let vars: Vec<Local> = (0..5).map(|i| local(i, Ty::Int)).collect();
    let square = |i| op(Op::Mul, vec![x(i), x(i)], Ty::Int);
    let said = |root: u32, differ: Op| {
        let mut ps: Vec<Pred> = (0..5)
            .map(|i| p(Op::In, vec![x(i), op(Op::Interval, vec![int(-300), int(300)], Ty::pow(Ty::Int))]))
            .collect();
        ps.push(p(Op::Eq, vec![x(1), x(0)]));
        ps.push(p(Op::Eq, vec![x(2), x(1)]));
        ps.push(p(Op::Eq, vec![x(3), square(root)]));
        ps.push(p(Op::Eq, vec![x(4), square(0)]));
        ps.push(p(differ, vec![x(3), x(4)]));
        steps(&vars, &and(ps))
    };
    for differ in [Op::Neq, Op::Lt, Op::Gt] {
        let (found, steps) = said(2, differ);
        assert!(found.is_empty() && steps < 20, "{steps} steps");
    }
    assert_eq!(said(2, Op::Le).0.len(), 35);
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

/// How many steps the thread takes to find all solutions.
fn steps(vars: &[Local], pred: &Pred) -> (Vec<Vec<i64>>, u64) {
    let before = solve::step();
    let found = ints(&solutions(vars, pred).unwrap_or_default());
    (found, solve::step() - before)
}

#[test]
fn disjunctions_bound_wide_integers() {
    let vars = [local(0, Ty::Int), local(1, Ty::Int), local(2, Ty::Int)];
    let upto = |n| op(Op::Interval, vec![int(0), int(n)], Ty::pow(Ty::Int));
    let is = |i, n| p(Op::Eq, vec![x(i), int(n)]);
    let wide = || {
        vec![
            p(Op::In, vec![x(0), set(&[3])]),
            p(Op::In, vec![x(1), upto(9999)]),
            p(Op::In, vec![x(2), upto(99_999)]),
            or(vec![is(0, 1), is(1, 999)]),
            or(vec![is(0, 2), p(Op::Gt, vec![x(2), int(99_990)])]),
            or(vec![p(Op::In, vec![x(0), set(&[1, 2])]), p(Op::Lt, vec![x(2), int(99_993)])]),
            or(vec![is(0, 3), is(1, 7)]),
        ]
    };
    let (found, steps) = steps(&vars, &and(wide()));
    assert_eq!(found, [[3, 999, 99_991], [3, 999, 99_992]]);
    assert!(steps < 50, "{steps}");
    // A part without a value decides nothing: where no other part is true, there is an error.
    let quotient = op(Op::Div, vec![x(0), int(0)], Ty::Int);
    let mut ill = wide();
    ill.push(or(vec![p(Op::Eq, vec![quotient.clone(), int(1)]), is(2, 5)]));
    assert_eq!(solutions(&vars, &and(ill)).map_err(|f| f.0.code), Err(Code::DivisionByZero));
    let mut fine = wide();
    fine.push(or(vec![is(1, 999), p(Op::Eq, vec![quotient, int(1)])]));
    assert_eq!(solutions(&vars, &and(fine)).map(|f| f.len()), Ok(2));
}

#[test]
fn squares_bound_their_roots() {
    let vars = [local(0, Ty::Int), local(1, Ty::Int), local(2, Ty::Int)];
    let square = |i| op(Op::Power, vec![x(i), int(2)], Ty::Int);
    let sum = |a, b| op(Op::Add, vec![a, b], Ty::Int);
    let pred = and(vec![
        p(Op::Ge, vec![x(0), int(1)]),
        p(Op::Lt, vec![x(0), x(1)]),
        p(Op::Lt, vec![x(1), x(2)]),
        p(Op::Eq, vec![sum(square(0), square(1)), square(2)]),
        p(Op::Eq, vec![sum(sum(x(0), x(1)), x(2)), int(240)]),
    ]);
    let (found, steps) = steps(&vars, &pred);
    let mut brute = Vec::new();
    for a in 1..240 {
        for b in a + 1..240 {
            let c = 240 - a - b;
            if b < c && a * a + b * b == c * c {
                brute.push(vec![a, b, c]);
            }
        }
    }
    assert!(brute.len() > 2);
    assert_eq!(found, brute);
    assert!(steps < 2500, "{steps}");
}

/// A relation whose left sides another conjunct will give is not joined with all that leads there.
#[test]
fn rows_are_looked_up_once_their_key_is_known() {
    let pair = |a, b| Value::pair(a, b);
    let lit = |v: Vec<Value>, ty: Ty| e(ExprKind::Lit(Value::Set(SetRef::from_vec(v))), Ty::pow(ty));
    let ints = || Ty::pow(Ty::Int);
    let sessions = (0..100).map(|n| pair(Value::Int(n), Value::Int(1000 + n))).collect();
    let group = |n: i64| Value::Set(SetRef::from_vec(vec![Value::Int(n), Value::Int(n + 1)]));
    let units = (0..50).map(|n| pair(Value::Int(n), group(2 * n))).collect();
    let vars = [local(0, Ty::Int), local(1, Ty::Int), local(2, Ty::Int), local(3, ints())];
    let group = || e(ExprKind::Local(LocalId(3)), ints());
    let maplet = |a, b: Expr| {
        let ty = Ty::pair(Ty::Int, b.ty.clone());
        op(Op::Maplet, vec![a, b], ty)
    };
    let pred = and(vec![
        p(Op::In, vec![maplet(x(0), x(1)), lit(sessions, Ty::pair(Ty::Int, Ty::Int))]),
        p(Op::In, vec![maplet(x(2), group()), lit(units, Ty::pair(Ty::Int, ints()))]),
        p(Op::In, vec![x(0), group()]),
    ]);
    let before = solve::step();
    assert_eq!(solutions(&vars, &pred).unwrap_or_default().len(), 100);
    let steps = solve::step() - before;
    assert!(steps < 500, "{steps}");
}

#[test]
fn a_set_that_certainly_has_too_many_members_stays_symbolic_at_once() {
    let sets = Local { ty: Ty::pow(Ty::Int), ..local(0, Ty::Int) };
    let forty = op(Op::Interval, vec![int(1), int(40)], Ty::pow(Ty::Int));
    let within = p(Op::Subset, vec![e(ExprKind::Local(LocalId(0)), Ty::pow(Ty::Int)), forty]);
    let (captures, frame, reads_state, id) = (Vec::new(), 8, false, 0);
    let binder = Binder { vars: vec![sets], pred: within, captures, frame, reads_state, id };
    let all = e(ExprKind::Compr(Arc::new(binder), false), Ty::pow(Ty::pow(Ty::Int)));
    let mut env = Env::new(Arc::default(), Arc::default(), 8);
    let before = solve::step();
    let found = evaluator().expr(&all, &mut env);
    assert!(matches!(found, Ok(Value::Lazy(_))), "{found:?}");
    let steps = solve::step() - before;
    assert!(steps < 100, "{steps}");
}

#[test]
fn a_spent_budget_ends_evaluation_and_leaves_nothing_behind() {
    let vars = [local(0, Ty::Int), local(1, Ty::Int)];
    let upto = |n| op(Op::Interval, vec![int(1), int(n)], Ty::pow(Ty::Int));
    let product = op(Op::Mul, vec![x(0), x(1)], Ty::Int);
    let pred = and(vec![
        p(Op::In, vec![x(0), upto(100)]),
        p(Op::In, vec![x(1), upto(100)]),
        p(Op::Neq, vec![product, int(7)]),
    ]);
    let budget = Budget::of(50);
    assert!(!budget.is_spent());
    assert_eq!(solutions(&vars, &pred).map_err(|f| f.0.code), Err(Code::Interrupted));
    assert!(budget.is_spent());
    drop(budget);
    assert_eq!(solutions(&vars, &pred).map(|f| f.len()), Ok(9998));
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
