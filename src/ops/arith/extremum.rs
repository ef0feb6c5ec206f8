//! What `min` and `max` share.

use crate::diagnostic::Code;
use crate::ops::args::one;
use crate::ops::extension::{expand, infinite};
use crate::ops::lazy::numbers;
use crate::ops::{Cx, Fault};
use crate::value::Value;

/// Which end of a set of numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The least member.
    Low,
    /// The greatest member.
    High,
}

/// The least or greatest member of a non-empty set that is bounded on that side.
pub(super) fn extremum(end: End, args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let set = one(args)?;
    let none = || {
        let name = if end == End::Low { "min" } else { "max" };
        Fault::new(Code::EmptySet, format!("`{name}` of the empty set"))
    };
    if let Value::Lazy(l) = set
        && let Some(n) = numbers::of(set)
    {
        let bound = if end == End::Low { n.lo.clone() } else { n.hi.clone() };
        return if n.is_empty() { Err(none()) } else { bound.map(Value::int).ok_or_else(|| infinite(&**l)) };
    }
    let members = match (expand(set, cx), set) {
        (Err(f), Value::Lazy(l)) if f.0.code == Code::Infinite => {
            return l.at_end(end == End::Low).unwrap_or(Err(f));
        }
        (members, _) => members?,
    };
    // Sets are sorted.
    let items = members.items();
    (if end == End::Low { items.first() } else { items.last() }).cloned().ok_or_else(none)
}
