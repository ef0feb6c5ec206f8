//! All values of a type that is never listed: STRING, REAL, records and free types as a whole.

use crate::diagnostic::Code;
use crate::ops::{Cx, Fault};
use crate::ty::Ty;
use crate::value::symbolic::Size;
use crate::value::{Lazy, Value};
use std::any::Any;
use std::ops::ControlFlow;

/// The whole type.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Whole {
    /// Which type.
    pub(in crate::ops) ty: Ty,
}

impl Lazy for Whole {
    fn contains(&self, _v: &Value, _cx: &Cx<'_>) -> Result<bool, Fault> {
        // Types have been checked: every value of the right type is a member.
        Ok(true)
    }
    fn each(&self, _cx: &Cx<'_>, _f: &mut dyn FnMut(Value) -> ControlFlow<()>) -> Result<(), Fault> {
        Err(Fault::new(Code::Infinite, format!("`{}` cannot be listed", self.describe())))
    }
    fn size(&self, _cx: &Cx<'_>) -> Size {
        match self.ty {
            Ty::Str | Ty::Real => Size::Infinite,
            _ => Size::Unknown,
        }
    }
    fn describe(&self) -> String {
        match self.ty {
            Ty::Str => "STRING".into(),
            Ty::Real => "REAL".into(),
            _ => "all values of a type".into(),
        }
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
