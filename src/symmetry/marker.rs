//! Symmetry markers (Leuschel and Massart, "Efficient approximate verification of B via symmetry markers").
//!
//! In: a vector of values. Out: a hash of its marker. Every point gets as colour the multiset of *paths* on
//! which it occurs; the marker is the vector with points replaced by their colours and sets by multisets.
//! Symmetric states have equal markers; the converse fails in general, so a search by markers may miss
//! states unless the static certificate holds (`certificate`).
//!
//! Three sets of rules: [`Rules::Basic`] is definition 1 of the paper, [`Rules::Improved`] what made its
//! table, [`Rules::Tree`] the variant it only discusses. As `NonSym`, the paper's class of values that may
//! become part of a path, serves any value without points (more precise, still invariant).
//!
//! Multisets are sums of mixed hashes modulo 2^128. `audit` has the slow twin that hashes sorted lists; both
//! must give the same partition. `markers` reads packed states without decoding them, where it can.

use super::group::Group;
use super::vector::{Places, Vector, plain};
use super::{mix, tree};
use crate::value::Value;

/// Which paths are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rules {
    /// Definition 1: left, right, element.
    Basic,
    /// With `<to,n>` and `<from,n>` for pairs with one side free of points, and *leftright* for `x |-> x`.
    Improved,
    /// As improved, but what a point does on the two sides of one pair is kept together (`tree`).
    Tree,
}

/// Steps of paths. Numbers of their own so that hashes of steps cannot meet.
pub(super) const LEFT: u128 = 21;
pub(super) const RIGHT: u128 = 22;
pub(super) const BOTH: u128 = 23;
pub(super) const TO: u128 = 24;
pub(super) const FROM: u128 = 25;
pub(super) const ELEMENT: u128 = 26;
pub(super) const FIELD: u128 = 27;
pub(super) const CONSTRUCTOR: u128 = 28;
/// Marks of the kinds of values in a marker.
const POINT: u128 = 31;
const PAIR: u128 = 32;
const RECORD: u128 = 33;
const SET: u128 = 34;
const FREE: u128 = 35;

/// A path one step longer.
pub(super) fn step(path: u128, token: u128) -> u128 {
    mix::pair(path, token)
}

/// A step with something written on it.
pub(super) fn written(token: u128, text: u128) -> u128 {
    mix::pair(text, token)
}

/// Whether a value contains no point.
pub(super) fn pointless(v: &Value, group: &Group) -> bool {
    match v {
        Value::Elem(s, i) => group.point(*s, *i).is_none(),
        Value::Pair(p) => pointless(&p.0, group) && pointless(&p.1, group),
        Value::Rec(fields) => fields.iter().all(|f| pointless(f, group)),
        Value::Free(_, _, Some(arg)) => pointless(arg, group),
        Value::Set(s) => s.items().iter().all(|x| pointless(x, group)),
        Value::Bool(_)
        | Value::Int(_)
        | Value::Big(_)
        | Value::Real(_)
        | Value::Str(_)
        | Value::Free(_, _, None)
        | Value::Lazy(_) => true,
    }
}

/// Calls `sink` with each point of a value and the path on which it occurs.
pub(super) fn paths(v: &Value, path: u128, rules: Rules, group: &Group, sink: &mut dyn FnMut(u32, u128)) {
    match v {
        Value::Elem(s, i) => {
            if let Some(p) = group.point(*s, *i) {
                sink(p, path);
            }
        }
        Value::Set(s) => {
            let path = step(path, ELEMENT);
            for x in s.items() {
                paths(x, path, rules, group, sink);
            }
        }
        Value::Pair(p) => {
            let (a, b) = (&p.0, &p.1);
            if rules == Rules::Basic {
                paths(a, step(path, LEFT), rules, group, sink);
                paths(b, step(path, RIGHT), rules, group, sink);
                return;
            }
            match (pointless(a, group), pointless(b, group)) {
                (true, true) => {}
                (false, true) => paths(a, step(path, written(TO, plain(b))), rules, group, sink),
                (true, false) => paths(b, step(path, written(FROM, plain(a))), rules, group, sink),
                (false, false) if a == b => paths(a, step(path, BOTH), rules, group, sink),
                (false, false) => {
                    paths(a, step(path, LEFT), rules, group, sink);
                    paths(b, step(path, RIGHT), rules, group, sink);
                }
            }
        }
        Value::Rec(fields) => {
            // All fields without points are written on the steps to the others.
            let fixed = if rules == Rules::Basic { 0 } else { fixed_fields(fields, group) };
            for (i, f) in (0u128..).zip(fields.iter()) {
                paths(f, step(path, written(FIELD + (i << 8), fixed)), rules, group, sink);
            }
        }
        Value::Free(t, c, Some(arg)) => {
            let which = u128::from(*t) << 16 | u128::from(*c);
            paths(arg, step(path, written(CONSTRUCTOR, which)), rules, group, sink);
        }
        Value::Bool(_)
        | Value::Int(_)
        | Value::Big(_)
        | Value::Real(_)
        | Value::Str(_)
        | Value::Free(_, _, None)
        | Value::Lazy(_) => {}
    }
}

/// A hash of the fields without points and their positions.
pub(super) fn fixed_fields(fields: &[Value], group: &Group) -> u128 {
    let fixed = (0u128..).zip(fields).filter(|(_, f)| pointless(f, group));
    fixed.fold(0, |h, (i, f)| mix::pair(mix::pair(h, i), plain(f)))
}

/// All points of the value at a place, with the hashes of their paths.
pub(super) fn occurrences(v: &Value, place: u128, rules: Rules, group: &Group) -> Vec<(u32, u128)> {
    let mut all = Vec::new();
    if rules == Rules::Tree {
        for (point, items) in tree::occurrences(v, group) {
            all.extend(items.into_iter().map(|item| (point, step(place, item))));
        }
    } else {
        paths(v, place, rules, group, &mut |point, path| all.push((point, path)));
    }
    all
}

/// The colours of all points: sums of the hashes of their paths.
pub(super) fn colours(vector: &Vector, places: &Places, rules: Rules, group: &Group) -> Vec<u128> {
    let mut colours = vec![0u128; group.points().len()];
    for (place, v) in vector.values(places) {
        for (point, path) in occurrences(v, place, rules, group) {
            if let Some(c) = colours.get_mut(point as usize) {
                *c = c.wrapping_add(path);
            }
        }
    }
    colours
}

/// The hash of a value with points replaced by their colours and sets by multisets.
pub(super) fn marked(v: &Value, colours: &[u128], group: &Group) -> u128 {
    match v {
        Value::Elem(s, i) => match group.point(*s, *i) {
            Some(p) => mix::pair(colours.get(p as usize).copied().unwrap_or(0), POINT),
            None => plain(v),
        },
        Value::Pair(p) => {
            mix::pair(mix::pair(marked(&p.0, colours, group), PAIR), marked(&p.1, colours, group))
        }
        Value::Rec(fields) => fields.iter().fold(RECORD, |h, f| mix::pair(h, marked(f, colours, group))),
        Value::Free(t, c, Some(arg)) => {
            let which = u128::from(*t) << 16 | u128::from(*c);
            mix::pair(mix::pair(which, FREE), marked(arg, colours, group))
        }
        Value::Set(s) => multiset(s.items().iter().map(|x| marked(x, colours, group))),
        Value::Bool(_)
        | Value::Int(_)
        | Value::Big(_)
        | Value::Real(_)
        | Value::Str(_)
        | Value::Free(_, _, None)
        | Value::Lazy(_) => plain(v),
    }
}

/// The hash of a multiset from the hashes of its members.
pub(super) fn multiset(items: impl Iterator<Item = u128>) -> u128 {
    let (mut sum, mut n) = (0u128, 0u128);
    for x in items {
        sum = sum.wrapping_add(mix::mix(x));
        n += 1;
    }
    mix::pair(sum, SET + (n << 8))
}

/// The hash of a vector's marker.
pub(super) fn marker(vector: &Vector, places: &Places, rules: Rules, group: &Group) -> u128 {
    let colours = colours(vector, places, rules, group);
    let parts = vector.values(places).map(|(place, v)| mix::pair(place, marked(v, &colours, group)));
    mix::pair(vector.tag(), parts.fold(0, u128::wrapping_add))
}
