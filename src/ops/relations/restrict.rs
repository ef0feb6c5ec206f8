//! What the four restrictions share.

use super::pairs::{image_of, small_beside};
use crate::ops::args::sides;
use crate::ops::extension::{expand, filter, set_of, size};
use crate::ops::lazy::restricted::Restricted;
use crate::ops::membership::inclusion::contains;
use crate::ops::{Cx, Fault};
use crate::value::symbolic::Size;
use crate::value::{SetRef, Value};

/// The side of a relation that is restricted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::ops) enum Side {
    /// Its domain.
    Left,
    /// Its range.
    Right,
}

/// The pairs of `r` whose side is in `s` (`keep`), or is not.
pub(super) fn restrict(side: Side, keep: bool, s: &Value, r: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    if let Value::Set(pairs) = r {
        if let (Side::Left, Value::Set(xs)) = (side, s)
            && small_beside(s, pairs)
            && xs.is_extension()
            && pairs.is_extension()
        {
            return Ok(Value::Set(rows(pairs, xs, keep)));
        }
        return filter(pairs, |p| {
            let (a, b) = sides(p)?;
            Ok(contains(s, if side == Side::Left { a } else { b }, cx)? == keep)
        });
    }
    if side == Side::Left && keep && matches!(size(s, cx), Size::Exact(n) if n <= 4096.into()) {
        return listed(s, r, cx);
    }
    Ok(Value::lazy(Restricted { side, keep, by: s.clone(), of: r.clone() }))
}

/// The rows of a relation for a few left sides, or the rest of it.
fn rows(pairs: &SetRef, xs: &SetRef, keep: bool) -> SetRef {
    let mut out: Vec<Value> = Vec::new();
    let mut rest = pairs.items();
    for x in xs.items() {
        let left = |v: &Value| match v {
            Value::Pair(p) => p.0.cmp(x),
            other => other.cmp(x),
        };
        let (before, from) = rest.split_at(rest.partition_point(|v| left(v).is_lt()));
        let (row, after) = from.split_at(from.partition_point(|v| left(v).is_eq()));
        out.extend_from_slice(if keep { row } else { before });
        rest = after;
    }
    if !keep {
        out.extend_from_slice(rest);
    }
    if out.len() == pairs.len() { pairs.clone() } else { SetRef::from_members(out, &[pairs]) }
}

/// A lazy relation restricted to a finite domain. If a row cannot be listed, neither is the whole.
fn listed(s: &Value, r: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    let mut out = Vec::new();
    for x in expand(s, cx)?.items() {
        match image_of(r, x, cx) {
            Ok(row) => out.extend(row.into_iter().map(|y| Value::pair(x.clone(), y))),
            Err(f) if f.0.code == crate::diagnostic::Code::Infinite => {
                let lazy = Restricted { side: Side::Left, keep: true, by: s.clone(), of: r.clone() };
                return Ok(Value::lazy(lazy));
            }
            Err(f) => return Err(f),
        }
    }
    set_of(out, cx)
}
