//! Cartesian products that are not listed.

use crate::ops::sets::{contains, each_holds, expand, size};
use crate::ops::{Cx, Fault};
use crate::value::symbolic::Size;
use crate::value::{Lazy, Value};
use num_traits::Zero;
use std::any::Any;
use std::ops::ControlFlow;

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
        let (a, b) = crate::ops::relations::sides(v)?;
        Ok(contains(&self.left, a, cx)? && contains(&self.right, b, cx)?)
    }

    fn each(&self, cx: &Cx<'_>, f: &mut dyn FnMut(Value) -> ControlFlow<()>) -> Result<(), Fault> {
        if is_empty(&self.left, cx) || is_empty(&self.right, cx) {
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
        match size(&self.right, cx) {
            Size::Exact(n) if n.is_zero() => Some(Ok(Value::empty())),
            Size::Exact(_) | Size::Infinite => Some(Ok(self.left.clone())),
            Size::Unknown => None,
        }
    }

    fn describe(&self) -> String {
        format!("({} * {})", name(&self.left), name(&self.right))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn is_empty(v: &Value, cx: &Cx<'_>) -> bool {
    matches!(size(v, cx), Size::Exact(n) if n.is_zero())
}

/// A part of a lazy set, for messages.
pub(in crate::ops) fn name(v: &Value) -> String {
    match v {
        Value::Lazy(l) => l.describe(),
        Value::Set(s) => format!("{{{} members}}", s.items().len()),
        _ => "...".into(),
    }
}
