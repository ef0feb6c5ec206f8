//! `iseq1(S)`: the non-empty injective sequences over S; listed only when something must list them.

use crate::ops::args::one;
use crate::ops::lazy::seqs::Seqs;
use crate::ops::{Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `iseq1`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Iseq1,
    spelling: "iseq1",
    form: Form::Word,
    scheme: "set a -> set seq a",
    meaning: Meaning::Value(|args, _| Ok(Value::lazy(Seqs { base: one(args)?.clone(), kind: Op::Iseq1 }))),
    examples: &[("iseq1({})", "{}"), ("card(iseq1({1,2}))", "4")],
};
