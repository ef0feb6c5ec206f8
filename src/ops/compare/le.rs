//! `a <= b` on numbers.

use crate::ops::args::two;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `<=`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Le,
    spelling: "<=",
    form: Form::Infix(100),
    scheme: "num, num -> pred",
    meaning: Meaning::Pred(le),
    examples: &[("2 <= 2", "TRUE"), ("3 <= 2", "FALSE")],
};

fn le(args: &[Value], _: &Cx<'_>) -> Result<bool, Fault> {
    let (a, b) = two(args)?;
    Ok(a.cmp(b).is_le())
}
