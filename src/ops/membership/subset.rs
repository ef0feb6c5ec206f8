//! `S <: T`.

use super::inclusion;
use crate::ops::args::two;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `<:`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Subset,
    spelling: "<:",
    form: Form::Infix(100),
    scheme: "set a, set a -> pred",
    meaning: Meaning::Pred(subset),
    examples: &[
        ("{1} <: {1,2}", "TRUE"),
        ("{} <: {1}", "TRUE"),
        ("NATURAL1 <: NATURAL", "TRUE"),
        ("INTEGER <: NATURAL", "FALSE"),
        ("1..3 <: 2..5", "FALSE"),
        ("{1,2} --> {3} <: INTEGER +-> INTEGER", "TRUE"),
    ],
};

fn subset(args: &[Value], cx: &Cx<'_>) -> Result<bool, Fault> {
    let (a, b) = two(args)?;
    inclusion::subset(a, b, cx)
}
