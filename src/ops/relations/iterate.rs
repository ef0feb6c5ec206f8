//! `iterate(r, n)`: r composed with itself n times; `iterate(r,0)` is the identity on the whole type.

use super::closure::whole_identity;
use super::comp;
use crate::diagnostic::Code;
use crate::ops::args::two;
use crate::ops::arith::number::small;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `iterate`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Iterate,
    spelling: "iterate",
    form: Form::Word,
    scheme: "rel a a, int -> rel a a",
    meaning: Meaning::Value(iterate),
    examples: &[
        ("iterate({1|->2,2|->3},2)", "{1|->3}"),
        ("iterate(succ,10)(1)", "11"),
        ("iterate({TRUE|->FALSE},0)", "id(BOOL)"),
        ("iterate({1|->2,2|->1},10**12)", "{1|->1,2|->2}"),
    ],
};

fn iterate(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (r, n) = two(args)?;
    let mut times = small(n, "the number of iterations")?;
    if times < 0 {
        let text = format!("`iterate` needs a natural number of iterations, not `{times}`");
        return Err(Fault::new(Code::NotWellDefined, text));
    }
    // Composition is associative: squares of r, as the binary digits of n say.
    let mut square = r.clone();
    let mut out: Option<Value> = None;
    while times > 0 {
        if times % 2 == 1 {
            out = Some(match out {
                None => square.clone(),
                Some(so_far) => comp::of(&so_far, &square, cx)?,
            });
        }
        times /= 2;
        if times > 0 {
            square = comp::of(&square, &square, cx)?;
        }
    }
    Ok(out.unwrap_or_else(|| whole_identity(cx)))
}
