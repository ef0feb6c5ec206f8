//! `STRING`, `REAL`, `FLOAT`: whole types that are never listed.

use crate::ops::lazy::whole;
use crate::ops::{Form, Meaning, Op, OpDef};
use crate::ty::Ty;

/// The row of `STRING`.
pub(in crate::ops) const STRING: OpDef = OpDef {
    op: Op::StringSet,
    spelling: "STRING",
    form: Form::Constant,
    scheme: "set str",
    meaning: Meaning::Value(|_, cx| Ok(whole(&Ty::Str, cx.world))),
    examples: &[("\"a\" : STRING", "TRUE")],
};

/// The row of `REAL`.
pub(in crate::ops) const REAL: OpDef = OpDef {
    op: Op::RealSet,
    spelling: "REAL",
    form: Form::Constant,
    scheme: "set real",
    meaning: Meaning::Value(|_, cx| Ok(whole(&Ty::Real, cx.world))),
    examples: &[("1.5 : REAL", "TRUE")],
};

/// The row of `FLOAT`.
pub(in crate::ops) const FLOAT: OpDef = OpDef {
    op: Op::FloatSet,
    spelling: "FLOAT",
    form: Form::Constant,
    scheme: "set real",
    meaning: Meaning::Value(|_, cx| Ok(whole(&Ty::Real, cx.world))),
    examples: &[("1.5 : FLOAT", "TRUE")],
};
