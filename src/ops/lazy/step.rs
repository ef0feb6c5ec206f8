//! `succ` and `pred`: the function that adds a fixed number.

use super::Consumer;
use super::numbers::Numbers;
use crate::ops::args::sides;
use crate::ops::arith::number::integer;
use crate::ops::extension::infinite;
use crate::ops::{Cx, Fault};
use crate::value::symbolic::{Rule, Size};
use crate::value::{Lazy, Value};
use std::any::Any;

/// `succ` or `pred`.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Step {
    /// 1 or -1.
    pub(in crate::ops) by: i64,
}

impl Step {
    fn apply(&self, x: &Value) -> Result<Value, Fault> {
        plus(x, self.by)
    }
}

fn plus(x: &Value, by: i64) -> Result<Value, Fault> {
    match x {
        Value::Int(n) if n.checked_add(by).is_some() => Ok(Value::Int(n + by)),
        _ => Ok(Value::int(integer(x)? + by)),
    }
}

impl Lazy for Step {
    fn contains(&self, v: &Value, _: &Cx<'_>) -> Result<bool, Fault> {
        let (a, b) = sides(v)?;
        Ok(self.apply(a)? == *b)
    }
    fn each(&self, _: &Cx<'_>, _: Consumer<'_>) -> Result<(), Fault> {
        Err(infinite(self))
    }
    fn size(&self, _: &Cx<'_>) -> Size {
        Size::Infinite
    }
    fn image(&self, x: &Value, _: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        Some(self.apply(x).map(|y| vec![y]))
    }
    fn preimage(&self, y: &Value, _: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        Some(plus(y, -self.by).map(|x| vec![x]))
    }
    fn domain(&self, _: &Cx<'_>) -> Option<Result<Value, Fault>> {
        Some(Ok(Value::lazy(Numbers { lo: None, hi: None })))
    }
    fn rule(&self, _: &Cx<'_>) -> Option<Rule> {
        Some(Rule::Sum(vec![(1, Rule::Argument)], self.by))
    }
    fn functional(&self, _: &Cx<'_>) -> Option<bool> {
        Some(true)
    }
    fn describe(&self) -> String {
        if self.by == 1 { "succ".into() } else { "pred".into() }
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
