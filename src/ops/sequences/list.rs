//! What the operators on sequences share: a sequence is a function on 1..n, hence a sorted set of pairs with
//! the elements in order.

use crate::diagnostic::Code;
use crate::ops::args::brief;
use crate::ops::extension::expand;
use crate::ops::{Cx, Fault};
use crate::value::{SetRef, Value};

/// Whether pairs in order are a sequence.
pub(in crate::ops) fn is_sequence(pairs: &[Value]) -> bool {
    (1i64..).zip(pairs).all(|(i, p)| matches!(p, Value::Pair(p) if matches!(p.0, Value::Int(n) if n == i)))
}

/// The pairs of a sequence.
///
/// # Errors
/// The set cannot be listed or is no sequence.
pub fn sequence(v: &Value, cx: &Cx<'_>) -> Result<SetRef, Fault> {
    let pairs = expand(v, cx)?;
    if is_sequence(pairs.items()) {
        return Ok(pairs);
    }
    let text = format!("`{}` is no sequence", brief(&Value::Set(pairs), cx));
    Err(Fault::new(Code::NotWellDefined, text))
}

/// The pairs of a sequence that must have some.
pub(super) fn nonempty(what: &str, v: &Value, cx: &Cx<'_>) -> Result<SetRef, Fault> {
    let pairs = sequence(v, cx)?;
    if pairs.is_empty() {
        return Err(Fault::new(Code::EmptySet, format!("`{what}` of the empty sequence")));
    }
    Ok(pairs)
}

/// The elements of a sequence in order.
pub(in crate::ops) fn values(pairs: &SetRef) -> impl DoubleEndedIterator<Item = Value> {
    pairs.items().iter().filter_map(|p| match p {
        Value::Pair(p) => Some(p.1.clone()),
        _ => None,
    })
}

/// The sequence of the given elements.
#[must_use]
pub fn numbered(items: impl IntoIterator<Item = Value>) -> Value {
    let items = items.into_iter();
    let (least, most) = items.size_hint();
    // Elements that are filtered from pairs are as many as there may be.
    let mut pairs = Vec::with_capacity(most.unwrap_or(least).min(1 << 20));
    pairs.extend((1i64..).zip(items).map(|(i, v)| Value::pair(Value::Int(i), v)));
    Value::Set(SetRef::from_sorted(pairs))
}

/// The first `n` elements, all if there are fewer.
pub(super) fn prefix(pairs: &SetRef, n: usize) -> Value {
    match pairs.items().get(..n) {
        Some(first) if n < pairs.len() => Value::Set(SetRef::from_sorted(first.to_vec())),
        _ => Value::Set(pairs.clone()),
    }
}

/// A sequence with more elements at its end; its own pairs are shared.
pub(super) fn extended(pairs: &SetRef, more: impl Iterator<Item = Value>) -> Value {
    let mut out = Vec::with_capacity(pairs.len() + more.size_hint().0);
    out.extend_from_slice(pairs.items());
    for x in more {
        let next = i64::try_from(out.len()).unwrap_or(i64::MAX - 1) + 1;
        out.push(Value::pair(Value::Int(next), x));
    }
    Value::Set(SetRef::from_sorted(out))
}
