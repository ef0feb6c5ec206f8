//! `prj2(S,T)`: the right sides of the pairs in S*T.

use crate::ops::args::two;
use crate::ops::lazy::projection::Projection;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `prj2`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Prj2,
    spelling: "prj2",
    form: Form::Word,
    scheme: "set a, set b -> rel (pair a b) b",
    meaning: Meaning::Value(prj2),
    examples: &[("prj2({1},{2})", "{(1,2)|->2}"), ("prj2(INTEGER,BOOL)(7,TRUE)", "TRUE")],
};

fn prj2(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    let (s, t) = two(args)?;
    Ok(Value::lazy(Projection { first: false, left: s.clone(), right: t.clone() }))
}
