//! Quantifiers with very many rows: whether some row does not satisfy the body is a question of its own.
//!
//! In: `!x.(P => Q)` in which nothing can be without value. Out: whether it holds, by solving `P & not(Q)`: ranges are narrowed by
//! what is denied, too, so that `!(x, y).(x : 0..n & y : 0..n & x + y <= n & x >= m => y <= n - m)` needs no row at all.

use crate::eval::{Env, Evaluator};
use crate::ir::{Pred, PredKind, Scoped};
use std::ops::ControlFlow::Break;

/// So many rows are gone through before.
pub(super) const PATIENCE: u64 = 1 << 15;

impl Evaluator {
    /// Whether all solutions of a binder satisfy a body that has a value for each; `None` if that cannot be told.
    pub(super) fn without_counterexample(&self, scoped: &Scoped<Pred>, env: &mut Env) -> Option<bool> {
        let not = Pred { kind: PredKind::Not(Box::new(scoped.body.clone())), span: scoped.body.span };
        let mut found = false;
        let flow = self.solve(&scoped.binder.vars, &[&scoped.binder.pred, &not], env, &mut |_, _| {
            found = true;
            Ok(Break(()))
        });
        flow.ok().map(|_| !found)
    }
}
