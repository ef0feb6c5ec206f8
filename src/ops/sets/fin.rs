//! `FIN(S)`: the finite subsets of S; listed only when something must list them.

use crate::ops::args::one;
use crate::ops::lazy::powers::Powers;
use crate::ops::{Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `FIN`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Fin,
    spelling: "FIN",
    form: Form::Word,
    scheme: "set a -> set set a",
    meaning: Meaning::Value(|args, _| {
        Ok(Value::lazy(Powers { base: one(args)?.clone(), nonempty: false, finite: true }))
    }),
    examples: &[("FIN({1})", "{{},{1}}"), ("NATURAL : FIN(INTEGER)", "FALSE")],
};
