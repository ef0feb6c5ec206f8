//! Sets that operators make without enumerating them: one file per kind.
//!
//! Membership is structural. Also here: what can be said of two lazy sets by their shape alone.

pub(super) mod arrows;
pub(super) mod combine;
pub(super) mod mapped;
pub mod numbers;
pub(super) mod powers;
pub(super) mod product;
pub(super) mod seqs;
pub(super) mod types;

use super::sets::{equal, subset};
use super::{Cx, Fault, World};
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use arrows::Arrows;
use powers::Powers;
use product::Product;
use std::sync::Arc;

/// All values of a type.
#[must_use]
pub fn whole(ty: &Ty, world: &World) -> Value {
    match ty {
        Ty::Bool => Value::Set(SetRef::from_sorted(vec![Value::Bool(false), Value::Bool(true)])),
        Ty::Given(s) => {
            let n = world.card.get(usize::from(s.0)).copied().unwrap_or(0);
            Value::Set(SetRef::from_sorted((0..n).map(|i| Value::Elem(*s, i)).collect()))
        }
        Ty::Int => Value::Lazy(Arc::new(numbers::Numbers { lo: None, hi: None })),
        Ty::Pow(t) => Value::Lazy(Arc::new(Powers { base: whole(t, world), nonempty: false, finite: false })),
        Ty::Pair(a, b) => Value::Lazy(Arc::new(Product { left: whole(a, world), right: whole(b, world) })),
        Ty::Any => Value::empty(),
        Ty::Str | Ty::Real | Ty::Rec(_) | Ty::Free(_) => {
            Value::Lazy(Arc::new(types::Whole { ty: ty.clone() }))
        }
    }
}

/// Whether a set is known to hold all values of its type.
pub(super) fn is_whole(set: &Value, cx: &Cx<'_>) -> bool {
    match set {
        Value::Set(s) => match s.items().first() {
            Some(Value::Bool(_)) => s.items().len() == 2,
            Some(Value::Elem(id, _)) => cx
                .world
                .card
                .get(usize::from(id.0))
                .is_some_and(|n| usize::try_from(*n).is_ok_and(|n| n == s.items().len())),
            _ => false,
        },
        Value::Lazy(l) => {
            let any = l.as_any();
            if let Some(n) = any.downcast_ref::<numbers::Numbers>() {
                return n.lo.is_none() && n.hi.is_none();
            }
            if let Some(p) = any.downcast_ref::<Product>() {
                return is_whole(&p.left, cx) && is_whole(&p.right, cx);
            }
            if let Some(p) = any.downcast_ref::<Powers>() {
                return !p.nonempty && !p.finite && is_whole(&p.base, cx);
            }
            any.is::<types::Whole>()
        }
        _ => false,
    }
}

/// Equality of two lazy sets of the same kind, where their parts decide it.
pub(super) fn same_shape(a: &Value, b: &Value, cx: &Cx<'_>) -> Option<Result<bool, Fault>> {
    let (Value::Lazy(x), Value::Lazy(y)) = (a, b) else { return None };
    let (x, y) = (x.as_any(), y.as_any());
    if let (Some(p), Some(q)) = (x.downcast_ref::<Powers>(), y.downcast_ref::<Powers>())
        && p.nonempty == q.nonempty
        && p.finite == q.finite
    {
        return Some(equal(&p.base, &q.base, cx));
    }
    if let (Some(p), Some(q)) = (x.downcast_ref::<Product>(), y.downcast_ref::<Product>()) {
        let same = equal(&p.left, &q.left, cx).and_then(|l| Ok(l && equal(&p.right, &q.right, cx)?));
        // Different parts may still be equal products if one is empty: let counting decide.
        return match same {
            Ok(true) => Some(Ok(true)),
            _ => None,
        };
    }
    if let (Some(p), Some(q)) = (x.downcast_ref::<Arrows>(), y.downcast_ref::<Arrows>())
        && p.op == q.op
    {
        let same = equal(&p.dom, &q.dom, cx).and_then(|l| Ok(l && equal(&p.ran, &q.ran, cx)?));
        return if matches!(same, Ok(true)) { Some(same) } else { None };
    }
    if let (Some(p), Some(q)) = (x.downcast_ref::<types::Whole>(), y.downcast_ref::<types::Whole>()) {
        return Some(Ok(p.ty == q.ty));
    }
    None
}

/// Inclusion of two lazy sets where their parts decide it.
pub(super) fn shaped_subset(a: &Value, b: &Value, cx: &Cx<'_>) -> Option<Result<bool, Fault>> {
    let (Value::Lazy(x), Value::Lazy(y)) = (a, b) else { return None };
    let (x, y) = (x.as_any(), y.as_any());
    if let (Some(p), Some(q)) = (x.downcast_ref::<Product>(), y.downcast_ref::<Product>()) {
        let both = subset(&p.left, &q.left, cx).and_then(|l| Ok(l && subset(&p.right, &q.right, cx)?));
        return if matches!(both, Ok(true)) { Some(both) } else { None };
    }
    if let (Some(p), Some(q)) = (x.downcast_ref::<Powers>(), y.downcast_ref::<Powers>())
        && (p.nonempty || !q.nonempty)
        && (p.finite || !q.finite)
    {
        return Some(subset(&p.base, &q.base, cx));
    }
    None
}
