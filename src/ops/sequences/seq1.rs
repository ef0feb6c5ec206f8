//! `seq1(S)`: the non-empty sequences over S; listed only when something must list them.

use crate::ops::args::one;
use crate::ops::lazy::seqs::Seqs;
use crate::ops::{Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `seq1`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Seq1,
    spelling: "seq1",
    form: Form::Word,
    scheme: "set a -> set seq a",
    meaning: Meaning::Value(|args, _| Ok(Value::lazy(Seqs { base: one(args)?.clone(), kind: Op::Seq1 }))),
    examples: &[("[] : seq1(INTEGER)", "FALSE"), ("seq1({})", "{}")],
};
