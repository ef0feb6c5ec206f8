//! `max(S)`.

use crate::ops::arith::extremum::{End, extremum};
use crate::ops::{Form, Meaning, Op, OpDef};

/// The row of `max`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Max,
    spelling: "max",
    form: Form::Word,
    scheme: "set num -> num",
    meaning: Meaning::Value(|args, cx| extremum(End::High, args, cx)),
    examples: &[("max({3,1,2})", "3"), ("max(-5..100000)", "100000")],
};
