//! Restrictions and subtractions of a lazy relation.

use super::{Consumer, name};
use crate::diagnostic::Code;
use crate::ops::args::sides;
use crate::ops::compare::equality::both;
use crate::ops::extension::{each_holds, expand, gather, size};
use crate::ops::membership::inclusion::contains;
use crate::ops::relations::pairs::{image_of, preimage_of};
use crate::ops::relations::restrict::Side;
use crate::ops::sets::{diff, inter};
use crate::ops::{Cx, Fault};
use crate::value::symbolic::Size;
use crate::value::{Lazy, Value};
use std::any::Any;

/// A restriction or subtraction of domain (`left`) or range.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Restricted {
    /// Which side.
    pub(in crate::ops) side: Side,
    /// Whether members of `by` stay, or go.
    pub(in crate::ops) keep: bool,
    /// By what.
    pub(in crate::ops) by: Value,
    /// The relation.
    pub(in crate::ops) of: Value,
}

impl Restricted {
    fn left(&self) -> bool {
        self.side == Side::Left
    }
    fn passes(&self, p: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let (a, b) = sides(p)?;
        Ok(contains(&self.by, if self.left() { a } else { b }, cx)? == self.keep)
    }
}

impl Restricted {
    /// The pairs by their right sides, where these can be listed; else a fault.
    fn backward(&self, infinite: Fault, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        if size(&self.by, cx) == Size::Infinite {
            return Err(infinite);
        }
        for y in expand(&self.by, cx)?.items() {
            for x in gather(preimage_of(&self.of, y, cx)?, cx)?.items() {
                if f(Value::pair(x.clone(), y.clone())).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

impl Lazy for Restricted {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        both(self.passes(v, cx), || contains(&self.of, v, cx))
    }
    fn each(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        if self.left() && self.keep && size(&self.by, cx) != Size::Infinite {
            for x in expand(&self.by, cx)?.items() {
                for y in gather(image_of(&self.of, x, cx)?, cx)?.items() {
                    if f(Value::pair(x.clone(), y.clone())).is_break() {
                        return Ok(());
                    }
                }
            }
            return Ok(());
        }
        let each = each_holds(&self.of, cx, |p| Ok(!self.passes(p, cx)? || f(p.clone()).is_continue()));
        match each {
            // Nothing has been listed, then.
            Err(e) if e.0.code == Code::Infinite && !self.left() && self.keep => self.backward(e, cx, f),
            each => each.map(|_| ()),
        }
    }
    fn image(&self, x: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        if self.left() {
            return Some(contains(&self.by, x, cx).and_then(|inside| {
                if inside == self.keep { image_of(&self.of, x, cx) } else { Ok(Vec::new()) }
            }));
        }
        Some(image_of(&self.of, x, cx).and_then(|ys| {
            let mut out = Vec::new();
            for y in ys {
                if contains(&self.by, &y, cx)? == self.keep {
                    out.push(y);
                }
            }
            Ok(out)
        }))
    }
    fn preimage(&self, y: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        let found = preimage_of(&self.of, y, cx).and_then(|found| {
            let mut out = Vec::new();
            for x in found {
                if contains(&self.by, if self.left() { &x } else { y }, cx)? == self.keep {
                    out.push(x);
                }
            }
            Ok(out)
        });
        Some(found)
    }
    fn domain(&self, cx: &Cx<'_>) -> Option<Result<Value, Fault>> {
        let Value::Lazy(l) = &self.of else { return None };
        let d = l.domain(cx).filter(|_| self.left())?;
        let cut = if self.keep { inter::of } else { diff::of };
        Some(d.and_then(|d| cut(&d, &self.by, cx)))
    }
    fn functional(&self, cx: &Cx<'_>) -> Option<bool> {
        let Value::Lazy(l) = &self.of else { return None };
        l.functional(cx).filter(|f| *f)
    }
    fn describe(&self) -> String {
        let (by, of) = (name(&self.by), name(&self.of));
        match (self.left(), self.keep) {
            (true, true) => format!("({by} <| {of})"),
            (true, false) => format!("({by} <<| {of})"),
            (false, true) => format!("({of} |> {by})"),
            (false, false) => format!("({of} |>> {by})"),
        }
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
