//! Type schemes of operators, read from the table's text.
//!
//! In: `set a, set a -> set a`. Out: argument and result types as [`Shape`]s with letters as variables.

use crate::ops::{Op, table};
use std::sync::LazyLock;

/// The schemes in the order of [`Op`]; read once.
static SCHEMES: LazyLock<Vec<Option<Scheme>>> =
    LazyLock::new(|| table::TABLE.iter().map(|row| parse(row.scheme)).collect());

/// The scheme of an operator; `None` if `types` has a rule of its own for it.
pub(super) fn of(op: Op) -> Option<&'static Scheme> {
    SCHEMES.get(op as usize)?.as_ref()
}

/// Whether an operator's meaning is a predicate.
pub(super) fn is_predicate(op: Op) -> bool {
    op == Op::Partition || of(op).is_some_and(|s| s.result.is_none())
}

/// A type with variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    Int,
    Bool,
    Str,
    Real,
    /// Integer or real; all of one scheme are the same.
    Num,
    /// A variable, by its letter.
    Var(u8),
    Pow(Box<Shape>),
    Pair(Box<Shape>, Box<Shape>),
    Seq(Box<Shape>),
}

/// A whole scheme.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Scheme {
    /// Argument types.
    pub(super) args: Vec<Shape>,
    /// Result type; `None` for a predicate.
    pub(super) result: Option<Shape>,
}

/// Reads a scheme; `None` if the text is none (operators with rules of their own have `*`).
pub(super) fn parse(text: &str) -> Option<Scheme> {
    let (args, result) = text.split_once("->").map_or(("", text), |(a, r)| (a, r));
    let mut shapes = Vec::new();
    for arg in args.split(',').map(str::trim).filter(|a| !a.is_empty()) {
        shapes.push(whole(arg)?);
    }
    let result = if result.trim() == "pred" { None } else { Some(whole(result)?) };
    Some(Scheme { args: shapes, result })
}

fn whole(text: &str) -> Option<Shape> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (shape, rest) = shape(&words)?;
    rest.is_empty().then_some(shape)
}

fn shape<'a, 'b>(words: &'a [&'b str]) -> Option<(Shape, &'a [&'b str])> {
    let (first, rest) = words.split_first()?;
    let simple = |s| Some((s, rest));
    match *first {
        "int" => simple(Shape::Int),
        "bool" => simple(Shape::Bool),
        "str" => simple(Shape::Str),
        "real" => simple(Shape::Real),
        "num" => simple(Shape::Num),
        "(" => {
            let (s, rest) = shape(rest)?;
            Some((s, rest.strip_prefix(&[")"])?))
        }
        "set" => {
            let (s, rest) = shape(rest)?;
            Some((Shape::Pow(Box::new(s)), rest))
        }
        "seq" => {
            let (s, rest) = shape(rest)?;
            Some((Shape::Seq(Box::new(s)), rest))
        }
        "pair" | "rel" => {
            let (a, rest) = shape(rest)?;
            let (b, rest) = shape(rest)?;
            let pair = Shape::Pair(Box::new(a), Box::new(b));
            Some((if *first == "rel" { Shape::Pow(Box::new(pair)) } else { pair }, rest))
        }
        word => match word.as_bytes() {
            [letter] if letter.is_ascii_lowercase() => simple(Shape::Var(*letter)),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_are_told_by_their_schemes() {
        assert!(is_predicate(Op::In) && is_predicate(Op::True) && is_predicate(Op::Partition));
        assert!(!is_predicate(Op::Union) && !is_predicate(Op::Star));
    }

    #[test]
    fn letters_words_and_groups() {
        let scheme = parse("rel a (set b), int -> pair a b");
        let (a, b) = (Shape::Var(b'a'), Shape::Var(b'b'));
        let right = Shape::Pow(Box::new(b.clone()));
        let rel = Shape::Pow(Box::new(Shape::Pair(Box::new(a.clone()), Box::new(right))));
        let result = Some(Shape::Pair(Box::new(a), Box::new(b)));
        assert_eq!(scheme, Some(Scheme { args: vec![rel, Shape::Int], result }));
        assert_eq!(parse("set"), None);
        assert_eq!(parse("a a -> b"), None);
    }

    #[test]
    fn every_scheme_of_the_table_reads() {
        for row in table::TABLE {
            assert!(row.scheme == "*" || parse(row.scheme).is_some(), "{:?}: {}", row.op, row.scheme);
        }
    }
}
