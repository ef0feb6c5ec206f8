//! `S <| r`.

use super::restrict::{Side, restrict};
use crate::ops::args::two;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `<|`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::DomRes,
    spelling: "<|",
    form: Form::Infix(160),
    scheme: "set a, rel a b -> rel a b",
    meaning: Meaning::Value(dom_res),
    examples: &[("{1} <| {1|->2,3|->4}", "{1|->2}"), ("{2,3} <| succ", "{2|->3,3|->4}")],
};

fn dom_res(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (s, r) = two(args)?;
    restrict(Side::Left, true, s, r, cx)
}
