//! POW, POW1, FIN, FIN1: the subsets of a set.

use super::{Consumer, name};
use crate::diagnostic::Code;
use crate::ops::extension::{expand, is_empty, poll, size};
use crate::ops::membership::finite::finite;
use crate::ops::membership::inclusion::subset;
use crate::ops::{Cx, Fault};
use crate::value::symbolic::Size;
use crate::value::{Lazy, SetRef, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::any::Any;

/// The subsets of a set.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Powers {
    /// Of what.
    pub(in crate::ops) base: Value,
    /// Without the empty set.
    pub(in crate::ops) nonempty: bool,
    /// Only finite ones.
    pub(in crate::ops) finite: bool,
}

impl Lazy for Powers {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        Ok(subset(v, &self.base, cx)?
            && !(self.nonempty && is_empty(v, cx)?)
            && (!self.finite || finite(v, cx)?))
    }

    fn each(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        let base = expand(&self.base, cx)?;
        let items = base.items();
        if items.len() > 62 {
            let text = format!("`{}` is too large to be listed", self.describe());
            return Err(Fault::new(Code::TooLarge, text));
        }
        for mask in u64::from(self.nonempty)..1u64 << items.len() {
            if mask % 1024 == 1023 {
                poll(cx)?;
            }
            let chosen = items.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1);
            let subset = chosen.map(|(_, x)| x.clone()).collect();
            if f(Value::Set(SetRef::from_sorted(subset))).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn size(&self, cx: &Cx<'_>) -> Size {
        match size(&self.base, cx) {
            Size::Exact(n) => match n.to_u32().filter(|n| *n < 1 << 20) {
                Some(n) => Size::Exact((BigInt::from(1) << n) - i32::from(self.nonempty)),
                None => Size::Unknown,
            },
            other => other,
        }
    }

    fn describe(&self) -> String {
        let op = match (self.finite, self.nonempty) {
            (false, false) => "POW",
            (false, true) => "POW1",
            (true, false) => "FIN",
            (true, true) => "FIN1",
        };
        format!("{op}({})", name(&self.base))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
