//! Truth values of predicates.

use super::{Env, Evaluator};
use crate::diagnostic::Code;
use crate::ir::Pred;
use crate::ops::Fault;

impl Evaluator {
    /// Whether a predicate holds.
    ///
    /// # Errors
    /// A fault with the place of the innermost expression that has no value.
    pub fn pred(&self, p: &Pred, env: &mut Env) -> Result<bool, Fault> {
        let _ = env;
        Err(Fault::new(Code::Unsupported, "not evaluated yet").at(p.span))
    }
}
