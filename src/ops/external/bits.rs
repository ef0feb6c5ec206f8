//! Integers as bit patterns in two's complement: BAND, BOR, BXOR, BNOT, shifts.

use super::External;
use crate::diagnostic::Code;
use crate::ops::args::{one, two};
use crate::ops::arith::number::{BIT_LIMIT, integer, too_many_digits};
use crate::ops::{Fault, Meaning};
use crate::value::Value;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

/// Rows of this family.
pub(super) const ROWS: &[External] = &[
    External {
        name: "BAND",
        scheme: "int, int -> int",
        meaning: Meaning::Value(|args, _| bitwise(args, |x, y| x & y)),
        examples: &[("BAND(12,10)", "8"), ("BAND(-1,5)", "5")],
    },
    External {
        name: "BOR",
        scheme: "int, int -> int",
        meaning: Meaning::Value(|args, _| bitwise(args, |x, y| x | y)),
        examples: &[("BOR(12,10)", "14")],
    },
    External {
        name: "BXOR",
        scheme: "int, int -> int",
        meaning: Meaning::Value(|args, _| bitwise(args, |x, y| x ^ y)),
        examples: &[("BXOR(12,10)", "6")],
    },
    External {
        name: "BNOT",
        scheme: "int -> int",
        meaning: Meaning::Value(|args, _| Ok(Value::int(-integer(one(args)?)? - 1))),
        examples: &[("BNOT(0)", "-1"), ("BNOT(5)", "-6")],
    },
    External {
        name: "BLSHIFT",
        scheme: "int, int -> int",
        meaning: Meaning::Value(|args, _| shift(args, |x, n| x << n)),
        examples: &[("BLSHIFT(3,2)", "12")],
    },
    External {
        name: "BRSHIFT",
        scheme: "int, int -> int",
        meaning: Meaning::Value(|args, _| shift(args, |x, n| x >> n)),
        examples: &[("BRSHIFT(12,2)", "3"), ("BRSHIFT(-1,5)", "-1")],
    },
];

fn bitwise(args: &[Value], f: fn(BigInt, BigInt) -> BigInt) -> Result<Value, Fault> {
    let (a, b) = two(args)?;
    Ok(Value::int(f(integer(a)?, integer(b)?)))
}

fn shift(args: &[Value], f: fn(BigInt, u64) -> BigInt) -> Result<Value, Fault> {
    let (a, b) = two(args)?;
    let (x, by) = (integer(a)?, integer(b)?);
    if by.is_negative() {
        return Err(Fault::new(Code::NotWellDefined, format!("a shift by `{by}` places")));
    }
    let by = by.to_u64().filter(|n| *n <= BIT_LIMIT).ok_or_else(too_many_digits)?;
    Ok(Value::int(f(x, by)))
}
