//! `closure1(r)`: the transitive closure.

use super::dom;
use super::pairs::push_image;
use crate::ops::args::one;
use crate::ops::extension::{expand, guard, no_set, poll, set_of, size};
use crate::ops::lazy::reach::Reach;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::Value;
use crate::value::symbolic::Size;
use std::collections::BTreeSet;

/// The row of `closure1`.
pub(in crate::ops) const DEF: OpDef = OpDef {
    op: Op::Closure1,
    spelling: "closure1",
    form: Form::Word,
    scheme: "rel a a -> rel a a",
    meaning: Meaning::Value(closure1),
    examples: &[
        ("closure1({1|->2,2|->3})", "{1|->2,2|->3,1|->3}"),
        ("closure1({1|->2,2|->1})[{1}]", "{1,2}"),
        ("closure1({})", "{}"),
        ("closure1(%x.(x:1..10**9|x/2))[{5}]", "{2,1,0}"),
    ],
};

fn closure1(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    of(one(args)?, cx)
}

/// The transitive closure. That of a relation that cannot be listed at bearable cost stays lazy.
pub(in crate::ops) fn of(r: &Value, cx: &Cx<'_>) -> Result<Value, Fault> {
    let pairs = match r {
        Value::Lazy(_) if !matches!(size(r, cx), Size::Exact(n) if n <= 65536.into()) => {
            return Ok(Value::lazy(Reach { by: r.clone() }));
        }
        _ => expand(r, cx)?,
    };
    let listed = Value::Set(pairs.clone());
    let Value::Set(starts) = dom::of(&listed, cx)? else { return Err(no_set()) };
    let mut out = Vec::new();
    // One search from each left side: linear in the size of the result.
    for a in starts.items() {
        out.extend(reachable(&listed, a, cx)?.into_iter().map(|y| Value::pair(a.clone(), y)));
        guard(out.len())?;
    }
    set_of(out, cx)
}

/// What is reached from `start` in one step or more, in order.
pub(in crate::ops) fn reachable(r: &Value, start: &Value, cx: &Cx<'_>) -> Result<Vec<Value>, Fault> {
    let mut reached = BTreeSet::new();
    let mut todo = vec![start.clone()];
    let mut next = Vec::new();
    while let Some(x) = todo.pop() {
        poll(cx)?;
        guard(reached.len())?;
        push_image(r, &x, &mut next, cx)?;
        for y in next.drain(..) {
            if !reached.contains(&y) {
                reached.insert(y.clone());
                todo.push(y);
            }
        }
    }
    Ok(reached.into_iter().collect())
}
