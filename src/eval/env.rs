//! Environments: where the evaluator finds the values of names.

use crate::value::Value;
use std::sync::Arc;

/// Values of constants, variables and locals.
#[derive(Clone, Debug, Default)]
pub struct Env {
    /// Constants by `ConstId`; `None` while PROPERTIES are being solved and a constant has no value yet.
    pub consts: Arc<Vec<Option<Value>>>,
    /// Variables by `VarId`; `None` before the initialisation has assigned them.
    pub vars: Arc<Vec<Option<Value>>>,
    /// `x$0` in loop invariants.
    pub old: Option<Arc<Vec<Option<Value>>>>,
    /// The frame, by `LocalId`; `None` is unbound, or an unset VAR local.
    pub locals: Vec<Option<Value>>,
}
