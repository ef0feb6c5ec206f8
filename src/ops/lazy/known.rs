//! What is known of relations without a list of what is lazy in them.
//!
//! In: a relation, in extension or lazy. Out: whether it is a function, or where its sides are; `None` if that is not known.
//! Whoever is made of several relations asks each of them here (`combine`, `overridden`).

use super::arrows::Arrows;
use super::compare::{self, kind};
use super::product::Product;
use crate::ops::args::sides;
use crate::ops::membership::inclusion::{contains, subset};
use crate::ops::{Cx, Op};
use crate::value::{SetRef, Value};

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

/// Whether a relation is certainly a function with a value for all members of a set.
pub(crate) fn is_function_on(v: &Value, set: &Value, cx: &Cx<'_>) -> bool {
    let within = |dom: &Value| matches!(subset(set, dom, cx), Ok(true));
    if is_function(v, cx) == Some(true) {
        let dom = match v {
            Value::Lazy(l) => l.domain(cx).and_then(Result::ok),
            v => side(v, |(a, _)| a),
        };
        return dom.is_some_and(|dom| within(&dom));
    }
    let Some((dom, ran)) = around(v, cx) else { return false };
    let total = Value::lazy(Arrows { op: Op::TotalFun, dom: dom.clone(), ran });
    within(&dom) && matches!(contains(&total, v, cx), Ok(true))
}

/// Whether all members of a set of relations are such functions.
pub(crate) fn are_functions_on(all: &Value, set: &Value, cx: &Cx<'_>) -> bool {
    if let Some(arrows) = kind::<Arrows>(all) {
        let total = arrows.total() && arrows.functional();
        return total && matches!(subset(set, &arrows.dom, cx), Ok(true));
    }
    let Value::Set(all) = all else { return false };
    all.is_extension() && all.items().iter().all(|v| is_function_on(v, set, cx))
}

/// A set that includes the right sides of a relation.
pub(crate) fn rights_around(v: &Value, cx: &Cx<'_>) -> Option<Value> {
    side(v, |(_, b)| b).or_else(|| Some(around(v, cx)?.1))
}

/// A set that includes the right sides of all members of a set of relations.
pub(crate) fn rights_around_all(all: &Value) -> Option<Value> {
    if let Some(arrows) = kind::<Arrows>(all) {
        return Some(arrows.ran.clone());
    }
    let Value::Set(all) = all else { return None };
    let mut rights = Vec::new();
    for v in all.items() {
        let Value::Set(some) = side(v, |(_, b)| b)? else { return None };
        rights.extend_from_slice(some.items());
    }
    Some(Value::Set(SetRef::from_vec(rights)))
}

/// One side of all pairs of a relation in extension.
fn side<'v>(v: &'v Value, pick: impl Fn((&'v Value, &'v Value)) -> &'v Value) -> Option<Value> {
    let Value::Set(s) = v else { return None };
    let all = s.items().iter().map(|pair| Some(pick(sides(pair).ok()?).clone()));
    s.is_extension().then(|| all.collect::<Option<Vec<_>>>().map(|all| Value::Set(SetRef::from_vec(all))))?
}

/// The sides of a product that includes a relation that is not listed.
fn around(v: &Value, cx: &Cx<'_>) -> Option<(Value, Value)> {
    let Value::Lazy(l) = v else { return None };
    let within = l.within(cx)?;
    let Product { left, right } = kind::<Product>(&within)?;
    Some((left.clone(), right.clone()))
}
