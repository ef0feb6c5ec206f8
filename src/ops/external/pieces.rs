//! Strings and their pieces: characters, codes, parts, replacement.

use super::External;
use super::strings::string;
use crate::diagnostic::Code;
use crate::ops::args::{one, text, three, two};
use crate::ops::arith::number::small;
use crate::ops::sequences::list::{numbered, sequence, values};
use crate::ops::{Cx, Fault, Meaning};
use crate::value::Value;

/// Rows of this family.
pub(super) const ROWS: &[External] = &[
    External {
        name: "STRING_CHARS",
        scheme: "str -> seq str",
        meaning: Meaning::Value(chars),
        examples: &[("STRING_CHARS(\"abc\")", "[\"a\",\"b\",\"c\"]"), ("STRING_CHARS(\"\")", "[]")],
    },
    External {
        name: "STRING_CODES",
        scheme: "str -> seq int",
        meaning: Meaning::Value(codes),
        examples: &[("STRING_CODES(\"AZ\")", "[65,90]")],
    },
    External {
        name: "CODES_TO_STRING",
        scheme: "seq int -> str",
        meaning: Meaning::Value(from_codes),
        examples: &[("CODES_TO_STRING([65,90])", "\"AZ\"")],
    },
    External {
        name: "STRING_SPLIT",
        scheme: "str, str -> seq str",
        meaning: Meaning::Value(split),
        examples: &[
            ("STRING_SPLIT(\"a.b.\",\".\")", "[\"a\",\"b\",\"\"]"),
            ("STRING_SPLIT(\"ab\",\",\")", "[\"ab\"]"),
            ("STRING_SPLIT(\"a/b\",\"\")", "[\"a/b\"]"),
            ("STRING_SPLIT(\"\",\"/\")", "[\"\"]"),
        ],
    },
    External {
        name: "SUB_STRING",
        scheme: "str, int, int -> str",
        meaning: Meaning::Value(sub_string),
        examples: &[("SUB_STRING(\"abcde\",2,3)", "\"bcd\""), ("SUB_STRING(\"abc\",3,9)", "\"c\"")],
    },
    External {
        name: "STRING_REPLACE",
        scheme: "str, str, str -> str",
        meaning: Meaning::Value(replace),
        examples: &[("STRING_REPLACE(\"abab\",\"b\",\"xx\")", "\"axxaxx\"")],
    },
    External {
        name: "STRING_PADLEFT",
        scheme: "str, int, str -> str",
        meaning: Meaning::Value(pad_left),
        examples: &[
            ("STRING_PADLEFT(\"7\",3,\"0\")", "\"007\""),
            ("STRING_PADLEFT(\"abc\",2,\" \")", "\"abc\""),
        ],
    },
];

fn chars(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    let mut buffer = [0; 4];
    Ok(numbered(text(one(args)?)?.chars().map(|c| string(c.encode_utf8(&mut buffer)))))
}

fn codes(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    Ok(numbered(text(one(args)?)?.chars().map(|c| Value::Int(i64::from(u32::from(c))))))
}

fn from_codes(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let mut out = String::new();
    for code in values(&sequence(one(args)?, cx)?) {
        let n = small(&code, "a character code")?;
        let c = u32::try_from(n).ok().and_then(char::from_u32);
        out.push(c.ok_or_else(|| Fault::new(Code::NotWellDefined, format!("`{n}` is no character code")))?);
    }
    Ok(string(&out))
}

/// An empty separator separates nothing.
fn split(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    let (s, by) = two(args)?;
    let by = text(by)?;
    if by.is_empty() {
        return Ok(numbered(std::iter::once(s.clone())));
    }
    Ok(numbered(text(s)?.split(by).map(string)))
}

/// `SUB_STRING(s, from, length)`: cut at the end of s.
fn sub_string(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    let (s, from, length) = three(args)?;
    let (from, length) = (small(from, "a position")?, small(length, "a length")?);
    let (Ok(skip), Ok(take)) = (usize::try_from(from.saturating_sub(1)), usize::try_from(length)) else {
        let message = format!("`{length}` characters of a string from position `{from}` on");
        return Err(Fault::new(Code::NotWellDefined, message));
    };
    Ok(string(&text(s)?.chars().skip(skip).take(take).collect::<String>()))
}

fn replace(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    let (s, pattern, by) = three(args)?;
    if text(pattern)?.is_empty() {
        return Err(Fault::new(Code::NotWellDefined, "`STRING_REPLACE` of the empty string"));
    }
    Ok(string(&text(s)?.replace(text(pattern)?, text(by)?)))
}

/// Most characters of a padded string.
const PADDED: usize = 1 << 20;

/// `STRING_PADLEFT(s, width, c)`: s behind as many c as it takes; s itself if it is as long.
fn pad_left(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    let (s, width, by) = three(args)?;
    let (s, by) = (text(s)?, text(by)?);
    if by.chars().count() != 1 {
        let message = format!("`STRING_PADLEFT` with `\"{by}\"`, which is not one character");
        return Err(Fault::new(Code::NotWellDefined, message));
    }
    let missing =
        small(width, "a length")?.saturating_sub(i64::try_from(s.chars().count()).unwrap_or(i64::MAX));
    let missing = usize::try_from(missing).unwrap_or(0);
    if missing > PADDED {
        return Err(Fault::new(Code::TooLarge, format!("a string of more than {PADDED} characters")));
    }
    Ok(string(&(by.repeat(missing) + s)))
}
