//! Sets of relations and functions: `<->` and all arrows.

use super::product::name;
use crate::diagnostic::Code;
use crate::ops::relations::{dom, sides};
use crate::ops::sets::{contains, equal, expand, size, subset};
use crate::ops::{Cx, Fault, Op};
use crate::value::symbolic::Size;
use crate::value::{Lazy, SetRef, Value};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use std::any::Any;
use std::ops::ControlFlow;

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

impl Arrows {
    fn functional(&self) -> bool {
        !matches!(self.op, Op::Rel | Op::TotalRel | Op::SurjRel | Op::TotalSurjRel)
    }
    fn total(&self) -> bool {
        use Op::{TotalBij, TotalFun, TotalInj, TotalRel, TotalSurj, TotalSurjRel};
        matches!(self.op, TotalRel | TotalSurjRel | TotalFun | TotalInj | TotalSurj | TotalBij)
    }
    fn onto(&self) -> bool {
        use Op::{PartialBij, PartialSurj, SurjRel, TotalBij, TotalSurj, TotalSurjRel};
        matches!(self.op, SurjRel | TotalSurjRel | PartialSurj | TotalSurj | PartialBij | TotalBij)
    }
    fn injective(&self) -> bool {
        matches!(self.op, Op::PartialInj | Op::TotalInj | Op::PartialBij | Op::TotalBij)
    }

    /// Membership of a relation in extension.
    fn holds(&self, pairs: &SetRef, cx: &Cx<'_>) -> Result<bool, Fault> {
        let mut lefts: Vec<&Value> = Vec::new();
        let mut rights: Vec<Value> = Vec::with_capacity(pairs.items().len());
        for p in pairs.items() {
            let (a, b) = sides(p)?;
            if lefts.last() != Some(&a) {
                lefts.push(a);
                if !contains(&self.dom, a, cx)? {
                    return Ok(false);
                }
            } else if self.functional() {
                return Ok(false);
            }
            if !contains(&self.ran, b, cx)? {
                return Ok(false);
            }
            rights.push(b.clone());
        }
        if self.total() && !has_size(&self.dom, lefts.len(), cx)? {
            return Ok(false);
        }
        if !self.injective() && !self.onto() {
            return Ok(true);
        }
        let count = rights.len();
        let distinct = SetRef::from_vec(rights).items().len();
        Ok((!self.injective() || distinct == count) && (!self.onto() || has_size(&self.ran, distinct, cx)?))
    }

    /// Membership of a function that cannot be listed: its domain must decide, and the range must be
    /// unrestricted.
    fn holds_lazily(&self, v: &Value, fault: Fault, cx: &Cx<'_>) -> Result<bool, Fault> {
        let Value::Lazy(l) = v else { return Err(fault) };
        if self.onto() || self.injective() || l.domain(cx).is_none() {
            return Err(fault);
        }
        let domain = dom(v, cx)?;
        let fits =
            if self.total() { equal(&domain, &self.dom, cx)? } else { subset(&domain, &self.dom, cx)? };
        if !fits {
            return Ok(false);
        }
        if super::is_whole(&self.ran, cx) { Ok(true) } else { Err(fault) }
    }
}

/// Whether a set has so many members.
fn has_size(set: &Value, n: usize, cx: &Cx<'_>) -> Result<bool, Fault> {
    match size(set, cx) {
        Size::Exact(m) => Ok(m == BigInt::from(n)),
        Size::Infinite => Ok(false),
        Size::Unknown => Ok(expand(set, cx)?.items().len() == n),
    }
}

impl Lazy for Arrows {
    fn contains(&self, v: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
        match expand(v, cx) {
            Ok(pairs) => self.holds(&pairs, cx),
            Err(f) if matches!(f.0.code, Code::Infinite | Code::TooLarge) => {
                if f.0.code == Code::Infinite
                    && let (Size::Infinite, Size::Exact(_), Size::Exact(_)) =
                        (size(v, cx), size(&self.dom, cx), size(&self.ran, cx))
                {
                    return Ok(false);
                }
                self.holds_lazily(v, f, cx)
            }
            Err(f) => Err(f),
        }
    }

    fn each(&self, cx: &Cx<'_>, f: &mut dyn FnMut(Value) -> ControlFlow<()>) -> Result<(), Fault> {
        // With an empty side at most the empty relation remains, even if the other side is infinite.
        for side in [&self.dom, &self.ran] {
            if matches!(size(side, cx), Size::Exact(n) if n.is_zero()) {
                if self.holds(&SetRef::empty(), cx)? {
                    let _ = f(Value::empty());
                }
                return Ok(());
            }
        }
        let (dom, ran) = (expand(&self.dom, cx)?, expand(&self.ran, cx)?);
        let mut walk = Walk {
            arrows: self,
            dom: dom.items(),
            ran: ran.items(),
            used: vec![0; ran.items().len()],
            open: ran.items().len(),
            pairs: Vec::new(),
            stop: false,
        };
        let _ = walk.from(0, cx, f);
        if walk.stop { Err(crate::ops::sets::interrupted()) } else { Ok(()) }
    }

    fn size(&self, cx: &Cx<'_>) -> Size {
        let small = |v| match size(v, cx) {
            Size::Exact(n) => n.to_u32().filter(|n| *n <= 2000),
            _ => None,
        };
        let zero = |v| matches!(size(v, cx), Size::Exact(n) if n.is_zero());
        if let (Some(n), Some(m)) = (small(&self.dom), small(&self.ran)) {
            return count(self.op, n, m).map_or(Size::Unknown, Size::Exact);
        }
        if zero(&self.dom) || zero(&self.ran) {
            return Size::Unknown;
        }
        match (size(&self.dom, cx), size(&self.ran, cx)) {
            (Size::Infinite, _) if !self.total() && !self.onto() => Size::Infinite,
            (_, Size::Infinite) if !self.onto() => Size::Infinite,
            _ => Size::Unknown,
        }
    }

    fn describe(&self) -> String {
        let op = crate::ops::table::SYNTAX.iter().find(|r| r.0 == self.op).map_or("<->", |r| r.1);
        format!("({} {op} {})", name(&self.dom), name(&self.ran))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A walk over all relations, left side by left side.
struct Walk<'a> {
    arrows: &'a Arrows,
    dom: &'a [Value],
    ran: &'a [Value],
    /// How often each right side is used.
    used: Vec<u32>,
    /// Right sides not used yet.
    open: usize,
    pairs: Vec<Value>,
    stop: bool,
}

impl Walk<'_> {
    fn from(
        &mut self,
        i: usize,
        cx: &Cx<'_>,
        f: &mut dyn FnMut(Value) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if cx.world.interrupt.raised() {
            self.stop = true;
            return ControlFlow::Break(());
        }
        let left = self.dom.len() - i;
        // Functions use one right side per left one: not enough left to cover the rest is a dead end.
        if self.arrows.onto() && self.arrows.functional() && self.open > left {
            return ControlFlow::Continue(());
        }
        let Some(x) = self.dom.get(i) else {
            if self.arrows.onto() && self.open > 0 {
                return ControlFlow::Continue(());
            }
            return f(Value::Set(SetRef::from_sorted(self.pairs.clone())));
        };
        if self.arrows.functional() {
            if !self.arrows.total() {
                self.from(i + 1, cx, f)?;
            }
            for j in 0..self.ran.len() {
                if self.arrows.injective() && self.used.get(j).is_some_and(|u| *u > 0) {
                    continue;
                }
                self.put(x, j);
                let flow = self.from(i + 1, cx, f);
                self.take(j);
                flow?;
            }
            return ControlFlow::Continue(());
        }
        self.row(i, 0, 0, cx, f)
    }

    /// All sets of right sides for the left side `i`, from `j` on.
    fn row(
        &mut self,
        i: usize,
        j: usize,
        chosen: usize,
        cx: &Cx<'_>,
        f: &mut dyn FnMut(Value) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if j == self.ran.len() {
            if self.arrows.total() && chosen == 0 {
                return ControlFlow::Continue(());
            }
            return self.from(i + 1, cx, f);
        }
        self.row(i, j + 1, chosen, cx, f)?;
        let Some(x) = self.dom.get(i) else { return ControlFlow::Continue(()) };
        self.put(x, j);
        let flow = self.row(i, j + 1, chosen + 1, cx, f);
        self.take(j);
        flow
    }

    fn put(&mut self, x: &Value, j: usize) {
        if let (Some(y), Some(u)) = (self.ran.get(j), self.used.get_mut(j)) {
            self.pairs.push(Value::pair(x.clone(), y.clone()));
            self.open -= usize::from(*u == 0);
            *u += 1;
        }
    }

    fn take(&mut self, j: usize) {
        if let Some(u) = self.used.get_mut(j) {
            self.pairs.pop();
            *u -= 1;
            self.open += usize::from(*u == 0);
        }
    }
}

/// How many relations or functions there are from n to m elements; `None` if the number is too large to
/// be worth writing down.
fn count(op: Op, n: u32, m: u32) -> Option<BigInt> {
    let pow = |b: BigInt, e: u32| (b.bits().saturating_mul(u64::from(e)) < 1 << 20).then(|| b.pow(e));
    let int = |x: u32| BigInt::from(x);
    let falling = |a: u32, k: u32| -> BigInt {
        if k > a { BigInt::zero() } else { (0..k).map(|i| int(a - i)).product() }
    };
    Some(match op {
        Op::Rel => pow(int(2), n.checked_mul(m)?)?,
        Op::TotalRel => pow(pow(int(2), m)? - 1, n)?,
        Op::SurjRel => pow(pow(int(2), n)? - 1, m)?,
        Op::TotalSurjRel => {
            // Inclusion and exclusion over the right sides left out.
            alternating(m, |k| pow(pow(int(2), m - k)? - 1, n))?
        }
        Op::TotalFun => pow(int(m), n)?,
        Op::PartialFun => pow(int(m) + 1, n)?,
        Op::TotalInj => falling(m, n),
        Op::PartialInj => (0..=n.min(m)).map(|k| choose(n, k) * falling(m, k)).sum(),
        Op::TotalSurj => alternating(m, |k| pow(int(m - k), n))?,
        Op::PartialSurj => alternating(m, |k| pow(int(m - k) + 1, n))?,
        Op::PartialBij => falling(n, m),
        _ => {
            if n == m {
                falling(n, n)
            } else {
                BigInt::zero()
            }
        }
    })
}

/// Sum over k of (-1)^k * C(m,k) * term(k).
fn alternating(m: u32, term: impl Fn(u32) -> Option<BigInt>) -> Option<BigInt> {
    let mut sum = BigInt::zero();
    for k in 0..=m {
        let t = choose(m, k) * term(k)?;
        if k % 2 == 0 { sum += t } else { sum -= t }
    }
    Some(sum)
}

fn choose(n: u32, k: u32) -> BigInt {
    let mut c = BigInt::from(1);
    for i in 0..k {
        c = c * (n - i) / (i + 1);
    }
    c
}
