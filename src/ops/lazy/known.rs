//! What is known of relations without a list of what is lazy in them.
//!
//! In: a relation, in extension or lazy. Out: whether it is a function, or where its right sides are; `None` if that is not known.
//! Whoever is made of several relations asks each of them here (`combine`, `overridden`).

use super::compare;
use crate::ops::Cx;
use crate::ops::args::sides;
use crate::ops::membership::inclusion::contains;
use crate::value::Value;

/// Whether a relation is a function.
pub(super) fn is_function(v: &Value, cx: &Cx<'_>) -> Option<bool> {
    let pairs = match v {
        Value::Lazy(l) => return l.functional(cx),
        Value::Set(s) if s.is_extension() => s.items(),
        _ => return None,
    };
    let left = |pair| sides(pair).ok().map(|(a, _)| a);
    let lefts = pairs.iter().map(left).collect::<Option<Vec<_>>>()?;
    Some(lefts.windows(2).all(|w| w[0] != w[1]))
}

/// `Some(true)` if the right sides of a relation are all in a set.
pub(super) fn into(v: &Value, ran: &Value, cx: &Cx<'_>) -> Option<bool> {
    let inside = match v {
        Value::Lazy(l) => compare::maps_into(&**l, &l.domain(cx)?.ok()?, ran, cx)?,
        v => has_rights_in(v, ran, cx),
    };
    inside.then_some(true)
}

/// Whether the right sides of a relation in extension are all in a set.
pub(crate) fn has_rights_in(v: &Value, ran: &Value, cx: &Cx<'_>) -> bool {
    let Value::Set(s) = v else { return false };
    let inside = |pair: &Value| sides(pair).is_ok_and(|(_, y)| matches!(contains(ran, y, cx), Ok(true)));
    s.is_extension() && s.items().iter().all(inside)
}
