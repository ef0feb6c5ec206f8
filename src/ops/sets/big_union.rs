//! `union(U)`: the union of the members of U.

use super::union;
use crate::ops::args::one;
use crate::ops::extension::{expand, guard};
use crate::ops::lazy::powers::Powers;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::{SetRef, Value};

/// The row of `union`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::BigUnion,
    spelling: "union",
    form: Form::Word,
    scheme: "set set a -> set a",
    meaning: Meaning::Value(big_union),
    examples: &[("union({{1},{2,3}})", "{1,2,3}"), ("union({})", "{}"), ("union(POW(NATURAL))", "NATURAL")],
};

fn big_union(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let sets = one(args)?;
    // The union of all subsets is the set, however large.
    if let Value::Lazy(l) = sets
        && let Some(powers) = l.as_any().downcast_ref::<Powers>()
    {
        return Ok(powers.base.clone());
    }
    let sets = expand(sets, cx)?;
    if !sets.is_extension() {
        return sets.items().iter().try_fold(Value::empty(), |all, s| union::of(&all, s, cx));
    }
    let parts = sets.items().iter().map(|s| match s {
        Value::Set(s) => s.items(),
        _ => &[],
    });
    guard(parts.clone().map(<[Value]>::len).sum())?;
    Ok(Value::Set(SetRef::from_vec(parts.flatten().cloned().collect())))
}
