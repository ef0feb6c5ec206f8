//! `rel(f)`: the inverse of `fnc`.

use crate::ops::args::{one, sides};
use crate::ops::extension::{expand, guard, set_of};
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `rel`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::RelOf,
    spelling: "rel",
    form: Form::Word,
    scheme: "rel a (set b) -> rel a b",
    meaning: Meaning::Value(rel_of),
    examples: &[("rel({1|->{2,3},4|->{}})", "{1|->2,1|->3}"), ("rel(fnc({1|->2,1|->3}))", "{1|->2,1|->3}")],
};

fn rel_of(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let mut out = Vec::new();
    for p in expand(one(args)?, cx)?.items() {
        let (a, b) = sides(p)?;
        out.extend(expand(b, cx)?.items().iter().map(|y| Value::pair(a.clone(), y.clone())));
        guard(out.len())?;
    }
    set_of(out, cx)
}
