//! Tests of the room: tokens, priorities, errors, and the law of the printer.

mod errors;
mod law;
mod shapes;

use super::ast::Node;
use crate::diagnostic::Diagnostic;
use crate::source::FileId;

/// A formula that must parse.
fn parsed(text: &str) -> Node {
    let (node, errors) = super::parse_formula(FileId(0), text);
    assert!(errors.is_empty(), "{text}: {errors:?}");
    node.unwrap_or_else(|| unreachable!("{text}"))
}

/// The errors of a machine.
fn errors(text: &str) -> Vec<Diagnostic> {
    super::parse_machine(FileId(0), text).1
}

/// The debug form of a tree without places.
fn shape(tree: &impl std::fmt::Debug) -> String {
    let text = format!("{tree:?}");
    let mut parts = text.split("Span {");
    let first = parts.next().unwrap_or("").to_owned();
    parts.fold(first, |all, part| all + part.split_once('}').map_or("", |(_, rest)| rest))
}
