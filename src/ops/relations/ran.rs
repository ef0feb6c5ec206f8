//! `ran(r)`.

use super::dom;
use crate::diagnostic::Code;
use crate::ops::args::{one, sides};
use crate::ops::extension::{expand, set_of};
use crate::ops::lazy::inverse::Inverse;
use crate::ops::lazy::range::Range;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `ran`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Ran,
    spelling: "ran",
    form: Form::Word,
    scheme: "rel a b -> set b",
    meaning: Meaning::Value(ran),
    examples: &[("ran({1|->2,3|->2})", "{2}"), ("ran([7,8,7])", "{7,8}")],
};

fn ran(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let r = one(args)?;
    if let Value::Lazy(l) = r
        && let Some(of) = l.as_any().downcast_ref::<Inverse>()
    {
        return dom::of(&of.of, cx);
    }
    match (listed(r, cx), r) {
        (Err(f), Value::Lazy(_)) if f.0.code == Code::Infinite => Ok(Value::lazy(Range { of: r.clone() })),
        (all, _) => all,
    }
}

/// The right sides of a relation that can be listed.
pub(in crate::ops) fn listed(r: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    let pairs = expand(r, cx)?;
    let out: Result<Vec<Value>, Fault> = pairs.items().iter().map(|p| Ok(sides(p)?.1.clone())).collect();
    set_of(out?, cx)
}
