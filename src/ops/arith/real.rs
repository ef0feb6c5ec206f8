//! `real(i)`: an integer as a real number.

use crate::ops::args::one;
use crate::ops::arith::number::{integer, real};
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;
use num_traits::ToPrimitive;

/// The row of `real`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::ToReal,
    spelling: "real",
    form: Form::Word,
    scheme: "int -> real",
    meaning: Meaning::Value(to_real),
    examples: &[("real(2)", "2.0"), ("real(1) / real(2)", "0.5")],
};

fn to_real(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    real(integer(one(args)?)?.to_f64().unwrap_or(f64::INFINITY))
}
