//! `s ^ t`.

use super::list::{extended, sequence, values};
use crate::ops::args::two;
use crate::ops::extension::guard;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `^`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Concat,
    spelling: "^",
    form: Form::Infix(160),
    scheme: "seq a, seq a -> seq a",
    meaning: Meaning::Value(concat),
    examples: &[("[5] ^ [6,7]", "[5,6,7]"), ("[] ^ []", "[]")],
};

fn concat(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (s, t) = two(args)?;
    let (s, t) = (sequence(s, cx)?, sequence(t, cx)?);
    guard(s.len().saturating_add(t.len()))?;
    Ok(extended(&s, values(&t)))
}
