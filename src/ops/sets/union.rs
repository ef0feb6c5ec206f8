//! `S \/ T`.

use super::merge;
use crate::ops::args::two;
use crate::ops::extension::gather;
use crate::ops::lazy::combine;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `\/`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Union,
    spelling: "\\/",
    form: Form::Infix(160),
    scheme: "set a, set a -> set a",
    meaning: Meaning::Value(union),
    examples: &[
        ("{1,2} \\/ {2,3}", "{1,2,3}"),
        ("{} \\/ {1}", "{1}"),
        ("5 : NATURAL \\/ {-1}", "TRUE"),
        ("{INTEGER} \\/ {INTEGER}", "{INTEGER}"),
    ],
};

fn union(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (a, b) = two(args)?;
    of(a, b, cx)
}

/// The union of two sets.
pub(in crate::ops) fn of(a: &Value, b: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    match (a, b) {
        (Value::Set(x), Value::Set(y)) if x.is_extension() && y.is_extension() => {
            Ok(Value::Set(merge::union(x, y)))
        }
        (Value::Set(x), Value::Set(y)) => {
            gather(x.items().iter().chain(y.items()).cloned().collect(), cx).map(Value::Set)
        }
        _ => Ok(combine::union(a, b, cx)),
    }
}
