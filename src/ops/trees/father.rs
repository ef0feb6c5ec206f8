//! `father(t, p)`: the path of the father of the node at p.

use super::nodes::{label, nodes, path, split, way};
use crate::ops::args::two;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `father`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::TreeFather,
    spelling: "father",
    form: Form::Word,
    scheme: "rel seq int a, seq int -> seq int",
    meaning: Meaning::Value(father),
    examples: &[("father(const(1, [const(2, [bin(4)])]), [1,1])", "[1]")],
};

fn father(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (t, p) = two(args)?;
    let at = path(p, cx)?;
    label(&nodes(t, cx)?, &at)?;
    Ok(way(split(&at)?.0))
}
