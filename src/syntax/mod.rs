//! From text to syntax trees.
//!
//! In: the text of a machine or formula. Out: an AST and all syntax errors. Knows no names and no types.

pub mod ast;
mod clauses;
mod definitions;
mod explain;
mod lets;
pub mod lexer;
mod literal;
pub mod make;
mod parse;
pub mod print;
pub mod scan;
mod slips;
pub mod split;
pub mod table;
pub mod token;
pub mod walk;

pub use parse::{parse_definitions, parse_formula, parse_machine, parse_machine_in_full, parse_substitution};
pub use token::late_operators;

#[cfg(test)]
mod tests;
