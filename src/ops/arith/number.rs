//! What the arithmetic operators share: integers of any size, reals without surprises.
//!
//! 64-bit integers are the fast path; a result that does not fit becomes a big integer. Nothing wraps. A real
//! is never NaN, infinite or minus zero, so that equality of reals is equality of bits.

use crate::diagnostic::Code;
use crate::ops::Fault;
use crate::ops::args::{expected, two};
use crate::value::Value;
use num_bigint::BigInt;
use num_traits::FromPrimitive;
use std::sync::Arc;

/// Bits that an integer may have.
pub(in crate::ops) const BIT_LIMIT: u64 = 1 << 23;

/// The fault of an integer that would take too much memory.
pub(in crate::ops) fn too_many_digits() -> Fault {
    Fault::new(Code::TooLarge, "the result has millions of digits")
}

/// The integer of a value.
pub(in crate::ops) fn integer(v: &Value) -> Result<BigInt, Fault> {
    match v {
        Value::Int(n) => Ok(BigInt::from(*n)),
        Value::Big(n) => Ok((**n).clone()),
        _ => Err(expected("an integer")),
    }
}

/// An integer that must fit a machine word.
pub(in crate::ops) fn small(v: &Value, what: &str) -> Result<i64, Fault> {
    match v {
        Value::Int(n) => Ok(*n),
        Value::Big(n) => Err(Fault::new(Code::TooLarge, format!("{what} is `{n}`, too large"))),
        _ => Err(expected("an integer")),
    }
}

/// A real number as a value.
pub(in crate::ops) fn real(x: f64) -> Result<Value, Fault> {
    if x.is_finite() {
        // Adding zero turns minus zero into zero.
        Ok(Value::Real(x + 0.0))
    } else {
        Err(Fault::new(Code::NotWellDefined, "the result is no real number of bearable size"))
    }
}

/// The integer that rounding yields.
pub(in crate::ops) fn whole(v: &Value, round: fn(f64) -> f64) -> Result<Value, Fault> {
    let Value::Real(x) = v else { return Err(expected("a real number")) };
    BigInt::from_f64(round(*x)).map(Value::int).ok_or_else(|| expected("a finite real number"))
}

/// Arithmetic of two numbers: quickly if the result fits a machine word or two, else with big integers.
pub(in crate::ops) fn arithmetic(
    args: &[Value],
    quick: fn(i64, i64) -> Option<i64>,
    double: fn(i128, i128) -> Option<i128>,
    exact: fn(BigInt, BigInt) -> BigInt,
    reals: fn(f64, f64) -> f64,
) -> Result<Value, Fault> {
    match two(args)? {
        (Value::Int(x), Value::Int(y)) => Ok(match quick(*x, *y) {
            Some(n) => Value::Int(n),
            None => Value::int(exact(BigInt::from(*x), BigInt::from(*y))),
        }),
        (Value::Real(x), Value::Real(y)) => real(reals(*x, *y)),
        (a, b) => Ok(match a.as_double().zip(b.as_double()).and_then(|(x, y)| double(x, y)) {
            Some(n) => i64::try_from(n).map_or_else(|_| Value::Big(Arc::new(n.into())), Value::Int),
            None => Value::int(exact(integer(a)?, integer(b)?)),
        }),
    }
}
