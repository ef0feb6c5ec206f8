//! `(r ; s)` where r is lazy.

use super::{Consumer, name};
use crate::ops::args::sides;
use crate::ops::extension::{each_holds, expand, set_of};
use crate::ops::membership::inclusion::contains;
use crate::ops::relations::comp;
use crate::ops::relations::pairs::{image_of, preimage_of, push_image};
use crate::ops::{Cx, Fault};
use crate::value::{Lazy, Value};
use std::any::Any;

/// `(first ; then)`.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Composed {
    /// What comes first.
    pub(in crate::ops) first: Value,
    /// What comes then.
    pub(in crate::ops) then: Value,
}

impl Composed {
    fn row(&self, x: &Value, cx: &Cx<'_>) -> Result<Vec<Value>, Fault> {
        let mut out = Vec::new();
        for y in image_of(&self.first, x, cx)? {
            push_image(&self.then, &y, &mut out, cx)?;
        }
        Ok(out)
    }
}

impl Lazy for Composed {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let (a, b) = sides(v)?;
        contains(&set_of(self.row(a, cx)?, cx)?, b, cx)
    }
    fn each(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        let first = expand(&self.first, cx)?;
        let all = comp::of(&Value::Set(first), &self.then, cx)?;
        each_holds(&all, cx, |p| Ok(f(p.clone()).is_continue())).map(|_| ())
    }
    fn image(&self, x: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        Some(self.row(x, cx))
    }
    fn preimage(&self, y: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        let found = preimage_of(&self.then, y, cx).and_then(|between| {
            let mut out = Vec::new();
            for z in between {
                out.append(&mut preimage_of(&self.first, &z, cx)?);
            }
            Ok(out)
        });
        Some(found)
    }
    fn functional(&self, cx: &Cx<'_>) -> Option<bool> {
        let function = |v: &Value| matches!(v, Value::Lazy(l) if l.functional(cx) == Some(true));
        (function(&self.first) && function(&self.then)).then_some(true)
    }
    fn describe(&self) -> String {
        format!("({} ; {})", name(&self.first), name(&self.then))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
