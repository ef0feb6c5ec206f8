//! `prj1(S,T)`: the left sides of the pairs in S*T.

use crate::ops::args::two;
use crate::ops::lazy::projection::Projection;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `prj1`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Prj1,
    spelling: "prj1",
    form: Form::Word,
    scheme: "set a, set b -> rel (pair a b) a",
    meaning: Meaning::Value(prj1),
    examples: &[("prj1({1},{2})", "{(1,2)|->1}"), ("prj1(INTEGER,BOOL)(7,TRUE)", "7")],
};

fn prj1(args: &[Value], _: &Cx<'_>) -> Result<Value, Fault> {
    let (s, t) = two(args)?;
    Ok(Value::lazy(Projection { first: true, left: s.clone(), right: t.clone() }))
}
