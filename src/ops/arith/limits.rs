//! `MAXINT` and `MININT`, as the world says.

use crate::ops::{Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `MAXINT`.
pub(in crate::ops) const MAXINT: OpDef = OpDef {
    op: Op::Maxint,
    spelling: "MAXINT",
    form: Form::Constant,
    scheme: "int",
    meaning: Meaning::Value(|_, cx| Ok(Value::Int(cx.world.maxint))),
    examples: &[("MAXINT", "max(INT)")],
};

/// The row of `MININT`.
pub(in crate::ops) const MININT: OpDef = OpDef {
    op: Op::Minint,
    spelling: "MININT",
    form: Form::Constant,
    scheme: "int",
    meaning: Meaning::Value(|_, cx| Ok(Value::Int(cx.world.minint))),
    examples: &[("MININT", "min(INT)")],
};
