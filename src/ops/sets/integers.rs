//! The sets of integers with a name: infinite ones, and those that MAXINT and MININT bound.

use super::interval;
use crate::ops::lazy::numbers::Numbers;
use crate::ops::{Cx, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `INTEGER`.
pub(in crate::ops) const INTEGER: OpDef = OpDef {
    op: Op::Integer,
    spelling: "INTEGER",
    form: Form::Constant,
    scheme: "set int",
    meaning: Meaning::Value(|_, _| Ok(Value::lazy(Numbers::from(None)))),
    examples: &[("2**70 : INTEGER", "TRUE")],
};

/// The row of `NATURAL`.
pub(in crate::ops) const NATURAL: OpDef = OpDef {
    op: Op::Natural,
    spelling: "NATURAL",
    form: Form::Constant,
    scheme: "set int",
    meaning: Meaning::Value(|_, _| Ok(Value::lazy(Numbers::from(Some(0))))),
    examples: &[("0 : NATURAL", "TRUE"), ("-1 : NATURAL", "FALSE")],
};

/// The row of `NATURAL1`.
pub(in crate::ops) const NATURAL1: OpDef = OpDef {
    op: Op::Natural1,
    spelling: "NATURAL1",
    form: Form::Constant,
    scheme: "set int",
    meaning: Meaning::Value(|_, _| Ok(Value::lazy(Numbers::from(Some(1))))),
    examples: &[("0 : NATURAL1", "FALSE")],
};

/// The row of `INT`.
pub(in crate::ops) const INT: OpDef = OpDef {
    op: Op::Int,
    spelling: "INT",
    form: Form::Constant,
    scheme: "set int",
    meaning: Meaning::Value(|_, cx| Ok(up_to_max(cx.world.minint, cx))),
    examples: &[("INT", "MININT..MAXINT")],
};

/// The row of `NAT`.
pub(in crate::ops) const NAT: OpDef = OpDef {
    op: Op::Nat,
    spelling: "NAT",
    form: Form::Constant,
    scheme: "set int",
    meaning: Meaning::Value(|_, cx| Ok(up_to_max(0, cx))),
    examples: &[("NAT", "0..MAXINT")],
};

/// The row of `NAT1`.
pub(in crate::ops) const NAT1: OpDef = OpDef {
    op: Op::Nat1,
    spelling: "NAT1",
    form: Form::Constant,
    scheme: "set int",
    meaning: Meaning::Value(|_, cx| Ok(up_to_max(1, cx))),
    examples: &[("NAT1", "1..MAXINT")],
};

fn up_to_max(lo: i64, cx: &Cx<'_>) -> Value {
    interval::between(lo, cx.world.maxint)
}
