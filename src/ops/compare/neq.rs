//! `a /= b`.

use super::equality::equal;
use crate::ops::args::two;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `/=`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Neq,
    spelling: "/=",
    form: Form::Infix(100),
    scheme: "a, a -> pred",
    meaning: Meaning::Pred(neq),
    examples: &[("1 /= 2", "TRUE"), ("{1} /= {1}", "FALSE")],
};

fn neq(args: &[Value], cx: &Cx<'_>) -> Result<bool, Fault> {
    let (a, b) = two(args)?;
    Ok(!equal(a, b, cx)?)
}
