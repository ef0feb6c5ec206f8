//! `btree(S)`: the trees over S whose nodes have no or two sons.

use crate::ops::args::one;
use crate::ops::lazy::trees::Trees;
use crate::ops::{Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `btree`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::BinaryTrees,
    spelling: "btree",
    form: Form::Word,
    scheme: "set a -> set rel seq int a",
    meaning: Meaning::Value(|args, _| Ok(Value::lazy(Trees { base: one(args)?.clone(), binary: true }))),
    examples: &[
        ("bin(bin(1), 2, bin(3)) : btree(1..3)", "TRUE"),
        ("const(1, [bin(2)]) : btree(1..3)", "FALSE"),
    ],
};
