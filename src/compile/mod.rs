//! Compiled machines: operations and invariants as programs over the words of packed states.
//!
//! In: IR, known constants, the layout of states. Out: programs whose results are those of the plain evaluator. What
//! cannot be compiled, and every run that meets something without value, is left to the plain evaluator, so that
//! faults are found and told in one place only. Siblings: `word` (the word IR and its portable executor), `lower`
//! (from IR to word IR), `function` (operations and predicates), `exec` (portable at first, native when it pays),
//! `together` (all operations of a state at once), `record` (order of edges), `system` (all of a machine), `ranges`
//! and `fit` (layouts made to measure), `unread` (constants that nothing reads).

pub(crate) mod exec;
mod fit;
pub(crate) mod function;
#[cfg(feature = "jit")]
pub(crate) mod jit;
pub(crate) mod lower;
pub mod ranges;
pub(crate) mod record;
mod system;
mod together;
mod unread;
pub(crate) mod word;

pub use fit::{Compiled, Earlier, fitted, fitting};
pub(crate) use lower::effects::{read as reads, written as writes};
pub use system::{CompiledSystem, Desk, Records, Refusal};
pub use unread::unread;

#[cfg(test)]
mod tests;

#[cfg(test)]
mod agree;
