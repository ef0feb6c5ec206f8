//! Quantifiers with very many rows: whether some row does not satisfy the body is a question of its own.
//!
//! In: `!x.(P => Q)` in which nothing can be without value. Out: whether it holds, by solving `P & not(Q)`: ranges are narrowed by
//! what is denied, too, so that `!(x, y).(x : 0..n & y : 0..n & x + y <= n & x >= m => y <= n - m)` needs no row at all.

use crate::eval::problem::{Problem, Unknown};
use crate::eval::solve::ALL;
use crate::eval::{Env, Evaluator};
use crate::ir::{Pred, PredKind, Scoped};
use std::ops::ControlFlow::Break;

/// So many rows are gone through, then so many steps of a search are taken, then more of both. A step takes some
/// hundred times as long as a row.
pub(super) const TURNS: [(u64, u64); 4] =
    [(1 << 15, 1 << 9), (1 << 20, 1 << 14), (1 << 25, 1 << 19), (1 << 30, 1 << 24)];

impl Evaluator {
    /// Whether all solutions of a binder satisfy a body that has a value for each; `None` if so many steps do not tell.
    pub(super) fn without_counterexample(
        &self,
        scoped: &Scoped<Pred>,
        steps: u64,
        env: &mut Env,
    ) -> Option<bool> {
        let not = Pred { kind: PredKind::Not(Box::new(scoped.body.clone())), span: scoped.body.span };
        let unknowns = scoped.binder.vars.iter().map(Unknown::local).collect();
        let problem = Problem::new(unknowns, &[&scoped.binder.pred, &not], self);
        let mut found = false;
        let flow = self.run(&problem, ALL.within(steps), env, &mut |_, _| {
            found = true;
            Ok(Break(()))
        });
        flow.ok().map(|_| !found)
    }
}
