//! `prj1(S,T)` and `prj2(S,T)`.

use super::{Consumer, name};
use crate::ops::args::sides;
use crate::ops::compare::equality::{both, equal};
use crate::ops::extension::{each_holds, size};
use crate::ops::membership::inclusion::contains;
use crate::ops::sets::product;
use crate::ops::{Cx, Fault};
use crate::value::symbolic::{Rule, Size};
use crate::value::{Lazy, Value};
use std::any::Any;

/// `prj1(left, right)` or `prj2(left, right)`.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Projection {
    /// Whether it yields left sides.
    pub(in crate::ops) first: bool,
    /// Left factor.
    pub(in crate::ops) left: Value,
    /// Right factor.
    pub(in crate::ops) right: Value,
}

impl Projection {
    fn pick<'v>(&self, pair: &'v Value) -> Result<&'v Value, Fault> {
        let (a, b) = sides(pair)?;
        Ok(if self.first { a } else { b })
    }
    fn inside(&self, pair: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let (a, b) = sides(pair)?;
        both(contains(&self.left, a, cx), || contains(&self.right, b, cx))
    }
}

impl Lazy for Projection {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let (pair, to) = sides(v)?;
        Ok(self.inside(pair, cx)? && equal(self.pick(pair)?, to, cx)?)
    }
    fn each(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        let all = product::of(&self.left, &self.right);
        each_holds(&all, cx, |p| Ok(f(Value::pair(p.clone(), self.pick(p)?.clone())).is_continue()))
            .map(|_| ())
    }
    fn size(&self, cx: &Cx<'_>) -> Size {
        size(&product::of(&self.left, &self.right), cx)
    }
    fn image(&self, x: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        Some(
            self.inside(x, cx)
                .and_then(|inside| if inside { Ok(vec![self.pick(x)?.clone()]) } else { Ok(Vec::new()) }),
        )
    }
    fn domain(&self, _: &Cx<'_>) -> Option<Result<Value, Fault>> {
        Some(Ok(product::of(&self.left, &self.right)))
    }
    fn rule(&self, _: &Cx<'_>) -> Option<Rule> {
        Some(Rule::Side(Box::new(Rule::Argument), self.first))
    }
    fn functional(&self, _: &Cx<'_>) -> Option<bool> {
        Some(true)
    }
    fn describe(&self) -> String {
        let op = if self.first { "prj1" } else { "prj2" };
        format!("{op}({}, {})", name(&self.left), name(&self.right))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
