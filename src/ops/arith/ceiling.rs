//! `ceiling(x)`: the least integer not below a real number.

use crate::ops::args::one;
use crate::ops::arith::number::whole;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `ceiling`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Ceiling,
    spelling: "ceiling",
    form: Form::Word,
    scheme: "real -> int",
    meaning: Meaning::Value(ceiling),
    examples: &[("ceiling(1.5)", "2"), ("ceiling(-1.5)", "-1")],
};

fn ceiling(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    whole(one(args)?, f64::ceil)
}
