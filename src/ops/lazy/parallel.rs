//! `(r || s)` where one of both is lazy, or the result large.

use super::{Consumer, name};
use crate::ops::args::sides;
use crate::ops::compare::equality::both;
use crate::ops::extension::{each_holds, expand, size};
use crate::ops::membership::inclusion::contains;
use crate::ops::relations::pairs::image_of;
use crate::ops::sets::product;
use crate::ops::{Cx, Fault};
use crate::value::symbolic::Size;
use crate::value::{Lazy, Value};
use std::any::Any;

/// `(left || right)`.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Parallel {
    /// On left parts.
    pub(in crate::ops) left: Value,
    /// On right parts.
    pub(in crate::ops) right: Value,
}

impl Lazy for Parallel {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let (x, y) = sides(v)?;
        let ((a, c), (b, d)) = (sides(x)?, sides(y)?);
        both(contains(&self.left, &Value::pair(a.clone(), b.clone()), cx), || {
            contains(&self.right, &Value::pair(c.clone(), d.clone()), cx)
        })
    }
    fn each(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        let right = expand(&self.right, cx)?;
        each_holds(&self.left, cx, |p| {
            let (a, b) = sides(p)?;
            for q in right.items() {
                let (c, d) = sides(q)?;
                let from = Value::pair(a.clone(), c.clone());
                if f(Value::pair(from, Value::pair(b.clone(), d.clone()))).is_break() {
                    return Ok(false);
                }
            }
            Ok(true)
        })
        .map(|_| ())
    }
    fn size(&self, cx: &Cx<'_>) -> Size {
        size(&product::of(&self.left, &self.right), cx)
    }
    fn image(&self, x: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        let row = || {
            let (a, c) = sides(x)?;
            let right = image_of(&self.right, c, cx)?;
            let mut out = Vec::new();
            for b in image_of(&self.left, a, cx)? {
                out.extend(right.iter().map(|d| Value::pair(b.clone(), d.clone())));
            }
            Ok(out)
        };
        Some(row())
    }
    fn describe(&self) -> String {
        format!("({} || {})", name(&self.left), name(&self.right))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
