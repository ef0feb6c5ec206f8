//! A walk over all relations or functions of a kind between two listed sets.

use super::Consumer;
use super::arrows::Arrows;
use crate::diagnostic::Code;
use crate::ops::extension::poll;
use crate::ops::{Cx, Fault};
use crate::value::{Lazy, SetRef, Value};
use std::ops::ControlFlow;

/// Sides longer than this are refused: the walk goes one call deep per left side or pair.
const DEEPEST: usize = 5000;

/// A walk over all relations, left side by left side.
struct Walk<'a> {
    arrows: &'a Arrows,
    dom: &'a [Value],
    ran: &'a [Value],
    /// Both sides, as sets.
    sides: [&'a SetRef; 2],
    /// How often each right side is used.
    used: Vec<u32>,
    /// Right sides not used yet.
    open: usize,
    pairs: Vec<Value>,
    /// All pairs, left side by left side, so that relations share them; empty if they are many.
    all: Vec<Value>,
    fault: Result<(), Fault>,
}

/// Most pairs that relations share.
const SHARED: usize = 1 << 12;

/// Hands out every relation of a kind between two listed sets, in a fixed order, one at a time.
pub(super) fn walk(
    arrows: &Arrows,
    dom: &SetRef,
    ran: &SetRef,
    cx: &Cx<'_>,
    f: Consumer<'_>,
) -> Result<(), Fault> {
    if dom.len() > DEEPEST || ran.len() > DEEPEST {
        let text = format!("`{}` is too large to be listed", arrows.describe());
        return Err(Fault::new(Code::TooLarge, text));
    }
    let (n, m) = (dom.len(), ran.len());
    // No room for injectivity, or not enough to cover the right side.
    if arrows.injective() && arrows.total() && n > m || arrows.functional() && arrows.onto() && m > n {
        return Ok(());
    }
    let pairs = |x: &Value| ran.items().iter().map(|y| Value::pair(x.clone(), y.clone())).collect::<Vec<_>>();
    let few = n.saturating_mul(m) <= SHARED;
    let mut walk = Walk {
        all: if few { dom.items().iter().flat_map(pairs).collect() } else { Vec::new() },
        arrows,
        dom: dom.items(),
        ran: ran.items(),
        sides: [dom, ran],
        used: vec![0; m],
        open: m,
        pairs: Vec::new(),
        fault: Ok(()),
    };
    let _ = walk.from(0, cx, f);
    walk.fault
}

impl Walk<'_> {
    fn from(&mut self, i: usize, cx: &Cx<'_>, f: Consumer<'_>) -> ControlFlow<()> {
        self.fault = poll(cx);
        if self.fault.is_err() {
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
            return f(Value::Set(SetRef::from_members(self.pairs.clone(), &self.sides)));
        };
        if self.arrows.functional() {
            if !self.arrows.total() {
                self.from(i + 1, cx, f)?;
            }
            for j in 0..self.ran.len() {
                if self.arrows.injective() && self.used.get(j).is_some_and(|u| *u > 0) {
                    continue;
                }
                self.put(i, x, j);
                let flow = self.from(i + 1, cx, f);
                self.take(j);
                flow?;
            }
            return ControlFlow::Continue(());
        }
        self.row(i, 0, 0, cx, f)
    }

    /// All sets of right sides for the left side `i`, from `j` on.
    fn row(&mut self, i: usize, j: usize, chosen: usize, cx: &Cx<'_>, f: Consumer<'_>) -> ControlFlow<()> {
        if j == self.ran.len() {
            if self.arrows.total() && chosen == 0 {
                return ControlFlow::Continue(());
            }
            return self.from(i + 1, cx, f);
        }
        self.row(i, j + 1, chosen, cx, f)?;
        let Some(x) = self.dom.get(i) else { return ControlFlow::Continue(()) };
        self.put(i, x, j);
        let flow = self.row(i, j + 1, chosen + 1, cx, f);
        self.take(j);
        flow
    }

    fn put(&mut self, i: usize, x: &Value, j: usize) {
        if let (Some(y), Some(u)) = (self.ran.get(j), self.used.get_mut(j)) {
            let shared = self.all.get(i * self.ran.len() + j).cloned();
            self.pairs.push(shared.unwrap_or_else(|| Value::pair(x.clone(), y.clone())));
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
