//! `r[S]`.

use super::pairs::{push_image, small_beside};
use crate::ops::args::{sides, two};
use crate::ops::extension::{expand, guard, poll, set_of};
use crate::ops::membership::inclusion::contains;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `[]`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Image,
    spelling: "[]",
    form: Form::Special,
    scheme: "rel a b, set a -> set b",
    meaning: Meaning::Value(image),
    examples: &[
        ("{1|->2,3|->4,5|->6}[{1,5}]", "{2,6}"),
        ("{1|->2,3|->4}[NATURAL]", "{2,4}"),
        ("succ[1..3]", "2..4"),
        ("{}[{1}]", "{}"),
    ],
};

fn image(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (r, s) = two(args)?;
    let mut out = Vec::new();
    match r {
        // Few pairs, or nothing to look up: every pair says itself whether it counts.
        Value::Set(pairs) if !small_beside(s, pairs) => {
            for p in pairs.items() {
                let (a, b) = sides(p)?;
                if contains(s, a, cx)? {
                    out.push(b.clone());
                }
            }
        }
        _ => {
            for x in expand(s, cx)?.items() {
                poll(cx)?;
                guard(out.len())?;
                push_image(r, x, &mut out, cx)?;
            }
        }
    }
    set_of(out, cx)
}
