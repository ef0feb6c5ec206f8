//! AST back to B text with as few parentheses as the priorities allow.
//!
//! In: a formula, substitution or machine. Out: text that parses to the same tree.

use crate::ops::Op;

/// An operator's spelling.
#[must_use]
pub fn operator(op: Op) -> &'static str {
    crate::ops::table::SYNTAX.get(op as usize).map_or("?", |row| row.1)
}
