//! `S * T` on sets; `types` picks it where the operands of `*` are sets. Large products stay lazy.

use crate::ops::args::two;
use crate::ops::lazy::product::Product;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::{SetRef, Value};

/// The row of `*`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Product,
    spelling: "*",
    form: Form::Special,
    scheme: "set a, set b -> rel a b",
    meaning: Meaning::Value(product),
    examples: &[
        ("{1,2} * {3}", "{1|->3, 2|->3}"),
        ("{} * NATURAL", "{}"),
        ("(3,-1) : NATURAL * INTEGER", "TRUE"),
        ("card((1..1000) * (1..1000))", "1000000"),
    ],
};

/// Most pairs that are listed at once.
const EAGER: usize = 4096;

fn product(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    let (a, b) = two(args)?;
    Ok(of(a, b))
}

/// The Cartesian product.
pub(in crate::ops) fn of(a: &Value, b: &Value) -> Value {
    match (a, b) {
        (Value::Set(x), _) if x.is_empty() => a.clone(),
        (_, Value::Set(y)) if y.is_empty() => b.clone(),
        (Value::Set(x), Value::Set(y)) if x.len().saturating_mul(y.len()) <= EAGER => {
            let rows = x.items().iter();
            let pairs = rows.flat_map(|p| y.items().iter().map(|q| Value::pair(p.clone(), q.clone())));
            Value::Set(SetRef::from_sorted(pairs.collect()))
        }
        _ => Value::lazy(Product { left: a.clone(), right: b.clone() }),
    }
}
