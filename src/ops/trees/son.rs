//! `son(t, p, n)`: the path of the nth son of the node at p.

use super::nodes::{label, nodes, path, way};
use crate::ops::args::three;
use crate::ops::arith::number::integer;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;
use num_traits::ToPrimitive;

/// The row of `son`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::TreeSon,
    spelling: "son",
    form: Form::Word,
    scheme: "rel seq int a, seq int, int -> seq int",
    meaning: Meaning::Value(son),
    examples: &[("son(const(1, [bin(2), bin(3)]), [], 2)", "[2]")],
};

fn son(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (t, p, n) = three(args)?;
    let mut at = path(p, cx)?;
    // A number that fits no word is the number of no son.
    at.push(integer(n)?.to_i64().unwrap_or(0));
    label(&nodes(t, cx)?, &at)?;
    Ok(way(&at))
}
