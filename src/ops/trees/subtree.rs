//! `subtree(t, p)`: the tree below the node at p.

use super::nodes::{below, nodes, path};
use crate::ops::args::two;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `subtree`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::TreeSubtree,
    spelling: "subtree",
    form: Form::Word,
    scheme: "rel seq int a, seq int -> rel seq int a",
    meaning: Meaning::Value(subtree),
    examples: &[
        ("subtree(const(1, [const(2, [bin(4)])]), [1])", "const(2, [bin(4)])"),
        ("subtree(bin(1), [])", "bin(1)"),
    ],
};

fn subtree(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (t, p) = two(args)?;
    below(&nodes(t, cx)?, &path(p, cx)?)
}
