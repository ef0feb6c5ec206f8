//! `right(t)`: the second son of a binary tree that has sons.

use super::nodes::{below, binary};
use crate::ops::args::one;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `right`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::TreeRight,
    spelling: "right",
    form: Form::Word,
    scheme: "rel seq int a -> rel seq int a",
    meaning: Meaning::Value(right),
    examples: &[("right(bin(bin(1), 2, bin(3)))", "bin(3)")],
};

fn right(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    below(&binary(one(args)?, cx)?, &[2])
}
