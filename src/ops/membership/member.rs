//! `a : S`. Never lists what need not be listed: `f : A --> B` looks at f only.

use super::inclusion::contains;
use crate::ops::args::two;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `:`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::In,
    spelling: ":",
    form: Form::Infix(100),
    scheme: "a, set a -> pred",
    meaning: Meaning::Pred(member),
    examples: &[
        ("1 : {1,2}", "TRUE"),
        ("3 : NATURAL1", "TRUE"),
        ("{1|->2} : INTEGER +-> INTEGER", "TRUE"),
        ("-1 : NATURAL", "FALSE"),
        ("{} : POW({1})", "TRUE"),
        ("[1,1] : iseq(INTEGER)", "FALSE"),
    ],
};

fn member(args: &[Value], cx: &Cx<'_>) -> Result<bool, Fault> {
    let (a, b) = two(args)?;
    contains(b, a, cx)
}
