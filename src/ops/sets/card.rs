//! `card(S)`: the set must be finite.

use crate::diagnostic::Code;
use crate::ops::args::one;
use crate::ops::extension::{expand, size};
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;
use crate::value::symbolic::Size;
use num_bigint::BigInt;

/// The row of `card`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Card,
    spelling: "card",
    form: Form::Word,
    scheme: "set a -> int",
    meaning: Meaning::Value(card),
    examples: &[
        ("card({1,1,2})", "2"),
        ("card({})", "0"),
        ("card(1..1000000000000)", "1000000000000"),
        ("card({1,2} --> {1,2,3})", "9"),
    ],
};

fn card(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let set = one(args)?;
    match size(set, cx) {
        Size::Exact(n) => Ok(Value::int(n)),
        Size::Infinite => {
            let text = format!("`card` of `{}`, which is infinite", crate::ops::args::brief(set, cx));
            Err(Fault::new(Code::Infinite, text).certain())
        }
        Size::Unknown => Ok(Value::int(BigInt::from(expand(set, cx)?.len()))),
    }
}
