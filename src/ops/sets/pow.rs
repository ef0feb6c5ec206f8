//! `POW(S)`: the subsets of S; listed only when something must list them.

use crate::ops::args::one;
use crate::ops::lazy::powers::Powers;
use crate::ops::{Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `POW`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Pow,
    spelling: "POW",
    form: Form::Word,
    scheme: "set a -> set set a",
    meaning: Meaning::Value(|args, _| {
        Ok(Value::lazy(Powers { base: one(args)?.clone(), nonempty: false, finite: false }))
    }),
    examples: &[
        ("POW({1,2})", "{{},{1},{2},{1,2}}"),
        ("card(POW(1..100))", "2**100"),
        ("{1,5} : POW(NATURAL)", "TRUE"),
    ],
};
