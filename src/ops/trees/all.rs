//! `tree(S)`: the finite trees with labels in S.

use crate::ops::args::one;
use crate::ops::lazy::trees::Trees;
use crate::ops::{Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `tree`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Trees,
    spelling: "tree",
    form: Form::Word,
    scheme: "set a -> set rel seq int a",
    meaning: Meaning::Value(|args, _| Ok(Value::lazy(Trees { base: one(args)?.clone(), binary: false }))),
    examples: &[
        ("const(1, [bin(2), bin(3)]) : tree(1..3)", "TRUE"),
        ("{[] |-> 1, [2] |-> 2} : tree(NATURAL)", "FALSE"),
        ("bin(7) : tree(1..3)", "FALSE"),
        ("{} : tree(1..3)", "FALSE"),
    ],
};
