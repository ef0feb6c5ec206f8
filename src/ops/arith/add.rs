//! `a + b`.

use crate::ops::arith::number::arithmetic;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `+`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Add,
    spelling: "+",
    form: Form::Infix(180),
    scheme: "num, num -> num",
    meaning: Meaning::Value(add),
    examples: &[("2 + 3", "5"), ("9223372036854775807 + 1", "9223372036854775808")],
};

fn add(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    arithmetic(args, i64::checked_add, i128::checked_add, |x, y| x + y, |x, y| x + y)
}
