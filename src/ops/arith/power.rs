//! `a ** b`: the exponent must not be negative, and the result must be of a size that can be held.

use crate::diagnostic::Code;
use crate::ops::args::two;
use crate::ops::arith::number::{BIT_LIMIT, integer, real, too_many_digits};
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive};

/// The row of `**`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Power,
    spelling: "**",
    form: Form::Infix(200),
    scheme: "num, int -> num",
    meaning: Meaning::Value(power),
    examples: &[
        ("2 ** 10", "1024"),
        ("0 ** 0", "1"),
        ("(-1) ** 1000001", "-1"),
        ("2 ** 3 ** 2", "512"),
        ("(-2) ** 2", "4"),
    ],
};

fn power(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    let (a, b) = two(args)?;
    if let (Value::Int(x), Value::Int(n)) = (a, b)
        && let Some(y) = u32::try_from(*n).ok().and_then(|n| x.checked_pow(n))
    {
        return Ok(Value::Int(y));
    }
    let exponent = integer(b)?;
    if exponent.is_negative() {
        return Err(Fault::new(Code::NotWellDefined, format!("the exponent `{exponent}` is negative")));
    }
    if let Value::Real(x) = a {
        return real(x.powf(exponent.to_f64().unwrap_or(f64::INFINITY)));
    }
    let base = integer(a)?;
    // 0, 1 and -1 have powers of any exponent.
    if base.abs() <= BigInt::from(1) {
        let even = exponent.is_even();
        return Ok(match a {
            _ if exponent == BigInt::ZERO => Value::Int(1),
            Value::Int(-1) if even => Value::Int(1),
            _ => a.clone(),
        });
    }
    let exponent = exponent.to_u32().ok_or_else(too_many_digits)?;
    if base.bits().saturating_mul(u64::from(exponent)) > BIT_LIMIT {
        return Err(too_many_digits());
    }
    Ok(Value::int(base.pow(exponent)))
}
