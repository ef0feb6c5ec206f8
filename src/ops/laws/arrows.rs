//! Listing agrees with membership and with the size that is known without listing, for all small sets.

use super::super::{Cx, Op, apply, contains, expand, size};
use super::{elem, world};
use crate::ty::Ty;
use crate::value::symbolic::Size;
use crate::value::{SetRef, Value};
use Op::*;

fn up_to(n: u32) -> Value {
    Value::Set(SetRef::from_vec((0..n).map(elem).collect()))
}

/// Every member of `all` that is in `set` is listed by it, once, and nothing else; its size is right.
fn lists_its_members(set: &Value, all: &SetRef, cx: &Cx<'_>) {
    let listed = expand(set, cx).expect("a small set is listed");
    let expected: Vec<_> = all
        .items()
        .iter()
        .filter(|x| contains(set, x, cx).expect("membership is decided"))
        .cloned()
        .collect();
    assert_eq!(listed.items(), expected, "{set:?}");
    assert_eq!(size(set, cx), Size::Exact(expected.len().into()), "{set:?}");
    let Value::Lazy(l) = set else { return };
    let mut count = 0;
    l.each(cx, &mut |_| {
        count += 1;
        std::ops::ControlFlow::Continue(())
    })
    .expect("a small set is listed");
    assert_eq!(count, expected.len(), "each member once: {set:?}");
}

#[test]
fn arrows() {
    let world = world();
    let cx = Cx { world: &world, ty: &Ty::Any };
    let of = |op, args: &[Value]| apply(op, args, &cx).expect("the set is made");
    for n in 0..4 {
        for m in 0..4 {
            let product = of(Op::Product, &[up_to(n), up_to(m)]);
            let all = expand(&of(Op::Pow, &[product]), &cx).expect("a small power set is listed");
            for op in [
                Rel,
                TotalRel,
                SurjRel,
                TotalSurjRel,
                PartialFun,
                TotalFun,
                PartialInj,
                TotalInj,
                PartialSurj,
                TotalSurj,
                PartialBij,
                TotalBij,
            ] {
                lists_its_members(&of(op, &[up_to(n), up_to(m)]), &all, &cx);
            }
        }
    }
}

#[test]
fn powers_and_sequences() {
    let world = world();
    let cx = Cx { world: &world, ty: &Ty::Any };
    let of = |op, args: &[Value]| apply(op, args, &cx).expect("the set is made");
    for n in 0..4 {
        let all = expand(&of(Op::Pow, &[up_to(n)]), &cx).expect("a small power set is listed");
        assert_eq!(all.len(), 1 << n);
        for op in [Op::Pow, Op::Pow1, Op::Fin, Op::Fin1] {
            lists_its_members(&of(op, &[up_to(n)]), &all, &cx);
        }
        let positions = of(Op::Interval, &[Value::Int(1), Value::Int(n.into())]);
        let partial = of(Op::PartialFun, &[positions, up_to(n)]);
        let all = expand(&partial, &cx).expect("a small set of functions is listed");
        for op in [Op::Iseq, Op::Iseq1, Op::Perm] {
            lists_its_members(&of(op, &[up_to(n)]), &all, &cx);
        }
    }
}
