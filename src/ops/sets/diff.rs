//! `S - T` and `S \ T` on sets. A set in extension is filtered, whatever the other is.

use super::merge;
use crate::ops::args::two;
use crate::ops::extension::filter;
use crate::ops::lazy::combine;
use crate::ops::membership::inclusion::contains;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `\`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Diff,
    spelling: "\\",
    form: Form::Infix(180),
    scheme: "set a, set a -> set a",
    meaning: Meaning::Value(diff),
    examples: &[
        ("{1,2} - {2,3}", "{1}"),
        ("{-1,1} - NATURAL", "{-1}"),
        ("{1,2,3} \\ {1}", "{2,3}"),
        ("NATURAL - {0} = NATURAL1", "TRUE"),
        ("0 : INTEGER - {0}", "FALSE"),
    ],
};

fn diff(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (a, b) = two(args)?;
    of(a, b, cx)
}

/// The members of the first set that are not in the second.
pub(in crate::ops) fn of(a: &Value, b: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    match (a, b) {
        (Value::Set(x), Value::Set(y)) if x.is_extension() && y.is_extension() => {
            Ok(Value::Set(merge::diff(x, y)))
        }
        (Value::Set(x), _) => filter(x, |v| Ok(!contains(b, v, cx)?)),
        _ => Ok(combine::diff(a, b, cx)),
    }
}
