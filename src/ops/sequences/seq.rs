//! `seq(S)`: the sequences over S; listed only when something must list them.

use crate::ops::args::one;
use crate::ops::lazy::seqs::Seqs;
use crate::ops::{Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `seq`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Seq,
    spelling: "seq",
    form: Form::Word,
    scheme: "set a -> set seq a",
    meaning: Meaning::Value(|args, _| Ok(Value::lazy(Seqs { base: one(args)?.clone(), kind: Op::Seq }))),
    examples: &[("[1,2] : seq(NATURAL)", "TRUE"), ("seq({})", "{[]}"), ("{2|->1} : seq(NATURAL)", "FALSE")],
};
