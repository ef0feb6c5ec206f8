//! `bin(v)`: a binary tree of one node.

use crate::ops::args::one;
use crate::ops::{Form, Meaning, Op, OpDef};
use crate::value::{SetRef, Value};

/// The row of `bin`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::TreeLeaf,
    spelling: "bin",
    form: Form::Word,
    scheme: "a -> rel seq int a",
    meaning: Meaning::Value(|args, _| {
        let root = Value::pair(Value::empty(), one(args)?.clone());
        Ok(Value::Set(SetRef::from_sorted(vec![root])))
    }),
    examples: &[("bin(5)", "{[] |-> 5}")],
};
