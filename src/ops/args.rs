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

/// The fault of a value of the wrong kind.
pub(super) fn expected(what: &str) -> Fault {
    Fault::new(Code::NotWellDefined, format!("{what} was expected here"))
}

/// A value in B syntax for a message, cut if it is long.
pub(super) fn brief(v: &Value, cx: &Cx<'_>) -> String {
    let text = v.brief(cx.world);
    if text.chars().count() > 60 { text.chars().take(57).chain("...".chars()).collect() } else { text }
}
