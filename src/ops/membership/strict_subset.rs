//! `S <<: T`: included and not equal.

use super::inclusion::strict;
use crate::ops::args::two;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `<<:`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::StrictSubset,
    spelling: "<<:",
    form: Form::Infix(100),
    scheme: "set a, set a -> pred",
    meaning: Meaning::Pred(strict_subset),
    examples: &[("{1} <<: {1,2}", "TRUE"), ("{1} <<: {1}", "FALSE"), ("NATURAL1 <<: NATURAL", "TRUE")],
};

fn strict_subset(args: &[Value], cx: &Cx<'_>) -> Result<bool, Fault> {
    let (a, b) = two(args)?;
    strict(a, b, cx)
}
