//! `closure(r)`: the transitive closure and the identity on the whole type, hence infinite over INTEGER.

use super::{closure1, id};
use crate::ops::args::one;
use crate::ops::lazy::whole;
use crate::ops::sets::union;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `closure`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Closure,
    spelling: "closure",
    form: Form::Word,
    scheme: "rel a a -> rel a a",
    meaning: Meaning::Value(closure),
    examples: &[
        ("closure({FALSE|->TRUE})", "{FALSE|->TRUE,FALSE|->FALSE,TRUE|->TRUE}"),
        ("closure({1|->2,2|->3})[{1}]", "{1,2,3}"),
    ],
};

fn closure(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    union::of(&closure1::of(one(args)?, cx)?, &whole_identity(cx), cx)
}

/// The identity on the whole type that the result is a relation on.
pub(super) fn whole_identity(cx: &Cx<'_>) -> Value {
    cx.ty.sides().map_or_else(Value::empty, |(a, _)| id::on(&whole(a, cx.world)))
}
