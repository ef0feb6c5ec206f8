//! From an operator to its meaning on evaluated arguments, by its row.

use super::args::expected;
use super::table::def;
use super::{Cx, Fault, Meaning, Op};
use crate::diagnostic::Code;
use crate::ty::Ty;
use crate::value::Value;

fn overloaded(op: Op) -> Fault {
    Fault::new(Code::Unsupported, format!("`{}` was not settled by its types", def(op).spelling))
}

/// The value of an operator; that of a predicate is TRUE or FALSE.
///
/// # Errors
/// Its well-definedness condition is false, or a set would have to be listed that cannot be.
pub fn apply(op: Op, args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    match def(op).meaning {
        Meaning::Value(f) => f(args, cx),
        Meaning::Text(f) => f(args, &Ty::Any, cx),
        Meaning::Pred(f) => f(args, cx).map(Value::Bool),
        Meaning::Overloaded => Err(overloaded(op)),
    }
}

/// The truth of an operator whose meaning is a predicate.
///
/// # Errors
/// As [`apply`].
pub fn holds(op: Op, args: &[Value], cx: &Cx<'_>) -> Result<bool, Fault> {
    match def(op).meaning {
        Meaning::Pred(f) => f(args, cx),
        Meaning::Value(_) | Meaning::Text(_) => Err(expected("a predicate")),
        Meaning::Overloaded => Err(overloaded(op)),
    }
}
