//! `(r ; s)`: first r, then s.

use super::pairs::push_image;
use crate::ops::args::{sides, two};
use crate::ops::extension::{guard, poll, set_of};
use crate::ops::lazy::composed::Composed;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `;`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Comp,
    spelling: ";",
    form: Form::Infix(20),
    scheme: "rel a b, rel b c -> rel a c",
    meaning: Meaning::Value(comp),
    examples: &[
        ("({1|->2,3|->4} ; {2|->5,4|->6})", "{1|->5,3|->6}"),
        ("([1,2] ; succ)", "[2,3]"),
        ("(succ ; succ)(1)", "3"),
    ],
};

fn comp(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (r, s) = two(args)?;
    of(r, s, cx)
}

/// First `r`, then `s`.
pub(in crate::ops) fn of(r: &Value, s: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    let Value::Set(pairs) = r else {
        return Ok(Value::lazy(Composed { first: r.clone(), then: s.clone() }));
    };
    let mut out = Vec::with_capacity(pairs.len());
    let mut row = Vec::new();
    for p in pairs.items() {
        let (a, b) = sides(p)?;
        push_image(s, b, &mut row, cx)?;
        out.extend(row.drain(..).map(|c| Value::pair(a.clone(), c)));
        guard(out.len())?;
        poll(cx)?;
    }
    set_of(out, cx)
}
