//! `E -> s`.

use super::list::{numbered, sequence, values};
use crate::ops::args::two;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `->`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Prepend,
    spelling: "->",
    form: Form::Infix(160),
    scheme: "a, seq a -> seq a",
    meaning: Meaning::Value(prepend),
    examples: &[("5 -> [6]", "[5,6]")],
};

fn prepend(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (x, s) = two(args)?;
    Ok(numbered(std::iter::once(x.clone()).chain(values(&sequence(s, cx)?))))
}
