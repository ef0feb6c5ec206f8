//! `a * b` on numbers; `types` picks it where the operands of `*` are numbers.

use crate::ops::args::two;
use crate::ops::arith::number::{BIT_LIMIT, arithmetic, too_many_digits};
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `*`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Mul,
    spelling: "*",
    form: Form::Special,
    scheme: "num, num -> num",
    meaning: Meaning::Value(mul),
    examples: &[("2 * 3", "6"), ("4294967296 * 4294967296", "2 ** 64")],
};

fn mul(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    if let (Value::Big(x), Value::Big(y)) = two(args)?
        && x.bits().saturating_add(y.bits()) > BIT_LIMIT
    {
        return Err(too_many_digits());
    }
    arithmetic(args, i64::checked_mul, i128::checked_mul, |x, y| x * y, |x, y| x * y)
}
