//! tree, btree: the trees over a set.

use super::{Consumer, name};
use crate::diagnostic::Code;
use crate::ops::extension::{empty, expand, infinite, is_empty};
use crate::ops::membership::inclusion::contains;
use crate::ops::trees::nodes::{is_binary, taken_apart};
use crate::ops::{Cx, Fault};
use crate::value::symbolic::Size;
use crate::value::{Lazy, Value};
use num_bigint::BigInt;
use std::any::Any;

/// The trees over a set.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Trees {
    /// Over what.
    pub(in crate::ops) base: Value,
    /// Whether a node has no or two sons.
    pub(in crate::ops) binary: bool,
}

impl Lazy for Trees {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let pairs = match expand(v, cx) {
            Ok(pairs) => pairs,
            // A tree is finite.
            Err(f) if f.0.code == Code::Infinite => return Ok(false),
            Err(f) => return Err(f),
        };
        let Some(all) = taken_apart(&pairs, cx)?.filter(|all| !self.binary || is_binary(all)) else {
            return Ok(false);
        };
        for label in all.values() {
            if !contains(&self.base, label, cx)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn each(&self, cx: &Cx<'_>, _: Consumer<'_>) -> Result<(), Fault> {
        if is_empty(&self.base, cx)? { Ok(()) } else { Err(infinite(self)) }
    }

    fn size(&self, cx: &Cx<'_>) -> Size {
        match empty(&self.base, cx) {
            Some(true) => Size::Exact(BigInt::from(0)),
            Some(false) => Size::Infinite,
            None => Size::Unknown,
        }
    }

    fn describe(&self) -> String {
        format!("{}({})", if self.binary { "btree" } else { "tree" }, name(&self.base))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
