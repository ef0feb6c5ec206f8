//! `a |-> b`.

use crate::ops::args::two;
use crate::ops::{Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `|->`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Maplet,
    spelling: "|->",
    form: Form::Infix(160),
    scheme: "a, b -> pair a b",
    meaning: Meaning::Value(|args, _| two(args).map(|(a, b)| Value::pair(a.clone(), b.clone()))),
    examples: &[("1 |-> 2", "(1,2)"), ("1 |-> 2 |-> 3", "((1,2),3)")],
};
