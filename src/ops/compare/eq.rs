//! `a = b`, whatever the representation of sets.

use super::equality::equal;
use crate::ops::args::two;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `=`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Eq,
    spelling: "=",
    form: Form::Infix(100),
    scheme: "a, a -> pred",
    meaning: Meaning::Pred(eq),
    examples: &[
        ("1 = 1", "TRUE"),
        ("{1,2} = {2,1,1}", "TRUE"),
        ("POW({1}) = {{},{1}}", "TRUE"),
        ("NATURAL = NATURAL1", "FALSE"),
        ("(INTEGER +-> BOOL) = (INTEGER +-> BOOL)", "TRUE"),
        ("{} = {1}", "FALSE"),
    ],
};

fn eq(args: &[Value], cx: &Cx<'_>) -> Result<bool, Fault> {
    let (a, b) = two(args)?;
    equal(a, b, cx)
}
