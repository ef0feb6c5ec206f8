//! `f(x)`: x must be in the domain of f, with one value only.

use crate::diagnostic::Code;
use crate::ops::args::{brief, two};
use crate::ops::extension::gather;
use crate::ops::relations::pairs::image_of;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::{SetRef, Value};

/// The row of `()`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Apply,
    spelling: "()",
    form: Form::Special,
    scheme: "rel a b, a -> b",
    meaning: Meaning::Value(apply),
    examples: &[
        ("{1|->2,3|->4}(3)", "4"),
        ("[5,6,7](2)", "6"),
        ("(%x.(x:INTEGER|x*x))(1000)", "1000000"),
        ("{(1,2)|->3}(1,2)", "3"),
    ],
};

fn apply(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (f, x) = two(args)?;
    if let Value::Set(s) = f
        && s.is_extension()
        && x.is_extension()
        && let [Value::Pair(p)] = s.row(x)
    {
        return Ok(p.1.clone());
    }
    let found = image_of(f, x, cx)?;
    if let [y] = found.as_slice() {
        return Ok(y.clone());
    }
    let found = gather(found, cx)?;
    match found.items() {
        [y] => Ok(y.clone()),
        _ => Err(refused(f, x, &found, cx)),
    }
}

/// Why `f` has no value at `x`, where it has those found.
#[cold]
#[inline(never)]
fn refused(f: &Value, x: &Value, found: &SetRef, cx: &Cx<'_>) -> Fault {
    if found.is_empty() {
        let text = format!("`{}` is applied to `{}`, outside its domain", brief(f, cx), brief(x, cx));
        return Fault::new(Code::OutsideDomain, text);
    }
    let values = brief(&Value::Set(found.clone()), cx);
    let text = format!(
        "`{}` is applied to `{}`, where it has several values: `{values}`",
        brief(f, cx),
        brief(x, cx)
    );
    Fault::new(Code::NotAFunction, text)
}
