//! `fnc(r)`: the function from each left side to the set of its right sides.

use super::dom;
use super::pairs::image_of;
use crate::ops::args::one;
use crate::ops::extension::{expand, set_of};
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `fnc`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Fnc,
    spelling: "fnc",
    form: Form::Word,
    scheme: "rel a b -> rel a (set b)",
    meaning: Meaning::Value(fnc),
    examples: &[("fnc({1|->2,1|->3,4|->5})", "{1|->{2,3},4|->{5}}"), ("fnc({})", "{}")],
};

fn fnc(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let pairs = Value::Set(expand(one(args)?, cx)?);
    let mut out = Vec::new();
    for x in expand(&dom::of(&pairs, cx)?, cx)?.items() {
        out.push(Value::pair(x.clone(), set_of(image_of(&pairs, x, cx)?, cx)?));
    }
    set_of(out, cx)
}
