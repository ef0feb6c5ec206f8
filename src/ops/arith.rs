//! Arithmetic on integers of any size and on reals.
//!
//! 64-bit integers are the fast path; a result that does not fit becomes a big integer. Nothing wraps.

use super::sets::{expand, member_faults};
use super::{Cx, Fault, Op};
use crate::diagnostic::Code;
use crate::value::Value;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};
use std::sync::Arc;

/// Bits that the result of a power may have.
const POWER_LIMIT: u64 = 1 << 23;

/// The integer of a value.
pub fn big(v: &Value) -> Result<BigInt, Fault> {
    match v {
        Value::Int(n) => Ok(BigInt::from(*n)),
        Value::Big(n) => Ok((**n).clone()),
        _ => Err(Fault::new(Code::NotWellDefined, "an integer was expected here")),
    }
}

/// Arithmetic of two numbers.
pub(super) fn binary(op: Op, a: &Value, b: &Value) -> Result<Value, Fault> {
    if let (Value::Real(x), Value::Real(y)) = (a, b) {
        return real(op, *x, *y);
    }
    if op == Op::Power {
        return power(a, b);
    }
    if let (Value::Int(x), Value::Int(y)) = (a, b) {
        let quick = match op {
            Op::Add => x.checked_add(*y),
            Op::Sub => x.checked_sub(*y),
            Op::Mul => x.checked_mul(*y),
            Op::Div if *y != 0 => x.checked_div(*y),
            Op::Mod if *x >= 0 && *y > 0 => x.checked_rem(*y),
            _ => None,
        };
        if let Some(n) = quick {
            return Ok(Value::Int(n));
        }
    }
    let (x, y) = (big(a)?, big(b)?);
    Ok(Value::int(match op {
        Op::Add => x + y,
        Op::Sub => x - y,
        Op::Mul => x * y,
        Op::Div if y.is_zero() => {
            return Err(Fault::new(Code::DivisionByZero, format!("`{x}` is divided by zero")));
        }
        // BigInt's division truncates towards zero, as B's.
        Op::Div => x / y,
        Op::Mod if x.is_negative() || !y.is_positive() => {
            let text = format!("`{x} mod {y}` needs a natural number and a positive divisor");
            return Err(Fault::new(Code::DivisionByZero, text));
        }
        Op::Mod => x.mod_floor(&y),
        _ => return Err(Fault::new(Code::Unsupported, format!("`{op:?}` is no arithmetic operator"))),
    }))
}

fn real(op: Op, x: f64, y: f64) -> Result<Value, Fault> {
    Ok(Value::Real(match op {
        Op::Add => x + y,
        Op::Sub => x - y,
        Op::Mul => x * y,
        Op::Div if y == 0.0 => return Err(Fault::new(Code::DivisionByZero, "a real is divided by zero")),
        Op::Div => x / y,
        _ => return Err(Fault::new(Code::Unsupported, format!("`{op:?}` on reals is not supported"))),
    }))
}

fn power(a: &Value, b: &Value) -> Result<Value, Fault> {
    let exponent = big(b)?;
    if exponent.is_negative() {
        return Err(Fault::new(Code::NotWellDefined, format!("the exponent {exponent} is negative")));
    }
    if let Value::Real(x) = a {
        return Ok(Value::Real(x.powf(exponent.to_f64().unwrap_or(f64::INFINITY))));
    }
    let base = big(a)?;
    if base.abs() <= BigInt::from(1) {
        let odd = exponent.is_odd();
        let one = BigInt::from(1);
        let result = if exponent.is_zero() || base.is_zero() && exponent.is_zero() {
            one
        } else if base.is_negative() && !odd {
            -base
        } else {
            base
        };
        return Ok(Value::int(result));
    }
    let too_large = || Fault::new(Code::TooLarge, "the power has too many digits");
    let exponent = exponent.to_u32().ok_or_else(too_large)?;
    if base.bits().saturating_mul(u64::from(exponent)) > POWER_LIMIT {
        return Err(too_large());
    }
    Ok(Value::int(base.pow(exponent)))
}

/// `-a`.
pub(super) fn negate(a: &Value) -> Result<Value, Fault> {
    match a {
        Value::Real(x) => Ok(Value::Real(-x)),
        Value::Int(n) if *n != i64::MIN => Ok(Value::Int(-n)),
        _ => Ok(Value::int(-big(a)?)),
    }
}

/// `floor`, `ceiling`, `real`.
pub(super) fn convert(op: Op, a: &Value) -> Result<Value, Fault> {
    let whole = |x: f64| {
        num_traits::FromPrimitive::from_f64(x)
            .map(Value::int)
            .ok_or_else(|| Fault::new(Code::NotWellDefined, "this real has no integer part"))
    };
    match (op, a) {
        (Op::Floor, Value::Real(x)) => whole(x.floor()),
        (Op::Ceiling, Value::Real(x)) => whole(x.ceil()),
        _ => Ok(Value::Real(big(a)?.to_f64().unwrap_or(f64::NAN))),
    }
}

/// `min(S)` and `max(S)`.
pub(super) fn extremum(op: Op, s: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    if let Some(n) = super::lazy::numbers::of(s) {
        let end = if op == Op::Min { &n.lo } else { &n.hi };
        if n.is_empty() {
            return Err(empty(op));
        }
        return match end {
            Some(e) => Ok(Value::int(e.clone())),
            None => Err(Fault::new(Code::Infinite, "this set has no bound on that side")),
        };
    }
    let items = expand(s, cx)?;
    let items = items.items();
    // Sets are sorted.
    (if op == Op::Min { items.first() } else { items.last() }).cloned().ok_or_else(|| empty(op))
}

fn empty(op: Op) -> Fault {
    let name = if op == Op::Min { "min" } else { "max" };
    Fault::new(Code::EmptySet, format!("`{name}` of the empty set"))
}

/// `<`, `<=`, `>`, `>=`.
pub(super) fn compare(op: Op, a: &Value, b: &Value) -> bool {
    let order = a.cmp(b);
    match op {
        Op::Lt => order.is_lt(),
        Op::Le => order.is_le(),
        Op::Gt => order.is_gt(),
        _ => order.is_ge(),
    }
}

/// `succ` and `pred` as functions on all integers.
pub(super) fn step(op: Op) -> Value {
    Value::Lazy(Arc::new(super::lazy::numbers::Step { by: if op == Op::Succ { 1 } else { -1 } }))
}

/// An integer argument that must fit a machine word.
pub(super) fn small(v: &Value, what: &str) -> Result<i64, Fault> {
    match v {
        Value::Int(n) => Ok(*n),
        _ => Err(member_faults(Code::TooLarge, format!("{what} is too large"))),
    }
}
