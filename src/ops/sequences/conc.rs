//! `conc(ss)`: a sequence of sequences, joined.

use super::list::{numbered, sequence, values};
use crate::ops::args::one;
use crate::ops::extension::guard;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `conc`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Conc,
    spelling: "conc",
    form: Form::Word,
    scheme: "seq seq a -> seq a",
    meaning: Meaning::Value(conc),
    examples: &[("conc([[1],[],[2,3]])", "[1,2,3]"), ("conc([])", "[]")],
};

fn conc(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let mut all = Vec::new();
    for inner in values(&sequence(one(args)?, cx)?) {
        all.extend(values(&sequence(&inner, cx)?));
        guard(all.len())?;
    }
    Ok(numbered(all))
}
