//! Sets in extension: listing lazy sets, building sets from members, walking over members, sizes.
//!
//! Invariant kept here: a member of a set in extension is itself in extension wherever it is finite and of
//! bearable size, so that sorting by the total order finds equal members. Members that are infinite stay
//! lazy and are told apart by [`equal`].

use super::args::expected;
use super::compare::equality::equal;
use super::{Cx, Fault};
use crate::diagnostic::Code;
use crate::value::symbolic::Size;
use crate::value::{Lazy, SetRef, Value};
use num_bigint::BigInt;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Most members that a set in extension may have.
pub const MEMBER_LIMIT: usize = 10_000_000;

/// Most members up to which a set inside a set is listed without being asked for.
const SETTLE_LIMIT: u32 = 1 << 16;

/// The fault of a value that is no set.
pub(super) fn no_set() -> Fault {
    expected("a set")
}

/// The fault of a set that has no end.
pub(super) fn infinite(l: &dyn Lazy) -> Fault {
    Fault::new(Code::Infinite, format!("`{}` is infinite and cannot be listed", l.describe()))
}

/// Stops an evaluation that a limit or the user wants stopped; asked now and then in long loops.
pub(super) fn poll(cx: &Cx<'_>) -> Result<(), Fault> {
    if cx.world.interrupt.raised() {
        return Err(Fault::new(Code::Interrupted, "evaluation was stopped"));
    }
    Ok(())
}

/// Refuses a set in extension that gets too large.
pub(super) fn guard(members: usize) -> Result<(), Fault> {
    if members > MEMBER_LIMIT {
        let text = format!("a set of more than {MEMBER_LIMIT} members would have to be listed");
        return Err(Fault::new(Code::TooLarge, text));
    }
    Ok(())
}

/// A set in extension.
///
/// # Errors
/// `Infinite` or `TooLarge` if it cannot be listed, or a fault of its definition.
pub fn expand(v: &Value, cx: &Cx<'_>) -> Result<SetRef, Fault> {
    match v {
        Value::Set(s) => Ok(s.clone()),
        Value::Lazy(l) => list(&**l, cx),
        _ => Err(no_set()),
    }
}

fn list(l: &dyn Lazy, cx: &Cx<'_>) -> Result<SetRef, Fault> {
    match l.size(cx) {
        Size::Infinite => return Err(infinite(l)),
        Size::Exact(n) if n > BigInt::from(MEMBER_LIMIT) => {
            let text = format!("`{}` has {n} members, too many to be listed", l.describe());
            return Err(Fault::new(Code::TooLarge, text));
        }
        _ => {}
    }
    if let Some(s) = l.listed(cx) {
        return s.and_then(|s| guard(s.len()).map(|()| s));
    }
    let mut items = Vec::new();
    let mut trouble = Ok(());
    l.each(cx, &mut |x| {
        if items.len() % 1024 == 1023 {
            trouble = poll(cx).and_then(|()| guard(items.len()));
            if trouble.is_err() {
                return ControlFlow::Break(());
            }
        }
        items.push(x);
        ControlFlow::Continue(())
    })?;
    trouble?;
    gather(items, cx)
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
            if items.is_extension() {
                return Ok(Value::Set(items));
            }
            let items: Result<Vec<Value>, Fault> = items.items().iter().map(|x| expand_deep(x, cx)).collect();
            Value::Set(SetRef::from_vec(items?))
        }
        _ => v.clone(),
    })
}

/// A value with the sets in it listed where that is cheap; others stay lazy.
///
/// # Errors
/// A fault of evaluating a member.
pub fn settle(v: Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    if v.is_extension() {
        return Ok(v);
    }
    Ok(match &v {
        Value::Pair(p) => Value::pair(settle(p.0.clone(), cx)?, settle(p.1.clone(), cx)?),
        Value::Rec(fields) => {
            Value::Rec(fields.iter().map(|f| settle(f.clone(), cx)).collect::<Result<Vec<_>, _>>()?.into())
        }
        Value::Free(t, c, Some(a)) => Value::Free(*t, *c, Some(Arc::new(settle((**a).clone(), cx)?))),
        Value::Lazy(l) => match l.size(cx) {
            Size::Exact(n) if n <= BigInt::from(SETTLE_LIMIT) => Value::Set(expand(&v, cx)?),
            Size::Unknown => match expand(&v, cx) {
                Ok(s) => Value::Set(s),
                Err(f) if matches!(f.0.code, Code::Infinite | Code::TooLarge) => v,
                Err(f) => return Err(f),
            },
            Size::Exact(_) | Size::Infinite => v,
        },
        _ => v,
    })
}

/// A set from members in any order, some of which may be or contain lazy sets.
///
/// # Errors
/// Two members are sets of which nobody can tell whether they are equal.
pub fn gather(items: Vec<Value>, cx: &Cx<'_>) -> Result<SetRef, Fault> {
    if items.iter().all(Value::is_extension) {
        return Ok(SetRef::from_listed_vec(items));
    }
    let items: Result<Vec<Value>, Fault> = items.into_iter().map(|x| settle(x, cx)).collect();
    let (mut known, lazy): (Vec<Value>, Vec<Value>) = items?.into_iter().partition(Value::is_extension);
    'next: for item in lazy {
        for other in &known {
            if equal(other, &item, cx)? {
                continue 'next;
            }
        }
        known.push(item);
    }
    Ok(SetRef::from_vec(known))
}

/// [`gather`] as a value.
pub fn set_of(items: Vec<Value>, cx: &Cx<'_>) -> Result<Value, Fault> {
    gather(items, cx).map(Value::Set)
}

/// What is known of a set's size without listing it.
pub fn size(v: &Value, cx: &Cx<'_>) -> Size {
    match v {
        Value::Set(s) => Size::Exact(BigInt::from(s.len())),
        Value::Lazy(l) => l.size(cx),
        _ => Size::Unknown,
    }
}

/// Whether a set has no member, if that is known without listing it.
pub(super) fn empty(v: &Value, cx: &Cx<'_>) -> Option<bool> {
    match size(v, cx) {
        Size::Exact(n) => Some(n == BigInt::ZERO),
        Size::Infinite => Some(false),
        Size::Unknown => None,
    }
}

/// Whether a set has no member.
pub fn is_empty(v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
    match (empty(v, cx), v) {
        (Some(answer), _) => Ok(answer),
        (None, Value::Lazy(l)) => {
            if let Some(answer) = l.is_empty(cx) {
                return answer;
            }
            let mut none = true;
            l.each(cx, &mut |_| {
                none = false;
                ControlFlow::Break(())
            })?;
            Ok(none)
        }
        _ => Err(no_set()),
    }
}

/// Whether a set has exactly `n` members.
pub(super) fn has_size(set: &Value, n: usize, cx: &Cx<'_>) -> Result<bool, Fault> {
    match size(set, cx) {
        Size::Exact(m) => Ok(m == BigInt::from(n)),
        Size::Infinite => Ok(false),
        Size::Unknown => Ok(expand(set, cx)?.len() == n),
    }
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
                result = poll(cx).and_then(|()| test(&x));
                if matches!(result, Ok(true)) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            result
        }
        _ => Err(no_set()),
    }
}

/// The members that pass a test, in their order.
pub(super) fn filter(
    set: &SetRef,
    mut keep: impl FnMut(&Value) -> Result<bool, Fault>,
) -> Result<Value, Fault> {
    let mut out = Vec::new();
    for x in set.items() {
        if keep(x)? {
            out.push(x.clone());
        }
    }
    Ok(Value::Set(if out.len() == set.len() { set.clone() } else { SetRef::from_members(out, &[set]) }))
}
