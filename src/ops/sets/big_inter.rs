//! `inter(U)`: what the members of U have in common; U must not be empty.

use super::inter;
use crate::diagnostic::Code;
use crate::ops::args::one;
use crate::ops::extension::expand;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;

/// The row of `inter`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::BigInter,
    spelling: "inter",
    form: Form::Word,
    scheme: "set set a -> set a",
    meaning: Meaning::Value(big_inter),
    examples: &[("inter({{1,2},{2,3}})", "{2}"), ("inter({NATURAL, {-1,4}})", "{4}")],
};

fn big_inter(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let sets = expand(one(args)?, cx)?;
    let Some((first, rest)) = sets.items().split_first() else {
        return Err(Fault::new(Code::EmptySet, "`inter` of the empty set"));
    };
    rest.iter().try_fold(first.clone(), |common, s| inter::of(&common, s, cx))
}
