//! `min(S)`.

use crate::ops::arith::extremum::{End, extremum};
use crate::ops::{Form, Meaning, Op, OpDef};

/// The row of `min`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Min,
    spelling: "min",
    form: Form::Word,
    scheme: "set num -> num",
    meaning: Meaning::Value(|args, cx| extremum(End::Low, args, cx)),
    examples: &[("min({3,1,2})", "1"), ("min(NATURAL1)", "1"), ("min(-5..100000)", "-5")],
};
