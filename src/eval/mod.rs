//! The evaluator over plain values: expressions, predicates, binders and substitutions of the IR.
//!
//! In: IR, an [`Env`]. Out: values, truth values, solutions, outcomes, or a [`Fault`] with its place.
//! It evaluates everything bsym supports. Siblings: `expr`, `pred` (three-valued conjunctions), `bind` and
//! `plan` (the solver: solutions of a predicate over typed variables), `closure` (comprehensions and
//! lambdas as lazy sets), `subst` (all outcomes of a substitution).

mod env;

pub use env::Env;

use crate::ir::Machine;
use crate::ops::World;
use std::sync::Arc;

/// A machine with the world it is evaluated in. Shared by all threads; holds no state of a run but
/// caches that do not influence results.
#[derive(Clone, Debug)]
pub struct Evaluator {
    /// The machine.
    pub machine: Arc<Machine>,
    /// Sizes of sets and limits.
    pub world: Arc<World>,
}
