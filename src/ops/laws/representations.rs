//! An operator does not notice how a set is represented: listed arguments and hidden ones give equal results.

use super::super::lazy::range::Range;
use super::super::relations::pairs::preimage_of;
use super::super::{Cx, Op, equal, holds, subset};
use super::{element_ty, hide, members, pairs, relation, run, set, world};
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use Op::*;
use proptest::prelude::*;

fn ty() -> Ty {
    Ty::rel(element_ty(), element_ty())
}

fn set_of_one(y: &Value) -> Value {
    Value::Set(SetRef::from_vec(vec![y.clone()]))
}

/// All ways to hide some of the arguments.
fn same_for_all(op: Op, args: &[Value]) -> Result<(), TestCaseError> {
    let expected = run(op, args, &ty());
    for hidden in 1..1u32 << args.len() {
        let mixed: Vec<Value> = args
            .iter()
            .enumerate()
            .map(|(i, v)| if hidden >> i & 1 == 1 { hide(v) } else { v.clone() })
            .collect();
        prop_assert_eq!(&run(op, &mixed, &ty()), &expected, "{:?}, hidden {:b}", op, hidden);
    }
    Ok(())
}

proptest! {
    #[test]
    fn operators_on_relations(x: u16, y: u16, a in 0u8..16, n in 0i64..4) {
        let (r, s, t) = (relation(&pairs(x)), relation(&pairs(y)), set(&members(a)));
        for op in [Dom, Ran, Inverse, Closure, Closure1, Fnc, Card] {
            same_for_all(op, std::slice::from_ref(&r))?;
        }
        for op in [Union, Inter, Diff, Override, Comp, BackComp, DirectProduct, ParProduct, Eq, Neq, Subset, StrictSubset] {
            same_for_all(op, &[r.clone(), s.clone()])?;
        }
        for op in [DomRes, DomSub] {
            same_for_all(op, &[t.clone(), r.clone()])?;
        }
        for op in [RanRes, RanSub, Image] {
            same_for_all(op, &[r.clone(), t.clone()])?;
        }
        same_for_all(Iterate, &[r.clone(), Value::Int(n)])?;
        same_for_all(Apply, &[r, super::elem(1)])?;
    }

    #[test]
    fn operators_on_sets(a in 0u8..16, b in 0u8..16) {
        let (s, t) = (set(&members(a)), set(&members(b)));
        for op in [Product, Union, Inter, Diff, Eq, Subset, NotSubset, StrictSubset, Prj1, Prj2, TotalFun, PartialInj, TotalSurj] {
            same_for_all(op, &[s.clone(), t.clone()])?;
        }
        for op in [Pow, Pow1, Fin, Fin1, Card, Id, Iseq, Perm, Min, Max, Finite] {
            same_for_all(op, std::slice::from_ref(&s))?;
        }
    }

    #[test]
    fn results_of_hidden_sets_are_members_and_equal(x: u16, y: u16, a in 0u8..16) {
        // A lazy result is compared and tested without being listed first.
        let (r, s, t) = (relation(&pairs(x)), relation(&pairs(y)), set(&members(a)));
        let world = world();
        let ty = ty();
        let cx = Cx { world: &world, ty: &ty };
        let cases = [
            (Op::Union, [hide(&r), hide(&s)]), (Op::Inter, [hide(&r), hide(&s)]), (Op::Diff, [hide(&r), hide(&s)]),
            (Op::Override, [hide(&r), hide(&s)]), (Op::Comp, [hide(&r), hide(&s)]), (Op::DomRes, [hide(&t), hide(&r)]),
            (Op::DomSub, [hide(&t), hide(&r)]), (Op::RanRes, [hide(&r), hide(&t)]), (Op::RanSub, [hide(&r), hide(&t)]),
        ];
        for (op, args) in cases {
            let lazy = super::super::apply(op, &args, &cx).expect("defined");
            let listed = run(op, &args, &ty).expect("defined");
            prop_assert_eq!(equal(&lazy, &listed, &cx), Ok(true), "{:?}", op);
            prop_assert_eq!(subset(&lazy, &listed, &cx), Ok(true), "{:?}", op);
            prop_assert_eq!(subset(&listed, &lazy, &cx), Ok(true), "{:?}", op);
            for p in relation(&pairs(u16::MAX)).items() {
                let member = holds(Op::In, &[p.clone(), lazy.clone()], &cx);
                prop_assert_eq!(member, Ok(listed.items().contains(p)), "{:?}", op);
            }
            let none = super::super::extension::is_empty(&lazy, &cx);
            prop_assert_eq!(none, Ok(listed.items().is_empty()), "{:?}", op);
            // Asked backward.
            let range = Value::lazy(Range { of: lazy.clone() });
            for y in (0..super::CARD).map(super::elem) {
                let mut lefts = preimage_of(&lazy, &y, &cx).expect("defined");
                lefts.sort();
                lefts.dedup();
                let expected = run(Inverse, std::slice::from_ref(&listed), &ty).and_then(|r| run(Image, &[r, set_of_one(&y)], &ty));
                prop_assert_eq!(Ok(lefts.as_slice()), expected.as_ref().map(Value::items), "{:?} {:?}", op, &y);
                prop_assert_eq!(holds(Op::In, &[y.clone(), range.clone()], &cx), Ok(!lefts.is_empty()), "{:?}", op);
            }
        }
    }

    #[test]
    fn sets_in_sets_are_the_same_set(a in 0u8..16, b in 0u8..16) {
        let (s, t) = (set(&members(a)), set(&members(b)));
        let world = world();
        let cx = Cx { world: &world, ty: &ty() };
        let family = |x: Value, y: Value| super::super::set_of(vec![x, y], &cx).expect("decided");
        let listed = family(s.clone(), t.clone());
        for mixed in [family(hide(&s), t.clone()), family(hide(&s), hide(&t))] {
            prop_assert_eq!(equal(&mixed, &listed, &cx), Ok(true));
            prop_assert_eq!(mixed.items().len(), listed.items().len());
            prop_assert_eq!(holds(Op::In, &[hide(&t), mixed], &cx), Ok(true));
        }
    }
}

impl Value {
    /// The members of a set in extension.
    fn items(&self) -> &[Value] {
        match self {
            Value::Set(s) => SetRef::items(s),
            _ => &[],
        }
    }
}
