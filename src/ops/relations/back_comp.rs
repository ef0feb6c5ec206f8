//! `s ∘ r`: backward composition, first r, then s.

use super::comp;
use crate::ops::args::two;
use crate::ops::{Form, Meaning, Op, OpDef};

/// The row of `∘`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::BackComp,
    spelling: "∘",
    form: Form::Infix(160),
    scheme: "rel b c, rel a b -> rel a c",
    meaning: Meaning::Value(|args, cx| two(args).and_then(|(s, r)| comp::of(r, s, cx))),
    examples: &[("{2|->5} ∘ {1|->2}", "{1|->5}")],
};
