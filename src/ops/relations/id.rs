//! `id(S)`.

use crate::ops::args::one;
use crate::ops::lazy::identity::Identity;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::{SetRef, Value};

/// The row of `id`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Id,
    spelling: "id",
    form: Form::Word,
    scheme: "set a -> rel a a",
    meaning: Meaning::Value(id),
    examples: &[("id({1,2})", "{1|->1,2|->2}"), ("id(NATURAL)(7)", "7"), ("(1|->2) : id(INTEGER)", "FALSE")],
};

fn id(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    Ok(on(one(args)?))
}

/// The identity on a set.
pub(in crate::ops) fn on(set: &Value) -> Value {
    match set {
        Value::Set(s) => {
            let pairs = s.items().iter().map(|x| Value::pair(x.clone(), x.clone()));
            Value::Set(SetRef::from_sorted(pairs.collect()))
        }
        _ => Value::lazy(Identity { on: set.clone() }),
    }
}
