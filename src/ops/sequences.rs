//! Sequences: functions on 1..n.

use super::lazy::seqs;
use super::sets::expand;
use super::{Cx, Fault, Op};
use crate::diagnostic::Code;
use crate::value::{SetRef, Value};
use std::sync::Arc;

/// The elements of a sequence in order; `None` if the pairs are no sequence.
pub fn elements(pairs: &[Value]) -> Option<Vec<Value>> {
    (1i64..)
        .zip(pairs)
        .map(|(i, v)| match v {
            Value::Pair(p) if p.0 == Value::Int(i) => Some(p.1.clone()),
            _ => None,
        })
        .collect()
}

/// A sequence of the given elements.
#[must_use]
pub fn sequence(items: impl IntoIterator<Item = Value>) -> Value {
    let pairs = (1i64..).zip(items).map(|(i, v)| Value::pair(Value::Int(i), v));
    Value::Set(SetRef::from_sorted(pairs.collect()))
}

fn list(v: &Value, cx: &Cx<'_>) -> Result<Vec<Value>, Fault> {
    let pairs = expand(v, cx)?;
    elements(pairs.items()).ok_or_else(|| {
        let text = format!("{} is no sequence", super::relations::brief(&Value::Set(pairs.clone()), cx));
        Fault::new(Code::NotWellDefined, text)
    })
}

fn nonempty(v: &Value, what: &str, cx: &Cx<'_>) -> Result<Vec<Value>, Fault> {
    let items = list(v, cx)?;
    if items.is_empty() {
        return Err(Fault::new(Code::EmptySet, format!("`{what}` of the empty sequence")));
    }
    Ok(items)
}

/// Operators of one sequence.
pub(super) fn unary(op: Op, s: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    match op {
        Op::Size => Ok(Value::Int(i64::try_from(list(s, cx)?.len()).unwrap_or(i64::MAX))),
        Op::Rev => {
            let mut items = list(s, cx)?;
            items.reverse();
            Ok(sequence(items))
        }
        Op::First => Ok(nonempty(s, "first", cx)?.swap_remove(0)),
        Op::Last => nonempty(s, "last", cx)?.pop().ok_or_else(super::sets::no_set),
        Op::Front => {
            let mut items = nonempty(s, "front", cx)?;
            items.pop();
            Ok(sequence(items))
        }
        Op::Tail => Ok(sequence(nonempty(s, "tail", cx)?.into_iter().skip(1))),
        _ => {
            // conc: a sequence of sequences.
            let mut all = Vec::new();
            for inner in list(s, cx)? {
                all.extend(list(&inner, cx)?);
            }
            Ok(sequence(all))
        }
    }
}

/// Operators of two arguments.
pub(super) fn binary(op: Op, a: &Value, b: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    match op {
        Op::Concat => {
            let mut items = list(a, cx)?;
            items.extend(list(b, cx)?);
            Ok(sequence(items))
        }
        Op::Prepend => Ok(sequence(std::iter::once(a.clone()).chain(list(b, cx)?))),
        Op::Append => {
            let mut items = list(a, cx)?;
            items.push(b.clone());
            Ok(sequence(items))
        }
        Op::Take | Op::Drop => cut(op, a, b, cx),
        _ => Err(super::sets::no_set()),
    }
}

fn cut(op: Op, s: &Value, n: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    let items = list(s, cx)?;
    let n = super::arith::small(n, "the number of elements")?;
    let count = usize::try_from(n).ok();
    match (op, count) {
        (Op::Take, Some(n)) => Ok(sequence(items.into_iter().take(n))),
        (Op::Drop, Some(n)) if n <= items.len() => Ok(sequence(items.into_iter().skip(n))),
        _ => {
            let text = format!("{n} elements of a sequence of {}", items.len());
            Err(Fault::new(Code::NotWellDefined, text))
        }
    }
}

/// `seq` and its family.
pub(super) fn all(op: Op, s: &Value) -> Value {
    Value::Lazy(Arc::new(seqs::Seqs { base: s.clone(), kind: op }))
}
