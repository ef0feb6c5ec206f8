//! `tail(s)`: all but the first element of a non-empty sequence.

use super::list::{nonempty, numbered, values};
use crate::ops::args::one;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `tail`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Tail,
    spelling: "tail",
    form: Form::Word,
    scheme: "seq a -> seq a",
    meaning: Meaning::Value(tail),
    examples: &[("tail([5,6,7])", "[6,7]"), ("tail([5])", "[]")],
};

fn tail(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let pairs = nonempty("tail", one(args)?, cx)?;
    Ok(numbered(values(&pairs).skip(1)))
}
