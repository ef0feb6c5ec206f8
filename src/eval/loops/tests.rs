//! Loops against their oracle, which tries all integers.

use super::*;
use crate::eval::testing::*;
use crate::ir::LocalId;
use crate::syntax::ast::Fold;
use proptest::prelude::*;
use std::cell::Cell;
use std::sync::Arc;

const COUNT: u32 = 300;

/// Slots 0 and 1 are bound, slot 2 is not.
fn terms() -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![3 => (0..3u32).prop_map(x), 1 => (-1..4i64).prop_map(int)];
    let ops = prop_oneof![
        4 => Just(Op::Add),
        4 => Just(Op::Sub),
        2 => Just(Op::Mul),
        1 => Just(Op::Div),
        1 => Just(Op::Mod),
    ];
    leaf.prop_recursive(2, 6, 2, move |inner| {
        (ops.clone(), inner.clone(), inner).prop_map(|(o, a, b)| op(o, vec![a, b], Ty::Int))
    })
    .boxed()
}

fn interval(a: Expr, b: Expr) -> Expr {
    op(Op::Interval, vec![a, b], Ty::pow(Ty::Int))
}

/// Literals that may lie next to each other or not, some of them twice.
fn listed() -> BoxedStrategy<Expr> {
    let items = prop::collection::vec((-1..4i64).prop_map(int), 1..4);
    items.prop_map(|items| e(ExprKind::SetExt(items), Ty::pow(Ty::Int))).boxed()
}

fn atoms() -> BoxedStrategy<Pred> {
    let compare =
        prop_oneof![Just(Op::Eq), Just(Op::Neq), Just(Op::Lt), Just(Op::Le), Just(Op::Gt), Just(Op::Ge)];
    prop_oneof![
        4 => (compare, terms(), terms()).prop_map(|(o, a, b)| p(o, vec![a, b])),
        1 => (terms(), terms(), terms()).prop_map(|(a, b, c)| p(Op::In, vec![a, interval(b, c)])),
        1 => (terms(), terms(), terms()).prop_map(|(a, b, c)| p(Op::NotIn, vec![a, interval(b, c)])),
        1 => (terms(), listed()).prop_map(|(a, set)| p(Op::In, vec![a, set])),
        1 => (terms(), listed()).prop_map(|(a, set)| p(Op::NotIn, vec![a, set])),
    ]
    .boxed()
}

fn preds() -> BoxedStrategy<Pred> {
    atoms()
        .prop_recursive(2, 4, 2, |inner| {
            let two = || prop::collection::vec(inner.clone(), 2);
            let made = |kind| Pred { kind, span: at(3) };
            prop_oneof![
                two().prop_map(move |ps| made(PredKind::And(ps))),
                two().prop_map(move |ps| made(PredKind::Or(ps))),
                inner.clone().prop_map(move |a| made(PredKind::Not(Box::new(a)))),
                (inner.clone(), inner.clone())
                    .prop_map(move |(a, b)| made(PredKind::Implies(Box::new(a), Box::new(b)))),
                (inner.clone(), inner.clone())
                    .prop_map(move |(a, b)| made(PredKind::Iff(Box::new(a), Box::new(b)))),
            ]
        })
        .boxed()
}

/// A binder of some of the first slots, which lie within MININT and MAXINT: in an interval by themselves, or next to each
/// other.
fn binders() -> BoxedStrategy<Arc<Binder>> {
    let ends = || (-1..3i64, 0..4i64);
    (1..3u32, ends(), ends(), any::<bool>(), prop::collection::vec(preds(), 0..3))
        .prop_map(|(n, (a, m), (b, k), chained, more)| {
            let side = |i, a, m: i64| p(Op::In, vec![x(i), interval(int(a), int((a + m).min(3)))]);
            let mut all = match (n, chained) {
                (1, _) => vec![side(0, a, m)],
                (_, true) => vec![
                    p(Op::Lt, vec![int(a - 1), x(0)]),
                    p(Op::Le, vec![x(0), x(1)]),
                    p(Op::Le, vec![x(1), int((b + k).min(3))]),
                ],
                (_, false) => vec![side(0, a, m), side(1, b, k)],
            };
            all.extend(more);
            Arc::new(Binder {
                vars: (0..n).map(|i| local(i, Ty::Int)).collect(),
                pred: and(all),
                captures: (n..3).map(LocalId).collect(),
                frame: 8,
                reads_state: false,
                id: 0,
            })
        })
        .boxed()
}

/// Slot 1 may be bound or not.
fn outside() -> Env {
    let mut env = Env::new(Arc::default(), Arc::default(), 8);
    env.set_local(LocalId(1), Some(Value::Int(1)));
    env.set_local(LocalId(2), Some(Value::Int(2)));
    env
}

/// What an expression comes to, as tried out and by loops. What is remembered would serve both.
fn both(e: &Expr) -> [Result<Value, Fault>; 2] {
    [true, false].map(|naive| {
        let ev = Evaluator { naive, ..evaluator() };
        let v = ev.expr(e, &mut outside())?;
        if e.ty.elem().is_some() { ev.members(&v, &e.ty, e.span).map(Value::Set) } else { Ok(v) }
    })
}

/// Whether both agree: on the value, or on there being none. Plans narrow ranges before they ask for values, so
/// that they may not meet what has none in a predicate that is not total.
fn agree(total: bool, kind: ExprKind, ty: Ty) -> Result<(), TestCaseError> {
    let whole = e(kind, ty);
    match both(&whole) {
        [Ok(tried), Ok(found)] => prop_assert_eq!(tried.cmp(&found), std::cmp::Ordering::Equal),
        [tried, found] => {
            prop_assert!(tried.is_err() && (found.is_err() || !total), "{tried:?} {found:?}");
        }
    }
    Ok(())
}

/// Whether the binder is one of the loops, and goes through.
fn loops(binder: &Binder) -> bool {
    evaluator().looped(binder, &Shape::Tuples, OPEN, &mut outside()).is_some()
}

fn total(binder: &Binder) -> bool {
    let mut total = true;
    super::super::walk::pred(&binder.pred, &mut |e| {
        total &= !matches!(e.kind, ExprKind::Op(Op::Div | Op::Mod, _));
    });
    total
}

#[test]
fn listed_integers_and_parts_of_sums() {
    // Each sum is made of parts that outer levels decide.
    let sum = op(Op::Add, vec![op(Op::Add, vec![x(0), x(2)], Ty::Int), x(1)], Ty::Int);
    let more = op(Op::Mul, vec![op(Op::Add, vec![x(0), x(2)], Ty::Int), x(1)], Ty::Int);
    let set = |items: &[i64]| e(ExprKind::SetExt(items.iter().map(|n| int(*n)).collect()), Ty::pow(Ty::Int));
    for (least, items) in [(0, &[-1, 0, 1][..]), (-2, &[3, 1, 3]), (5, &[2, 3, 0])] {
        let all = and(vec![
            p(Op::In, vec![x(0), set(&[-1, 0, 1])]),
            p(Op::In, vec![x(1), set(items)]),
            p(Op::Lt, vec![int(least), sum.clone()]),
            p(Op::NotIn, vec![more.clone(), set(&[4, 6])]),
        ]);
        let binder = Arc::new(Binder {
            vars: (0..2).map(|i| local(i, Ty::Int)).collect(),
            pred: all,
            captures: vec![LocalId(2)],
            frame: 8,
            reads_state: false,
            id: 0,
        });
        assert!(loops(&binder));
        let [tried, found] = both(&e(ExprKind::Compr(binder, false), Ty::rel(Ty::Int, Ty::Int)));
        assert_eq!(tried.unwrap(), found.unwrap());
    }
    // Far from each other, they are no range to go through.
    assert!(Test::new(&p(Op::In, vec![x(0), set(&[0, 1000])]), &mut |_| Some(Term::At(0))).is_none());
}

#[test]
fn sets_functions_and_sums_are_what_trying_all_gives() {
    let looped = Cell::new(0);
    let config = ProptestConfig { cases: COUNT, ..ProptestConfig::default() };
    proptest!(config, |(binder in binders(), body in terms(), pred in preds())| {
        looped.set(looped.get() + u32::from(loops(&binder)));
        let tuple = if binder.vars.len() == 1 { Ty::Int } else { Ty::pair(Ty::Int, Ty::Int) };
        let scoped = || Arc::new(Scoped { binder: binder.clone(), body: body.clone() });
        agree(total(&binder), ExprKind::Compr(binder.clone(), false), Ty::pow(tuple.clone()))?;
        agree(total(&binder), ExprKind::Image(scoped()), Ty::pow(Ty::Int))?;
        agree(total(&binder), ExprKind::Fold(Fold::Sum, scoped()), Ty::Int)?;
        agree(total(&binder), ExprKind::Fold(Fold::Product, scoped()), Ty::Int)?;
        let lambda = e(ExprKind::Lambda(scoped(), false), Ty::rel(tuple, Ty::Int));
        agree(total(&binder), ExprKind::Op(Op::Ran, vec![lambda.clone()]), Ty::pow(Ty::Int))?;
        agree(total(&binder), lambda.kind, lambda.ty)?;
        // Who finds an example first need not see what has no value behind it.
        let bool_of = |kind| ExprKind::Bool(Box::new(Pred { kind, span: at(4) }));
        if total(&binder) {
            agree(total(&binder), bool_of(PredKind::Exists(binder.clone())), Ty::Bool)?;
            let body = Pred { kind: pred.kind.clone(), span: at(5) };
            let scoped = Scoped { binder: binder.clone(), body };
            agree(total(&binder), bool_of(PredKind::Forall(Arc::new(scoped))), Ty::Bool)?;
        }
    });
    assert!(looped.get() > COUNT / 3, "{}", looped.get());
}
