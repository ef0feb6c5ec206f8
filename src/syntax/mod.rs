//! From text to syntax trees.
//!
//! In: the text of a machine or formula. Out: an AST and all syntax errors. Knows no names and no types.

pub mod ast;
