//! `s /|\ n`: the first n elements, all of s if it has fewer.

use super::list::{prefix, sequence};
use crate::diagnostic::Code;
use crate::ops::args::{brief, two};
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;
use num_traits::Signed;

/// The row of `/|\`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Take,
    spelling: "/|\\",
    form: Form::Infix(160),
    scheme: "seq a, int -> seq a",
    meaning: Meaning::Value(take),
    examples: &[("[5,6,7] /|\\ 2", "[5,6]"), ("[5] /|\\ 9", "[5]"), ("[5] /|\\ 0", "[]")],
};

fn take(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (s, n) = two(args)?;
    let s = sequence(s, cx)?;
    match n {
        Value::Int(n) if *n >= 0 => Ok(prefix(&s, usize::try_from(*n).unwrap_or(usize::MAX))),
        Value::Big(b) if b.is_positive() => Ok(Value::Set(s)),
        _ => {
            let text = format!("the first `{}` elements of a sequence", brief(n, cx));
            Err(Fault::new(Code::NotWellDefined, text))
        }
    }
}
