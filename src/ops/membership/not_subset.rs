//! `S /<: T`.

use super::inclusion::subset;
use crate::ops::args::two;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `/<:`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::NotSubset,
    spelling: "/<:",
    form: Form::Infix(100),
    scheme: "set a, set a -> pred",
    meaning: Meaning::Pred(not_subset),
    examples: &[("{3} /<: {1,2}", "TRUE"), ("{1} /<: NATURAL", "FALSE")],
};

fn not_subset(args: &[Value], cx: &Cx<'_>) -> Result<bool, Fault> {
    let (a, b) = two(args)?;
    Ok(!subset(a, b, cx)?)
}
