//! `-a`.

use crate::ops::args::one;
use crate::ops::arith::number::{integer, real};
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `-`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Neg,
    spelling: "-",
    form: Form::Prefix(210),
    scheme: "num -> num",
    meaning: Meaning::Value(negate),
    examples: &[("-(3)", "0 - 3"), ("-(-2)", "2"), ("-9223372036854775807 - 1 + 0", "-9223372036854775808")],
};

fn negate(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    match one(args)? {
        Value::Real(x) => real(-x),
        Value::Int(n) if *n != i64::MIN => Ok(Value::Int(-n)),
        a => Ok(Value::int(-integer(a)?)),
    }
}
