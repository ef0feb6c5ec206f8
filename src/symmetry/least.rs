//! The least of all images of values: equal for values that a permutation takes to each other.
//!
//! In: a group, values. Out: the least image in the order of values. Goes through the whole group: for projected
//! values of small graphs, where canonical names of whole states are of no use.

use super::group::Group;
use crate::value::Value;
use std::ops::ControlFlow;

/// The least image of values, all permuted together.
#[must_use]
pub fn image(group: &Group, values: &[Value]) -> Vec<Value> {
    let mut least = values.to_vec();
    if !values.iter().any(|v| moves(group, v)) {
        return least;
    }
    let _always_continues = group.each(&mut |images| {
        let p = group.permutation(images);
        let image: Vec<Value> = values.iter().map(|v| p.apply(v)).collect();
        if image < least {
            least = image;
        }
        ControlFlow::Continue(())
    });
    least
}

/// Whether a permutable element occurs in a value.
fn moves(group: &Group, v: &Value) -> bool {
    match v {
        Value::Elem(s, i) => group.point(*s, *i).is_some(),
        Value::Pair(p) => moves(group, &p.0) || moves(group, &p.1),
        Value::Rec(fields) => fields.iter().any(|f| moves(group, f)),
        Value::Free(_, _, arg) => arg.as_ref().is_some_and(|a| moves(group, a)),
        Value::Set(s) => s.items().iter().any(|x| moves(group, x)),
        _ => false,
    }
}
