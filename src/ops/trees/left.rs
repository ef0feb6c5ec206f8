//! `left(t)`: the first son of a binary tree that has sons.

use super::nodes::{below, binary};
use crate::ops::args::one;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `left`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::TreeLeft,
    spelling: "left",
    form: Form::Word,
    scheme: "rel seq int a -> rel seq int a",
    meaning: Meaning::Value(left),
    examples: &[("left(bin(bin(1), 2, bin(3)))", "bin(1)")],
};

fn left(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    below(&binary(one(args)?, cx)?, &[1])
}
