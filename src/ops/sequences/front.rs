//! `front(s)`: all but the last element of a non-empty sequence.

use super::list::{nonempty, prefix};
use crate::ops::args::one;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `front`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Front,
    spelling: "front",
    form: Form::Word,
    scheme: "seq a -> seq a",
    meaning: Meaning::Value(front),
    examples: &[("front([5,6,7])", "[5,6]"), ("front([5])", "[]")],
};

fn front(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let pairs = nonempty("front", one(args)?, cx)?;
    Ok(prefix(&pairs, pairs.len() - 1))
}
