//! `btrue` and `bfalse`.

use crate::ops::{Form, Meaning, Op, OpDef};

/// The row of `btrue`.
pub(in crate::ops) const TRUE: OpDef = OpDef {
    op: Op::True,
    spelling: "btrue",
    form: Form::Constant,
    scheme: "pred",
    meaning: Meaning::Pred(|_, _| Ok(true)),
    examples: &[("1 = 1", "TRUE")],
};

/// The row of `bfalse`.
pub(in crate::ops) const FALSE: OpDef = OpDef {
    op: Op::False,
    spelling: "bfalse",
    form: Form::Constant,
    scheme: "pred",
    meaning: Meaning::Pred(|_, _| Ok(false)),
    examples: &[("1 = 2", "FALSE")],
};
