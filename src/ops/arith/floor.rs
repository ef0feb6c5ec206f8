//! `floor(x)`: the greatest integer not above a real number.

use crate::ops::args::one;
use crate::ops::arith::number::whole;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `floor`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Floor,
    spelling: "floor",
    form: Form::Word,
    scheme: "real -> int",
    meaning: Meaning::Value(floor),
    examples: &[("floor(1.5)", "1"), ("floor(-1.5)", "-2")],
};

fn floor(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    whole(one(args)?, f64::floor)
}
