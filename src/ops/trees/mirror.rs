//! `mirror(t)`: the sons of every node in the opposite order.

use super::nodes::{arity, nodes, tree};
use crate::ops::args::one;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `mirror`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::TreeMirror,
    spelling: "mirror",
    form: Form::Word,
    scheme: "rel seq int a -> rel seq int a",
    meaning: Meaning::Value(mirror),
    examples: &[(
        "mirror(const(1, [const(2, [bin(4), bin(5)]), bin(3)]))",
        "const(1, [bin(3), const(2, [bin(5), bin(4)])])",
    )],
};

fn mirror(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let all = nodes(one(args)?, cx)?;
    let turned = |path: &[i64]| {
        let steps = path.iter().enumerate();
        steps.map(|(k, i)| arity(&all, path.get(..k).unwrap_or_default()) + 1 - i).collect()
    };
    Ok(tree(all.iter().map(|(path, label)| (turned(path), label.clone())).collect()))
}
