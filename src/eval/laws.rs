//! The solver against its oracle: on random formulas over small types, the planned evaluator finds exactly the
//! solutions that trying everything finds.

use super::testing::*;
use super::*;
use crate::ir::*;
use crate::ops::Op;
use crate::ty::{SetId, Ty};
use crate::value::{SetRef, Value};
use proptest::prelude::*;
use std::ops::ControlFlow::Continue;

const D: Ty = Ty::Given(SetId(0));

fn set_ty() -> Ty {
    Ty::pow(D)
}

fn rel_ty() -> Ty {
    Ty::rel(D, D)
}

fn var(i: u32, ty: Ty) -> Expr {
    e(ExprKind::Local(LocalId(i)), ty)
}

/// Slots: 0 and 1 integers, 2 and 3 elements, 4 and 5 sets, 6 a relation, 10 and 11 quantified elements, the
/// first `quantified` of which are in scope.
fn integers(quantified: u32) -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![
        (0..2u32).prop_map(x),
        (-1..4i64).prop_map(int),
        sets(1, quantified).prop_map(|s| op(Op::Card, vec![s], Ty::Int)),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        (prop_oneof![Just(Op::Add), Just(Op::Sub), Just(Op::Mul)], inner.clone(), inner)
            .prop_map(|(o, a, b)| op(o, vec![a, b], Ty::Int))
    })
    .boxed()
}

fn elements(quantified: u32) -> BoxedStrategy<Expr> {
    let plain = prop_oneof![
        (2..4u32).prop_map(|i| var(i, D)),
        (1..=quantified + 1).prop_map(|i| if i == 1 { var(3, D) } else { var(8 + i, D) }),
        (0..3u32).prop_map(|i| e(ExprKind::Lit(Value::Elem(SetId(0), i)), D)),
    ];
    let function = Value::Set(SetRef::from_vec(
        [(0, 1), (1, 1), (2, 0)]
            .map(|(a, b)| Value::pair(Value::Elem(SetId(0), a), Value::Elem(SetId(0), b)))
            .to_vec(),
    ));
    let applied = plain
        .clone()
        .prop_map(move |a| op(Op::Apply, vec![e(ExprKind::Lit(function.clone()), rel_ty()), a], D));
    let by_unknown = plain.clone().prop_map(|a| op(Op::Apply, vec![var(6, rel_ty()), a], D));
    prop_oneof![4 => plain, 1 => applied, 1 => by_unknown].boxed()
}

fn sets(depth: u32, quantified: u32) -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![
        (4..6u32).prop_map(|i| var(i, set_ty())),
        Just(e(ExprKind::Given(SetId(0)), set_ty())),
        elements(quantified).prop_map(|a| e(ExprKind::SetExt(vec![a]), set_ty())),
        Just(op(Op::Dom, vec![var(6, rel_ty())], set_ty())),
        Just(op(Op::Ran, vec![var(6, rel_ty())], set_ty())),
    ];
    leaf.prop_recursive(depth, 4, 2, |inner| {
        let two =
            (prop_oneof![Just(Op::Union), Just(Op::Inter), Just(Op::Diff)], inner.clone(), inner.clone());
        prop_oneof![
            two.prop_map(|(o, a, b)| op(o, vec![a, b], set_ty())),
            inner.prop_map(|a| op(Op::Image, vec![var(6, rel_ty()), a], set_ty())),
        ]
    })
    .boxed()
}

fn atoms(quantified: u32) -> BoxedStrategy<Pred> {
    let compare = prop_oneof![Just(Op::Eq), Just(Op::Neq), Just(Op::Lt), Just(Op::Le), Just(Op::Ge)];
    let equal = || prop_oneof![Just(Op::Eq), Just(Op::Neq)];
    let arrow = prop_oneof![
        Just(Op::TotalFun),
        Just(Op::PartialFun),
        Just(Op::TotalInj),
        Just(Op::TotalSurj),
        Just(Op::PartialInj),
        Just(Op::Rel)
    ];
    prop_oneof![
        (compare, integers(quantified), integers(quantified)).prop_map(|(o, a, b)| p(o, vec![a, b])),
        (equal(), elements(quantified), elements(quantified)).prop_map(|(o, a, b)| p(o, vec![a, b])),
        (prop_oneof![Just(Op::In), Just(Op::NotIn)], elements(quantified), sets(2, quantified))
            .prop_map(|(o, a, b)| p(o, vec![a, b])),
        (
            prop_oneof![Just(Op::Subset), Just(Op::Eq), Just(Op::NotSubset)],
            sets(2, quantified),
            sets(2, quantified)
        )
            .prop_map(|(o, a, b)| p(o, vec![a, b])),
        (elements(quantified), elements(quantified))
            .prop_map(|(a, b)| p(Op::In, vec![op(Op::Maplet, vec![a, b], Ty::pair(D, D)), var(6, rel_ty())])),
        (arrow, sets(1, quantified), sets(1, quantified)).prop_map(|(o, a, b)| {
            p(Op::In, vec![var(6, rel_ty()), op(o, vec![a, b], Ty::pow(rel_ty()))])
        }),
    ]
    .boxed()
}

fn made(kind: PredKind) -> Pred {
    Pred { kind, span: at(7) }
}

fn preds(quantified: u32) -> BoxedStrategy<Pred> {
    let leaf = if quantified == 2 {
        atoms(2)
    } else {
        let (i, inner) = (10 + quantified, preds(quantified + 1));
        let forall = (inner.clone(), inner.clone()).prop_map(move |(a, b)| {
            made(PredKind::Forall(Arc::new(Scoped { binder: binder(i, a), body: b })))
        });
        let exists = inner.prop_map(move |a| made(PredKind::Exists(binder(i, a))));
        prop_oneof![4 => atoms(quantified), 1 => forall, 1 => exists].boxed()
    };
    leaf.prop_recursive(2, 6, 3, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(|ps| made(PredKind::And(ps))),
            prop::collection::vec(inner.clone(), 2..3).prop_map(|ps| made(PredKind::Or(ps))),
            inner.clone().prop_map(|p| made(PredKind::Not(Box::new(p)))),
            (inner.clone(), inner).prop_map(|(a, b)| made(PredKind::Implies(Box::new(a), Box::new(b)))),
        ]
    })
    .boxed()
}

/// Binder numbers beyond the cache: every binder is planned by itself.
fn binder(i: u32, pred: Pred) -> Arc<Binder> {
    Arc::new(Binder {
        vars: vec![local(i, D)],
        pred,
        captures: Vec::new(),
        frame: 16,
        reads_state: false,
        id: u32::MAX,
    })
}

type Rows = Vec<Vec<Value>>;

fn rows(naive: bool, pred: &Pred) -> Result<Rows, Fault> {
    let mut ev = evaluator();
    ev.naive = naive;
    let vars = [local(0, Ty::Int), local(2, D), local(4, set_ty()), local(6, rel_ty())];
    let mut env = Env::new(Arc::default(), Arc::default(), 16);
    // The second integer, element and set have fixed values.
    env.set_local(LocalId(1), Some(Value::Int(2)));
    env.set_local(LocalId(3), Some(Value::Elem(SetId(0), 1)));
    env.set_local(LocalId(5), Some(Value::Set(SetRef::from_vec(vec![Value::Elem(SetId(0), 1)]))));
    let mut found = Rows::new();
    let range = |i| p(Op::In, vec![x(i), op(Op::Interval, vec![int(-1), int(3)], Ty::pow(Ty::Int))]);
    let small = p(Op::Le, vec![op(Op::Card, vec![var(6, rel_ty())], Ty::Int), int(2)]);
    let _ = ev.solve(&vars, &[&range(0), &small, pred], &mut env, &mut |_, env| {
        found.push(vars.iter().filter_map(|v| env.local(v.id).cloned()).collect());
        Ok(Continue(()))
    })?;
    found.sort();
    Ok(found)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn planned_and_naive_agree(pred in preds(0)) {
        if let Ok(expected) = rows(true, &pred) {
            let found = rows(false, &pred);
            let same = found.as_ref() == Ok(&expected);
            let counts = (found.as_ref().map(Vec::len), expected.len());
            prop_assert!(same, "planned, naive: {:?}", counts);
        }
    }
}

/// Whether all values of five variables that satisfy a guard satisfy a predicate.
fn all(naive: bool, guard: &Pred, pred: &Pred) -> Result<bool, Fault> {
    let mut ev = evaluator();
    ev.naive = naive;
    // A search through the candidates is long after so many steps: then what would deny the predicate is looked for.
    let world = World { lowered: (!naive).then_some(64), ..(*ev.world).clone() };
    ev.world = world.into();
    let mut env = Env::new(Arc::default(), Arc::default(), 16);
    env.set_local(LocalId(1), Some(Value::Int(2)));
    env.set_local(LocalId(3), Some(Value::Elem(SetId(0), 1)));
    env.set_local(LocalId(5), Some(Value::Set(SetRef::from_vec(vec![Value::Elem(SetId(0), 1)]))));
    let range = p(Op::In, vec![x(0), op(Op::Interval, vec![int(0), int(1)], Ty::pow(Ty::Int))]);
    let small = p(Op::Le, vec![op(Op::Card, vec![var(6, rel_ty())], Ty::Int), int(1)]);
    let vars = vec![local(0, Ty::Int), local(2, D), local(4, set_ty()), local(6, rel_ty())];
    let pred_of = made(PredKind::And(vec![range, small, guard.clone()]));
    let binder =
        Binder { vars, pred: pred_of, captures: Vec::new(), frame: 16, reads_state: false, id: u32::MAX };
    let scoped = Scoped { binder: binder.into(), body: pred.clone() };
    ev.pred(&made(PredKind::Forall(scoped.into())), &mut env)
}

/// Quantifiers over more candidates than a short search goes through.
#[test]
fn long_quantifiers_agree_with_enumeration() {
    let outcomes = std::cell::RefCell::new(std::collections::BTreeMap::<bool, usize>::new());
    let config = ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let run = runner.run(&(preds(0), preds(0)), |(guard, pred)| {
        if let (Ok(expected), Ok(found)) = (all(true, &guard, &pred), all(false, &guard, &pred)) {
            prop_assert!(expected == found, "{expected}: {guard:?} => {pred:?}");
            *outcomes.borrow_mut().entry(found).or_default() += 1;
        }
        Ok(())
    });
    run.expect("the same");
    let outcomes = outcomes.into_inner();
    assert!(outcomes.get(&true) > Some(&5) && outcomes.get(&false) > Some(&5), "{outcomes:?}");
}
