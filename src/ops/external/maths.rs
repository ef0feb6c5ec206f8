//! Integer mathematics: ABS, GCD, MSB, rounded divisions, and trigonometry on scaled integers.

use super::External;
use crate::diagnostic::Code;
use crate::ops::args::{one, three, two};
use crate::ops::arith::number::{integer, whole};
use crate::ops::{Cx, Fault, Meaning};
use crate::value::Value;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};

/// Rows of this family.
pub(super) const ROWS: &[External] = &[
    External {
        name: "ABS",
        scheme: "int -> int",
        meaning: Meaning::Value(|args, _| Ok(Value::int(integer(one(args)?)?.abs()))),
        examples: &[("ABS(-10)", "10"), ("ABS(0)", "0")],
    },
    External {
        name: "SIGN",
        scheme: "int -> int",
        meaning: Meaning::Value(|args, _| Ok(Value::int(integer(one(args)?)?.signum()))),
        examples: &[("SIGN(-10)", "-1"), ("SIGN(0)", "0")],
    },
    External {
        name: "GCD",
        scheme: "int, int -> int",
        meaning: Meaning::Value(gcd),
        examples: &[("GCD(500,30)", "10"), ("GCD(-10,-15)", "5")],
    },
    External {
        name: "MSB",
        scheme: "int -> int",
        meaning: Meaning::Value(msb),
        examples: &[("MSB(1024)", "10"), ("MSB(1025)", "10"), ("MSB(1)", "0")],
    },
    External {
        name: "FDIV",
        scheme: "int, int -> int",
        meaning: Meaning::Value(|args, _| divide(args, BigInt::div_floor)),
        examples: &[("FDIV(-7,2)", "-4"), ("FDIV(7,2)", "3")],
    },
    External {
        name: "CDIV",
        scheme: "int, int -> int",
        meaning: Meaning::Value(|args, _| divide(args, BigInt::div_ceil)),
        examples: &[("CDIV(-7,2)", "-3"), ("CDIV(7,2)", "4")],
    },
    External {
        name: "SIN",
        scheme: "int -> int",
        meaning: Meaning::Value(|args, _| scaled(&Value::Int(100), one(args)?, f64::sin)),
        examples: &[("SIN(314)", "0"), ("SIN(157)", "100")],
    },
    External {
        name: "COS",
        scheme: "int -> int",
        meaning: Meaning::Value(|args, _| scaled(&Value::Int(100), one(args)?, f64::cos)),
        examples: &[("COS(314)", "-100"), ("COS(628)", "100")],
    },
    External {
        name: "TAN",
        scheme: "int -> int",
        meaning: Meaning::Value(|args, _| scaled(&Value::Int(100), one(args)?, f64::tan)),
        examples: &[("TAN(200)", "-219"), ("TAN(614)", "-14")],
    },
    External {
        name: "SINx",
        scheme: "int, int -> int",
        meaning: Meaning::Value(|args, _| two(args).and_then(|(m, x)| scaled(m, x, f64::sin))),
        examples: &[("SINx(100,157)", "100")],
    },
    External {
        name: "COSx",
        scheme: "int, int -> int",
        meaning: Meaning::Value(|args, _| two(args).and_then(|(m, x)| scaled(m, x, f64::cos))),
        examples: &[("COSx(1000,0)", "1000")],
    },
    External {
        name: "TANx",
        scheme: "int, int -> int",
        meaning: Meaning::Value(|args, _| two(args).and_then(|(m, x)| scaled(m, x, f64::tan))),
        examples: &[("TANx(1000,2000)", "-2185"), ("TANx(10000,61400)", "-1442")],
    },
    External {
        name: "LOGx",
        scheme: "int, int, int -> int",
        meaning: Meaning::Value(logarithm),
        examples: &[("LOGx(100,200,900)", "317"), ("LOGx(1,2,1024)", "10")],
    },
];

fn gcd(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    let (a, b) = two(args)?;
    Ok(Value::int(integer(a)?.gcd(&integer(b)?)))
}

/// The number of the highest bit that is set, from 0.
fn msb(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    let n = integer(one(args)?)?;
    if !n.is_positive() {
        return Err(Fault::new(Code::NotWellDefined, format!("`MSB` of `{n}`, which is not positive")));
    }
    Ok(Value::int(BigInt::from(n.bits()) - 1))
}

fn divide(args: &[Value], f: fn(&BigInt, &BigInt) -> BigInt) -> Result<Value, Fault> {
    let (a, b) = two(args)?;
    let (x, y) = (integer(a)?, integer(b)?);
    if y.is_zero() {
        return Err(Fault::new(Code::DivisionByZero, "division by zero"));
    }
    Ok(Value::int(f(&x, &y)))
}

fn float(v: &Value) -> Result<f64, Fault> {
    Ok(integer(v)?.to_f64().unwrap_or(f64::INFINITY))
}

/// A positive scale.
fn scale(v: &Value) -> Result<f64, Fault> {
    let m = float(v)?;
    if m > 0.0 {
        Ok(m)
    } else {
        Err(Fault::new(Code::DivisionByZero, format!("the scale `{m}` is not positive")))
    }
}

/// `round(m * f(x / m))`.
fn scaled(m: &Value, x: &Value, f: fn(f64) -> f64) -> Result<Value, Fault> {
    let m = scale(m)?;
    whole(&Value::Real(m * f(float(x)? / m)), f64::round)
}

/// `round(m * log(x / m))` to the base `b / m`.
fn logarithm(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    let (m, b, x) = three(args)?;
    let (m, b, x) = (scale(m)?, scale(b)?, scale(x)?);
    whole(&Value::Real(m * (x / m).log(b / m)), f64::round)
}
