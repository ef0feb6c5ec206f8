//! `a /: S`.

use super::inclusion::contains;
use crate::ops::args::two;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `/:`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::NotIn,
    spelling: "/:",
    form: Form::Infix(100),
    scheme: "a, set a -> pred",
    meaning: Meaning::Pred(not_member),
    examples: &[("3 /: {1,2}", "TRUE"), ("1 /: NATURAL", "FALSE")],
};

fn not_member(args: &[Value], cx: &Cx<'_>) -> Result<bool, Fault> {
    let (a, b) = two(args)?;
    Ok(!contains(b, a, cx)?)
}
