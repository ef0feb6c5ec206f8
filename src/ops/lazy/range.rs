//! `ran(r)` of a relation that cannot be listed.

use super::{Consumer, name};
use crate::ops::extension::{each_holds, is_empty};
use crate::ops::relations::pairs::preimage_of;
use crate::ops::relations::ran;
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
        let known = match &self.of {
            Value::Lazy(of) => of.reaches(v, cx),
            _ => None,
        };
        known.unwrap_or_else(|| Ok(!preimage_of(&self.of, v, cx)?.is_empty()))
    }
    fn each(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        each_holds(&ran::listed(&self.of, cx)?, cx, |v| Ok(f(v.clone()).is_continue())).map(|_| ())
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
