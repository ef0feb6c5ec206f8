//! All values of a type. Types that are never listed (STRING, REAL, records and free types) have a kind here.

use super::Consumer;
use super::numbers::Numbers;
use super::powers::Powers;
use super::product::Product;
use crate::diagnostic::Code;
use crate::ops::extension::infinite;
use crate::ops::sets::booleans;
use crate::ops::{Cx, Fault, World};
use crate::ty::Ty;
use crate::value::symbolic::Size;
use crate::value::{Lazy, SetRef, Value};
use std::any::Any;

/// All values of a type.
#[must_use]
pub(crate) fn whole(ty: &Ty, world: &World) -> Value {
    match ty {
        Ty::Bool => booleans::all(),
        Ty::Given(s) => {
            let n = world.card.get(usize::from(s.0)).copied().unwrap_or(0);
            Value::Set(SetRef::from_sorted((0..n).map(|i| Value::Elem(*s, i)).collect()))
        }
        Ty::Int => Value::lazy(Numbers { lo: None, hi: None }),
        Ty::Pow(t) => Value::lazy(Powers { base: whole(t, world), nonempty: false, finite: false }),
        Ty::Pair(a, b) => Value::lazy(Product { left: whole(a, world), right: whole(b, world) }),
        Ty::Any => Value::empty(),
        Ty::Str | Ty::Real | Ty::Rec(_) | Ty::Free(_) => Value::lazy(Whole { ty: ty.clone() }),
    }
}

/// The whole of a type that is never listed.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    /// Which type.
    pub(super) ty: Ty,
}

impl Lazy for Whole {
    fn contains(&self, _: &Value, _: &Cx<'_>) -> Result<bool, Fault> {
        // Types have been checked: every value of the right type is a member.
        Ok(true)
    }
    fn each(&self, cx: &Cx<'_>, _: Consumer<'_>) -> Result<(), Fault> {
        if self.size(cx) == Size::Infinite {
            return Err(infinite(self));
        }
        Err(Fault::new(Code::Unsupported, format!("`{}` cannot be listed", self.describe())))
    }
    fn size(&self, _: &Cx<'_>) -> Size {
        if matches!(self.ty, Ty::Str | Ty::Real) { Size::Infinite } else { Size::Unknown }
    }
    fn describe(&self) -> String {
        match self.ty {
            Ty::Str => "STRING",
            Ty::Real => "REAL",
            Ty::Rec(_) => "all records of a type",
            _ => "all values of a free type",
        }
        .into()
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
