//! `s <- E`.

use super::list::{extended, sequence};
use crate::ops::args::two;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `<-`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Append,
    spelling: "<-",
    form: Form::Infix(160),
    scheme: "seq a, a -> seq a",
    meaning: Meaning::Value(append),
    examples: &[("[5] <- 6", "[5,6]"), ("[] <- 1 <- 2", "[1,2]")],
};

fn append(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (s, x) = two(args)?;
    Ok(extended(&sequence(s, cx)?, std::iter::once(x.clone())))
}
