//! `r <+ s` where one of both is lazy.

use super::known::{into, is_function};
use super::{Consumer, name};
use crate::ops::args::sides;
use crate::ops::compare::equality::both;
use crate::ops::extension::{each_holds, expand, is_empty, set_of};
use crate::ops::membership::inclusion::contains;
use crate::ops::relations::pairs::{image_of, preimage_of};
use crate::ops::relations::{dom, over};
use crate::ops::sets::union;
use crate::ops::{Cx, Fault};
use crate::value::{Lazy, Value};
use std::any::Any;

/// `base <+ by`.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Overridden {
    /// What is overridden.
    pub(in crate::ops) base: Value,
    /// By what.
    pub(in crate::ops) by: Value,
}

impl Overridden {
    fn row(&self, x: &Value, cx: &Cx<'_>) -> Result<Vec<Value>, Fault> {
        let own = image_of(&self.by, x, cx)?;
        if own.is_empty() { image_of(&self.base, x, cx) } else { Ok(own) }
    }
}

impl Lazy for Overridden {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let (a, b) = sides(v)?;
        contains(&set_of(self.row(a, cx)?, cx)?, b, cx)
    }
    fn each(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        let (base, by) = (expand(&self.base, cx)?, expand(&self.by, cx)?);
        let both = over::of(&Value::Set(base), &Value::Set(by), cx)?;
        each_holds(&both, cx, |p| Ok(f(p.clone()).is_continue())).map(|_| ())
    }
    fn is_empty(&self, cx: &Cx<'_>) -> Option<Result<bool, Fault>> {
        Some(both(is_empty(&self.base, cx), || is_empty(&self.by, cx)))
    }
    fn image(&self, x: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        Some(self.row(x, cx))
    }
    fn preimage(&self, y: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        let kept = preimage_of(&self.base, y, cx).and_then(|found| {
            let mut out = preimage_of(&self.by, y, cx)?;
            for x in found {
                if image_of(&self.by, &x, cx)?.is_empty() {
                    out.push(x);
                }
            }
            Ok(out)
        });
        Some(kept)
    }
    fn domain(&self, cx: &Cx<'_>) -> Option<Result<Value, Fault>> {
        Some(dom::of(&self.base, cx).and_then(|a| union::of(&a, &dom::of(&self.by, cx)?, cx)))
    }
    fn functional(&self, cx: &Cx<'_>) -> Option<bool> {
        let function = |v: &Value| is_function(v, cx) == Some(true);
        (function(&self.base) && function(&self.by)).then_some(true)
    }
    fn maps_into(&self, ran: &Value, cx: &Cx<'_>) -> Option<bool> {
        into(&self.base, ran, cx).and(into(&self.by, ran, cx))
    }
    fn describe(&self) -> String {
        format!("({} <+ {})", name(&self.base), name(&self.by))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
