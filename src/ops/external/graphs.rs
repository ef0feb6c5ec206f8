//! Graphs as relations: CLOSURE1, SCCS.

use super::External;
use crate::ops::args::{one, sides};
use crate::ops::extension::{expand, set_of};
use crate::ops::relations::closure1;
use crate::ops::{Cx, Fault, Meaning};
use crate::value::{SetRef, Value};

/// Rows of this family.
pub(super) const ROWS: &[External] = &[
    External {
        name: "CLOSURE1",
        scheme: "rel a a -> rel a a",
        meaning: Meaning::Value(|args, cx| closure1::of(one(args)?, cx)),
        examples: &[("CLOSURE1({1|->2,2|->3})", "{1|->2,2|->3,1|->3}")],
    },
    External {
        name: "SCCS",
        scheme: "rel a a -> set set a",
        meaning: Meaning::Value(components),
        examples: &[("SCCS({1|->2,2|->1,2|->3,3|->4,4|->3})", "{{1,2},{3,4}}")],
    },
];

/// The strongly connected components that have a cycle.
fn components(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let reach = expand(&closure1::of(&Value::Set(expand(one(args)?, cx)?), cx)?, cx)?;
    let mut out = Vec::new();
    for p in reach.items() {
        let (a, b) = sides(p)?;
        if a != b {
            continue;
        }
        let mut members = Vec::new();
        for q in reach.row(a) {
            let (_, y) = sides(q)?;
            if reach.contains(&Value::pair(y.clone(), a.clone())) {
                members.push(y.clone());
            }
        }
        out.push(Value::Set(SetRef::from_vec(members)));
    }
    set_of(out, cx)
}
