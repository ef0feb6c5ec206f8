//! Relations made from relations that are not in extension: inverse, restriction, overriding, composition,
//! parallel product, identity, projections.

use super::product::name;
use crate::ops::relations::{dom, image_of, sides};
use crate::ops::sets::{combine_sets, contains, each_holds, expand, size};
use crate::ops::{Cx, Fault, Op};
use crate::value::symbolic::Size;
use crate::value::{Lazy, SetRef, Value};
use std::any::Any;
use std::ops::ControlFlow;

type Consumer<'a> = &'a mut dyn FnMut(Value) -> ControlFlow<()>;

/// `of~`.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Inverse {
    pub(in crate::ops) of: Value,
}

impl Lazy for Inverse {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let (a, b) = sides(v)?;
        contains(&self.of, &Value::pair(b.clone(), a.clone()), cx)
    }
    fn each(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        each_holds(&self.of, cx, |p| {
            let (a, b) = sides(p)?;
            Ok(f(Value::pair(b.clone(), a.clone())).is_continue())
        })
        .map(|_| ())
    }
    fn size(&self, cx: &Cx<'_>) -> Size {
        size(&self.of, cx)
    }
    fn describe(&self) -> String {
        format!("{}~", name(&self.of))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A restriction or subtraction of domain (`left`) or range.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Restricted {
    pub(in crate::ops) left: bool,
    pub(in crate::ops) keep: bool,
    pub(in crate::ops) by: Value,
    pub(in crate::ops) of: Value,
}

impl Restricted {
    fn passes(&self, p: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let (a, b) = sides(p)?;
        Ok(contains(&self.by, if self.left { a } else { b }, cx)? == self.keep)
    }
}

impl Lazy for Restricted {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        Ok(self.passes(v, cx)? && contains(&self.of, v, cx)?)
    }
    fn each(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        if self.left && self.keep && size(&self.by, cx) != Size::Infinite {
            for x in expand(&self.by, cx)?.items() {
                for y in SetRef::from_vec(image_of(&self.of, x, cx)?).items() {
                    if f(Value::pair(x.clone(), y.clone())).is_break() {
                        return Ok(());
                    }
                }
            }
            return Ok(());
        }
        each_holds(&self.of, cx, |p| Ok(!self.passes(p, cx)? || f(p.clone()).is_continue())).map(|_| ())
    }
    fn image(&self, x: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        if self.left {
            return Some(contains(&self.by, x, cx).and_then(|inside| {
                if inside == self.keep { image_of(&self.of, x, cx) } else { Ok(Vec::new()) }
            }));
        }
        Some(image_of(&self.of, x, cx).and_then(|ys| {
            let mut out = Vec::new();
            for y in ys {
                if contains(&self.by, &y, cx)? == self.keep {
                    out.push(y);
                }
            }
            Ok(out)
        }))
    }
    fn domain(&self, cx: &Cx<'_>) -> Option<Result<Value, Fault>> {
        let Value::Lazy(l) = &self.of else { return None };
        let d = l.domain(cx).filter(|_| self.left)?;
        let op = if self.keep { Op::Inter } else { Op::Diff };
        Some(d.and_then(|d| combine_sets(op, &d, &self.by, cx)))
    }
    fn describe(&self) -> String {
        let (by, of) = (name(&self.by), name(&self.of));
        match (self.left, self.keep) {
            (true, true) => format!("({by} <| {of})"),
            (true, false) => format!("({by} <<| {of})"),
            (false, true) => format!("({of} |> {by})"),
            (false, false) => format!("({of} |>> {by})"),
        }
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// `base <+ by`.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Overridden {
    pub(in crate::ops) base: Value,
    pub(in crate::ops) by: Value,
}

impl Overridden {
    fn row(&self, x: &Value, cx: &Cx<'_>) -> Result<Vec<Value>, Fault> {
        let own = image_of(&self.by, x, cx)?;
        if own.is_empty() { image_of(&self.base, x, cx) } else { Ok(own) }
    }
}

impl Lazy for Overridden {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let (a, b) = sides(v)?;
        contains(&Value::Set(SetRef::from_vec(self.row(a, cx)?)), b, cx)
    }
    fn each(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        let (base, by) = (expand(&self.base, cx)?, expand(&self.by, cx)?);
        let both = crate::ops::relations::override_by(&Value::Set(base), &Value::Set(by), cx)?;
        each_holds(&both, cx, |p| Ok(f(p.clone()).is_continue())).map(|_| ())
    }
    fn image(&self, x: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        Some(self.row(x, cx))
    }
    fn domain(&self, cx: &Cx<'_>) -> Option<Result<Value, Fault>> {
        Some(dom(&self.base, cx).and_then(|a| combine_sets(Op::Union, &a, &dom(&self.by, cx)?, cx)))
    }
    fn describe(&self) -> String {
        format!("({} <+ {})", name(&self.base), name(&self.by))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// `(first ; then)`.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Composed {
    pub(in crate::ops) first: Value,
    pub(in crate::ops) then: Value,
}

impl Composed {
    fn row(&self, x: &Value, cx: &Cx<'_>) -> Result<Vec<Value>, Fault> {
        let mut out = Vec::new();
        for y in image_of(&self.first, x, cx)? {
            out.extend(image_of(&self.then, &y, cx)?);
        }
        Ok(out)
    }
}

impl Lazy for Composed {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let (a, b) = sides(v)?;
        contains(&Value::Set(SetRef::from_vec(self.row(a, cx)?)), b, cx)
    }
    fn each(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        let first = expand(&self.first, cx)?;
        let all = crate::ops::relations::compose(&Value::Set(first), &self.then, cx)?;
        each_holds(&all, cx, |p| Ok(f(p.clone()).is_continue())).map(|_| ())
    }
    fn image(&self, x: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        Some(self.row(x, cx))
    }
    fn describe(&self) -> String {
        format!("({} ; {})", name(&self.first), name(&self.then))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// `(left || right)`.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Parallel {
    pub(in crate::ops) left: Value,
    pub(in crate::ops) right: Value,
}

impl Lazy for Parallel {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let (x, y) = sides(v)?;
        let ((a, c), (b, d)) = (sides(x)?, sides(y)?);
        Ok(contains(&self.left, &Value::pair(a.clone(), b.clone()), cx)?
            && contains(&self.right, &Value::pair(c.clone(), d.clone()), cx)?)
    }
    fn each(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        let (a, b) = (expand(&self.left, cx)?, expand(&self.right, cx)?);
        let all = crate::ops::relations::parallel(&Value::Set(a), &Value::Set(b), cx)?;
        each_holds(&all, cx, |p| Ok(f(p.clone()).is_continue())).map(|_| ())
    }
    fn image(&self, x: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        let row = || {
            let (a, c) = sides(x)?;
            let right = image_of(&self.right, c, cx)?;
            let mut out = Vec::new();
            for b in image_of(&self.left, a, cx)? {
                out.extend(right.iter().map(|d| Value::pair(b.clone(), d.clone())));
            }
            Ok(out)
        };
        Some(row())
    }
    fn describe(&self) -> String {
        format!("({} || {})", name(&self.left), name(&self.right))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// `id(on)`.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Identity {
    pub(in crate::ops) on: Value,
}

impl Lazy for Identity {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let (a, b) = sides(v)?;
        Ok(crate::ops::sets::equal(a, b, cx)? && contains(&self.on, a, cx)?)
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
    fn describe(&self) -> String {
        format!("id({})", name(&self.on))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// `prj1(left, right)` or `prj2(left, right)`.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Projection {
    pub(in crate::ops) first: bool,
    pub(in crate::ops) left: Value,
    pub(in crate::ops) right: Value,
}

impl Projection {
    fn pick<'v>(&self, pair: &'v Value) -> Result<&'v Value, Fault> {
        let (a, b) = sides(pair)?;
        Ok(if self.first { a } else { b })
    }
    fn inside(&self, pair: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let (a, b) = sides(pair)?;
        Ok(contains(&self.left, a, cx)? && contains(&self.right, b, cx)?)
    }
}

impl Lazy for Projection {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let (pair, to) = sides(v)?;
        Ok(self.inside(pair, cx)? && crate::ops::sets::equal(self.pick(pair)?, to, cx)?)
    }
    fn each(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        let all = crate::ops::sets::times(&self.left, &self.right, cx);
        each_holds(&all, cx, |p| Ok(f(Value::pair(p.clone(), self.pick(p)?.clone())).is_continue()))
            .map(|_| ())
    }
    fn size(&self, cx: &Cx<'_>) -> Size {
        size(&crate::ops::sets::times(&self.left, &self.right, cx), cx)
    }
    fn image(&self, x: &Value, cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        Some(
            self.inside(x, cx)
                .and_then(|inside| if inside { Ok(vec![self.pick(x)?.clone()]) } else { Ok(Vec::new()) }),
        )
    }
    fn domain(&self, cx: &Cx<'_>) -> Option<Result<Value, Fault>> {
        Some(Ok(crate::ops::sets::times(&self.left, &self.right, cx)))
    }
    fn describe(&self) -> String {
        let op = if self.first { "prj1" } else { "prj2" };
        format!("{op}({}, {})", name(&self.left), name(&self.right))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
