//! `r >< s` of two lazy relations.

use super::{Consumer, name};
use crate::ops::args::sides;
use crate::ops::compare::equality::both;
use crate::ops::extension::each_holds;
use crate::ops::membership::inclusion::contains;
use crate::ops::relations::pairs::image_of;
use crate::ops::{Cx, Fault};
use crate::value::{Lazy, Value};
use std::any::Any;

/// `left >< right`.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Direct {
    /// What yields left parts.
    pub(in crate::ops) left: Value,
    /// What yields right parts.
    pub(in crate::ops) right: Value,
}

impl Lazy for Direct {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let (x, yz) = sides(v)?;
        let (y, z) = sides(yz)?;
        both(contains(&self.left, &Value::pair(x.clone(), y.clone()), cx), || {
            contains(&self.right, &Value::pair(x.clone(), z.clone()), cx)
        })
    }
    fn each(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        each_holds(&self.left, cx, |p| {
            let (x, y) = sides(p)?;
            for z in image_of(&self.right, x, cx)? {
                if f(Value::pair(x.clone(), Value::pair(y.clone(), z))).is_break() {
                    return Ok(false);
                }
            }
            Ok(true)
        })
        .map(|_| ())
    }
    fn image(&self, x: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        let row = || {
            let right = image_of(&self.right, x, cx)?;
            let left = image_of(&self.left, x, cx)?;
            let pairs = left.iter().flat_map(|y| right.iter().map(|z| Value::pair(y.clone(), z.clone())));
            Ok(pairs.collect())
        };
        Some(row())
    }
    fn describe(&self) -> String {
        format!("({} >< {})", name(&self.left), name(&self.right))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
