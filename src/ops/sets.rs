//! Sets: expansion, membership, the Boolean operators, power sets, cardinality.

use super::lazy::{combine, numbers, powers, product};
use super::{Cx, Fault, Op};
use crate::diagnostic::Code;
use crate::value::symbolic::Size;
use crate::value::{SetRef, Value};
use num_bigint::BigInt;
use std::cmp::Ordering;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Most members that a set in extension may have.
pub const MEMBER_LIMIT: usize = 20_000_000;

/// Intervals up to this size are sets in extension at once.
const SMALL_INTERVAL: i64 = 4096;

pub(super) fn member_faults(code: Code, text: impl Into<String>) -> Fault {
    Fault::new(code, text)
}

pub(super) fn no_set() -> Fault {
    Fault::new(Code::NotWellDefined, "a set was expected here")
}

/// A set in extension.
///
/// # Errors
/// `Infinite` or `TooLarge` if it cannot be enumerated, or a fault of its definition.
pub fn expand(v: &Value, cx: &Cx<'_>) -> Result<SetRef, Fault> {
    match v {
        Value::Set(s) => Ok(s.clone()),
        Value::Lazy(l) => {
            if let Size::Exact(n) = l.size(cx)
                && n > BigInt::from(MEMBER_LIMIT)
            {
                let text = format!("`{}` has {n} members, too many to be listed", l.describe());
                return Err(Fault::new(Code::TooLarge, text));
            }
            let mut items = Vec::new();
            let mut trouble = None;
            l.each(cx, &mut |x| {
                if items.len() >= MEMBER_LIMIT {
                    trouble =
                        Some(Fault::new(Code::TooLarge, format!("`{}` has too many members", l.describe())));
                    return ControlFlow::Break(());
                }
                if items.len() % 1024 == 1023 && cx.world.interrupt.raised() {
                    trouble = Some(interrupted());
                    return ControlFlow::Break(());
                }
                items.push(x);
                ControlFlow::Continue(())
            })?;
            trouble.map_or_else(|| Ok(SetRef::from_vec(items)), Err)
        }
        _ => Err(no_set()),
    }
}

/// The fault of an evaluation that was asked to stop.
pub(super) fn interrupted() -> Fault {
    Fault::new(Code::Interrupted, "evaluation was stopped")
}

/// The same value with every set in it in extension.
///
/// # Errors
/// As [`expand`].
pub fn expand_deep(v: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    if v.is_extension() {
        return Ok(v.clone());
    }
    Ok(match v {
        Value::Pair(p) => Value::pair(expand_deep(&p.0, cx)?, expand_deep(&p.1, cx)?),
        Value::Rec(fields) => {
            Value::Rec(fields.iter().map(|f| expand_deep(f, cx)).collect::<Result<Vec<_>, _>>()?.into())
        }
        Value::Free(t, c, Some(a)) => Value::Free(*t, *c, Some(Arc::new(expand_deep(a, cx)?))),
        Value::Set(_) | Value::Lazy(_) => {
            let items = expand(v, cx)?;
            let items: Result<Vec<Value>, Fault> = items.items().iter().map(|x| expand_deep(x, cx)).collect();
            Value::Set(SetRef::from_vec(items?))
        }
        _ => v.clone(),
    })
}

/// Whether `v` is a member of `set`.
pub fn contains(set: &Value, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
    match set {
        Value::Set(s) if v.is_extension() => Ok(s.contains(v)),
        Value::Set(s) if s.items().is_empty() => Ok(false),
        Value::Set(s) => {
            for x in s.items() {
                if equal(x, v, cx)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Value::Lazy(l) => l.contains(v, cx),
        _ => Err(no_set()),
    }
}

/// Whether two values are equal, whatever their representation.
pub fn equal(a: &Value, b: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
    match (a, b) {
        (Value::Lazy(x), Value::Lazy(y)) if std::ptr::addr_eq(Arc::as_ptr(x), Arc::as_ptr(y)) => Ok(true),
        (Value::Lazy(_), _) | (_, Value::Lazy(_)) => equal_sets(a, b, cx),
        (Value::Pair(p), Value::Pair(q)) => Ok(equal(&p.0, &q.0, cx)? && equal(&p.1, &q.1, cx)?),
        (Value::Rec(p), Value::Rec(q)) => all_equal(p, q, cx),
        (Value::Set(p), Value::Set(q)) => {
            if a.is_extension() && b.is_extension() {
                return Ok(a == b);
            }
            Ok(p.items().len() == q.items().len() && subset(a, b, cx)? && subset(b, a, cx)?)
        }
        _ => Ok(a.cmp(b) == Ordering::Equal),
    }
}

fn all_equal(a: &[Value], b: &[Value], cx: &Cx<'_>) -> Result<bool, Fault> {
    for (x, y) in a.iter().zip(b) {
        if !equal(x, y, cx)? {
            return Ok(false);
        }
    }
    Ok(a.len() == b.len())
}

fn equal_sets(a: &Value, b: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
    if let (Some(x), Some(y)) = (numbers::of(a), numbers::of(b)) {
        return Ok(x == y || x.is_empty() && y.is_empty());
    }
    if let Some(answer) = super::lazy::same_shape(a, b, cx) {
        return answer;
    }
    match (size(a, cx), size(b, cx)) {
        (Size::Exact(x), Size::Exact(y)) if x != y => return Ok(false),
        (Size::Infinite, Size::Exact(_)) | (Size::Exact(_), Size::Infinite) => return Ok(false),
        _ => {}
    }
    // A finite side decides by counting: equal iff it is a subset and the sizes agree.
    let (x, y) = (expand(a, cx), expand(b, cx));
    match (x, y) {
        (Ok(x), Ok(y)) => {
            let (x, y) = (expand_deep(&Value::Set(x), cx)?, expand_deep(&Value::Set(y), cx)?);
            Ok(x == y)
        }
        // One side can be listed, the other is infinite: not equal.
        (Ok(_), Err(f)) | (Err(f), Ok(_)) if f.0.code == Code::Infinite && known_infinite(a, b, cx) => {
            Ok(false)
        }
        (Err(f), _) | (_, Err(f)) => Err(f),
    }
}

fn known_infinite(a: &Value, b: &Value, cx: &Cx<'_>) -> bool {
    size(a, cx) == Size::Infinite || size(b, cx) == Size::Infinite
}

/// What is known of a set's size.
pub fn size(v: &Value, cx: &Cx<'_>) -> Size {
    match v {
        Value::Set(s) => Size::Exact(BigInt::from(s.items().len())),
        Value::Lazy(l) => l.size(cx),
        _ => Size::Unknown,
    }
}

/// Whether every member of `a` is in `b`.
pub fn subset(a: &Value, b: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
    if let (Some(x), Some(y)) = (numbers::of(a), numbers::of(b)) {
        return Ok(x.is_within(&y));
    }
    if let (Value::Set(x), Value::Set(y)) = (a, b)
        && x.items().len() > y.items().len()
        && a.is_extension()
    {
        return Ok(false);
    }
    if super::lazy::is_whole(b, cx) {
        return Ok(true);
    }
    if let Some(answer) = super::lazy::shaped_subset(a, b, cx) {
        return answer;
    }
    each_holds(a, cx, |x| contains(b, x, cx))
}

/// Whether a test holds for every member; stops at the first that fails it.
pub(super) fn each_holds(
    set: &Value,
    cx: &Cx<'_>,
    mut test: impl FnMut(&Value) -> Result<bool, Fault>,
) -> Result<bool, Fault> {
    match set {
        Value::Set(s) => {
            for x in s.items() {
                if !test(x)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Value::Lazy(l) => {
            let mut result = Ok(true);
            l.each(cx, &mut |x| {
                result = if cx.world.interrupt.raised() { Err(interrupted()) } else { test(&x) };
                if matches!(result, Ok(true)) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            result
        }
        _ => Err(no_set()),
    }
}

/// `<:`, `<<:` and their negations, `@finite`.
pub(super) fn relation(op: Op, a: &Value, b: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
    match op {
        Op::Subset => subset(a, b, cx),
        Op::NotSubset => Ok(!subset(a, b, cx)?),
        Op::StrictSubset => Ok(subset(a, b, cx)? && !equal(a, b, cx)?),
        _ => Ok(!(subset(a, b, cx)? && !equal(a, b, cx)?)),
    }
}

/// Whether a set is finite.
pub(super) fn finite(v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
    match size(v, cx) {
        Size::Exact(_) => Ok(true),
        Size::Infinite => Ok(false),
        Size::Unknown => match expand(v, cx) {
            Ok(_) => Ok(true),
            Err(f) if f.0.code == Code::Infinite => Ok(false),
            Err(f) => Err(f),
        },
    }
}

/// `@partition(S, A, B, ...)`.
pub(super) fn partition(args: &[Value], cx: &Cx<'_>) -> Result<bool, Fault> {
    let Some((whole, parts)) = args.split_first() else { return Ok(false) };
    let mut count = 0;
    let mut all = Value::empty();
    for p in parts {
        count += expand(p, cx)?.items().len();
        all = combine_sets(Op::Union, &all, p, cx)?;
    }
    Ok(expand(&all, cx)?.items().len() == count && equal(whole, &all, cx)?)
}

/// `\/`, `/\`, `-` on sets.
pub(super) fn combine_sets(op: Op, a: &Value, b: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    match (a, b) {
        (Value::Set(x), Value::Set(y)) => Ok(Value::Set(merge(op, x, y))),
        _ => combine::make(op, a, b, cx),
    }
}

/// Merges two sorted sets.
fn merge(op: Op, a: &SetRef, b: &SetRef) -> SetRef {
    let (x, y) = (a.items(), b.items());
    if y.is_empty() {
        return if op == Op::Inter { b.clone() } else { a.clone() };
    }
    if x.is_empty() {
        return if op == Op::Union { b.clone() } else { a.clone() };
    }
    let (mut i, mut j) = (0, 0);
    let mut out = Vec::with_capacity(if op == Op::Union { x.len() + y.len() } else { x.len() });
    while let (Some(p), Some(q)) = (x.get(i), y.get(j)) {
        match p.cmp(q) {
            Ordering::Less => {
                if op != Op::Inter {
                    out.push(p.clone());
                }
                i += 1;
            }
            Ordering::Greater => {
                if op == Op::Union {
                    out.push(q.clone());
                }
                j += 1;
            }
            Ordering::Equal => {
                if op != Op::Diff {
                    out.push(p.clone());
                }
                i += 1;
                j += 1;
            }
        }
    }
    if op != Op::Inter {
        out.extend_from_slice(x.get(i..).unwrap_or_default());
    }
    if op == Op::Union {
        out.extend_from_slice(y.get(j..).unwrap_or_default());
    }
    SetRef::from_sorted(out)
}

/// `S * T`.
pub(super) fn times(a: &Value, b: &Value, cx: &Cx<'_>) -> Value {
    if let (Value::Set(x), Value::Set(y)) = (a, b)
        && x.items().len().saturating_mul(y.items().len()) <= 4096
    {
        let pairs =
            x.items().iter().flat_map(|p| y.items().iter().map(|q| Value::pair(p.clone(), q.clone())));
        return Value::Set(SetRef::from_sorted(pairs.collect()));
    }
    let _ = cx;
    Value::Lazy(Arc::new(product::Product { left: a.clone(), right: b.clone() }))
}

/// `a..b`.
pub(super) fn interval(a: &Value, b: &Value) -> Result<Value, Fault> {
    if let (Value::Int(lo), Value::Int(hi)) = (a, b) {
        if lo > hi {
            return Ok(Value::empty());
        }
        if hi.checked_sub(*lo).is_some_and(|n| n < SMALL_INTERVAL) {
            return Ok(Value::Set(SetRef::from_sorted((*lo..=*hi).map(Value::Int).collect())));
        }
    }
    let (lo, hi) = (super::arith::big(a)?, super::arith::big(b)?);
    Ok(Value::Lazy(Arc::new(numbers::Numbers { lo: Some(lo), hi: Some(hi) })))
}

/// `POW` and its family.
pub(super) fn power_set(op: Op, s: &Value) -> Value {
    Value::Lazy(Arc::new(powers::Powers {
        base: s.clone(),
        nonempty: matches!(op, Op::Pow1 | Op::Fin1),
        finite: matches!(op, Op::Fin | Op::Fin1),
    }))
}

/// `card(S)`.
pub(super) fn card(s: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    match size(s, cx) {
        Size::Exact(n) => Ok(Value::int(n)),
        Size::Infinite => Err(Fault::new(Code::Infinite, "`card` of an infinite set")),
        Size::Unknown => Ok(Value::int(BigInt::from(expand(s, cx)?.items().len()))),
    }
}

/// `union(U)` and `inter(U)`.
pub(super) fn big(op: Op, u: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    let sets = expand(u, cx)?;
    let Some((first, rest)) = sets.items().split_first() else {
        return if op == Op::BigUnion {
            Ok(Value::empty())
        } else {
            Err(Fault::new(Code::EmptySet, "`inter` of the empty set"))
        };
    };
    if op == Op::BigUnion && sets.items().iter().all(|s| matches!(s, Value::Set(_))) {
        let all = sets.items().iter().flat_map(|s| match s {
            Value::Set(s) => s.items(),
            _ => &[],
        });
        return Ok(Value::Set(SetRef::from_vec(all.cloned().collect())));
    }
    let by = if op == Op::BigUnion { Op::Union } else { Op::Inter };
    rest.iter().try_fold(first.clone(), |acc, s| combine_sets(by, &acc, s, cx))
}
