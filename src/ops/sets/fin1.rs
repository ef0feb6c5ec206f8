//! `FIN1(S)`: the finite subsets of S, without the empty set; listed only when something must list them.

use crate::ops::args::one;
use crate::ops::lazy::powers::Powers;
use crate::ops::{Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `FIN1`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Fin1,
    spelling: "FIN1",
    form: Form::Word,
    scheme: "set a -> set set a",
    meaning: Meaning::Value(|args, _| {
        Ok(Value::lazy(Powers { base: one(args)?.clone(), nonempty: true, finite: true }))
    }),
    examples: &[("FIN1({1})", "{{1}}"), ("{} : FIN1(INTEGER)", "FALSE")],
};
