//! `a mod b`: the remainder of a natural number by a positive one.

use crate::diagnostic::Code;
use crate::ops::args::two;
use crate::ops::arith::number::integer;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;
use num_integer::Integer;
use num_traits::Signed;

/// The row of `mod`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Mod,
    spelling: "mod",
    form: Form::Infix(190),
    scheme: "int, int -> int",
    meaning: Meaning::Value(modulo),
    examples: &[("7 mod 3", "1"), ("0 mod 1", "0"), ("2 ** 64 mod 10", "6")],
};

fn modulo(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    let (a, b) = two(args)?;
    if let (Value::Int(x), Value::Int(y)) = (a, b)
        && *x >= 0
        && *y > 0
    {
        return Ok(Value::Int(x % y));
    }
    let (x, y) = (integer(a)?, integer(b)?);
    if x.is_negative() || !y.is_positive() {
        let text = format!("`{x} mod {y}` needs a natural number and a positive divisor");
        return Err(Fault::new(Code::DivisionByZero, text));
    }
    Ok(Value::int(x.mod_floor(&y)))
}
