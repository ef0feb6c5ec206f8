//! `@finite(S)`.

use crate::diagnostic::Code;
use crate::ops::args::one;
use crate::ops::extension::{expand, size};
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;
use crate::value::symbolic::Size;

/// The row of `@finite`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Finite,
    spelling: "@finite",
    form: Form::Word,
    scheme: "set a -> pred",
    meaning: Meaning::Pred(|args, cx| finite(one(args)?, cx)),
    examples: &[("@finite({1})", "TRUE"), ("@finite(NATURAL)", "FALSE"), ("@finite(POW(1..100))", "TRUE")],
};

/// Whether a set is finite.
pub(in crate::ops) fn finite(set: &Value, cx: &Cx<'_>) -> Result<bool, Fault> {
    match size(set, cx) {
        Size::Exact(_) => Ok(true),
        Size::Infinite => Ok(false),
        // A set of unknown size may be infinite without anybody knowing: only a listing tells.
        Size::Unknown => match expand(set, cx) {
            Ok(_) => Ok(true),
            Err(f) if f.0.code == Code::TooLarge => Ok(true),
            Err(f) => Err(f),
        },
    }
}
