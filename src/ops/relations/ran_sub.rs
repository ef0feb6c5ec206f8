//! `r |>> S`.

use super::restrict::{Side, restrict};
use crate::ops::args::two;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `|>>`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::RanSub,
    spelling: "|>>",
    form: Form::Infix(160),
    scheme: "rel a b, set b -> rel a b",
    meaning: Meaning::Value(ran_sub),
    examples: &[("{1|->2,3|->4} |>> {2}", "{3|->4}")],
};

fn ran_sub(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (r, s) = two(args)?;
    restrict(Side::Right, false, s, r, cx)
}
