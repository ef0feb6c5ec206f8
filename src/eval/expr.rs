//! Values of expressions.

use super::{Env, Evaluator};
use crate::diagnostic::Code;
use crate::ir::Expr;
use crate::ops::Fault;
use crate::value::Value;

impl Evaluator {
    /// The value of an expression.
    ///
    /// # Errors
    /// A fault with the place of the innermost expression that has no value.
    pub fn expr(&self, e: &Expr, env: &mut Env) -> Result<Value, Fault> {
        let _ = env;
        Err(Fault::new(Code::Unsupported, "not evaluated yet").at(e.span))
    }
}
