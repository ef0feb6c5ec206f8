//! Picking a member of a set: CHOOSE, MU, MAXIMIZE.
//!
//! CHOOSE and MAXIMIZE depend on the order of elements; the symmetry room knows.

use super::External;
use crate::diagnostic::Code;
use crate::ops::args::{brief, one, sides};
use crate::ops::extension::expand;
use crate::ops::{Cx, Fault, Meaning};
use crate::value::Value;

/// Rows of this family.
pub(super) const ROWS: &[External] = &[
    External {
        name: "CHOOSE",
        scheme: "set a -> a",
        meaning: Meaning::Value(choose),
        examples: &[("CHOOSE({3,1,2})", "1"), ("CHOOSE({{1},{}})", "{}")],
    },
    External {
        name: "MU",
        scheme: "set a -> a",
        meaning: Meaning::Value(the_only),
        examples: &[("MU({7})", "7")],
    },
    External {
        name: "MAXIMIZE",
        scheme: "set a -> a",
        meaning: Meaning::Value(maximize),
        examples: &[
            ("MAXIMIZE({(1,5),(3,2),(2,9)})", "(3,2)"),
            ("MAXIMIZE({f,x|x:0..20 & f=10*x-x*x})", "(25,5)"),
        ],
    },
];

fn choose(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let set = expand(one(args)?, cx)?;
    set.items().first().cloned().ok_or_else(|| Fault::new(Code::EmptySet, "`CHOOSE` from the empty set"))
}

fn the_only(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let set = expand(one(args)?, cx)?;
    match set.items() {
        [x] => Ok(x.clone()),
        [] => Err(Fault::new(Code::EmptySet, "`MU` of the empty set")),
        _ => {
            let text = format!("`MU` of `{}`, which has several members", brief(&Value::Set(set), cx));
            Err(Fault::new(Code::NotWellDefined, text))
        }
    }
}

/// The member whose leftmost component is greatest; of several, the least.
fn maximize(args: &[Value], cx: &Cx<'_>) -> Result<Value, Fault> {
    let set = expand(one(args)?, cx)?;
    let mut best: Option<&Value> = None;
    for x in set.items() {
        if best.is_none_or(|b| leftmost(x) > leftmost(b)) {
            best = Some(x);
        }
    }
    best.cloned().ok_or_else(|| Fault::new(Code::EmptySet, "`MAXIMIZE` of the empty set"))
}

fn leftmost(v: &Value) -> &Value {
    sides(v).map_or(v, |(a, _)| leftmost(a))
}
