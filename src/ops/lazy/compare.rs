//! What can be said of lazy sets by their shape: whether one is a whole type, equality, inclusion.
//!
//! A rule answers only where it is sure; where none does, sizes decide, and then listing.

use super::arrows::Arrows;
use super::combine::Combined;
use super::numbers::{self, Numbers};
use super::powers::Powers;
use super::product::Product;
use super::range::Range;
use super::samples;
use super::seqs::Seqs;
use super::whole::Whole;
use super::{known, region, rules};
use crate::diagnostic::Code;
use crate::ops::compare::equality::{both, equal};
use crate::ops::extension::{each_holds, empty, expand, expand_deep, infinite, is_empty, size};
use crate::ops::membership::inclusion::{contains, subset};
use crate::ops::sets::product;
use crate::ops::{Cx, Fault, Op};
use crate::value::symbolic::Size;
use crate::value::{Lazy, Value};
use std::any::Any;

/// A rule's answer, if it has one.
type Answer = Option<Result<bool, Fault>>;

pub(super) fn kind<T: Any>(v: &Value) -> Option<&T> {
    match v {
        Value::Lazy(l) => l.as_any().downcast_ref(),
        _ => None,
    }
}

/// Both values as lazy sets of one kind.
pub(super) fn kinds<'v, T: Any>(a: &'v Value, b: &'v Value) -> Option<(&'v T, &'v T)> {
    Some((kind(a)?, kind(b)?))
}

/// Whether a set is known to hold all values of its type.
pub(in crate::ops) fn is_whole(set: &Value, cx: &Cx<'_>) -> bool {
    match set {
        Value::Set(s) => match s.items().first() {
            Some(Value::Bool(_)) => s.len() == 2,
            Some(Value::Elem(id, _)) => {
                let n = cx.world.card.get(usize::from(id.0)).and_then(|n| usize::try_from(*n).ok());
                n == Some(s.len())
            }
            _ => false,
        },
        Value::Lazy(_) => {
            let whole = |v| is_whole(v, cx);
            kind::<Numbers>(set).is_some_and(|n| n.lo.is_none() && n.hi.is_none())
                || kind::<Whole>(set).is_some()
                || kind::<Product>(set).is_some_and(|p| whole(&p.left) && whole(&p.right))
                || kind::<Powers>(set).is_some_and(|p| !p.nonempty && !p.finite && whole(&p.base))
                || kind::<Arrows>(set).is_some_and(|a| a.op == Op::Rel && whole(&a.dom) && whole(&a.ran))
        }
        _ => false,
    }
}

/// Equality of sets of which at least one is lazy.
pub(in crate::ops) fn equal_sets(a: &Value, b: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
    if let (Value::Lazy(x), Value::Lazy(y)) = (a, b)
        && std::ptr::addr_eq(std::sync::Arc::as_ptr(x), std::sync::Arc::as_ptr(y))
    {
        return Ok(true);
    }
    if let Some(answer) = same_shape(a, b, cx) {
        return answer;
    }
    match (size(a, cx), size(b, cx)) {
        (Size::Exact(x), Size::Exact(y)) if x != y => return Ok(false),
        (Size::Exact(n), _) if n == 0.into() => return is_empty(b, cx),
        (_, Size::Exact(n)) if n == 0.into() => return is_empty(a, cx),
        (Size::Infinite, Size::Exact(_)) | (Size::Exact(_), Size::Infinite) => return Ok(false),
        (Size::Infinite, _) | (_, Size::Infinite) if let Some(answer) = by_form(a, b, cx) => {
            return Ok(answer);
        }
        _ => {}
    }
    let listed = |v: &Value| expand_deep(&Value::Set(expand(v, cx)?), cx);
    let (x, y) = (listed(a), listed(b));
    match (x, y) {
        (Ok(x), Ok(y)) => Ok(x == y),
        // One side can be listed: the other is equal only if it is finite, too.
        (Ok(_), Err(_)) if size(b, cx) == Size::Infinite => Ok(false),
        (Err(_), Ok(_)) if size(a, cx) == Size::Infinite => Ok(false),
        (Err(f), _) | (_, Err(f)) if stopped(&f) => Err(f),
        (Err(f), _) | (_, Err(f)) => by_form(a, b, cx).ok_or(f),
    }
}

/// Whether two sets that cannot be listed are equal, as their forms, their rules or a member of one of them tell.
fn by_form(a: &Value, b: &Value, cx: &Cx<'_>) -> Option<bool> {
    if let (Some(x), Some(y)) = (region::of(a, cx), region::of(b, cx)) {
        match (region::subset(&x, &y, cx), region::subset(&y, &x, cx)) {
            (Some(false), _) | (_, Some(false)) => return Some(false),
            (Some(true), Some(true)) => return Some(true),
            _ => {}
        }
    }
    if same_rule(a, b, cx) == Some(true) {
        return Some(true);
    }
    (samples::refute(a, b, cx) || samples::refute(b, a, cx)).then_some(false)
}

/// Whether two functions have the same rule on the same domain.
fn same_rule(a: &Value, b: &Value, cx: &Cx<'_>) -> Option<bool> {
    let (Value::Lazy(f), Value::Lazy(g)) = (a, b) else { return None };
    if f.rule(cx)? != g.rule(cx)? {
        return None;
    }
    equal(&f.domain(cx)?.ok()?, &g.domain(cx)?.ok()?, cx).ok()
}

/// Whether nothing else may be tried after a fault.
fn stopped(f: &Fault) -> bool {
    f.0.code == Code::Interrupted
}

fn same_shape(a: &Value, b: &Value, cx: &Cx<'_>) -> Answer {
    if let (Some(x), Some(y)) = (numbers::of(a), numbers::of(b)) {
        return Some(Ok(x == y || x.is_empty() && y.is_empty()));
    }
    if is_whole(a, cx) && is_whole(b, cx) {
        return Some(Ok(true));
    }
    if let Some((p, q)) = kinds::<Powers>(a, b) {
        return same_powers(p, q, cx);
    }
    if let Some((p, q)) = kinds::<Product>(a, b) {
        let parts = both(equal(&p.left, &q.left, cx), || equal(&p.right, &q.right, cx));
        // Products determine their factors unless one factor is empty.
        let parts_decide = [&p.left, &p.right, &q.left, &q.right].iter().all(|v| empty(v, cx) == Some(false));
        return matches!(parts, Ok(true)).then_some(Ok(true)).or(parts_decide.then_some(parts));
    }
    if let Some((p, q)) = kinds::<Arrows>(a, b)
        && p.op == q.op
    {
        let parts = both(equal(&p.dom, &q.dom, cx), || equal(&p.ran, &q.ran, cx));
        let filled = [&p.dom, &p.ran, &q.dom, &q.ran].iter().all(|v| empty(v, cx) == Some(false));
        let parts_decide = filled && matches!(p.op, Op::Rel | Op::PartialFun | Op::TotalFun | Op::PartialInj);
        return matches!(parts, Ok(true)).then_some(Ok(true)).or(parts_decide.then_some(parts));
    }
    if let Some((p, q)) = kinds::<Seqs>(a, b)
        && p.kind == q.kind
    {
        return Some(equal(&p.base, &q.base, cx));
    }
    None
}

fn same_powers(p: &Powers, q: &Powers, cx: &Cx<'_>) -> Answer {
    if p.nonempty != q.nonempty {
        return Some(Ok(false));
    }
    let finite = |v| matches!(size(v, cx), Size::Exact(_));
    if p.finite == q.finite || finite(&p.base) || finite(&q.base) {
        return Some(equal(&p.base, &q.base, cx));
    }
    let infinite = |v| size(v, cx) == Size::Infinite;
    (infinite(&p.base) || infinite(&q.base)).then_some(Ok(false))
}

/// Inclusion of a lazy set in any set.
pub(in crate::ops) fn lazy_subset(a: &Value, b: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
    if is_whole(b, cx) {
        return Ok(true);
    }
    if let (Value::Lazy(x), Value::Lazy(y)) = (a, b)
        && std::ptr::addr_eq(std::sync::Arc::as_ptr(x), std::sync::Arc::as_ptr(y))
    {
        return Ok(true);
    }
    if let Some(answer) = shaped_subset(a, b, cx) {
        return answer;
    }
    if let Value::Lazy(l) = a
        && let Some(around) = l.within(cx)
        && let Ok(true) = subset(&around, b, cx)
    {
        return Ok(true);
    }
    match (size(a, cx), size(b, cx)) {
        (Size::Exact(x), Size::Exact(y)) if x > y => return Ok(false),
        (Size::Infinite, Size::Exact(_)) => return Ok(false),
        (Size::Infinite, _) => {
            if let Value::Lazy(l) = a {
                return within_by_form(a, b, cx).ok_or_else(|| infinite(&**l));
            }
        }
        _ => {}
    }
    match each_holds(a, cx, |x| contains(b, x, cx)) {
        Err(f) if matches!(f.0.code, Code::Infinite | Code::TooLarge) => within_by_form(a, b, cx).ok_or(f),
        answer => answer,
    }
}

/// Whether the right sides of a relation are known to be in a set.
pub(super) fn maps_into(f: &dyn Lazy, domain: &Value, ran: &Value, cx: &Cx<'_>) -> Option<bool> {
    let range = f.rule(cx).and_then(|rule| rules::range(&rule, domain, cx));
    let inside = is_whole(ran, cx) || range.is_some_and(|r| matches!(subset(&r, ran, cx), Ok(true)));
    if inside { Some(true) } else { f.maps_into(ran, cx) }
}

/// Whether a set that cannot be listed is included in another, as their forms or a member of the first tell.
fn within_by_form(a: &Value, b: &Value, cx: &Cx<'_>) -> Option<bool> {
    if let (Some(x), Some(y)) = (region::of(a, cx), region::of(b, cx))
        && let Some(answer) = region::subset(&x, &y, cx)
    {
        return Some(answer);
    }
    if let Some(range) = kind::<Range>(a)
        && let Some(true) = known::into(&range.of, b, cx)
    {
        return Some(true);
    }
    if let (Value::Lazy(f), Some(p)) = (a, kind::<Product>(b))
        && let Some(Ok(domain)) = f.domain(cx)
        && let (Ok(true), Some(true)) = (subset(&domain, &p.left, cx), maps_into(&**f, &domain, &p.right, cx))
    {
        return Some(true);
    }
    samples::refute(a, b, cx).then_some(false)
}

pub(super) fn shaped_subset(a: &Value, b: &Value, cx: &Cx<'_>) -> Answer {
    if let (Some(x), Some(y)) = (numbers::of(a), numbers::of(b)) {
        return Some(Ok(x.is_within(&y)));
    }
    if let Some(answer) = combined_subset(a, b, cx) {
        return Some(answer);
    }
    if let Some((p, q)) = kinds::<Product>(a, b) {
        let parts = both(subset(&p.left, &q.left, cx), || subset(&p.right, &q.right, cx));
        let filled = [&p.left, &p.right].iter().all(|v| empty(v, cx) == Some(false));
        return matches!(parts, Ok(true)).then_some(Ok(true)).or(filled.then_some(parts));
    }
    if let Some((p, q)) = kinds::<Powers>(a, b)
        && (p.nonempty || !q.nonempty)
        && (p.finite || !q.finite)
    {
        // The members of the first are all subsets of its base, and singletons of all its members.
        return Some(subset(&p.base, &q.base, cx));
    }
    if let (Some(p), Some(q)) = (kind::<Arrows>(a), kind::<Powers>(b))
        && !q.nonempty
        && !q.finite
    {
        return certain(subset(&product::of(&p.dom, &p.ran), &q.base, cx));
    }
    if let Some((p, q)) = kinds::<Arrows>(a, b)
        && p.implies(q)
    {
        let left = if q.total() { equal(&p.dom, &q.dom, cx) } else { subset(&p.dom, &q.dom, cx) };
        let right = || if q.onto() { equal(&p.ran, &q.ran, cx) } else { subset(&p.ran, &q.ran, cx) };
        return certain(both(left, right));
    }
    if let Some((p, q)) = kinds::<Seqs>(a, b)
        && (!q.injective() || p.injective())
        && (q.may_be_empty() || !p.may_be_empty())
        && q.kind != Op::Perm
    {
        return certain(subset(&p.base, &q.base, cx));
    }
    None
}

fn combined_subset(a: &Value, b: &Value, cx: &Cx<'_>) -> Answer {
    if let Some(c) = kind::<Combined>(a) {
        return match c.op {
            Op::Union => Some(both(subset(&c.left, b, cx), || subset(&c.right, b, cx))),
            Op::Inter => certain(subset(&c.left, b, cx)).or_else(|| certain(subset(&c.right, b, cx))),
            _ => certain(subset(&c.left, b, cx)),
        };
    }
    let c = kind::<Combined>(b)?;
    match c.op {
        Op::Union => certain(subset(a, &c.left, cx)).or_else(|| certain(subset(a, &c.right, cx))),
        Op::Inter => Some(both(subset(a, &c.left, cx), || subset(a, &c.right, cx))),
        _ => None,
    }
}

/// The answer of a rule that is sure only of yes.
fn certain(answer: Result<bool, Fault>) -> Answer {
    matches!(answer, Ok(true)).then_some(answer)
}
