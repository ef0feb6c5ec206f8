//! `POW1(S)`: the subsets of S, without the empty set; listed only when something must list them.

use crate::ops::args::one;
use crate::ops::lazy::powers::Powers;
use crate::ops::{Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `POW1`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Pow1,
    spelling: "POW1",
    form: Form::Word,
    scheme: "set a -> set set a",
    meaning: Meaning::Value(|args, _| {
        Ok(Value::lazy(Powers { base: one(args)?.clone(), nonempty: true, finite: false }))
    }),
    examples: &[("POW1({1,2})", "{{1},{2},{1,2}}"), ("POW1({})", "{}")],
};
