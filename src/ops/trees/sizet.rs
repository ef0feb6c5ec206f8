//! `sizet(t)`: the number of nodes.

use super::nodes::nodes;
use crate::ops::args::one;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `sizet`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::TreeSize,
    spelling: "sizet",
    form: Form::Word,
    scheme: "rel seq int a -> int",
    meaning: Meaning::Value(sizet),
    examples: &[("sizet(const(1, [bin(2), bin(3)]))", "3"), ("sizet(bin(1))", "1")],
};

fn sizet(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    Ok(Value::int(nodes(one(args)?, cx)?.len().into()))
}
