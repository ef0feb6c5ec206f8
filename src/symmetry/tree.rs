//! The tree variant of marker paths: what a point does on the two sides of one pair is kept together.
//!
//! In: a value. Out: for each point the multiset of its occurrences, as hashes. The paper discusses the
//! variant and leaves it out for speed; here it serves comparison. Occurrences are built from the inside
//! out, the other way round than in `marker`, because a pair joins what its sides have collected.

use super::group::Group;
use super::marker::{BOTH, CONSTRUCTOR, ELEMENT, FIELD, FROM, LEFT, RIGHT, TO};
use super::marker::{fixed_fields, multiset, pointless, step, written};
use super::vector::plain;
use crate::value::Value;
use std::collections::BTreeMap;

/// For each point of a value, the hashes of its occurrences.
pub(super) type Occurrences = BTreeMap<u32, Vec<u128>>;

/// The occurrences of all points in a value.
pub(super) fn occurrences(v: &Value, group: &Group) -> Occurrences {
    match v {
        Value::Elem(s, i) => group.point(*s, *i).map(|p| (p, vec![1])).into_iter().collect(),
        Value::Set(s) => {
            let mut all = Occurrences::new();
            for x in s.items() {
                join(&mut all, under(occurrences(x, group), ELEMENT));
            }
            all
        }
        Value::Pair(p) => pair(&p.0, &p.1, group),
        Value::Rec(fields) => {
            let fixed = fixed_fields(fields, group);
            let mut all = Occurrences::new();
            for (i, f) in (0u128..).zip(fields.iter()) {
                join(&mut all, under(occurrences(f, group), written(FIELD + (i << 8), fixed)));
            }
            all
        }
        Value::Free(t, c, Some(arg)) => {
            let which = u128::from(*t) << 16 | u128::from(*c);
            under(occurrences(arg, group), written(CONSTRUCTOR, which))
        }
        Value::Bool(_)
        | Value::Int(_)
        | Value::Big(_)
        | Value::Real(_)
        | Value::Str(_)
        | Value::Free(_, _, None)
        | Value::Lazy(_) => Occurrences::new(),
    }
}

fn pair(a: &Value, b: &Value, group: &Group) -> Occurrences {
    match (pointless(a, group), pointless(b, group)) {
        (true, true) => Occurrences::new(),
        (false, true) => under(occurrences(a, group), written(TO, plain(b))),
        (true, false) => under(occurrences(b, group), written(FROM, plain(a))),
        (false, false) if a == b => under(occurrences(a, group), BOTH),
        (false, false) => {
            let (left, right) = (occurrences(a, group), occurrences(b, group));
            let side = |o: &Occurrences, p: u32, token: u128| {
                written(token, multiset(o.get(&p).into_iter().flatten().copied()))
            };
            let points: std::collections::BTreeSet<u32> = left.keys().chain(right.keys()).copied().collect();
            let both = |p| (p, vec![step(side(&left, p, LEFT), side(&right, p, RIGHT))]);
            points.into_iter().map(both).collect()
        }
    }
}

fn under(mut inner: Occurrences, token: u128) -> Occurrences {
    inner.values_mut().flatten().for_each(|item| *item = step(*item, token));
    inner
}

fn join(all: &mut Occurrences, more: Occurrences) {
    for (p, items) in more {
        all.entry(p).or_default().extend(items);
    }
}
