//! `prj1(p)` and `prj2(p)` of one pair.

use crate::ops::args::{one, sides};
use crate::ops::{Form, Meaning, Op, OpDef};

/// The row of `prj1`.
pub(in crate::ops) const FIRST: OpDef = OpDef {
    op: Op::First1,
    spelling: "prj1",
    form: Form::Special,
    scheme: "pair a b -> a",
    meaning: Meaning::Value(|args, _| one(args).and_then(sides).map(|(a, _)| a.clone())),
    examples: &[("prj1(1|->2)", "1")],
};

/// The row of `prj2`.
pub(in crate::ops) const SECOND: OpDef = OpDef {
    op: Op::Second2,
    spelling: "prj2",
    form: Form::Special,
    scheme: "pair a b -> b",
    meaning: Meaning::Value(|args, _| one(args).and_then(sides).map(|(_, b)| b.clone())),
    examples: &[("prj2(1|->2)", "2")],
};
