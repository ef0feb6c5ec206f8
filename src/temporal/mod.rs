//! Temporal formulas: whether what a machine does is, from its first state on, as a formula says.
//!
//! In: formulas in text, a machine with its states. Out: for each formula that it holds, or a path on which it does not. Text: `lexer`
//! and the grammar (`ast`). Logic, which knows no B: `formula` (linear time), `ctl` (branching time), `normal` with `past`, `automaton`,
//! `graph`, `product` with `components`, `streett` (fairness) and `lasso`; `show` writes automata. Between them: `lower` with `atoms` and `quantified`, `variants` (operations by arguments); `record` with `look` makes
//! the graph of a machine, `unwind` finds a path in the machine without symmetry.

pub mod ast;
pub mod atoms;
pub mod automaton;
mod components;
pub mod ctl;
pub mod formula;
pub mod graph;
mod lasso;
mod lexer;
pub mod look;
pub mod lower;
mod normal;
mod past;
pub mod product;
pub mod quantified;
pub mod record;
pub mod show;
mod streett;
pub mod text;
pub mod unwind;
pub mod variants;

pub use automaton::Automaton;
pub use ctl::Ctl;
pub use formula::Ltl;
pub use graph::{Edge, Graph};
pub use normal::Letter;
pub use product::{Answer, Fair, Path, Problem, find};
