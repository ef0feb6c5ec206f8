//! `sons(t)`: the sequence of the trees below the root.

use super::nodes::{nodes, tree};
use crate::ops::args::one;
use crate::ops::sequences::list::numbered;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;
use std::collections::BTreeMap;

/// The row of `sons`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::TreeSons,
    spelling: "sons",
    form: Form::Word,
    scheme: "rel seq int a -> seq rel seq int a",
    meaning: Meaning::Value(sons),
    examples: &[("sons(const(1, [bin(2), bin(3)]))", "[bin(2), bin(3)]"), ("sons(bin(1))", "[]")],
};

fn sons(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let mut sons: BTreeMap<i64, super::nodes::Nodes> = BTreeMap::new();
    for (path, label) in nodes(one(args)?, cx)? {
        if let Some((first, rest)) = path.split_first() {
            sons.entry(*first).or_default().insert(rest.to_vec(), label);
        }
    }
    Ok(numbered(sons.into_values().map(tree)))
}
