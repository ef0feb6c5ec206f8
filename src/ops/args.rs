//! Taking the evaluated arguments of an operator apart, and text for its faults.
//!
//! The parser settles how many arguments an operator has, and types settle what they are: a mismatch here is
//! a fault of bsym, reported like any other instead of stopping the program.

use super::{Cx, Fault};
use crate::diagnostic::Code;
use crate::value::Value;

/// The argument of a unary operator.
pub(super) fn one(args: &[Value]) -> Result<&Value, Fault> {
    match args {
        [a] => Ok(a),
        _ => Err(count(1, args)),
    }
}

/// The arguments of a binary operator.
pub(super) fn two(args: &[Value]) -> Result<(&Value, &Value), Fault> {
    match args {
        [a, b] => Ok((a, b)),
        _ => Err(count(2, args)),
    }
}

/// The arguments of an operator with three.
pub(super) fn three(args: &[Value]) -> Result<(&Value, &Value, &Value), Fault> {
    match args {
        [a, b, c] => Ok((a, b, c)),
        _ => Err(count(3, args)),
    }
}

fn count(wanted: usize, args: &[Value]) -> Fault {
    Fault::new(Code::WrongArity, format!("this operator takes {wanted} arguments, not {}", args.len()))
}

/// Both sides of a pair.
pub(super) fn sides(v: &Value) -> Result<(&Value, &Value), Fault> {
    match v {
        Value::Pair(p) => Ok((&p.0, &p.1)),
        _ => Err(expected("a pair")),
    }
}

/// A Boolean.
pub(super) fn truth(v: &Value) -> Result<bool, Fault> {
    match v {
        Value::Bool(b) => Ok(*b),
        _ => Err(expected("TRUE or FALSE")),
    }
}

/// A string.
pub(super) fn text(v: &Value) -> Result<&str, Fault> {
    match v {
        Value::Str(s) => Ok(s),
        _ => Err(expected("a string")),
    }
}

/// The fault of a value of the wrong kind.
pub(super) fn expected(what: &str) -> Fault {
    Fault::new(Code::NotWellDefined, format!("{what} was expected here"))
}

/// A value in B syntax for a message, cut if it is long.
pub(super) fn brief(v: &Value, cx: &Cx<'_>) -> String {
    let mut text = v.beginning(cx.world, SHOWN + 1);
    let mut places = text.char_indices().skip(SHOWN - DOTS.len()).map(|(i, _)| i);
    if let (Some(cut), Some(_)) = (places.next(), places.nth(DOTS.len() - 1)) {
        text.truncate(cut);
        text.push_str(DOTS);
    }
    text
}

/// Most characters of a value in a message.
const SHOWN: usize = 60;

/// What stands for the rest.
const DOTS: &str = "...";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::World;
    use crate::ty::Ty;

    #[test]
    fn long_values_are_cut() {
        let world = World::default();
        let cx = Cx { world: &world, ty: &Ty::Any };
        for n in [0, 1, 56, 57, 58, 59, 60, 61, 62, 300] {
            for c in ["x", "\u{1f600}"] {
                let v = Value::Str(c.repeat(n).into());
                let whole = v.brief(&world);
                let cut: String = whole.chars().take(57).chain("...".chars()).collect();
                assert_eq!(brief(&v, &cx), if n + 2 > 60 { cut } else { whole });
            }
        }
    }
}
