//! `top(t)`: the label of the root.

use super::nodes::{label, nodes};
use crate::ops::args::one;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `top`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::TreeTop,
    spelling: "top",
    form: Form::Word,
    scheme: "rel seq int a -> a",
    meaning: Meaning::Value(top),
    examples: &[("top(const(1, [bin(2), bin(3)]))", "1")],
};

fn top(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    label(&nodes(one(args)?, cx)?, &[]).cloned()
}
