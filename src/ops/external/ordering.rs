//! Sets and partial sequences in order: SORT, SQUASH, `LEQ_SYM`.
//!
//! The order is the one total order of values: numbers by size, strings by text, elements by their number.

use super::External;
use crate::ops::args::{one, sides, two};
use crate::ops::extension::expand;
use crate::ops::sequences::list::numbered;
use crate::ops::{Cx, Fault, Meaning};
use crate::value::Value;

/// Rows of this family.
pub(super) const ROWS: &[External] = &[
    External {
        name: "SORT",
        scheme: "set a -> seq a",
        meaning: Meaning::Value(sort),
        examples: &[("SORT({3,1,2})", "[1,2,3]"), ("SORT({})", "[]")],
    },
    External {
        name: "SQUASH",
        scheme: "rel int a -> seq a",
        meaning: Meaning::Value(squash),
        examples: &[("SQUASH({0|->5,7|->9,3|->5})", "[5,5,9]")],
    },
    External {
        name: "LEQ_SYM",
        scheme: "a, a -> pred",
        meaning: Meaning::Pred(|args, _| two(args).map(|(a, b)| a <= b)),
        examples: &[("LEQ_SYM(1,2)", "TRUE")],
    },
    External {
        name: "LEQ_SYM_BREAK",
        scheme: "a, a -> pred",
        meaning: Meaning::Pred(|args, _| two(args).map(|(a, b)| a <= b)),
        examples: &[("LEQ_SYM_BREAK(2,1)", "FALSE")],
    },
];

fn sort(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    Ok(numbered(expand(one(args)?, cx)?.items().iter().cloned()))
}

/// The right sides, numbered in the order of the left ones.
fn squash(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let pairs = expand(one(args)?, cx)?;
    let values: Result<Vec<Value>, Fault> = pairs.items().iter().map(|p| Ok(sides(p)?.1.clone())).collect();
    Ok(numbered(values?))
}
