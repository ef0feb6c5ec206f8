//! `dom(r)`.

use crate::ops::args::{one, sides};
use crate::ops::extension::{expand, set_of};
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `dom`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Dom,
    spelling: "dom",
    form: Form::Word,
    scheme: "rel a b -> set a",
    meaning: Meaning::Value(dom),
    examples: &[("dom({1|->2,1|->3,4|->5})", "{1,4}"), ("dom({})", "{}")],
};

fn dom(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    of(one(args)?, cx)
}

/// The domain of a relation.
pub(in crate::ops) fn of(r: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    if let Value::Lazy(l) = r
        && let Some(known) = l.domain(cx)
    {
        return known;
    }
    let pairs = expand(r, cx)?;
    let mut out: Vec<Value> = Vec::with_capacity(pairs.len());
    for p in pairs.items() {
        let (a, _) = sides(p)?;
        if out.last() != Some(a) {
            out.push(a.clone());
        }
    }
    set_of(out, cx)
}
