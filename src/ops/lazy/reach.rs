//! `closure1(r)` of a lazy relation: what is reached is searched when asked for.

use super::{Consumer, name};
use crate::ops::args::sides;
use crate::ops::extension::{each_holds, expand};
use crate::ops::relations::closure1;
use crate::ops::relations::pairs::image_of;
use crate::ops::{Cx, Fault};
use crate::value::{Lazy, Value};
use std::any::Any;

/// The transitive closure of a lazy relation.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Reach {
    /// One step.
    pub(in crate::ops) by: Value,
}

impl Lazy for Reach {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let (a, b) = sides(v)?;
        // One step decides most positive questions without a search.
        if image_of(&self.by, a, cx)?.contains(b) {
            return Ok(true);
        }
        Ok(closure1::reachable(&self.by, a, cx)?.binary_search(b).is_ok())
    }
    fn each(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        let listed = Value::Set(expand(&self.by, cx)?);
        each_holds(&closure1::of(&listed, cx)?, cx, |p| Ok(f(p.clone()).is_continue())).map(|_| ())
    }
    fn image(&self, x: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        Some(closure1::reachable(&self.by, x, cx))
    }
    fn domain(&self, cx: &Cx<'_>) -> Option<Result<Value, Fault>> {
        let Value::Lazy(l) = &self.by else { return None };
        l.domain(cx)
    }
    fn describe(&self) -> String {
        format!("closure1({})", name(&self.by))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
