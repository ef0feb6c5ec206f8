//! `perm(S)`: the sequences of all members of S, each once; listed only when something must list them.

use crate::ops::args::one;
use crate::ops::lazy::seqs::Seqs;
use crate::ops::{Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `perm`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Perm,
    spelling: "perm",
    form: Form::Word,
    scheme: "set a -> set seq a",
    meaning: Meaning::Value(|args, _| Ok(Value::lazy(Seqs { base: one(args)?.clone(), kind: Op::Perm }))),
    examples: &[("perm({1,2})", "{[1,2],[2,1]}"), ("perm({})", "{[]}"), ("card(perm(1..5))", "120")],
};
