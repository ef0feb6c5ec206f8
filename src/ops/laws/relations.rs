//! The relational operators against their definitions on plain sets of pairs.

use super::super::extension::expand;
use super::super::lazy::combine::Combined;
use super::super::lazy::overridden::Overridden;
use super::super::lazy::product::Product;
use super::super::{Cx, Op, holds};
use super::{CARD, Pairs, elem, element_ty, hide, members, pairs, relation, run, set, world};
use crate::diagnostic::Code;
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn ty() -> Ty {
    Ty::rel(element_ty(), element_ty())
}

fn compose(r: &Pairs, s: &Pairs) -> Pairs {
    r.iter().flat_map(|(a, b)| s.iter().filter(move |(c, _)| b == c).map(move |(_, d)| (*a, *d))).collect()
}

fn closure1(r: &Pairs) -> Pairs {
    let mut out = r.clone();
    loop {
        let more: Pairs = &out | &compose(&out, r);
        if more == out {
            return out;
        }
        out = more;
    }
}

fn identity() -> Pairs {
    (0..CARD).map(|i| (i, i)).collect()
}

proptest! {
    #[test]
    fn of_one_relation(mask: u16, at in 0..CARD) {
        let r = pairs(mask);
        let value = |op| run(op, &[relation(&r)], &ty());
        prop_assert_eq!(value(Op::Dom), Ok(set(&r.iter().map(|p| p.0).collect())));
        prop_assert_eq!(value(Op::Ran), Ok(set(&r.iter().map(|p| p.1).collect())));
        prop_assert_eq!(value(Op::Inverse), Ok(relation(&r.iter().map(|(a, b)| (*b, *a)).collect())));
        prop_assert_eq!(value(Op::Closure1), Ok(relation(&closure1(&r))));
        prop_assert_eq!(value(Op::Closure), Ok(relation(&(&closure1(&r) | &identity()))));
        let back = value(Op::Fnc).and_then(|f| run(Op::RelOf, &[f], &ty()));
        prop_assert_eq!(back, Ok(relation(&r)));
        let row: Vec<u32> = r.iter().filter(|p| p.0 == at).map(|p| p.1).collect();
        let applied = run(Op::Apply, &[relation(&r), elem(at)], &element_ty());
        prop_assert_eq!(applied, match row.as_slice() {
            [y] => Ok(elem(*y)),
            [] => Err(Code::OutsideDomain),
            _ => Err(Code::NotAFunction),
        });
    }

    #[test]
    fn iterates(mask: u16, n in 0i64..7) {
        let r = pairs(mask);
        let expected = (0..n).fold(identity(), |so_far, _| compose(&so_far, &r));
        prop_assert_eq!(run(Op::Iterate, &[relation(&r), Value::Int(n)], &ty()), Ok(relation(&expected)));
    }

    #[test]
    fn of_two_relations(x: u16, y: u16) {
        let (r, s) = (pairs(x), pairs(y));
        let value = |op| run(op, &[relation(&r), relation(&s)], &ty());
        prop_assert_eq!(value(Op::Comp), Ok(relation(&compose(&r, &s))));
        prop_assert_eq!(value(Op::BackComp), Ok(relation(&compose(&s, &r))));
        let kept = r.iter().filter(|p| s.iter().all(|q| q.0 != p.0)).chain(&s).copied().collect();
        prop_assert_eq!(value(Op::Override), Ok(relation(&kept)));
        let direct = r.iter().flat_map(|(a, b)| {
            let right = s.iter().filter(move |q| q.0 == *a);
            right.map(move |(_, c)| Value::pair(elem(*a), Value::pair(elem(*b), elem(*c))))
        });
        prop_assert_eq!(value(Op::DirectProduct), Ok(Value::Set(SetRef::from_vec(direct.collect()))));
        let parallel = r.iter().flat_map(|(a, b)| s.iter().map(move |(c, d)| {
            Value::pair(Value::pair(elem(*a), elem(*c)), Value::pair(elem(*b), elem(*d)))
        }));
        prop_assert_eq!(value(Op::ParProduct), Ok(Value::Set(SetRef::from_vec(parallel.collect()))));
    }

    #[test]
    fn restrictions(mask: u16, part in 0u8..16) {
        let (r, s) = (pairs(mask), members(part));
        let keep = |test: &dyn Fn(&(u32, u32)) -> bool| Ok(relation(&r.iter().filter(|p| test(p)).copied().collect()));
        let (left, right) = ([set(&s), relation(&r)], [relation(&r), set(&s)]);
        prop_assert_eq!(run(Op::DomRes, &left, &ty()), keep(&|p| s.contains(&p.0)));
        prop_assert_eq!(run(Op::DomSub, &left, &ty()), keep(&|p| !s.contains(&p.0)));
        prop_assert_eq!(run(Op::RanRes, &right, &ty()), keep(&|p| s.contains(&p.1)));
        prop_assert_eq!(run(Op::RanSub, &right, &ty()), keep(&|p| !s.contains(&p.1)));
        let image: BTreeSet<u32> = r.iter().filter(|p| s.contains(&p.0)).map(|p| p.1).collect();
        prop_assert_eq!(run(Op::Image, &right, &Ty::pow(element_ty())), Ok(set(&image)));
    }

    /// What relations in parts know of themselves without a list is so.
    #[test]
    fn what_is_known_without_a_list(x: u16, few in 0u16..64, a in 0u8..16, b in 0u8..16, ran in 0u8..16, parts in 0u8..6) {
        let (own, product) = (relation(&pairs(if parts < 3 { few } else { x })), Value::lazy(Product { left: set(&members(a)), right: hide(&set(&members(b))) }));
        let (base, by) = if parts % 2 == 0 { (own, product) } else { (product, own) };
        let whole: Value = match parts / 2 {
            0 => Value::lazy(Combined { op: Op::Union, left: base, right: by }),
            1 => Value::lazy(Overridden { base, by }),
            _ => if parts % 2 == 0 { by } else { base },
        };
        let world = world();
        let cx = Cx { world: &world, ty: &ty() };
        let Value::Lazy(l) = &whole else { return Ok(()) };
        let all = expand(&whole, &cx).expect("a finite relation");
        let all: Vec<(Value, Value)> =
            all.items().iter().filter_map(|p| if let Value::Pair(p) = p { Some((p.0.clone(), p.1.clone())) } else { None }).collect();
        let lefts: BTreeSet<&Value> = all.iter().map(|(a, _)| a).collect();
        if let Some(known) = l.functional(&cx) {
            prop_assert_eq!(known, lefts.len() == all.len(), "{:?}", whole);
        }
        let ran = set(&members(ran));
        if let Some(known) = l.maps_into(&ran, &cx) {
            let inside = all.iter().all(|(_, y)| holds(Op::In, &[y.clone(), ran.clone()], &cx) == Ok(true));
            prop_assert!(inside || !known, "{:?}", whole);
        }
    }

    #[test]
    fn arrows_say_what_they_mean(mask: u16, a in 0u8..16, b in 0u8..16) {
        let (r, s, t) = (pairs(mask), members(a), members(b));
        let dom: BTreeSet<u32> = r.iter().map(|p| p.0).collect();
        let ran: BTreeSet<u32> = r.iter().map(|p| p.1).collect();
        let within = dom.is_subset(&s) && ran.is_subset(&t);
        let function = dom.len() == r.len();
        let (total, onto, injective) = (dom == s, ran == t, function && ran.len() == r.len());
        let world = world();
        let cx = Cx { world: &world, ty: &Ty::pow(ty()) };
        let member = |op| {
            let arrow = super::super::apply(op, &[set(&s), set(&t)], &cx)?;
            holds(Op::In, &[relation(&r), arrow], &cx)
        };
        prop_assert_eq!(member(Op::Rel), Ok(within));
        prop_assert_eq!(member(Op::TotalRel), Ok(within && total));
        prop_assert_eq!(member(Op::SurjRel), Ok(within && onto));
        prop_assert_eq!(member(Op::TotalSurjRel), Ok(within && total && onto));
        prop_assert_eq!(member(Op::PartialFun), Ok(within && function));
        prop_assert_eq!(member(Op::TotalFun), Ok(within && function && total));
        prop_assert_eq!(member(Op::PartialInj), Ok(within && injective));
        prop_assert_eq!(member(Op::TotalInj), Ok(within && injective && total));
        prop_assert_eq!(member(Op::PartialSurj), Ok(within && function && onto));
        prop_assert_eq!(member(Op::TotalSurj), Ok(within && function && total && onto));
        prop_assert_eq!(member(Op::PartialBij), Ok(within && injective && onto));
        prop_assert_eq!(member(Op::TotalBij), Ok(within && injective && total && onto));
    }
}
