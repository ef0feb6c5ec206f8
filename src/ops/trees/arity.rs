//! `arity(t, p)`: the number of sons of the node at p.

use super::nodes::{self, label, nodes, path};
use crate::ops::args::two;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `arity`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::TreeArity,
    spelling: "arity",
    form: Form::Word,
    scheme: "rel seq int a, seq int -> int",
    meaning: Meaning::Value(arity),
    examples: &[
        ("arity(const(1, [bin(2), bin(3)]), [])", "2"),
        ("arity(const(1, [bin(2), bin(3)]), [1])", "0"),
    ],
};

fn arity(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (t, p) = two(args)?;
    let (all, at) = (nodes(t, cx)?, path(p, cx)?);
    label(&all, &at)?;
    Ok(Value::Int(nodes::arity(&all, &at)))
}
