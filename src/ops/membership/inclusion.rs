//! Membership and inclusion, on sets of every representation.

use crate::ops::compare::equality::equal;
use crate::ops::extension::no_set;
use crate::ops::lazy::compare::{is_whole, lazy_subset};
use crate::ops::lazy::numbers::Numbers;
use crate::ops::{Cx, Fault};
use crate::value::symbolic::Size;
use crate::value::{SetRef, Value};
use std::cmp::Ordering;

/// Whether `v` is a member of `set`.
///
/// # Errors
/// A fault of the set's definition.
pub fn contains(set: &Value, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
    match set {
        Value::Set(s) if s.is_extension() && v.is_extension() => Ok(s.contains(v)),
        Value::Set(s) => {
            for x in s.items() {
                if equal(x, v, cx)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        // Nothing is a member of what has none, whether it has a value or not.
        Value::Lazy(l) => match l.contains(v, cx) {
            Err(f) if f.is_of_machine() && l.size(cx) == Size::Exact(0.into()) => Ok(false),
            answer => answer,
        },
        _ => Err(no_set()),
    }
}

/// Whether every member of `a` is in `b`.
///
/// # Errors
/// Nobody can tell without listing an infinite set, or a fault of a set's definition.
pub fn subset(a: &Value, b: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
    match (a, b) {
        (Value::Set(x), Value::Set(y)) if x.is_extension() && y.is_extension() => Ok(within(x, y)),
        (Value::Set(x), _) => {
            if x.is_empty() || is_whole(b, cx) {
                return Ok(true);
            }
            if let (Value::Lazy(l), [first, .., last]) = (b, x.items())
                && l.as_any().is::<Numbers>()
            {
                return Ok(l.contains(first, cx)? && l.contains(last, cx)?);
            }
            for v in x.items() {
                if !contains(b, v, cx)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Value::Lazy(_), _) => lazy_subset(a, b, cx),
        _ => Err(no_set()),
    }
}

/// Whether `a` is a subset of `b` and not equal to it.
pub(in crate::ops) fn strict(a: &Value, b: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
    Ok(subset(a, b, cx)? && !equal(a, b, cx)?)
}

/// Inclusion of sorted sets: by search if the first is much smaller, else by walking both.
fn within(a: &SetRef, b: &SetRef) -> bool {
    if a.same(b) {
        return true;
    }
    if a.len() > b.len() {
        return false;
    }
    if a.len().saturating_mul(8) < b.len() {
        return a.items().iter().all(|x| b.contains(x));
    }
    let mut rest = b.items().iter();
    a.items()
        .iter()
        .all(|x| rest.by_ref().map(|y| y.cmp(x)).find(|order| order.is_ge()) == Some(Ordering::Equal))
}
