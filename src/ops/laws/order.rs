//! The total order of values, their encoding, and permutations.

use super::super::Op;
use super::{CARD, elem, element_ty, members, pairs, relation, run, set, world};
use crate::ty::{SetId, Ty};
use crate::value::permute::Permutation;
use crate::value::{SetRef, Value};
use Op::*;
use proptest::prelude::*;
use std::cmp::Ordering;

/// Values of all kinds, also such as no machine would compare.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::Bool),
        (-3i64..3).prop_map(Value::Int),
        (-2i64..2).prop_map(|n| Value::int(num_bigint::BigInt::from(n) << 70)),
        "[ab]{0,2}".prop_map(|s| Value::Str(s.into())),
        (0..CARD).prop_map(elem),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Value::pair(a, b)),
            proptest::collection::vec(inner.clone(), 0..4).prop_map(|v| Value::Set(SetRef::from_vec(v))),
            proptest::collection::vec(inner, 1..3).prop_map(|v| Value::Rec(v.into())),
        ]
    })
}

fn permutation() -> impl Strategy<Value = Permutation> {
    Just((0..CARD).collect::<Vec<u32>>())
        .prop_shuffle()
        .prop_map(|image| Permutation::from_images(vec![image]).expect("a shuffle is a permutation"))
}

fn encoded(v: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    v.encode(&mut out);
    out
}

proptest! {
    #[test]
    fn the_order_is_total(a in value(), b in value(), c in value()) {
        prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
        prop_assert_eq!(a.cmp(&a.clone()), Ordering::Equal);
        if a <= b && b <= c {
            prop_assert!(a <= c);
        }
        prop_assert_eq!(a == b, encoded(&a) == encoded(&b));
    }

    #[test]
    fn permutations_are_a_group_that_acts(p in permutation(), q in permutation(), v in value()) {
        prop_assert_eq!(p.inverse().apply(&p.apply(&v)), v.clone());
        prop_assert_eq!(p.compose(&q).apply(&v), p.apply(&q.apply(&v)));
        prop_assert_eq!(Permutation::identity(&world()).apply(&v), v);
        prop_assert!(p.compose(&p.inverse()).is_identity());
    }

    #[test]
    fn operators_commute_with_permutations(p in permutation(), x: u16, y: u16, a in 0u8..16, b in 0u8..16) {
        let ty = Ty::rel(element_ty(), element_ty());
        let (r, s) = (relation(&pairs(x)), relation(&pairs(y)));
        let (t, u) = (set(&members(a)), set(&members(b)));
        let commutes = |op: Op, args: &[Value]| {
            let moved: Vec<Value> = args.iter().map(|v| p.apply(v)).collect();
            run(op, args, &ty).map(|v| p.apply(&v)) == run(op, &moved, &ty)
        };
        for op in [Dom, Ran, Inverse, Closure, Closure1, Fnc, Card] {
            prop_assert!(commutes(op, std::slice::from_ref(&r)), "{:?}", op);
        }
        for op in [Union, Inter, Diff, Override, Comp, BackComp, DirectProduct, ParProduct, Eq, Subset] {
            prop_assert!(commutes(op, &[r.clone(), s.clone()]), "{:?}", op);
        }
        for op in [DomRes, DomSub] {
            prop_assert!(commutes(op, &[t.clone(), r.clone()]), "{:?}", op);
        }
        for op in [RanRes, RanSub, Image] {
            prop_assert!(commutes(op, &[r.clone(), t.clone()]), "{:?}", op);
        }
        for op in [Union, Inter, Diff, Product, Subset, StrictSubset, Eq, Prj1, Prj2] {
            prop_assert!(commutes(op, &[t.clone(), u.clone()]), "{:?}", op);
        }
        for op in [Pow, Pow1, Fin, Fin1, Card, Id, Iseq, Perm] {
            prop_assert!(commutes(op, std::slice::from_ref(&t)), "{:?}", op);
        }
        for (op, i) in [(Apply, 0), (Apply, 3)] {
            prop_assert!(commutes(op, &[r.clone(), elem(i)]), "{:?}", op);
        }
        prop_assert!(commutes(In, &[elem(1), t.clone()]));
    }
}

#[test]
fn a_permutation_leaves_other_sets_alone() {
    let p = Permutation::from_images(vec![vec![1, 0, 2, 3]]).expect("a permutation");
    let other = Value::Elem(SetId(1), 0);
    assert_eq!(p.apply(&other), other);
}
