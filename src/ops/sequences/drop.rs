//! `s \|/ n`: s without its first n elements, of which there must be so many.

use super::list::{numbered, sequence, values};
use crate::diagnostic::Code;
use crate::ops::args::{brief, two};
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `\|/`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Drop,
    spelling: "\\|/",
    form: Form::Infix(160),
    scheme: "seq a, int -> seq a",
    meaning: Meaning::Value(drop),
    examples: &[("[5,6,7] \\|/ 2", "[7]"), ("[5] \\|/ 1", "[]")],
};

fn drop(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (s, n) = two(args)?;
    let s = sequence(s, cx)?;
    let count = if let Value::Int(n) = n { usize::try_from(*n).ok() } else { None };
    if let Some(count) = count.filter(|n| *n <= s.len()) {
        Ok(numbered(values(&s).skip(count)))
    } else {
        let text = format!("a sequence of {} elements without its first `{}`", s.len(), brief(n, cx));
        Err(Fault::new(Code::NotWellDefined, text))
    }
}
