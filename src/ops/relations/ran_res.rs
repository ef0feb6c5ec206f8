//! `r |> S`.

use super::restrict::{Side, restrict};
use crate::ops::args::two;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `|>`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::RanRes,
    spelling: "|>",
    form: Form::Infix(160),
    scheme: "rel a b, set b -> rel a b",
    meaning: Meaning::Value(ran_res),
    examples: &[("{1|->2,3|->4} |> {2}", "{1|->2}"), ("{1|->2,3|->-4} |> NATURAL", "{1|->2}")],
};

fn ran_res(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (r, s) = two(args)?;
    restrict(Side::Right, true, s, r, cx)
}
