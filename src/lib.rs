//! bsym: a model checker for the B method that exploits the symmetry of deferred sets.
//!
//! # The pipeline
//!
//! ```text
//! text -> syntax -> resolve -> types -> ir -> eval -> exec, explain, compile -> model -> symmetry -> explore, walk, temporal -> report -> cli
//! ```
//!
//! A room (module) uses only rooms that stand before it in the list below; `tests/tidy.rs` enforces it.
//! Vocabulary: `source`, `diagnostic`, `ty`, `ops` with `value` (these two know each other: operators act
//! on values, lazy values need the operators' context), `layout`. Pipeline: `syntax`, `resolve`, `ir`,
//! `types`, `eval`, `exec`, `explain`, `model`, `compile`, `refine`, `symmetry`, `explore`, `walk`, `temporal`, `report`,
//! `lsp`, `cli`.

pub mod cli;
pub mod compile;
pub mod diagnostic;
pub mod eval;
pub mod exec;
pub mod explain;
pub mod explore;
pub mod flow;
pub mod ir;
pub mod layout;
pub mod lsp;
pub mod model;
pub mod ops;
pub mod refine;
pub mod report;
pub mod resolve;
pub mod source;
pub mod symmetry;
pub mod syntax;
pub mod temporal;
pub mod ty;
pub mod types;
pub mod value;
pub mod walk;
