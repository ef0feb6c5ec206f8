//! `first(s)` of a non-empty sequence.

use super::list::nonempty;
use crate::ops::args::{expected, one, sides};
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `first`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::First,
    spelling: "first",
    form: Form::Word,
    scheme: "seq a -> a",
    meaning: Meaning::Value(first),
    examples: &[("first([5,6])", "5")],
};

fn first(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let pairs = nonempty("first", one(args)?, cx)?;
    pairs.items().first().ok_or_else(|| expected("a sequence")).and_then(sides).map(|(_, x)| x.clone())
}
