//! `rev(s)`.

use super::list::{numbered, sequence, values};
use crate::ops::args::one;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `rev`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Rev,
    spelling: "rev",
    form: Form::Word,
    scheme: "seq a -> seq a",
    meaning: Meaning::Value(rev),
    examples: &[("rev([5,6,7])", "[7,6,5]"), ("rev([])", "[]")],
};

fn rev(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    Ok(numbered(values(&sequence(one(args)?, cx)?).rev()))
}
