//! Searching outward: what a window does not decide may be decided beyond it.
//!
//! In: a quantifier that has found nothing from MININT to MAXINT. Out: whether it finds something in wider windows, one after
//! the other, as long as the budget lasts; or that it is unknown, with the widest window that was gone through. A value
//! that is found decides, however wide the window is; that none is found decides nothing.

use super::bind::Run;
use super::finite::Window;
use super::pattern::put;
use super::solve::{self, ALL, Mode};
use super::{Env, Evaluator, Flow, finite, walk};
use crate::diagnostic::Code;
use crate::ir::{Expr, ExprKind};
use crate::ops::Fault;
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use std::cell::Cell;
use std::ops::ControlFlow::Continue;

/// How far beyond a known end, or from 0, windows reach.
pub(super) const REACHES: [i64; 5] = [4, 16, 128, 1024, 8192];

/// Steps of the solver spent on all windows of one quantifier together: somewhat more than integers in the widest one.
const BUDGET: u64 = 10_000;

/// Integers that formulas name and of which sets are made, most.
const NAMED: usize = 16;

/// Values of which all sets are tried.
const SETS: usize = 8;

thread_local! {
    /// Whether this thread searches outward already: searches inside do not.
    static UNDER_WAY: Cell<bool> = const { Cell::new(false) };
}

/// A search outward under way.
pub(super) struct UnderWay;

impl UnderWay {
    /// The search; none if one is under way.
    pub(super) fn begin() -> Option<Self> {
        (!UNDER_WAY.replace(true)).then_some(Self)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        UNDER_WAY.set(false);
    }
}

impl Evaluator {
    /// Whether what is sought is there, as far as wider windows show it; else that it is unknown. `sought` goes through one window
    /// and says whether it has found something; that nothing is there is certain where no window was needed.
    pub(super) fn outward(
        &self,
        mut unknown: Fault,
        sought: &mut dyn FnMut(Mode) -> Result<bool, Fault>,
    ) -> Result<bool, Fault> {
        if self.naive {
            return Err(unknown);
        }
        let Some(_under_way) = UnderWay::begin() else { return Err(unknown) };
        let until = solve::steps().saturating_add(self.world.at_most(BUDGET));
        let farthest = self.world.lowered.map_or(i64::MAX, i64::from);
        for reach in REACHES.into_iter().filter(|r| *r <= farthest) {
            match sought(Mode { until, reach, ..ALL }) {
                Ok(found) => return Ok(found),
                Err(f) if f.0.code == Code::Undecided => unknown = f,
                Err(f) if f.0.code == Code::Interrupted => return Err(f),
                // Beyond the first window something has no value, or it takes too long.
                Err(_) => break,
            }
            if solve::steps() > until {
                break;
            }
        }
        Err(unknown)
    }
}

impl Run<'_> {
    /// The integers of which values of an infinite type are made: those from MININT to MAXINT, wider if that was not enough. Of
    /// sets of integers there are too many for wide windows: there it is the integers that the formula names that come in
    /// addition, before the others.
    pub(super) fn window(&self, ty: &Ty) -> Window {
        let ((min, max), reach) = (self.ev.world.window().into_inner(), self.mode.reach);
        if reach == 0 {
            return Window { first: Vec::new(), all: min..=max };
        }
        if *ty == Ty::Int {
            return Window { first: Vec::new(), all: min.min(-reach)..=max.max(reach) };
        }
        let mut named = Vec::new();
        for conj in &self.problem.conjs {
            walk::pred(&conj.pred, &mut |e| {
                if let ExprKind::Lit(Value::Int(n)) = e.kind
                    && named.len() < self.ev.world.few(NAMED)
                    && !named.contains(&n)
                {
                    named.push(n);
                }
            });
        }
        Window { first: named, all: min..=max }
    }

    /// Sets of values that the conjuncts name, as candidates for an unknown set of such values: members that something is
    /// asked of, where the type has too many others.
    pub(super) fn subsets_of_named(
        &self,
        var: usize,
        env: &mut Env,
        f: &mut dyn FnMut(&mut Env) -> Flow,
    ) -> Flow {
        let u = &self.problem.unknowns[var];
        let Ty::Pow(element) = &u.ty else { return Ok(Continue(())) };
        let mut exprs: Vec<&Expr> = Vec::new();
        for conj in &self.problem.conjs {
            walk::pred(&conj.pred, &mut |e| {
                let known =
                    e.ty == **element && !matches!(e.kind, ExprKind::Compr(..) | ExprKind::Lambda(..));
                if known
                    && self.problem.reads(e).iter().next().is_none()
                    && exprs.len() < self.ev.world.few(NAMED)
                {
                    exprs.push(e);
                }
            });
        }
        // What a binder inside binds has no value here, and is left out.
        let values: Vec<Value> = exprs.iter().filter_map(|e| self.ev.settled(e, env).ok()).collect();
        let named = SetRef::from_vec(values.into_iter().filter(Value::is_extension).collect());
        let few = &named.items()[..named.items().len().min(self.ev.world.few(SETS))];
        finite::subsets(few, &self.ev.world, &mut |some| {
            put(env, u.slot, some);
            f(env)
        })
    }
}
