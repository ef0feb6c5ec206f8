//! `iseq(S)`: the injective sequences over S; listed only when something must list them.

use crate::ops::args::one;
use crate::ops::lazy::seqs::Seqs;
use crate::ops::{Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `iseq`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Iseq,
    spelling: "iseq",
    form: Form::Word,
    scheme: "set a -> set seq a",
    meaning: Meaning::Value(|args, _| Ok(Value::lazy(Seqs { base: one(args)?.clone(), kind: Op::Iseq }))),
    examples: &[("iseq({1,2})", "{[],[1],[2],[1,2],[2,1]}")],
};
