//! `a - b` on numbers; `types` picks it where the operands of `-` are numbers.

use crate::ops::arith::number::arithmetic;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `-`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Sub,
    spelling: "-",
    form: Form::Special,
    scheme: "num, num -> num",
    meaning: Meaning::Value(sub),
    examples: &[("2 - 3", "-1"), ("9223372036854775808 - 1", "9223372036854775807")],
};

fn sub(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    arithmetic(args, i64::checked_sub, i128::checked_sub, |x, y| x - y, |x, y| x - y)
}
