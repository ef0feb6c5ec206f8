//! `r <+ s`: s, and r where s is undefined.

use super::dom;
use crate::ops::args::{sides, two};
use crate::ops::extension::set_of;
use crate::ops::lazy::overridden::Overridden;
use crate::ops::membership::inclusion::contains;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::{SetRef, Value};

/// The row of `<+`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Override,
    spelling: "<+",
    form: Form::Infix(160),
    scheme: "rel a b, rel a b -> rel a b",
    meaning: Meaning::Value(over),
    examples: &[
        ("{1|->2,3|->4} <+ {1|->5}", "{1|->5,3|->4}"),
        ("{} <+ {1|->1,1|->2}", "{1|->1,1|->2}"),
        ("(succ <+ {0|->0})(0)", "0"),
    ],
};

fn over(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (r, s) = two(args)?;
    of(r, s, cx)
}

/// `r` overridden by `s`.
pub(in crate::ops) fn of(r: &Value, s: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    match (r, s) {
        (Value::Set(x), _) if x.is_empty() => Ok(s.clone()),
        (_, Value::Set(y)) if y.is_empty() => Ok(r.clone()),
        (Value::Set(x), Value::Set(y)) if x.is_extension() && y.is_extension() => {
            Ok(Value::Set(splice(x, y)?))
        }
        (Value::Set(x), Value::Set(y)) => {
            let domain = dom::of(s, cx)?;
            let mut out = y.items().to_vec();
            for p in x.items() {
                if !contains(&domain, sides(p)?.0, cx)? {
                    out.push(p.clone());
                }
            }
            set_of(out, cx)
        }
        _ => Ok(Value::lazy(Overridden { base: r.clone(), by: s.clone() })),
    }
}

/// Both are sorted by left sides: rows of `y` replace rows of `x`. Each row is found by search.
fn splice(x: &SetRef, y: &SetRef) -> Result<SetRef, Fault> {
    let mut out: Vec<Value> = Vec::with_capacity(x.len() + y.len());
    let (mut old, mut new) = (x.items(), y.items());
    while let Some(q) = new.first() {
        let key = sides(q)?.0;
        let left = |v: &Value| match v {
            Value::Pair(p) => p.0.cmp(key),
            other => other.cmp(key),
        };
        let (before, from) = old.split_at(old.partition_point(|v| left(v).is_lt()));
        let row = from.iter().take_while(|v| left(v).is_eq()).count();
        let own = new.iter().take_while(|v| left(v).is_eq()).count();
        out.extend_from_slice(before);
        out.extend_from_slice(new.get(..own).unwrap_or_default());
        old = from.get(row..).unwrap_or_default();
        new = new.get(own.max(1)..).unwrap_or_default();
    }
    out.extend_from_slice(old);
    Ok(SetRef::from_sorted(out))
}
