//! `S >->> T`: the bijections from S to T; listed only when something must list them.

use crate::ops::lazy::arrows::arrow;
use crate::ops::{Form, Meaning, Op, OpDef};

/// The row of `>->>`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::TotalBij,
    spelling: ">->>",
    form: Form::Infix(125),
    scheme: "set a, set b -> set rel a b",
    meaning: Meaning::Value(|args, _| arrow(Op::TotalBij, args)),
    examples: &[("card({1,2,3} >->> {4,5,6})", "6"), ("{1} >->> {1,2}", "{}")],
};
