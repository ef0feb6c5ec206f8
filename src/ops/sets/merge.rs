//! Union, intersection and difference of sorted sets.
//!
//! A small set is searched for in a large one, so that adding or removing one member costs a search and a
//! copy; sets of like size are walked together. An interval takes a piece out of the other set, whose ends are searched
//! for. An unchanged set is returned as it is, without a copy.

use crate::value::set::ahead;
use crate::value::{SetRef, Value};
use std::cmp::Ordering;
use std::ops::Range;

/// How many times larger a set must be for searching to beat walking.
const SKEW: usize = 8;

/// All members of both.
pub(in crate::ops) fn union(a: &SetRef, b: &SetRef) -> SetRef {
    let (large, small) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    if small.is_empty() || a.same(b) {
        return large.clone();
    }
    if small.len().saturating_mul(SKEW) <= large.len() {
        return insert(large, small);
    }
    let (x, y) = (a.items(), b.items());
    let mut out = Vec::with_capacity(x.len() + y.len());
    let (mut i, mut j) = (0, 0);
    while let (Some(p), Some(q)) = (x.get(i), y.get(j)) {
        let order = p.cmp(q);
        out.push(if order.is_le() { p.clone() } else { q.clone() });
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
    }
    out.extend_from_slice(x.get(i..).unwrap_or_default());
    out.extend_from_slice(y.get(j..).unwrap_or_default());
    SetRef::from_members(out, &[a, b])
}

/// A large set with the members of a small one.
fn insert(large: &SetRef, small: &SetRef) -> SetRef {
    let mut rest = large.items();
    let mut out: Vec<Value> = Vec::new();
    for q in small.items() {
        let at = ahead(rest, q);
        let (before, after) = rest.split_at(at);
        if after.first() == Some(q) {
            continue;
        }
        if out.capacity() == 0 {
            out.reserve_exact(large.len() + small.len());
            out.extend_from_slice(large.items().get(..large.len() - rest.len()).unwrap_or_default());
        }
        out.extend_from_slice(before);
        out.push(q.clone());
        rest = after;
    }
    if out.is_empty() {
        return large.clone();
    }
    out.extend_from_slice(rest);
    SetRef::from_members(out, &[large, small])
}

/// Where in a set the members lie that an interval has, too; `None` if the other set is no interval.
fn piece(of: &SetRef, interval: &SetRef) -> Option<Range<usize>> {
    let (Value::Int(lo), Value::Int(hi)) = (interval.items().first()?, interval.items().last()?) else {
        return None;
    };
    if usize::try_from(hi.checked_sub(*lo)?).ok()?.checked_add(1)? != interval.len() {
        return None;
    }
    let (lo, hi) = (Value::Int(*lo), Value::Int(*hi));
    let begin = of.items().partition_point(|v| *v < lo);
    Some(begin..of.items().partition_point(|v| *v <= hi))
}

/// The members of both.
pub(in crate::ops) fn inter(a: &SetRef, b: &SetRef) -> SetRef {
    for (x, y) in [(a, b), (b, a)] {
        match piece(x, y) {
            Some(all) if all.len() == x.len() => return x.clone(),
            Some(some) => {
                return SetRef::from_members(x.items().get(some).unwrap_or_default().to_vec(), &[x]);
            }
            None => {}
        }
    }
    let (large, small) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let out = if small.len().saturating_mul(SKEW) <= large.len() {
        seek(small, large, true)
    } else {
        walk(small, large, true)
    };
    if out.len() == small.len() { small.clone() } else { SetRef::from_members(out, &[small]) }
}

/// The members of the first that are not in the second.
pub(in crate::ops) fn diff(a: &SetRef, b: &SetRef) -> SetRef {
    if a.is_empty() || b.is_empty() {
        return a.clone();
    }
    if let Some(gone) = piece(a, b) {
        if gone.is_empty() {
            return a.clone();
        }
        let mut out = Vec::with_capacity(a.len() - gone.len());
        out.extend_from_slice(a.items().get(..gone.start).unwrap_or_default());
        out.extend_from_slice(a.items().get(gone.end..).unwrap_or_default());
        return SetRef::from_members(out, &[a]);
    }
    let out = if a.len().saturating_mul(SKEW) <= b.len() {
        seek(a, b, false)
    } else if b.len().saturating_mul(SKEW) <= a.len() {
        return remove(a, b);
    } else {
        walk(a, b, false)
    };
    if out.len() == a.len() { a.clone() } else { SetRef::from_members(out, &[a]) }
}

/// A large set without the members of a small one.
fn remove(large: &SetRef, small: &SetRef) -> SetRef {
    let mut rest = large.items();
    let mut out: Vec<Value> = Vec::new();
    for q in small.items() {
        let at = ahead(rest, q);
        let (before, after) = rest.split_at(at);
        if after.first() != Some(q) {
            // Not a member: it stays undecided which part is copied until one is.
            if out.capacity() > 0 {
                out.extend_from_slice(before);
                rest = after;
            }
            continue;
        }
        if out.capacity() == 0 {
            out.reserve_exact(large.len());
            out.extend_from_slice(large.items().get(..large.len() - rest.len()).unwrap_or_default());
        }
        out.extend_from_slice(before);
        rest = after.get(1..).unwrap_or_default();
    }
    if out.capacity() == 0 {
        return large.clone();
    }
    out.extend_from_slice(rest);
    SetRef::from_members(out, &[large])
}

/// The members of a small set that are (or are not) in a large one, each searched for from the last one's place on.
fn seek(small: &SetRef, large: &SetRef, inside: bool) -> Vec<Value> {
    let mut rest = large.items();
    let mut out = Vec::new();
    for x in small.items() {
        rest = rest.get(ahead(rest, x)..).unwrap_or_default();
        if (rest.first() == Some(x)) == inside {
            out.push(x.clone());
        }
    }
    out
}

/// The members of `a` that are (or are not) in `b`, walking both.
fn walk(a: &SetRef, b: &SetRef, inside: bool) -> Vec<Value> {
    let mut rest = b.items();
    let mut out = Vec::with_capacity(a.len());
    for x in a.items() {
        let mut found = false;
        while let Some((y, after)) = rest.split_first() {
            match y.cmp(x) {
                Ordering::Less => rest = after,
                Ordering::Equal => {
                    found = true;
                    rest = after;
                    break;
                }
                Ordering::Greater => break,
            }
        }
        if found == inside {
            out.push(x.clone());
        }
    }
    out
}
