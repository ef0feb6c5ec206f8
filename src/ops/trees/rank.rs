//! `rank(t, p)`: which son of its father the node at p is.

use super::nodes::{label, nodes, path, split};
use crate::ops::args::two;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `rank`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::TreeRank,
    spelling: "rank",
    form: Form::Word,
    scheme: "rel seq int a, seq int -> int",
    meaning: Meaning::Value(rank),
    examples: &[("rank(const(1, [bin(2), bin(3)]), [2])", "2")],
};

fn rank(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (t, p) = two(args)?;
    let at = path(p, cx)?;
    label(&nodes(t, cx)?, &at)?;
    Ok(Value::Int(split(&at)?.1))
}
