//! `a..b`: empty if a > b; large intervals stay lazy.

use crate::ops::args::two;
use crate::ops::arith::number::integer;
use crate::ops::lazy::numbers::Numbers;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::{SetRef, Value};

/// The row of `..`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Interval,
    spelling: "..",
    form: Form::Infix(170),
    scheme: "int, int -> set int",
    meaning: Meaning::Value(interval),
    examples: &[
        ("1..3", "{1,2,3}"),
        ("3..1", "{}"),
        ("-1..-1", "{-1}"),
        ("card(2**64..2**64+1)", "2"),
        ("5 : 1..10**12", "TRUE"),
    ],
};

/// Most members that are listed at once.
const EAGER: i64 = 4096;

fn interval(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    match two(args)? {
        (Value::Int(lo), Value::Int(hi)) => Ok(between(*lo, *hi)),
        (a, b) => Ok(of(Numbers { lo: Some(integer(a)?), hi: Some(integer(b)?) })),
    }
}

/// The integers from `lo` to `hi`.
pub(in crate::ops) fn between(lo: i64, hi: i64) -> Value {
    if lo > hi {
        return Value::empty();
    }
    if hi.checked_sub(lo).is_some_and(|n| n < EAGER) {
        return Value::Set(SetRef::interval(lo, hi));
    }
    Value::lazy(Numbers { lo: Some(lo.into()), hi: Some(hi.into()) })
}

/// An interval as a value: in extension if it is small.
pub(in crate::ops) fn of(n: Numbers) -> Value {
    if n.is_empty() {
        return Value::empty();
    }
    if let (Some(lo), Some(hi)) = (&n.lo, &n.hi)
        && let (Ok(lo), Ok(hi)) = (i64::try_from(lo), i64::try_from(hi))
    {
        return between(lo, hi);
    }
    Value::lazy(n)
}
