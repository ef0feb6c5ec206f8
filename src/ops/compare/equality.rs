//! Equality of values, whatever their representation.
//!
//! Two sets in extension are equal if their sorted members are. Lazy sets are compared by shape, by size, or by
//! listing them, in this order; if none decides, the fault says which set is infinite.

use crate::ops::lazy::compare::equal_sets;
use crate::ops::membership::inclusion::subset;
use crate::ops::{Cx, Fault};
use crate::value::Value;

/// Whether two values of one type are equal.
///
/// # Errors
/// Two infinite sets of which nobody can tell, or a fault of listing a set.
pub fn equal(a: &Value, b: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
    match (a, b) {
        (Value::Set(p), Value::Set(q)) => {
            if p.same(q) || p.is_extension() && q.is_extension() {
                return Ok(a == b);
            }
            Ok(p.len() == q.len() && subset(a, b, cx)? && subset(b, a, cx)?)
        }
        (Value::Lazy(_), _) | (_, Value::Lazy(_)) => equal_sets(a, b, cx),
        (Value::Pair(p), Value::Pair(q)) => both(equal(&p.0, &q.0, cx), || equal(&p.1, &q.1, cx)),
        (Value::Rec(p), Value::Rec(q)) => all_equal(p, q, cx),
        (Value::Free(t, c, Some(x)), Value::Free(u, d, Some(y))) => Ok(t == u && c == d && equal(x, y, cx)?),
        _ => Ok(a == b),
    }
}

fn all_equal(a: &[Value], b: &[Value], cx: &Cx<'_>) -> Result<bool, Fault> {
    let parts = a.iter().zip(b);
    parts.fold(Ok(a.len() == b.len()), |so_far, (x, y)| both(so_far, || equal(x, y, cx)))
}

/// A conjunction in which a fault counts only if the other side is not false.
pub(in crate::ops) fn both(
    first: Result<bool, Fault>,
    second: impl FnOnce() -> Result<bool, Fault>,
) -> Result<bool, Fault> {
    match first {
        Ok(false) => Ok(false),
        Ok(true) => second(),
        Err(fault) => match second() {
            Ok(false) => Ok(false),
            _ => Err(fault),
        },
    }
}
