//! Union, intersection, difference and inclusion against plain sets of integers, small beside large, intervals.

use super::super::{Cx, Op, apply, holds};
use super::world;
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn ints(members: &BTreeSet<i64>) -> Value {
    Value::Set(SetRef::from_vec(members.iter().copied().map(Value::Int).collect()))
}

fn some_set() -> impl Strategy<Value = BTreeSet<i64>> {
    prop_oneof![
        proptest::collection::btree_set(0i64..40, 0..4),
        proptest::collection::btree_set(0i64..40, 0..40),
        (0i64..40, 0i64..40).prop_map(|(lo, hi)| (lo..hi).collect::<BTreeSet<i64>>()),
    ]
}

proptest! {
    #[test]
    fn boolean_operators_are_those_of_plain_sets(a in some_set(), b in some_set()) {
        let world = world();
        let cx = Cx { world: &world, ty: &Ty::pow(Ty::Int) };
        let args = [ints(&a), ints(&b)];
        let value = |op| apply(op, &args, &cx);
        prop_assert_eq!(value(Op::Union), Ok(ints(&(&a | &b))));
        prop_assert_eq!(value(Op::Inter), Ok(ints(&(&a & &b))));
        prop_assert_eq!(value(Op::Diff), Ok(ints(&(&a - &b))));
        prop_assert_eq!(holds(Op::Subset, &args, &cx), Ok(a.is_subset(&b)));
        prop_assert_eq!(holds(Op::StrictSubset, &args, &cx), Ok(a.is_subset(&b) && a != b));
        prop_assert_eq!(holds(Op::Eq, &args, &cx), Ok(a == b));
        for x in 0..40 {
            let member = holds(Op::In, &[Value::Int(x), ints(&a)], &cx);
            prop_assert_eq!(member, Ok(a.contains(&x)));
        }
    }

    #[test]
    fn families(sets in proptest::collection::btree_set(some_set(), 1..5)) {
        let world = world();
        let cx = Cx { world: &world, ty: &Ty::pow(Ty::Int) };
        let family = Value::Set(SetRef::from_vec(sets.iter().map(ints).collect()));
        let union: BTreeSet<i64> = sets.iter().flatten().copied().collect();
        let inter = union.iter().copied().filter(|x| sets.iter().all(|s| s.contains(x))).collect();
        prop_assert_eq!(apply(Op::BigUnion, std::slice::from_ref(&family), &cx), Ok(ints(&union)));
        prop_assert_eq!(apply(Op::BigInter, &[family], &cx), Ok(ints(&inter)));
    }
}
