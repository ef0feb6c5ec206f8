//! `ran(r)` of a relation that cannot be listed.

use super::{Consumer, name};
use crate::ops::args::sides;
use crate::ops::extension::{expand, is_empty, set_of};
use crate::ops::relations::pairs::preimage_of;
use crate::ops::{Cx, Fault};
use crate::value::{Lazy, Value};
use std::any::Any;

/// `ran(of)`.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Range {
    /// The relation.
    pub(in crate::ops) of: Value,
}

impl Lazy for Range {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let Value::Lazy(of) = &self.of else { return Ok(!preimage_of(&self.of, v, cx)?.is_empty()) };
        of.reaches(v, cx).unwrap_or_else(|| Ok(!preimage_of(&self.of, v, cx)?.is_empty()))
    }
    fn each(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        let pairs = expand(&self.of, cx)?;
        let all: Result<Vec<Value>, Fault> = pairs.items().iter().map(|p| Ok(sides(p)?.1.clone())).collect();
        let Value::Set(all) = set_of(all?, cx)? else { return Ok(()) };
        let _ = all.items().iter().try_for_each(|v| f(v.clone()));
        Ok(())
    }
    fn is_empty(&self, cx: &Cx<'_>) -> Option<Result<bool, Fault>> {
        Some(is_empty(&self.of, cx))
    }
    fn describe(&self) -> String {
        format!("ran({})", name(&self.of))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
