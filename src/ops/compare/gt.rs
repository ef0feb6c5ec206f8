//! `a > b` on numbers.

use crate::ops::args::two;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `>`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Gt,
    spelling: ">",
    form: Form::Infix(100),
    scheme: "num, num -> pred",
    meaning: Meaning::Pred(gt),
    examples: &[("2 > 1", "TRUE"), ("-2**64 > 1", "TRUE"), ("-(2**64) > 1", "FALSE")],
};

fn gt(args: &[Value], _: &Cx<'_>) -> Result<bool, Fault> {
    let (a, b) = two(args)?;
    Ok(a.cmp(b).is_gt())
}
