//! `r~`.

use crate::ops::args::{expected, one, sides};
use crate::ops::extension::{no_set, set_of};
use crate::ops::lazy::inverse::Inverse;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `~`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Inverse,
    spelling: "~",
    form: Form::Postfix(230),
    scheme: "rel a b -> rel b a",
    meaning: Meaning::Value(inverse),
    examples: &[("{1|->2,3|->2}~", "{2|->1,2|->3}"), ("(4|->3) : succ~", "TRUE")],
};

fn inverse(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    match one(args)? {
        Value::Set(s) if s.is_extension() => s.inverse().map(Value::Set).ok_or_else(|| expected("a pair")),
        Value::Set(s) => {
            let back = |p| sides(p).map(|(a, b)| Value::pair(b.clone(), a.clone()));
            set_of(s.items().iter().map(back).collect::<Result<_, _>>()?, cx)
        }
        Value::Lazy(l) => match l.as_any().downcast_ref::<Inverse>() {
            Some(twice) => Ok(twice.of.clone()),
            None => Ok(Value::lazy(Inverse { of: Value::Lazy(l.clone()) })),
        },
        _ => Err(no_set()),
    }
}
