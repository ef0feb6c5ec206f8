//! `S >+> T`: the partial injections from S to T; listed only when something must list them.

use crate::ops::lazy::arrows::arrow;
use crate::ops::{Form, Meaning, Op, OpDef};

/// The row of `>+>`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::PartialInj,
    spelling: ">+>",
    form: Form::Infix(125),
    scheme: "set a, set b -> set rel a b",
    meaning: Meaning::Value(|args, _| arrow(Op::PartialInj, args)),
    examples: &[("{1|->2,3|->2} : INTEGER >+> INTEGER", "FALSE"), ("card({1,2} >+> {1,2})", "7")],
};
