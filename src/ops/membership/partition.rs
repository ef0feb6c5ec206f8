//! `@partition(S, A, B, ...)`: S is the union of the others, which are pairwise disjoint.

use super::inclusion::subset;
use crate::ops::args::expected;
use crate::ops::compare::equality::equal;
use crate::ops::extension::is_empty;
use crate::ops::sets::{inter, union};
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `@partition`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Partition,
    spelling: "@partition",
    form: Form::Word,
    scheme: "*",
    meaning: Meaning::Pred(partition),
    examples: &[
        ("@partition({1,2},{1},{2})", "TRUE"),
        ("@partition({1,2},{1},{1,2})", "FALSE"),
        ("@partition({1,2},{1})", "FALSE"),
        ("@partition(NATURAL,{0},NATURAL1)", "TRUE"),
    ],
};

fn partition(args: &[Value], cx: &Cx<'_>) -> Result<bool, Fault> {
    let Some((whole, parts)) = args.split_first() else { return Err(expected("a set")) };
    let mut all = Value::empty();
    for part in parts {
        // Cheap and most often decisive: a part that is no part.
        if !subset(part, whole, cx)? || !is_empty(&inter::of(&all, part, cx)?, cx)? {
            return Ok(false);
        }
        all = union::of(&all, part, cx)?;
    }
    equal(whole, &all, cx)
}
