//! `-` and `*` before their operands' types are known; `types` turns them into operators on numbers or sets.

use crate::ops::{Form, Meaning, Op, OpDef};

/// The row of `-`.
pub(in crate::ops) const MINUS: OpDef = OpDef {
    op: Op::Minus,
    spelling: "-",
    form: Form::Infix(180),
    scheme: "*",
    meaning: Meaning::Overloaded,
    examples: &[("5 - 3 - 1", "1"), ("{1,2} - {1}", "{2}")],
};

/// The row of `*`.
pub(in crate::ops) const STAR: OpDef = OpDef {
    op: Op::Star,
    spelling: "*",
    form: Form::Infix(190),
    scheme: "*",
    meaning: Meaning::Overloaded,
    examples: &[("2 * 3", "6"), ("{1} * {2}", "{1|->2}")],
};
