//! Searching outward: what a window does not decide may be decided beyond it.
//!
//! In: a quantifier that has found nothing from MININT to MAXINT. Out: whether it finds something in wider windows, one after
//! the other, as long as the budget lasts; or that it is unknown, with the widest window that was gone through. A value
//! that is found decides, however wide the window is; that none is found decides nothing.

use super::bind::Run;
use super::solve::{self, ALL, Mode};
use super::{Evaluator, walk};
use crate::diagnostic::Code;
use crate::ir::ExprKind;
use crate::ops::Fault;
use crate::ty::Ty;
use crate::value::Value;
use std::cell::Cell;

/// How far beyond a known end, or from 0, windows reach.
const REACHES: [i64; 5] = [4, 16, 128, 1024, 8192];

/// Steps of the solver spent on all windows of one quantifier together: somewhat more than integers in the widest one.
const BUDGET: u64 = 10_000;

/// Integers that formulas name and of which sets are made, most.
const NAMED: usize = 16;

thread_local! {
    /// Whether this thread searches outward already: searches inside do not.
    static UNDER_WAY: Cell<bool> = const { Cell::new(false) };
}

/// A search outward under way.
struct UnderWay;

impl UnderWay {
    fn begin() -> Option<Self> {
        (!UNDER_WAY.replace(true)).then_some(Self)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        UNDER_WAY.set(false);
    }
}

impl Evaluator {
    /// Whether wider windows show what is sought; else that it is unknown. `sought` goes through one window and says
    /// whether it has found something.
    pub(super) fn outward(
        &self,
        mut unknown: Fault,
        sought: &mut dyn FnMut(Mode) -> Result<bool, Fault>,
    ) -> Result<(), Fault> {
        if self.naive {
            return Err(unknown);
        }
        let Some(_under_way) = UnderWay::begin() else { return Err(unknown) };
        let until = solve::steps().saturating_add(BUDGET);
        for reach in REACHES {
            match sought(Mode { reach, until, ..ALL }) {
                Ok(true) => return Ok(()),
                Ok(false) => {}
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
    pub(super) fn window(&self, ty: &Ty) -> Vec<i64> {
        let (min, max, reach) = (self.ev.world.minint, self.ev.world.maxint, self.mode.reach);
        if reach == 0 {
            return (min..=max).collect();
        }
        if *ty == Ty::Int {
            return (min.min(-reach)..=max.max(reach)).collect();
        }
        let mut named = Vec::new();
        for conj in &self.problem.conjs {
            walk::pred(&conj.pred, &mut |e| {
                if let ExprKind::Lit(Value::Int(n)) = e.kind
                    && named.len() < NAMED
                    && !named.contains(&n)
                {
                    named.push(n);
                }
            });
        }
        let others = (min..=max).filter(|n| !named.contains(n)).collect::<Vec<_>>();
        named.extend(others);
        named
    }
}
