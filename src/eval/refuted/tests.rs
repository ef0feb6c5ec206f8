//! What is refuted has no solution, by trying small integers, and what is to be seen is seen.

use super::*;
use crate::eval::testing::*;
use crate::ir::{Binder, Expr, ExprKind, LocalId, PredKind};
use crate::ops::Op;
use crate::value::Value;
use proptest::prelude::*;
use std::sync::Arc;

fn terms() -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![3 => (0..3u32).prop_map(x), 2 => (-4..5i64).prop_map(int)];
    leaf.prop_recursive(2, 5, 2, |inner| {
        let operators = prop_oneof![3 => Just(Op::Add), 2 => Just(Op::Sub), 1 => Just(Op::Mul)];
        (operators, inner.clone(), inner).prop_map(|(o, a, b)| op(o, vec![a, b], Ty::Int))
    })
    .boxed()
}

fn formulas() -> BoxedStrategy<Pred> {
    let comparisons = prop::sample::select(vec![Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq, Op::Neq]);
    let compared = (comparisons.clone(), terms(), terms()).prop_map(|(o, a, b)| p(o, vec![a, b]));
    let sets = prop_oneof![
        prop::sample::select(vec![Op::Natural, Op::Natural1, Op::Nat, Op::Nat1, Op::Int, Op::Integer])
            .prop_map(|o| op(o, Vec::new(), Ty::pow(Ty::Int))),
        (terms(), terms()).prop_map(|(a, b)| op(Op::Interval, vec![a, b], Ty::pow(Ty::Int))),
        prop::collection::vec(-4..5i64, 1..4).prop_map(|items| set(&items)),
        prop::collection::vec(terms(), 1..4).prop_map(listed),
        (comparisons.clone(), terms(), -4..5i64).prop_map(|(o, a, n)| {
            let y = x(CHOSEN);
            comprehension(and(vec![p(o, vec![y.clone(), a]), p(Op::Neq, vec![y, int(n)])]))
        }),
    ];
    let member = prop::sample::select(vec![Op::In, Op::NotIn]);
    let member = (member, terms(), sets).prop_map(|(o, a, s)| p(o, vec![a, s]));
    let pred = |kind| Pred { kind, span: at(4) };
    prop_oneof![3 => compared, 2 => member]
        .prop_recursive(2, 6, 3, move |inner| {
            let two = (inner.clone(), inner.clone());
            prop_oneof![
                prop::collection::vec(inner.clone(), 1..4).prop_map(or),
                prop::collection::vec(inner.clone(), 1..4).prop_map(and),
                inner.prop_map(move |a| pred(PredKind::Not(Box::new(a)))),
                two.clone().prop_map(move |(a, b)| pred(PredKind::Implies(Box::new(a), Box::new(b)))),
                two.prop_map(move |(a, b)| pred(PredKind::Iff(Box::new(a), Box::new(b)))),
            ]
        })
        .boxed()
}

fn listed(items: Vec<Expr>) -> Expr {
    Expr { kind: ExprKind::SetExt(items), ty: Ty::pow(Ty::Int), span: at(4) }
}

/// The integers that satisfy a predicate.
fn comprehension(pred: Pred) -> Expr {
    let (vars, captures) = (vec![local(CHOSEN, Ty::Int)], (0..3).map(LocalId).collect());
    let binder = Binder { vars, pred, captures, frame: 12, reads_state: false, id: u32::MAX };
    Expr { kind: ExprKind::Compr(Arc::new(binder), false), ty: Ty::pow(Ty::Int), span: at(4) }
}

/// The variable of comprehensions.
const CHOSEN: u32 = 3;

fn quantified(i: u32, pred: Pred, body: Option<Pred>) -> Pred {
    let (vars, captures) = (vec![local(i, Ty::Int)], Vec::new());
    let binder = Arc::new(Binder { vars, pred, captures, frame: 12, reads_state: false, id: u32::MAX });
    let kind = match body {
        Some(body) => PredKind::Forall(Arc::new(crate::ir::Scoped { binder, body })),
        None => PredKind::Exists(binder),
    };
    Pred { kind, span: at(5) }
}

/// The third unknown is quantified.
fn quantifiers() -> BoxedStrategy<Pred> {
    let exists = formulas().prop_map(|p| quantified(2, p, None));
    let forall = (formulas(), formulas()).prop_map(|(a, b)| quantified(2, a, Some(b)));
    let one = prop_oneof![exists, forall];
    (one, any::<bool>())
        .prop_map(
            |(one, denied)| {
                if denied { Pred { kind: PredKind::Not(Box::new(one)), span: at(4) } } else { one }
            },
        )
        .boxed()
}

/// The value of a formula, by all values of what it quantifies within a window wide enough for what a term can come to.
fn by_hand(p: &Pred, ev: &Evaluator, env: &mut Env) -> bool {
    let some = |env: &mut Env, f: &mut dyn FnMut(&mut Env) -> bool| {
        (-WIDE..=WIDE).any(|n| {
            env.set_local(LocalId(2), Some(Value::Int(n)));
            f(env)
        })
    };
    let holds = |p: &Pred, env: &mut Env| ev.pred(p, env) == Ok(true);
    match &p.kind {
        PredKind::Not(p) => !by_hand(p, ev, env),
        PredKind::Exists(b) => some(env, &mut |env| holds(&b.pred, env)),
        PredKind::Forall(s) => !some(env, &mut |env| holds(&s.binder.pred, env) && !holds(&s.body, env)),
        _ => holds(p, env),
    }
}

const WIDE: i64 = 150;

fn refuted(conjuncts: &[Pred]) -> bool {
    let vars: Vec<Local> = (0..3).map(|i| local(i, Ty::Int)).collect();
    let mut env = Env::new(Vec::new().into(), Vec::new().into(), 12);
    evaluator().is_refuted(&vars, &conjuncts.iter().collect::<Vec<_>>(), &mut env)
}

/// What is refuted of the first conjuncts, and would not be without them, has no solution among small integers, which are all tried.
fn have_no_solution(
    formulas: impl Strategy<Value = (Vec<Pred>, Vec<Pred>)>,
    cases: u32,
    digits: &std::ops::Range<i64>,
    least: usize,
) {
    let (ev, refutations) = (evaluator(), std::cell::Cell::new(0));
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(cases));
    let run = runner.run(&formulas, |(mut all, others)| {
        let plain = refuted(&others);
        all.extend(others);
        if plain || !refuted(&all) {
            return Ok(());
        }
        refutations.set(refutations.get() + 1);
        let mut env = Env::new(Vec::new().into(), Vec::new().into(), 12);
        let pairs = digits.clone().flat_map(|a| digits.clone().map(move |b| (a, b)));
        for (a, b, c) in pairs.flat_map(|(a, b)| digits.clone().map(move |c| (a, b, c))) {
            let solves = all.iter().all(|p| {
                for (i, digit) in (0..).zip([a, b, c]) {
                    env.set_local(LocalId(i), Some(Value::Int(digit)));
                }
                by_hand(p, &ev, &mut env)
            });
            prop_assert!(!solves, "{:?}: {all:?}", [a, b, c]);
        }
        Ok(())
    });
    run.expect("no solution");
    assert!(refutations.get() > least, "{refutations:?}");
}

#[test]
fn refuted_formulas_have_no_solution() {
    let alone = prop::collection::vec(formulas(), 1..5).prop_map(|conjuncts| (conjuncts, Vec::new()));
    have_no_solution(alone, 3_000, &(-5..5), 300);
}

/// Nor has what is refuted with a quantifier over all integers.
#[test]
fn refuted_quantifiers_have_no_solution() {
    let quantified = prop::collection::vec(quantifiers(), 1..3);
    have_no_solution((quantified, prop::collection::vec(formulas(), 0..2)), 4_000, &(-2..3), 100);
}

/// Chains, parities, squares and cases are seen.
#[test]
fn what_is_refuted() {
    let sum = |a, b| op(Op::Add, vec![a, b], Ty::Int);
    let times = |a, b| op(Op::Mul, vec![a, b], Ty::Int);
    let less = |a, b| p(Op::Lt, vec![a, b]);
    assert!(refuted(&[less(x(0), x(1)), less(x(1), x(2)), less(x(2), x(0))]));
    assert!(!refuted(&[less(x(0), x(1)), less(x(1), x(2)), less(x(0), x(2))]));
    let odd = p(Op::Eq, vec![sum(times(int(2), x(0)), times(int(4), x(1))), int(7)]);
    assert!(refuted(&[odd]));
    assert!(refuted(&[less(sum(times(x(0), x(0)), times(x(1), x(1))), int(0))]));
    assert!(!refuted(&[less(times(x(0), x(1)), int(0))]));
    let rest = |by, is| p(Op::Eq, vec![op(Op::Mod, vec![x(0), int(by)], Ty::Int), int(is)]);
    let natural = p(Op::Ge, vec![x(0), int(0)]);
    assert!(refuted(&[natural.clone(), rest(4, 2), rest(2, 1)]));
    assert!(!refuted(&[natural, rest(4, 2), rest(2, 0)]));
    // Negative numbers have no remainder.
    assert!(!refuted(&[rest(4, 2), rest(2, 1)]));
    let any = Pred { kind: PredKind::True, span: at(4) };
    assert!(refuted(&[quantified(3, any.clone(), Some(less(x(0), x(3))))]));
    assert!(!refuted(&[quantified(3, less(x(0), x(3)), Some(less(int(0), x(3))))]));
    let next = quantified(4, less(x(3), x(4)), None);
    let without = Pred { kind: PredKind::Not(Box::new(quantified(3, any, Some(next)))), span: at(4) };
    assert!(refuted(&[without]));
    let apart = or(vec![less(x(0), int(0)), less(int(9), x(0))]);
    assert!(refuted(&[apart, p(Op::In, vec![x(0), set(&[0, 9])])]));
}
