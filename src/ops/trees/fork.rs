//! `bin(l, v, r)`: a binary tree with v at its root and l and r as sons.

use super::nodes::{Nodes, binary, grown, tree};
use crate::ops::args::three;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `bin`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::TreeFork,
    spelling: "bin",
    form: Form::Word,
    scheme: "rel seq int a, a, rel seq int a -> rel seq int a",
    meaning: Meaning::Value(fork),
    examples: &[("bin(bin(1), 2, bin(3))", "const(2, [bin(1), bin(3)])")],
};

fn fork(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (left, root, right) = three(args)?;
    let mut all = Nodes::from([(Vec::new(), root.clone())]);
    grown(&mut all, 1, binary(left, cx)?);
    grown(&mut all, 2, binary(right, cx)?);
    Ok(tree(all))
}
