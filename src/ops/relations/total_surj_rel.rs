//! `S <<->> T`: the relations that are total on the left side and onto the right from S to T; listed only when
//! something must list them.

use crate::ops::lazy::arrows::arrow;
use crate::ops::{Form, Meaning, Op, OpDef};

/// The row of `<<->>`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::TotalSurjRel,
    spelling: "<<->>",
    form: Form::Infix(125),
    scheme: "set a, set b -> set rel a b",
    meaning: Meaning::Value(|args, _| arrow(Op::TotalSurjRel, args)),
    examples: &[("card({1,2} <<->> {1,2})", "7")],
};
