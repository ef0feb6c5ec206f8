//! `S <<| r`.

use super::restrict::{Side, restrict};
use crate::ops::args::two;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `<<|`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::DomSub,
    spelling: "<<|",
    form: Form::Infix(160),
    scheme: "set a, rel a b -> rel a b",
    meaning: Meaning::Value(dom_sub),
    examples: &[("{1} <<| {1|->2,3|->4}", "{3|->4}"), ("NATURAL <<| {-1|->2,3|->4}", "{-1|->2}")],
};

fn dom_sub(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (s, r) = two(args)?;
    restrict(Side::Left, false, s, r, cx)
}
