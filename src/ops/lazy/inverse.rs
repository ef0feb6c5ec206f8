//! `r~` of a lazy relation.

use super::{Consumer, name};
use crate::ops::args::sides;
use crate::ops::extension::{each_holds, is_empty, size};
use crate::ops::membership::inclusion::contains;
use crate::ops::relations::pairs::preimage_of;
use crate::ops::{Cx, Fault};
use crate::value::symbolic::Size;
use crate::value::{Lazy, Value};
use std::any::Any;

/// `of~`.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Inverse {
    /// The relation.
    pub(in crate::ops) of: Value,
}

impl Lazy for Inverse {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let (a, b) = sides(v)?;
        contains(&self.of, &Value::pair(b.clone(), a.clone()), cx)
    }
    fn each(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        each_holds(&self.of, cx, |p| {
            let (a, b) = sides(p)?;
            Ok(f(Value::pair(b.clone(), a.clone())).is_continue())
        })
        .map(|_| ())
    }
    fn image(&self, x: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        Some(preimage_of(&self.of, x, cx))
    }
    fn size(&self, cx: &Cx<'_>) -> Size {
        size(&self.of, cx)
    }
    fn is_empty(&self, cx: &Cx<'_>) -> Option<Result<bool, Fault>> {
        Some(is_empty(&self.of, cx))
    }
    fn describe(&self) -> String {
        format!("{}~", name(&self.of))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
