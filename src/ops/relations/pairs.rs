//! What the operators on relations share: the right sides that belong to a left side.

use crate::ops::args::sides;
use crate::ops::compare::equality::equal;
use crate::ops::extension::{each_holds, no_set};
use crate::ops::{Cx, Fault};
use crate::value::{SetRef, Value};

/// The right sides of `x` in a relation, possibly with duplicates.
///
/// # Errors
/// A fault of the relation's definition.
pub fn image_of(r: &Value, x: &Value, cx: &Cx<'_>) -> Result<Vec<Value>, Fault> {
    let mut out = Vec::new();
    push_image(r, x, &mut out, cx)?;
    Ok(out)
}

/// The left sides of `y` in a relation, possibly with duplicates.
///
/// # Errors
/// A fault of the relation's definition.
pub(in crate::ops) fn preimage_of(r: &Value, y: &Value, cx: &Cx<'_>) -> Result<Vec<Value>, Fault> {
    if let Value::Lazy(l) = r
        && let Some(found) = l.preimage(y, cx)
    {
        return found;
    }
    let mut out = Vec::new();
    scan(r, &mut out, cx, |a, b| Ok(equal(b, y, cx)?.then(|| a.clone())))?;
    Ok(out)
}

/// Appends the right sides of `x` in a relation.
pub(in crate::ops) fn push_image(
    r: &Value,
    x: &Value,
    out: &mut Vec<Value>,
    cx: &Cx<'_>,
) -> Result<(), Fault> {
    match r {
        Value::Set(s) if x.is_extension() && s.is_extension() => {
            for p in s.row(x) {
                out.push(sides(p)?.1.clone());
            }
            Ok(())
        }
        Value::Lazy(l) if let Some(found) = l.image(x, cx) => {
            out.append(&mut found?);
            Ok(())
        }
        Value::Lazy(_) | Value::Set(_) => scan(r, out, cx, |a, b| Ok(equal(a, x, cx)?.then(|| b.clone()))),
        _ => Err(no_set()),
    }
}

/// Appends what is picked of the sides of each pair.
fn scan(
    r: &Value,
    out: &mut Vec<Value>,
    cx: &Cx<'_>,
    pick: impl Fn(&Value, &Value) -> Result<Option<Value>, Fault>,
) -> Result<(), Fault> {
    each_holds(r, cx, |p| {
        let (a, b) = sides(p)?;
        out.extend(pick(a, b)?);
        Ok(true)
    })
    .map(|_| ())
}

/// Whether a set is in extension and so much smaller than a relation that looking its members up beats
/// walking over all pairs.
pub(super) fn small_beside(s: &Value, pairs: &SetRef) -> bool {
    matches!(s, Value::Set(s) if s.len().saturating_mul(4) <= pairs.len())
}
