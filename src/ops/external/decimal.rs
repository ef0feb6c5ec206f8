//! Strings that stand for values: numbers in decimal and hexadecimal, values in B syntax.

use super::External;
use super::strings::string;
use crate::diagnostic::Code;
use crate::ops::args::{one, text, two};
use crate::ops::arith::number::{integer, small, too_many_digits};
use crate::ops::sequences::list::{sequence, values};
use crate::ops::{Cx, Fault, Meaning};
use crate::ty::Ty;
use crate::value::Value;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};

/// Rows of this family.
pub(super) const ROWS: &[External] = &[
    External {
        name: "STRING_TO_INT",
        scheme: "str -> int",
        meaning: Meaning::Value(|args, _| text(one(args)?).and_then(parse)),
        examples: &[
            ("STRING_TO_INT(\"024\")", "24"),
            ("STRING_TO_INT(\"-5\")", "-5"),
            ("STRING_TO_INT(\" - 12\")", "-12"),
        ],
    },
    External {
        name: "STRING_IS_INT",
        scheme: "str -> pred",
        meaning: Meaning::Pred(|args, _| one(args).and_then(text).map(is_integer)),
        examples: &[
            ("STRING_IS_INT(\"-5\")", "TRUE"),
            ("STRING_IS_INT(\"5a\")", "FALSE"),
            ("STRING_IS_INT(\"\")", "FALSE"),
            ("STRING_IS_INT(\" - 12\")", "TRUE"),
            ("STRING_IS_INT(\"+ 3\")", "TRUE"),
            ("STRING_IS_INT(\" -\")", "FALSE"),
            ("STRING_IS_INT(\"1 2\")", "FALSE"),
        ],
    },
    External {
        name: "STRING_IS_DECIMAL",
        scheme: "str -> pred",
        meaning: Meaning::Pred(|args, _| one(args).and_then(text).map(is_decimal)),
        examples: &[("STRING_IS_DECIMAL(\"-5.25\")", "TRUE"), ("STRING_IS_DECIMAL(\"5.\")", "FALSE")],
    },
    External {
        name: "STRING_IS_NUMBER",
        scheme: "str -> pred",
        meaning: Meaning::Pred(|args, _| one(args).and_then(text).map(is_number)),
        examples: &[
            ("STRING_IS_NUMBER(\"-12\")", "TRUE"),
            ("STRING_IS_NUMBER(\"1.5e-3\")", "TRUE"),
            ("STRING_IS_NUMBER(\"1e\")", "FALSE"),
        ],
    },
    External {
        name: "INT_TO_STRING",
        scheme: "int -> str",
        meaning: Meaning::Value(|args, _| Ok(string(&integer(one(args)?)?.to_string()))),
        examples: &[("INT_TO_STRING(-12)", "\"-12\"")],
    },
    External {
        name: "INT_TO_HEX_STRING",
        scheme: "int -> str",
        meaning: Meaning::Value(|args, _| Ok(string(&integer(one(args)?)?.to_str_radix(16)))),
        examples: &[("INT_TO_HEX_STRING(255)", "\"ff\"")],
    },
    External {
        name: "DEC_STRING_TO_INT",
        scheme: "str, int -> int",
        meaning: Meaning::Value(from_decimal),
        examples: &[
            ("DEC_STRING_TO_INT(\"1024.546\",2)", "102455"),
            ("DEC_STRING_TO_INT(\"-1.5\",0)", "-2"),
            ("DEC_STRING_TO_INT(\"7\",3)", "7000"),
            ("DEC_STRING_TO_INT(\" - 1.5\",1)", "-15"),
            ("DEC_STRING_TO_INT(\"1024\",-2)", "10"),
        ],
    },
    External {
        name: "INT_TO_DEC_STRING",
        scheme: "int, int -> str",
        meaning: Meaning::Value(to_decimal),
        examples: &[
            ("INT_TO_DEC_STRING(1204,2)", "\"12.04\""),
            ("INT_TO_DEC_STRING(-5,2)", "\"-0.05\""),
            ("INT_TO_DEC_STRING(7,0)", "\"7\""),
        ],
    },
    External {
        name: "TO_STRING",
        scheme: "a -> str",
        meaning: Meaning::Text(|args, ty, cx| one(args).and_then(|v| written(v, ty, cx)).map(|s| string(&s))),
        examples: &[
            ("TO_STRING(5)", "\"5\""),
            ("TO_STRING(\"a\")", "\"a\""),
            ("TO_STRING({1,2})", "\"{1,2}\""),
            ("TO_STRING(rec(b:TRUE,a:{2|->rec(c:2)}))", "\"rec(a:{2|->rec(c:2)},b:TRUE)\""),
        ],
    },
    External {
        name: "TO_INT",
        scheme: "a -> int",
        meaning: Meaning::Value(to_int),
        examples: &[("TO_INT(5)", "5"), ("TO_INT(\"12\")", "12")],
    },
    External {
        name: "FORMAT_TO_STRING",
        scheme: "str, seq a -> str",
        meaning: Meaning::Text(format_to_string),
        examples: &[
            ("FORMAT_TO_STRING(\"~w of ~w\",[1,2])", "\"1 of 2\""),
            ("FORMAT_TO_STRING(\"~w\",[rec(a:1)])", "\"rec(a:1)\""),
        ],
    },
];

/// Sign, digits before the point, digits after it. Blanks may stand before the sign and behind it.
fn parts(s: &str) -> Option<(bool, &str, &str)> {
    let s = s.trim_start();
    let negative = s.starts_with('-');
    let digits = s.strip_prefix(['-', '+']).unwrap_or(s).trim_start();
    let (before, after) = digits.split_once('.').unwrap_or((digits, ""));
    let numeric = |t: &str| t.chars().all(|c| c.is_ascii_digit());
    (!before.is_empty() && numeric(before) && numeric(after)).then_some((negative, before, after))
}

fn is_decimal(s: &str) -> bool {
    is_integer(s) || parts(s).is_some_and(|(_, _, after)| !after.is_empty())
}

/// An integer, or a number with a point and perhaps an exponent.
fn is_number(s: &str) -> bool {
    let Some((number, exponent)) = s.split_once(['e', 'E']) else { return is_decimal(s) };
    let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    is_decimal(number)
        && !is_integer(number)
        && !unsigned.is_empty()
        && unsigned.chars().all(|c| c.is_ascii_digit())
}

fn is_integer(s: &str) -> bool {
    parts(s).is_some() && !s.contains('.')
}

fn no_number(s: &str) -> Fault {
    Fault::new(Code::NotWellDefined, format!("`{s}` is no number"))
}

fn parse(s: &str) -> Result<Value, Fault> {
    let (negative, digits, _) = parts(s).filter(|_| is_integer(s)).ok_or_else(|| no_number(s))?;
    let n: BigInt = digits.parse().map_err(|_| no_number(s))?;
    Ok(Value::int(if negative { -n } else { n }))
}

/// A power of ten with a bearable number of digits.
fn power_of_ten(places: u64) -> Result<BigInt, Fault> {
    let places = u32::try_from(places).ok().filter(|n| *n <= 1 << 20).ok_or_else(too_many_digits)?;
    Ok(BigInt::from(10).pow(places))
}

/// `DEC_STRING_TO_INT(s, p)`: the number times ten to the p, rounded away from zero at one half.
fn from_decimal(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    let (s, precision) = two(args)?;
    let (s, precision) = (text(s)?, small(precision, "the precision")?);
    let (negative, before, after) = parts(s).ok_or_else(|| no_number(s))?;
    let digits: BigInt = [before, after].concat().parse().map_err(|_| no_number(s))?;
    let places = i64::try_from(after.len()).ok().and_then(|n| precision.checked_sub(n));
    let places = places.ok_or_else(too_many_digits)?;
    let ten = power_of_ten(places.unsigned_abs())?;
    let scaled =
        if places >= 0 { digits * ten } else { Integer::div_floor(&(digits * 2 + &ten), &(ten * 2)) };
    Ok(Value::int(if negative { -scaled } else { scaled }))
}

/// `INT_TO_DEC_STRING(n, p)`: n divided by ten to the p.
fn to_decimal(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    let (n, precision) = two(args)?;
    let (n, precision) = (integer(n)?, small(precision, "the precision")?);
    let ten = power_of_ten(precision.unsigned_abs())?;
    if precision <= 0 {
        return Ok(string(&(n * ten).to_string()));
    }
    let (before, after) = n.abs().div_rem(&ten);
    let sign = if n.is_negative() && !n.is_zero() { "-" } else { "" };
    let width = usize::try_from(precision).map_err(|_| too_many_digits())?;
    Ok(string(&format!("{sign}{before}.{:0>width$}", after.to_string())))
}

/// A value as text: strings without quotes, all else in B syntax.
fn written(v: &Value, ty: &Ty, cx: &Cx<'_>) -> Result<String, Fault> {
    match v {
        Value::Str(s) => Ok(s.to_string()),
        _ if has_free_type(ty) => {
            Err(Fault::new(Code::Unsupported, "the names of a free type's constructors are not known here"))
        }
        _ => Ok(v.show(ty, cx.world)),
    }
}

fn has_free_type(ty: &Ty) -> bool {
    match ty {
        Ty::Free(_) => true,
        Ty::Pow(t) => has_free_type(t),
        Ty::Pair(a, b) => has_free_type(a) || has_free_type(b),
        Ty::Rec(fields) => fields.iter().any(|(_, t)| has_free_type(t)),
        _ => false,
    }
}

fn to_int(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    match one(args)? {
        v @ (Value::Int(_) | Value::Big(_)) => Ok(v.clone()),
        Value::Str(s) => parse(s),
        _ => Err(Fault::new(Code::Unsupported, "`TO_INT` takes an integer or a string")),
    }
}

/// Puts values in the places marked `~w`.
fn format_to_string(args: &[Value], ty: &Ty, cx: &Cx<'_>) -> Result<Value, Fault> {
    let (format, items) = two(args)?;
    let item_type = ty.sides().map_or(&Ty::Any, |(_, t)| t);
    let items = sequence(items, cx)?;
    let mut items = values(&items);
    let mut pieces = text(format)?.split("~w");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let Some(item) = items.next() else {
            let message = "`FORMAT_TO_STRING` has fewer values than places";
            return Err(Fault::new(Code::NotWellDefined, message));
        };
        out.push_str(&written(&item, item_type, cx)?);
        out.push_str(piece);
    }
    Ok(string(&out))
}
