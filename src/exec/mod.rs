//! Substitutions and operations: what a state may become.
//!
//! In: a substitution or an operation of the IR, an [`Env`](crate::eval::Env) with the state. Out: every outcome, or a fault with its
//! place. Siblings: `subst` (outcomes of a substitution) with `choices` (one of several at fault), `assign` and `writes` (targets, and what is not in effect yet), `repeat` (loops and calls),
//! `direct` with `grow` (one outcome, in place), `long` (very many parts); `operation` (edges) with `guards` (what restricts parameters), `voids` (guards without a value) and `examined`
//! (guards conjunct by conjunct). Values and truth are the evaluator's.

mod assign;
mod choices;
mod copies;
mod direct;
mod examined;
mod grow;
mod guards;
mod long;
mod operation;
mod repeat;
mod subst;
mod voids;
mod writes;

pub use examined::{Guard, Truth};
pub use operation::{Edge, Report};
