//! Cartesian products that are not listed.

use super::{Consumer, name};
use crate::ops::args::sides;
use crate::ops::compare::equality::both;
use crate::ops::extension::{each_holds, empty, expand, is_empty, size};
use crate::ops::membership::inclusion::{contains, subset};
use crate::ops::{Cx, Fault};
use crate::value::symbolic::Size;
use crate::value::{Lazy, Value};
use num_traits::Zero;
use std::any::Any;

/// `left * right`.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Product {
    /// Left factor.
    pub(in crate::ops) left: Value,
    /// Right factor.
    pub(in crate::ops) right: Value,
}

impl Lazy for Product {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let (a, b) = sides(v)?;
        both(contains(&self.left, a, cx), || contains(&self.right, b, cx))
    }

    fn each(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        if is_empty(&self.left, cx)? || is_empty(&self.right, cx)? {
            return Ok(());
        }
        let right = expand(&self.right, cx)?;
        each_holds(&self.left, cx, |x| {
            for y in right.items() {
                if f(Value::pair(x.clone(), y.clone())).is_break() {
                    return Ok(false);
                }
            }
            Ok(true)
        })?;
        Ok(())
    }

    fn size(&self, cx: &Cx<'_>) -> Size {
        match (size(&self.left, cx), size(&self.right, cx)) {
            (Size::Exact(a), Size::Exact(b)) => Size::Exact(a * b),
            (Size::Exact(a), _) | (_, Size::Exact(a)) if a.is_zero() => Size::Exact(a),
            (Size::Infinite, Size::Exact(_) | Size::Infinite) | (Size::Exact(_), Size::Infinite) => {
                Size::Infinite
            }
            _ => Size::Unknown,
        }
    }

    fn image(&self, x: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        Some(contains(&self.left, x, cx).and_then(|inside| {
            if inside { Ok(expand(&self.right, cx)?.items().to_vec()) } else { Ok(Vec::new()) }
        }))
    }

    fn domain(&self, cx: &Cx<'_>) -> Option<Result<Value, Fault>> {
        let none = empty(&self.right, cx)?;
        Some(Ok(if none { Value::empty() } else { self.left.clone() }))
    }

    fn functional(&self, cx: &Cx<'_>) -> Option<bool> {
        match size(&self.right, cx) {
            Size::Exact(n) if n <= 1.into() => Some(true),
            Size::Unknown => None,
            _ => (empty(&self.left, cx) == Some(false)).then_some(false),
        }
    }

    fn maps_into(&self, ran: &Value, cx: &Cx<'_>) -> Option<bool> {
        subset(&self.right, ran, cx).ok().filter(|inside| *inside)
    }

    fn describe(&self) -> String {
        format!("({} * {})", name(&self.left), name(&self.right))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
