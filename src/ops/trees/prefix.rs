//! `prefix(t)`: the labels, a node before its sons.

use super::nodes::{labels, nodes};
use crate::ops::args::one;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `prefix`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::TreePrefix,
    spelling: "prefix",
    form: Form::Word,
    scheme: "rel seq int a -> seq a",
    meaning: Meaning::Value(prefix),
    examples: &[("prefix(const(1, [const(2, [bin(4)]), bin(3)]))", "[1,2,4,3]"), ("prefix(bin(5))", "[5]")],
};

fn prefix(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    Ok(labels(nodes(one(args)?, cx)?, <[i64]>::to_vec))
}
