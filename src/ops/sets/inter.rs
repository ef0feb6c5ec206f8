//! `S /\ T`. A set in extension filters, whatever the other is.

use super::merge;
use crate::ops::args::two;
use crate::ops::extension::filter;
use crate::ops::lazy::combine;
use crate::ops::membership::inclusion::contains;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `/\`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Inter,
    spelling: "/\\",
    form: Form::Infix(160),
    scheme: "set a, set a -> set a",
    meaning: Meaning::Value(inter),
    examples: &[
        ("{1,2} /\\ {2,3}", "{2}"),
        ("{-1,1} /\\ NATURAL", "{1}"),
        ("NATURAL /\\ -5..5", "0..5"),
        ("{} /\\ INTEGER", "{}"),
        ("{ {1|->2} } /\\ (INTEGER --> INTEGER)", "{}"),
    ],
};

fn inter(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (a, b) = two(args)?;
    of(a, b, cx)
}

/// The intersection of two sets.
pub(in crate::ops) fn of(a: &Value, b: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    match (a, b) {
        (Value::Set(x), Value::Set(y)) if x.is_extension() && y.is_extension() => {
            Ok(Value::Set(merge::inter(x, y)))
        }
        (Value::Set(x), _) => filter(x, |v| contains(b, v, cx)),
        (_, Value::Set(y)) => filter(y, |v| contains(a, v, cx)),
        _ => combine::inter(a, b, cx),
    }
}
