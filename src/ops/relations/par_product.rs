//! `(r || s)`: both at once, on pairs.

use crate::ops::args::{sides, two};
use crate::ops::extension::set_of;
use crate::ops::lazy::parallel::Parallel;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `||`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::ParProduct,
    spelling: "||",
    form: Form::Infix(20),
    scheme: "rel a b, rel c d -> rel (pair a c) (pair b d)",
    meaning: Meaning::Value(par_product),
    examples: &[("({1|->2} || {3|->4})", "{(1,3)|->(2,4)}"), ("(succ || {5|->6})(1,5)", "(2,6)")],
};

fn par_product(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let (r, s) = two(args)?;
    match (r, s) {
        (Value::Set(x), Value::Set(y)) if x.len().saturating_mul(y.len()) <= 4096 => {
            let mut out = Vec::with_capacity(x.len() * y.len());
            for p in x.items() {
                let (a, b) = sides(p)?;
                for q in y.items() {
                    let (c, d) = sides(q)?;
                    out.push(Value::pair(
                        Value::pair(a.clone(), c.clone()),
                        Value::pair(b.clone(), d.clone()),
                    ));
                }
            }
            set_of(out, cx)
        }
        _ => Ok(Value::lazy(Parallel { left: r.clone(), right: s.clone() })),
    }
}
