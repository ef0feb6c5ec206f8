//! Type schemes of operators, read from the table's text.
//!
//! In: `set a, set a -> set a`. Out: argument and result types as [`Shape`]s with numbered variables.

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
            Some((Shape::Pow(Box::new(Shape::Pair(Box::new(Shape::Int), Box::new(s)))), rest))
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
    fn every_scheme_of_the_table_reads() {
        for row in crate::ops::table::TABLE {
            assert!(row.scheme == "*" || parse(row.scheme).is_some(), "{:?}: {}", row.op, row.scheme);
        }
    }
}
