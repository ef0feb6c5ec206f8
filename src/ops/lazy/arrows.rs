//! Sets of relations and functions: `<->` and all arrows.
//!
//! Membership looks at the relation in question only. A function that cannot be listed is a member if its
//! domain says so and the right side is a whole type.

use super::arrow_count::count;
use super::arrow_walk::walk;
use super::identity::Identity;
use super::product::Product;
use super::{Consumer, name};
use super::{rules, samples};
use crate::diagnostic::Code;
use crate::ops::args::{sides, two};
use crate::ops::compare::equality::equal;
use crate::ops::extension::{empty, expand, gather, has_size, size};
use crate::ops::lazy::compare::{is_whole, maps_into};
use crate::ops::membership::inclusion::{contains, subset};
use crate::ops::table::def;
use crate::ops::{Arrow, Cx, Fault, Op};
use crate::value::symbolic::Size;
use crate::value::{Lazy, SetRef, Value};
use num_traits::ToPrimitive;
use std::any::Any;

/// Relations between fewer left sides are listed at once.
const LISTED: u32 = 256;

/// `dom op ran`.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Arrows {
    /// Which arrow.
    pub(in crate::ops) op: Op,
    /// Left side.
    pub(in crate::ops) dom: Value,
    /// Right side.
    pub(in crate::ops) ran: Value,
}

/// The value of an arrow operator.
pub(in crate::ops) fn arrow(op: Op, args: &[Value]) -> Result<Value, Fault> {
    let (dom, ran) = two(args)?;
    Ok(Value::lazy(Arrows { op, dom: dom.clone(), ran: ran.clone() }))
}

impl Arrows {
    fn asks(&self, what: impl Fn(Arrow) -> bool) -> bool {
        self.op.arrow().is_some_and(what)
    }
    pub(super) fn functional(&self) -> bool {
        self.asks(|a| a.functional)
    }
    pub(super) fn total(&self) -> bool {
        self.asks(|a| a.total)
    }
    pub(super) fn onto(&self) -> bool {
        self.asks(|a| a.onto)
    }
    pub(super) fn injective(&self) -> bool {
        self.asks(|a| a.injective)
    }

    /// Whether everything demanded by the other kind of arrow is demanded here.
    pub(super) fn implies(&self, other: &Arrows) -> bool {
        (self.functional() || !other.functional())
            && (self.total() || !other.total())
            && (self.onto() || !other.onto())
            && (self.injective() || !other.injective())
    }

    /// Membership of a relation in extension.
    fn holds(&self, pairs: &SetRef, cx: &Cx<'_>) -> Result<bool, Fault> {
        let mut lefts: usize = 0;
        let mut last: Option<&Value> = None;
        let mut rights: Vec<Value> = Vec::new();
        let distinct_matters = self.injective() || self.onto();
        for p in pairs.items() {
            let (a, b) = sides(p)?;
            if last != Some(a) {
                last = Some(a);
                lefts += 1;
                if !contains(&self.dom, a, cx)? {
                    return Ok(false);
                }
            } else if self.functional() {
                return Ok(false);
            }
            if !contains(&self.ran, b, cx)? {
                return Ok(false);
            }
            if distinct_matters {
                rights.push(b.clone());
            }
        }
        if !pairs.is_extension() {
            // Sets that are not listed are the same in whatever form.
            let all: Result<Vec<Value>, Fault> =
                pairs.items().iter().map(|p| sides(p).map(|(a, _)| a.clone())).collect();
            lefts = gather(all?, cx)?.len();
            if self.functional() && lefts < pairs.len() {
                return Ok(false);
            }
        }
        // All left sides are in the set, so that counting them shows whether they are all of it.
        if self.total() && !has_size(&self.dom, lefts, cx)? {
            return Ok(false);
        }
        if !distinct_matters {
            return Ok(true);
        }
        let distinct = gather(rights, cx)?.len();
        Ok((!self.injective() || distinct == pairs.len())
            && (!self.onto() || has_size(&self.ran, distinct, cx)?))
    }

    /// Membership of `id(on)`, an injective function: it need not be listed.
    fn holds_identity(&self, on: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        let fits = |side: &Value, all: bool| if all { equal(on, side, cx) } else { subset(on, side, cx) };
        Ok(fits(&self.dom, self.total())? && fits(&self.ran, self.onto())?)
    }

    /// Membership of a product with members on both sides, where each left side has all right ones: it need not be listed.
    fn holds_product(&self, p: &Product, cx: &Cx<'_>) -> Option<bool> {
        if empty(&p.left, cx) != Some(false) || empty(&p.right, cx) != Some(false) {
            return None;
        }
        let fits = |side: &Value, of: &Value, all: bool| {
            if all { equal(side, of, cx).ok() } else { subset(side, of, cx).ok() }
        };
        let single = |asked: bool, side: &Value| if asked { has_size(side, 1, cx).ok() } else { Some(true) };
        Some(
            fits(&p.left, &self.dom, self.total())?
                && fits(&p.right, &self.ran, self.onto())?
                && single(self.functional(), &p.right)?
                && single(self.injective(), &p.left)?,
        )
    }

    /// Whether a relation that need not be listed is certainly a member: what it is known to be within lies between the two sides, and it is
    /// known to be a function with so many left sides.
    fn holds_counted(&self, l: &dyn Lazy, cx: &Cx<'_>) -> Option<bool> {
        let Size::Exact(lefts) = size(&self.dom, cx) else { return None };
        if self.onto() || self.injective() || lefts < LISTED.into() {
            return None;
        }
        let counted = l.left_sides(cx).is_some_and(|n| !self.total() || lefts == n.into());
        let around = if counted { l.within(cx)? } else { return None };
        let Value::Lazy(around) = &around else { return None };
        let around = around.as_any().downcast_ref::<Product>()?;
        let inside =
            subset(&around.left, &self.dom, cx).ok()? && subset(&around.right, &self.ran, cx).ok()?;
        inside.then_some(true)
    }

    /// Membership of a relation that cannot be listed for the reason `fault`.
    fn holds_lazily(&self, v: &Value, fault: Fault, cx: &Cx<'_>) -> Result<bool, Fault> {
        let Value::Lazy(l) = v else { return Err(fault) };
        if l.size(cx) == Size::Infinite
            && let (Size::Exact(_), Size::Exact(_)) = (size(&self.dom, cx), size(&self.ran, cx))
        {
            return Ok(false);
        }
        let function = l.functional(cx);
        if self.functional() && function == Some(false) {
            return Ok(false);
        }
        let Some(domain) = l.domain(cx) else { return Err(fault) };
        let domain = domain?;
        let fits =
            if self.total() { equal(&domain, &self.dom, cx)? } else { subset(&domain, &self.dom, cx)? };
        if !fits {
            return Ok(false);
        }
        let into = maps_into(&**l, &domain, &self.ran, cx) == Some(true);
        let image = |x: &Value| l.image(x, cx).and_then(Result::ok).unwrap_or_default();
        if !into && samples::leaves(&domain, &self.ran, image, cx)
            || self.injective() && samples::collides(&domain, image, cx)
        {
            return Ok(false);
        }
        if self.onto() {
            let range = l.rule(cx).and_then(|rule| rules::range(&rule, &domain, cx));
            match range.map(|r| equal(&r, &self.ran, cx)) {
                Some(Ok(true)) => {}
                Some(Ok(false)) => return Ok(false),
                _ => return Err(fault),
            }
        }
        let injective = || l.rule(cx).is_some_and(|r| rules::is_injective(&r));
        let known = into && !(self.functional() && function.is_none()) && (!self.injective() || injective());
        if known { Ok(true) } else { Err(fault) }
    }

    /// Membership among all relations between two sets: that of the relation in their product, whose forms may tell
    /// without a list.
    fn holds_by_form(&self, v: &Value, cx: &Cx<'_>) -> Option<bool> {
        let (Op::Rel, Value::Lazy(l)) = (self.op, v) else { return None };
        if l.size(cx) == Size::Unknown {
            return None;
        }
        subset(v, &Value::lazy(Product { left: self.dom.clone(), right: self.ran.clone() }), cx).ok()
    }
}

impl Lazy for Arrows {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        if self.op == Op::Rel
            && matches!(v, Value::Lazy(_))
            && is_whole(&self.dom, cx)
            && is_whole(&self.ran, cx)
        {
            return Ok(true);
        }
        if let Value::Lazy(l) = v
            && let Some(identity) = l.as_any().downcast_ref::<Identity>()
        {
            return self.holds_identity(&identity.on, cx);
        }
        if let Value::Lazy(l) = v
            && let Some(product) = l.as_any().downcast_ref::<Product>()
            && let Some(holds) = self.holds_product(product, cx)
        {
            return Ok(holds);
        }
        if let Value::Lazy(l) = v
            && let Some(holds) = self.holds_counted(&**l, cx)
        {
            return Ok(holds);
        }
        if let Some(holds) = self.holds_by_form(v, cx) {
            return Ok(holds);
        }
        match expand(v, cx) {
            Ok(pairs) => self.holds(&pairs, cx),
            Err(f) if matches!(f.0.code, Code::Infinite | Code::TooLarge) => self.holds_lazily(v, f, cx),
            Err(f) => Err(f),
        }
    }

    fn each(&self, cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        // With an empty side at most the empty relation remains, even if the other side is infinite.
        if empty(&self.dom, cx) == Some(true) || empty(&self.ran, cx) == Some(true) {
            if self.holds(&SetRef::empty(), cx)? {
                let _ = f(Value::empty());
            }
            return Ok(());
        }
        walk(self, &expand(&self.dom, cx)?, &expand(&self.ran, cx)?, cx, f)
    }

    fn size(&self, cx: &Cx<'_>) -> Size {
        let (dom, ran) = (size(&self.dom, cx), size(&self.ran, cx));
        let small = |s: &Size| match s {
            Size::Exact(n) => n.to_u32().filter(|n| *n <= 2000),
            _ => None,
        };
        if let (Some(n), Some(m)) = (small(&dom), small(&ran)) {
            return count(self.op, n, m).map_or(Size::Unknown, Size::Exact);
        }
        if empty(&self.dom, cx) == Some(true) || empty(&self.ran, cx) == Some(true) {
            return self
                .holds(&SetRef::empty(), cx)
                .map_or(Size::Unknown, |b| Size::Exact(i32::from(b).into()));
        }
        let filled = empty(&self.dom, cx) == Some(false) && empty(&self.ran, cx) == Some(false);
        let endless = match (&dom, &ran) {
            // Every singleton relation is one.
            (Size::Infinite, _) | (_, Size::Infinite) if !self.total() && !self.onto() => filled,
            // A left side may go to any right one, the others staying apart.
            (Size::Exact(_), Size::Infinite) if !self.onto() => filled,
            _ => false,
        };
        if endless { Size::Infinite } else { Size::Unknown }
    }

    fn describe(&self) -> String {
        format!("({} {} {})", name(&self.dom), def(self.op).spelling, name(&self.ran))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
