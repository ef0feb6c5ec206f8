//! Unions, intersections and differences of which a side is not in extension.

use super::numbers::{Numbers, of};
use super::product::name;
use crate::ops::relations::image_of;
use crate::ops::sets::{contains, each_holds, expand, size};
use crate::ops::{Cx, Fault, Op};
use crate::value::symbolic::Size;
use crate::value::{Lazy, SetRef, Value};
use num_traits::Zero;
use std::any::Any;
use std::ops::ControlFlow;
use std::sync::Arc;

/// `left op right`.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Combined {
    op: Op,
    left: Value,
    right: Value,
}

/// The combination of two sets; in extension where one side filters the other.
pub(in crate::ops) fn make(op: Op, a: &Value, b: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    if let (Some(x), Some(y)) = (of(a), of(b))
        && op == Op::Inter
    {
        return Ok(meet(&x, &y));
    }
    let none = |v: &Value| matches!(v, Value::Set(s) if s.items().is_empty());
    match (op, none(a), none(b)) {
        (Op::Union, true, _) => return Ok(b.clone()),
        (Op::Union | Op::Diff, _, true) | (Op::Diff | Op::Inter, true, _) => return Ok(a.clone()),
        (Op::Inter, _, true) => return Ok(b.clone()),
        _ => {}
    }
    match (op, a, b) {
        (Op::Inter, Value::Set(_), _) => filter(a, |x| contains(b, x, cx)),
        (Op::Inter, _, Value::Set(_)) => filter(b, |x| contains(a, x, cx)),
        (Op::Diff, Value::Set(_), _) => filter(a, |x| Ok(!contains(b, x, cx)?)),
        _ => Ok(Value::Lazy(Arc::new(Combined { op, left: a.clone(), right: b.clone() }))),
    }
}

fn filter(set: &Value, mut keep: impl FnMut(&Value) -> Result<bool, Fault>) -> Result<Value, Fault> {
    let Value::Set(s) = set else { return Ok(set.clone()) };
    let mut out = Vec::new();
    for x in s.items() {
        if keep(x)? {
            out.push(x.clone());
        }
    }
    Ok(Value::Set(SetRef::from_sorted(out)))
}

/// The intersection of two intervals.
fn meet(a: &Numbers, b: &Numbers) -> Value {
    let lo = [&a.lo, &b.lo].into_iter().flatten().max().cloned();
    let hi = [&a.hi, &b.hi].into_iter().flatten().min().cloned();
    if let (Some(l), Some(h)) = (&lo, &hi)
        && let Ok(v) = crate::ops::sets::interval(&Value::int(l.clone()), &Value::int(h.clone()))
    {
        return v;
    }
    Value::Lazy(Arc::new(Numbers { lo, hi }))
}

impl Lazy for Combined {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let left = contains(&self.left, v, cx)?;
        match self.op {
            Op::Union => Ok(left || contains(&self.right, v, cx)?),
            Op::Inter => Ok(left && contains(&self.right, v, cx)?),
            _ => Ok(left && !contains(&self.right, v, cx)?),
        }
    }

    fn each(&self, cx: &Cx<'_>, f: &mut dyn FnMut(Value) -> ControlFlow<()>) -> Result<(), Fault> {
        let mut go = |x: &Value| Ok(f(x.clone()).is_continue());
        match self.op {
            Op::Union => {
                // Listed as a whole, so that an infinite side is noticed before anything is handed out.
                let (a, b) = (expand(&self.left, cx)?, expand(&self.right, cx)?);
                let both = crate::ops::sets::combine_sets(Op::Union, &Value::Set(a), &Value::Set(b), cx)?;
                each_holds(&both, cx, go)?;
            }
            Op::Inter => {
                let infinite = size(&self.left, cx) == Size::Infinite;
                let (list, test) =
                    if infinite { (&self.right, &self.left) } else { (&self.left, &self.right) };
                each_holds(list, cx, |x| if contains(test, x, cx)? { go(x) } else { Ok(true) })?;
            }
            _ => {
                each_holds(&self.left, cx, |x| if contains(&self.right, x, cx)? { Ok(true) } else { go(x) })?;
            }
        }
        Ok(())
    }

    fn size(&self, cx: &Cx<'_>) -> Size {
        let (a, b) = (size(&self.left, cx), size(&self.right, cx));
        match (self.op, a, b) {
            (Op::Union, Size::Infinite, _) | (Op::Union, _, Size::Infinite) => Size::Infinite,
            (Op::Inter, Size::Exact(n), _)
            | (Op::Inter, _, Size::Exact(n))
            | (Op::Diff, Size::Exact(n), _)
                if n.is_zero() =>
            {
                Size::Exact(n)
            }
            (Op::Diff, Size::Infinite, Size::Exact(_)) => Size::Infinite,
            _ => Size::Unknown,
        }
    }

    fn image(&self, x: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        Some(match self.op {
            Op::Union => image_of(&self.left, x, cx).and_then(|mut a| {
                a.extend(image_of(&self.right, x, cx)?);
                Ok(a)
            }),
            op => image_of(&self.left, x, cx).and_then(|a| {
                let mut out = Vec::new();
                for y in a {
                    let pair = Value::pair(x.clone(), y.clone());
                    if contains(&self.right, &pair, cx)? == (op == Op::Inter) {
                        out.push(y);
                    }
                }
                Ok(out)
            }),
        })
    }

    fn domain(&self, cx: &Cx<'_>) -> Option<Result<Value, Fault>> {
        if self.op != Op::Union {
            return None;
        }
        let both = crate::ops::relations::dom(&self.left, cx).and_then(|a| {
            crate::ops::sets::combine_sets(Op::Union, &a, &crate::ops::relations::dom(&self.right, cx)?, cx)
        });
        Some(both)
    }

    fn describe(&self) -> String {
        let op = match self.op {
            Op::Union => "\\/",
            Op::Inter => "/\\",
            _ => "-",
        };
        format!("({} {op} {})", name(&self.left), name(&self.right))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
