//! `const(v, s)`: the tree with v at its root and the trees of the sequence s as sons.

use super::nodes::{Nodes, grown, nodes, tree};
use crate::ops::args::two;
use crate::ops::extension::guard;
use crate::ops::sequences::list::{sequence, values};
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `const`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::TreeConst,
    spelling: "const",
    form: Form::Word,
    scheme: "a, seq rel seq int a -> rel seq int a",
    meaning: Meaning::Value(constant),
    examples: &[
        ("const(1, [bin(2), bin(3)])", "{[] |-> 1, [1] |-> 2, [2] |-> 3}"),
        ("const(1, [])", "{[] |-> 1}"),
        ("const(1, [const(2, [bin(3)])])", "{[] |-> 1, [1] |-> 2, [1,1] |-> 3}"),
    ],
};

fn constant(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (root, sons) = two(args)?;
    let mut all = Nodes::from([(Vec::new(), root.clone())]);
    for (i, son) in (1..).zip(values(&sequence(sons, cx)?)) {
        grown(&mut all, i, nodes(&son, cx)?);
        guard(all.len())?;
    }
    Ok(tree(all))
}
