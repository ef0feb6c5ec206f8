//! `a / b`: truncates towards zero; the divisor must not be zero.

use crate::diagnostic::Code;
use crate::ops::args::two;
use crate::ops::arith::number::arithmetic;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `/`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Div,
    spelling: "/",
    form: Form::Infix(190),
    scheme: "num, num -> num",
    meaning: Meaning::Value(div),
    examples: &[("7 / 2", "3"), ("-1 / 4", "0"), ("(-7) / 2", "-3"), ("7 / (-2)", "-3")],
};

fn div(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    let (_, b) = two(args)?;
    let zero = match b {
        Value::Int(n) => *n == 0,
        Value::Real(x) => *x == 0.0,
        _ => false,
    };
    if zero {
        return Err(Fault::new(Code::DivisionByZero, "division by zero"));
    }
    // Division of big integers truncates towards zero, too.
    arithmetic(args, i64::checked_div, i128::checked_div, |x, y| x / y, |x, y| x / y)
}
