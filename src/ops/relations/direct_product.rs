//! `r >< s`: pairs the values of both.

use super::pairs::image_of;
use crate::ops::args::{sides, two};
use crate::ops::extension::{guard, set_of};
use crate::ops::lazy::direct::Direct;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `><`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::DirectProduct,
    spelling: "><",
    form: Form::Infix(160),
    scheme: "rel a b, rel a c -> rel a (pair b c)",
    meaning: Meaning::Value(direct_product),
    examples: &[
        ("{1|->2,3|->4} >< {1|->5}", "{1|->(2,5)}"),
        ("({1|->2} >< succ)(1)", "(2,2)"),
        ("(succ >< pred)(1)", "(2,0)"),
    ],
};

fn direct_product(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (r, s) = two(args)?;
    let mut out = Vec::new();
    match (r, s) {
        (Value::Set(pairs), _) => {
            for p in pairs.items() {
                let (a, b) = sides(p)?;
                let values = image_of(s, a, cx)?;
                out.extend(values.into_iter().map(|c| Value::pair(a.clone(), Value::pair(b.clone(), c))));
                guard(out.len())?;
            }
        }
        (_, Value::Set(pairs)) => {
            for p in pairs.items() {
                let (a, c) = sides(p)?;
                let values = image_of(r, a, cx)?;
                out.extend(values.into_iter().map(|b| Value::pair(a.clone(), Value::pair(b, c.clone()))));
                guard(out.len())?;
            }
        }
        _ => return Ok(Value::lazy(Direct { left: r.clone(), right: s.clone() })),
    }
    set_of(out, cx)
}
