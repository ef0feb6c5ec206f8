//! `S --> T`: the total functions from S to T; listed only when something must list them.

use crate::ops::lazy::arrows::arrow;
use crate::ops::{Form, Meaning, Op, OpDef};

/// The row of `-->`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::TotalFun,
    spelling: "-->",
    form: Form::Infix(125),
    scheme: "set a, set b -> set rel a b",
    meaning: Meaning::Value(|args, _| arrow(Op::TotalFun, args)),
    examples: &[
        ("{} --> {1}", "{{}}"),
        ("{1} --> {}", "{}"),
        ("{1,2} --> {3}", "{{1|->3,2|->3}}"),
        ("{1|->2} : {1} --> NATURAL", "TRUE"),
        ("succ : INTEGER --> INTEGER", "TRUE"),
    ],
};
