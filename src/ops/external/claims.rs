//! Claims inside formulas: `ASSERT_TRUE`, `ASSERT_EXPR`. A false claim is a fault.

use super::External;
use crate::diagnostic::Code;
use crate::ops::args::{text, three, truth, two};
use crate::ops::{Cx, Fault, Meaning};
use crate::value::Value;

/// Rows of this family.
pub(super) const ROWS: &[External] = &[
    External {
        name: "ASSERT_TRUE",
        scheme: "bool, str -> pred",
        meaning: Meaning::Pred(assert_true),
        examples: &[("ASSERT_TRUE(TRUE,\"fine\")", "TRUE")],
    },
    External {
        name: "ASSERT_EXPR",
        scheme: "bool, str, a -> a",
        meaning: Meaning::Value(assert_expr),
        examples: &[("ASSERT_EXPR(bool(1<2),\"fine\",7)", "7")],
    },
];

fn claim(holds: &Value, message: &Value) -> Result<(), Fault> {
    if truth(holds)? {
        return Ok(());
    }
    Err(Fault::new(Code::AssertFailed, format!("a claim in a formula is false: `{}`", text(message)?)))
}

fn assert_true(args: &[Value], _: &Cx<'_>) -> Result<bool, Fault> {
    let (holds, message) = two(args)?;
    claim(holds, message).map(|()| true)
}

fn assert_expr(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    let (holds, message, value) = three(args)?;
    claim(holds, message).map(|()| value.clone())
}
