//! `infix(t)`: the labels of a binary tree, a node between its sons.

use super::nodes::{binary, labels};
use crate::ops::args::one;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `infix`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::TreeInfix,
    spelling: "infix",
    form: Form::Word,
    scheme: "rel seq int a -> seq a",
    meaning: Meaning::Value(infix),
    examples: &[("infix(bin(bin(1), 2, bin(bin(3), 4, bin(5))))", "[1,2,3,4,5]"), ("infix(bin(5))", "[5]")],
};

fn infix(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    // Sons are 1 and 2: the end of a path lies between 2 * 1 and 2 * 2.
    let key = |p: &[i64]| p.iter().map(|i| 2 * i).chain([3]).collect();
    Ok(labels(binary(one(args)?, cx)?, key))
}
