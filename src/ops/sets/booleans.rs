//! `TRUE`, `FALSE`, `BOOL`.

use crate::ops::{Form, Meaning, Op, OpDef};
use crate::value::{SetRef, Value};

/// The row of `TRUE`.
pub(in crate::ops) const TRUE: OpDef = OpDef {
    op: Op::TrueValue,
    spelling: "TRUE",
    form: Form::Constant,
    scheme: "bool",
    meaning: Meaning::Value(|_, _| Ok(Value::Bool(true))),
    examples: &[("TRUE", "bool(1=1)")],
};

/// The row of `FALSE`.
pub(in crate::ops) const FALSE: OpDef = OpDef {
    op: Op::FalseValue,
    spelling: "FALSE",
    form: Form::Constant,
    scheme: "bool",
    meaning: Meaning::Value(|_, _| Ok(Value::Bool(false))),
    examples: &[("FALSE", "bool(1=2)")],
};

/// The row of `BOOL`.
pub(in crate::ops) const BOOL: OpDef = OpDef {
    op: Op::BoolSet,
    spelling: "BOOL",
    form: Form::Constant,
    scheme: "set bool",
    meaning: Meaning::Value(|_, _| Ok(all())),
    examples: &[("BOOL", "{FALSE,TRUE}")],
};

/// Both Booleans.
pub(in crate::ops) fn all() -> Value {
    Value::Set(SetRef::from_sorted(vec![Value::Bool(false), Value::Bool(true)]))
}
