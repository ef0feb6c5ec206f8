//! `postfix(t)`: the labels, a node after its sons.

use super::nodes::{labels, nodes};
use crate::ops::args::one;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `postfix`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::TreePostfix,
    spelling: "postfix",
    form: Form::Word,
    scheme: "rel seq int a -> seq a",
    meaning: Meaning::Value(postfix),
    examples: &[("postfix(const(1, [const(2, [bin(4)]), bin(3)]))", "[4,2,3,1]"), ("postfix(bin(5))", "[5]")],
};

fn postfix(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    // The end of a path comes after every son.
    Ok(labels(nodes(one(args)?, cx)?, |p| [p, &[i64::MAX]].concat()))
}
