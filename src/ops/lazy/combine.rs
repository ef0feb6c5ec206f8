//! Unions, intersections and differences of which a side is lazy.

use super::known::{into, is_function};
use super::meet::meet;
use super::numbers;
use super::{Consumer, name};
use crate::diagnostic::Code;
use crate::ops::args::sides;
use crate::ops::compare::equality::both;
use crate::ops::extension::{MEMBER_LIMIT, each_holds, empty, expand, size};
use crate::ops::membership::inclusion::contains;
use crate::ops::relations::dom;
use crate::ops::relations::pairs::image_of;
use crate::ops::sets::{interval, merge, union};
use crate::ops::{Cx, Fault, Op};
use crate::value::symbolic::Size;
use crate::value::{Lazy, SetRef, Value};
use num_bigint::BigInt;
use std::any::Any;

/// `left op right`, of three operators.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Combined {
    /// Union, intersection or difference.
    pub(in crate::ops) op: Op,
    /// Left side.
    pub(in crate::ops) left: Value,
    /// Right side.
    pub(in crate::ops) right: Value,
}

/// The two sides of a union, intersection or difference that is not listed.
pub(crate) fn operands(v: &Value) -> Option<(&Value, &Value)> {
    let Value::Lazy(l) = v else { return None };
    l.as_any().downcast_ref::<Combined>().map(|c| (&c.left, &c.right))
}

fn combined(op: Op, a: &Value, b: &Value) -> Value {
    Value::lazy(Combined { op, left: a.clone(), right: b.clone() })
}

fn none(v: &Value) -> bool {
    matches!(v, Value::Set(s) if s.is_empty())
}

/// The union of two sets, of which one is lazy.
pub(in crate::ops) fn union(a: &Value, b: &Value, _: &Cx<'_>) -> Value {
    if none(a) {
        return b.clone();
    }
    if none(b) {
        return a.clone();
    }
    if let (Some(x), Some(y)) = (numbers::of(a), numbers::of(b))
        && let Some(both) = x.join(&y)
    {
        return interval::of(both);
    }
    combined(Op::Union, a, b)
}

/// The intersection of two lazy sets.
pub(in crate::ops) fn inter(a: &Value, b: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    if let (Some(x), Some(y)) = (numbers::of(a), numbers::of(b)) {
        return Ok(interval::of(x.meet(&y)));
    }
    meet(a, b, cx).unwrap_or_else(|| Ok(combined(Op::Inter, a, b)))
}

/// What is left of a lazy set.
pub(in crate::ops) fn diff(a: &Value, b: &Value, _: &Cx<'_>) -> Value {
    if none(b) {
        return a.clone();
    }
    if let (Some(x), Some(y)) = (numbers::of(a), numbers::of(b))
        && let Some(rest) = x.minus(&y)
    {
        return interval::of(rest);
    }
    combined(Op::Diff, a, b)
}

impl Combined {
    /// For an intersection: the side to list, and the side to test.
    fn sides(&self, cx: &Cx<'_>) -> (&Value, &Value) {
        let (left, right) = (size(&self.left, cx), size(&self.right, cx));
        let right_first = match (left, right) {
            (Size::Exact(n), Size::Exact(m)) => m < n,
            (Size::Infinite, _) | (Size::Unknown, Size::Exact(_)) => true,
            _ => false,
        };
        if right_first { (&self.right, &self.left) } else { (&self.left, &self.right) }
    }
}

/// Fewer members of one side are looked for in the other one by one.
const MANY: u32 = 1 << 10;

/// So many times the candidates of one side may be listed to save looking for its members.
const TIMES: u32 = 2;

impl Combined {
    /// An intersection or difference by listing both sides: where the side to be tested is a comprehension, it costs
    /// as much for each candidate to list it as to ask it for a member. `None` if that does not pay or does not work.
    fn sifted(&self, cx: &Cx<'_>) -> Option<Result<SetRef, Fault>> {
        let (list, test) = if self.op == Op::Inter { self.sides(cx) } else { (&self.left, &self.right) };
        let Value::Lazy(asked) = test else { return None };
        let Size::Exact(n) = size(list, cx) else { return None };
        if n < BigInt::from(MANY) || n > BigInt::from(MEMBER_LIMIT) {
            return None;
        }
        let Size::Exact(candidates) = size(&asked.within(cx)?, cx) else { return None };
        if candidates > n * TIMES {
            return None;
        }
        match (expand(list, cx), expand(test, cx)) {
            (Ok(a), Ok(b)) if a.is_extension() && b.is_extension() => {
                Some(Ok(if self.op == Op::Inter { merge::inter(&a, &b) } else { merge::diff(&a, &b) }))
            }
            (Err(f), _) | (_, Err(f)) if f.0.code == Code::Interrupted => Some(Err(f)),
            _ => None,
        }
    }
}

/// How many members of a set in extension an interval lacks.
fn beyond(set: &Value, interval: &Value) -> Option<usize> {
    let (Value::Set(s), Value::Lazy(l)) = (set, interval) else { return None };
    let range = l.as_any().downcast_ref::<numbers::Numbers>()?;
    Some(s.items().iter().filter(|x| !range.has(x)).count())
}

/// Whether two functions have no argument with different values, if that is known.
fn agree(f: &Value, g: &Value, cx: &Cx<'_>) -> Option<bool> {
    match (f, g) {
        (Value::Set(s), other) | (other, Value::Set(s)) if s.is_extension() => {
            for pair in s.items() {
                let (x, y) = sides(pair).ok()?;
                if image_of(other, x, cx).ok()?.iter().any(|z| z != y) {
                    return Some(false);
                }
            }
            Some(true)
        }
        _ => {
            let domains = [dom::of(f, cx).ok()?, dom::of(g, cx).ok()?];
            empty(&inter(&domains[0], &domains[1], cx).ok()?, cx).filter(|apart| *apart)
        }
    }
}

impl Lazy for Combined {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let left = contains(&self.left, v, cx);
        let right = || contains(&self.right, v, cx);
        match self.op {
            Op::Union => Ok(left? || right()?),
            Op::Inter => both(left, right),
            _ => both(left, || Ok(!right()?)),
        }
    }

    fn each(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        let mut go = |x: &Value| Ok(f(x.clone()).is_continue());
        match self.op {
            Op::Union => {
                // The right side first says whether it is infinite, before anything is handed out.
                if let (Size::Infinite, Value::Lazy(l)) = (size(&self.right, cx), &self.right) {
                    return Err(crate::ops::extension::infinite(&**l));
                }
                if each_holds(&self.left, cx, &mut go)? {
                    each_holds(&self.right, cx, |x| Ok(contains(&self.left, x, cx)? || go(x)?))?;
                }
            }
            Op::Inter => {
                let (list, test) = self.sides(cx);
                each_holds(list, cx, |x| Ok(!contains(test, x, cx)? || go(x)?))?;
            }
            _ => {
                each_holds(&self.left, cx, |x| Ok(contains(&self.right, x, cx)? || go(x)?))?;
            }
        }
        Ok(())
    }

    fn listed(&self, cx: &Cx<'_>) -> Option<Result<SetRef, Fault>> {
        if self.op != Op::Union {
            return self.sifted(cx);
        }
        let finite = |v: &Value| matches!(size(v, cx), Size::Exact(n) if n <= BigInt::from(MEMBER_LIMIT));
        if !finite(&self.left) || !finite(&self.right) {
            return None;
        }
        // Two sorted lists are merged faster than members of one are looked for in the other.
        match (expand(&self.left, cx), expand(&self.right, cx)) {
            (Ok(a), Ok(b)) if a.is_extension() && b.is_extension() => {
                Some(union::of(&Value::Set(a), &Value::Set(b), cx).and_then(|v| expand(&v, cx)))
            }
            (Err(f), _) | (_, Err(f)) => Some(Err(f)),
            _ => None,
        }
    }

    fn size(&self, cx: &Cx<'_>) -> Size {
        let (a, b) = (size(&self.left, cx), size(&self.right, cx));
        let zero = |s: &Size| matches!(s, Size::Exact(n) if *n == BigInt::ZERO);
        match (self.op, &a, &b) {
            (Op::Union, Size::Infinite, _) | (Op::Union, _, Size::Infinite) => Size::Infinite,
            (Op::Inter | Op::Diff, _, _) if zero(&a) => a,
            (Op::Inter, _, _) if zero(&b) => b,
            (Op::Diff, Size::Infinite, Size::Exact(_)) => Size::Infinite,
            (Op::Union, Size::Exact(n), _) if let Some(more) = beyond(&self.right, &self.left) => {
                Size::Exact(n + more)
            }
            (Op::Union, _, Size::Exact(n)) if let Some(more) = beyond(&self.left, &self.right) => {
                Size::Exact(n + more)
            }
            _ => Size::Unknown,
        }
    }

    fn image(&self, x: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        let left = image_of(&self.left, x, cx);
        Some(if self.op == Op::Union {
            left.and_then(|mut a| {
                a.extend(image_of(&self.right, x, cx)?);
                Ok(a)
            })
        } else {
            left.and_then(|a| {
                let mut out = Vec::new();
                for y in a {
                    let pair = Value::pair(x.clone(), y.clone());
                    if contains(&self.right, &pair, cx)? == (self.op == Op::Inter) {
                        out.push(y);
                    }
                }
                Ok(out)
            })
        })
    }

    fn domain(&self, cx: &Cx<'_>) -> Option<Result<Value, Fault>> {
        (self.op == Op::Union).then(|| union::of(&dom::of(&self.left, cx)?, &dom::of(&self.right, cx)?, cx))
    }

    fn functional(&self, cx: &Cx<'_>) -> Option<bool> {
        // A part of a function is a function; a union of two is one if their domains are disjoint.
        match (self.op, &self.left) {
            (Op::Inter | Op::Diff, Value::Lazy(l)) => l.functional(cx).filter(|f| *f),
            (Op::Union, _) => {
                let (left, right) = (is_function(&self.left, cx), is_function(&self.right, cx));
                if left == Some(false) || right == Some(false) {
                    return Some(false);
                }
                (left? && right?).then(|| agree(&self.left, &self.right, cx))?
            }
            _ => None,
        }
    }

    fn maps_into(&self, ran: &Value, cx: &Cx<'_>) -> Option<bool> {
        if self.op == Op::Union { into(&self.left, ran, cx).and(into(&self.right, ran, cx)) } else { None }
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
