//! `succ` and `pred`: functions on all integers.

use crate::ops::lazy::step::Step;
use crate::ops::{Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `succ`.
pub(in crate::ops) const SUCC: OpDef = OpDef {
    op: Op::Succ,
    spelling: "succ",
    form: Form::Constant,
    scheme: "rel int int",
    meaning: Meaning::Value(|_, _| Ok(Value::lazy(Step { by: 1 }))),
    examples: &[("succ(3)", "4"), ("succ[{1,2}]", "{2,3}"), ("(5|->6) : succ", "TRUE")],
};

/// The row of `pred`.
pub(in crate::ops) const PRED: OpDef = OpDef {
    op: Op::Pred,
    spelling: "pred",
    form: Form::Constant,
    scheme: "rel int int",
    meaning: Meaning::Value(|_, _| Ok(Value::lazy(Step { by: -1 }))),
    examples: &[("pred(3)", "2"), ("pred(-3)", "-4")],
};
