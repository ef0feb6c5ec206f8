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
    /// Whether a value of the restricted side stays.
    fn stays(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        Ok(contains(&self.by, v, cx)? == self.keep)
    }
    fn passes(&self, p: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let (a, b) = sides(p)?;
        self.stays(if self.left() { a } else { b }, cx)
    }
    /// What the relation has beside a value of one side.
    fn found(&self, side: Side, v: &Value, cx: &Cx<'_>) -> Result<Vec<Value>, Fault> {
        if side == Side::Left { image_of(&self.of, v, cx) } else { preimage_of(&self.of, v, cx) }
    }
    /// What stays beside a value of one side, of what the relation has beside it.
    fn beside(&self, side: Side, v: &Value, cx: &Cx<'_>) -> Result<Vec<Value>, Fault> {
        if side == self.side {
            return if self.stays(v, cx)? { self.found(side, v, cx) } else { Ok(Vec::new()) };
        }
        let mut out = Vec::new();
        for w in self.found(side, v, cx)? {
            if self.stays(&w, cx)? {
                out.push(w);
            }
        }
        Ok(out)
    }
    /// The pairs whose restricted side is in the set that it is restricted to, which can be listed.
    fn each_of_few(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        for v in expand(&self.by, cx)?.items() {
            for w in gather(self.found(self.side, v, cx)?, cx)?.items() {
                let (v, w) = (v.clone(), w.clone());
                if f(if self.left() { Value::pair(v, w) } else { Value::pair(w, v) }).is_break() {
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
        let few = self.keep && size(&self.by, cx) != Size::Infinite;
        if few && self.left() {
            return self.each_of_few(cx, f);
        }
        let each = each_holds(&self.of, cx, |p| Ok(!self.passes(p, cx)? || f(p.clone()).is_continue()));
        match each {
            // Nothing has been listed, then.
            Err(e) if e.0.code == Code::Infinite && few => self.each_of_few(cx, f),
            each => each.map(|_| ()),
        }
    }
    fn image(&self, x: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        Some(self.beside(Side::Left, x, cx))
    }
    fn preimage(&self, y: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        Some(self.beside(Side::Right, y, cx))
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
