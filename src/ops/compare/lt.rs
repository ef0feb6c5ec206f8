//! `a < b` on numbers.

use crate::ops::args::two;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `<`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Lt,
    spelling: "<",
    form: Form::Infix(100),
    scheme: "num, num -> pred",
    meaning: Meaning::Pred(lt),
    examples: &[("1 < 2", "TRUE"), ("2 < 2", "FALSE"), ("2**64 < 2**65", "TRUE")],
};

fn lt(args: &[Value], _: &Cx<'_>) -> Result<bool, Fault> {
    let (a, b) = two(args)?;
    Ok(a.cmp(b).is_lt())
}
