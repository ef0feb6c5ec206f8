//! Strings as wholes: length, joining, case, tests. Positions and lengths count Unicode characters, from 1.

use super::External;
use crate::ops::args::{one, text, two};
use crate::ops::sequences::list::{sequence, values};
use crate::ops::{Cx, Fault, Meaning};
use crate::value::Value;

/// Rows of this family.
pub(super) const ROWS: &[External] = &[
    External {
        name: "STRING_LENGTH",
        scheme: "str -> int",
        meaning: Meaning::Value(|args, _| Ok(Value::int(text(one(args)?)?.chars().count().into()))),
        examples: &[("STRING_LENGTH(\"abc\")", "3"), ("STRING_LENGTH(\"\")", "0")],
    },
    External {
        name: "STRING_APPEND",
        scheme: "str, str -> str",
        meaning: Meaning::Value(append),
        examples: &[("STRING_APPEND(\"ab\",\"c\")", "\"abc\"")],
    },
    External {
        name: "STRING_CONC",
        scheme: "seq str -> str",
        meaning: Meaning::Value(|args, cx| join(one(args)?, "", cx)),
        examples: &[("STRING_CONC([\"a\",\"bc\",\"\"])", "\"abc\"")],
    },
    External {
        name: "STRING_JOIN",
        scheme: "seq str, str -> str",
        meaning: Meaning::Value(|args, cx| two(args).and_then(|(s, by)| join(s, text(by)?, cx))),
        examples: &[("STRING_JOIN([\"a\",\"b\"],\", \")", "\"a, b\""), ("STRING_JOIN([],\",\")", "\"\"")],
    },
    External {
        name: "STRING_TO_UPPER",
        scheme: "str -> str",
        meaning: Meaning::Value(|args, _| map(args, |s| plain(s).to_uppercase())),
        examples: &[
            ("STRING_TO_UPPER(\"aBc1\")", "\"ABC1\""),
            ("STRING_TO_UPPER(\"az-\u{e4}\u{f6}\u{e9}\u{153}\")", "\"AZ-AOE\u{152}\""),
        ],
    },
    External {
        name: "STRING_TO_LOWER",
        scheme: "str -> str",
        meaning: Meaning::Value(|args, _| map(args, |s| plain(s).to_lowercase())),
        examples: &[
            ("STRING_TO_LOWER(\"aBc1\")", "\"abc1\""),
            ("STRING_TO_LOWER(\"AZ-\u{c4}\u{d1}\u{160}\")", "\"az-ans\""),
        ],
    },
    External {
        name: "STRING_REV",
        scheme: "str -> str",
        meaning: Meaning::Value(|args, _| map(args, |s| s.chars().rev().collect())),
        examples: &[("STRING_REV(\"abc\")", "\"cba\"")],
    },
    External {
        name: "STRING_CONTAINS_STRING",
        scheme: "str, str -> pred",
        meaning: Meaning::Pred(|args, _| two(args).and_then(|(a, b)| Ok(text(a)?.contains(text(b)?)))),
        examples: &[
            ("STRING_CONTAINS_STRING(\"abc\",\"bc\")", "TRUE"),
            ("STRING_CONTAINS_STRING(\"abc\",\"x\")", "FALSE"),
        ],
    },
    External {
        name: "STRING_EQUAL_CASE_INSENSITIVE",
        scheme: "str, str -> pred",
        meaning: Meaning::Pred(|args, _| {
            two(args).and_then(|(a, b)| Ok(text(a)?.to_lowercase() == text(b)?.to_lowercase()))
        }),
        examples: &[("STRING_EQUAL_CASE_INSENSITIVE(\"aB\",\"Ab\")", "TRUE")],
    },
    External {
        name: "STRING_IS_ALPHANUMERIC",
        scheme: "str -> pred",
        meaning: Meaning::Pred(|args, _| {
            one(args).and_then(text).map(|s| !s.is_empty() && s.chars().all(char::is_alphanumeric))
        }),
        examples: &[("STRING_IS_ALPHANUMERIC(\"a1\")", "TRUE"), ("STRING_IS_ALPHANUMERIC(\"a 1\")", "FALSE")],
    },
];

/// A string as a value.
pub(super) fn string(s: &str) -> Value {
    Value::Str(s.into())
}

/// The letters from U+00C0 on without their accents; a dot for those that have none.
const LATIN: &str = "AAAAAA.CEEEEIIII.NOOOOO.OUUUUY..aaaaaa.ceeeeiiii.nooooo.ouuuuy.y\
                     AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiI...JjKk.LlLlLlL\
                     lLlNnNnNn...OoOoOo..RrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZz.";

/// A string without the accents of its Latin letters.
fn plain(s: &str) -> String {
    let base = |c: char| {
        let at = u32::from(c).checked_sub(0xC0).and_then(|n| usize::try_from(n).ok())?;
        LATIN.as_bytes().get(at).map(|b| char::from(*b)).filter(|b| *b != '.')
    };
    s.chars().map(|c| base(c).unwrap_or(c)).collect()
}

fn map(args: &[Value], f: fn(&str) -> String) -> Result<Value, Fault> {
    Ok(string(&f(text(one(args)?)?)))
}

fn append(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    let (a, b) = two(args)?;
    Ok(string(&[text(a)?, text(b)?].concat()))
}

fn join(parts: &Value, by: &str, cx: &Cx<'_>) -> Result<Value, Fault> {
    let mut out = String::new();
    for (i, part) in values(&sequence(parts, cx)?).enumerate() {
        if i > 0 {
            out.push_str(by);
        }
        out.push_str(text(&part)?);
    }
    Ok(string(&out))
}
