//! `id(S)` of a lazy set.

use super::{Consumer, name};
use crate::ops::args::sides;
use crate::ops::compare::equality::equal;
use crate::ops::extension::{each_holds, size};
use crate::ops::membership::inclusion::contains;
use crate::ops::{Cx, Fault};
use crate::value::symbolic::{Rule, Size};
use crate::value::{Lazy, Value};
use std::any::Any;

/// `id(on)`.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Identity {
    /// On what.
    pub(in crate::ops) on: Value,
}

impl Lazy for Identity {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let (a, b) = sides(v)?;
        Ok(equal(a, b, cx)? && contains(&self.on, a, cx)?)
    }
    fn each(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        each_holds(&self.on, cx, |x| Ok(f(Value::pair(x.clone(), x.clone())).is_continue())).map(|_| ())
    }
    fn size(&self, cx: &Cx<'_>) -> Size {
        size(&self.on, cx)
    }
    fn image(&self, x: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        Some(contains(&self.on, x, cx).map(|inside| if inside { vec![x.clone()] } else { Vec::new() }))
    }
    fn domain(&self, _cx: &Cx<'_>) -> Option<Result<Value, Fault>> {
        Some(Ok(self.on.clone()))
    }
    fn rule(&self, _: &Cx<'_>) -> Option<Rule> {
        Some(Rule::Argument)
    }
    fn functional(&self, _: &Cx<'_>) -> Option<bool> {
        Some(true)
    }
    fn describe(&self) -> String {
        format!("id({})", name(&self.on))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
