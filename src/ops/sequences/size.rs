//! `size(s)`.

use super::list::sequence;
use crate::ops::args::one;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `size`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Size,
    spelling: "size",
    form: Form::Word,
    scheme: "seq a -> int",
    meaning: Meaning::Value(size),
    examples: &[("size([5,6])", "2"), ("size([])", "0")],
};

fn size(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    Ok(Value::int(sequence(one(args)?, cx)?.len().into()))
}
