//! `last(s)` of a non-empty sequence.

use super::list::nonempty;
use crate::ops::args::{expected, one, sides};
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `last`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Last,
    spelling: "last",
    form: Form::Word,
    scheme: "seq a -> a",
    meaning: Meaning::Value(last),
    examples: &[("last([5,6])", "6")],
};

fn last(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let pairs = nonempty("last", one(args)?, cx)?;
    pairs.items().last().ok_or_else(|| expected("a sequence")).and_then(sides).map(|(_, x)| x.clone())
}
