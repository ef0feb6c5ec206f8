//! Refinement of classical B, checked on the reached pairs of states of a refinement and the machine that it refines.
//!
//! In: the system of a machine that holds both ([`crate::resolve::resolve_joint`]). Out: a [`System`](crate::model::System)
//! whose states are pairs that the gluing invariant relates, and whose faults are the steps that do not refine. For every pair,
//! every operation and all arguments that the refined precondition accepts: the refinement's precondition must hold, its
//! body must not fail, and each of its outcomes must have, with the same results, an outcome of the refined operation
//! such that the gluing invariant relates the two. The pairs behind a step are all those of matching outcomes.
//!
//! `plan` (which operations are compared), `joint` (the system), `matching` (one state, one operation), `begin` (the
//! initialisations), `glue` (the gluing invariant of a pair), `explain` (why a step has no counterpart), `steps` (those of all operations), `words` (the same as `matching` by compiled
//! code, where nothing goes wrong). By labels alone, without the gluing
//! invariant: `traces`, with `members` (sets of states as values), `positions` (the same by words) and `refusals` (what is not possible).

mod begin;
mod explain;
mod glue;
mod joint;
mod matching;
mod members;
mod plan;
mod positions;
mod refusals;
mod steps;
mod traces;
mod words;

pub use joint::JointSystem;
pub use plan::Plan;
pub use traces::TracesSystem;
