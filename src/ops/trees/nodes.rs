//! What the operators on trees share: a tree taken apart into paths and labels, and put together again.
//!
//! In: a value. Out: its nodes by path, after it has been checked to be a tree. Deliberately absent: recursion on
//! the tree, which a deep one would turn into an overflow of the stack.

use crate::diagnostic::Code;
use crate::ops::args::{brief, sides};
use crate::ops::extension::expand;
use crate::ops::sequences::list::{numbered, sequence, values};
use crate::ops::{Cx, Fault};
use crate::value::{SetRef, Value};
use std::collections::BTreeMap;

/// The nodes of a tree: labels by path. The order of the paths is that of the nodes before their sons.
pub(in crate::ops) type Nodes = BTreeMap<Vec<i64>, Value>;

/// The nodes of a tree.
///
/// # Errors
/// The value cannot be listed or is no tree.
pub(super) fn nodes(v: &Value, cx: &Cx<'_>) -> Result<Nodes, Fault> {
    let pairs = expand(v, cx)?;
    taken_apart(&pairs, cx)?.ok_or_else(|| fault(format!("`{}` is no tree", brief(v, cx))))
}

/// The nodes of a binary tree.
///
/// # Errors
/// The value cannot be listed or is no binary tree.
pub(super) fn binary(v: &Value, cx: &Cx<'_>) -> Result<Nodes, Fault> {
    let all = nodes(v, cx)?;
    if is_binary(&all) {
        return Ok(all);
    }
    Err(fault(format!("`{}` is no binary tree", brief(v, cx))))
}

/// The nodes of a set of pairs, `None` if it is no tree.
pub(in crate::ops) fn taken_apart(pairs: &SetRef, cx: &Cx<'_>) -> Result<Option<Nodes>, Fault> {
    let mut all = Nodes::new();
    for pair in pairs.items() {
        let (at, label) = sides(pair)?;
        let Ok(at) = path(at, cx) else { return Ok(None) };
        if all.insert(at, label.clone()).is_some() {
            return Ok(None);
        }
    }
    Ok((all.contains_key([].as_slice()) && all.keys().all(|at| has_place(&all, at))).then_some(all))
}

/// Whether the father of a node is there, and its elder brother.
fn has_place(all: &Nodes, at: &[i64]) -> bool {
    let Some((last, father)) = at.split_last() else { return true };
    let elder = || [father, &[last - 1]].concat();
    *last >= 1 && all.contains_key(father) && (*last == 1 || all.contains_key(&elder()))
}

/// Whether every node has no or two sons.
pub(in crate::ops) fn is_binary(all: &Nodes) -> bool {
    all.keys().all(|at| matches!(arity(all, at), 0 | 2))
}

/// The number of sons of a node.
pub(super) fn arity(all: &Nodes, at: &[i64]) -> i64 {
    let mut sons = 0;
    while all.contains_key(&[at, &[sons + 1]].concat()) {
        sons += 1;
    }
    sons
}

/// The label at a path.
///
/// # Errors
/// There is no such node.
pub(super) fn label<'a>(all: &'a Nodes, at: &[i64]) -> Result<&'a Value, Fault> {
    all.get(at).ok_or_else(|| fault(format!("the tree has no node at {at:?}")))
}

/// The father's path and the number of the son.
///
/// # Errors
/// The path is that of the root.
pub(super) fn split(at: &[i64]) -> Result<(&[i64], i64), Fault> {
    let (last, father) = at.split_last().ok_or_else(|| fault("the root has no father".to_owned()))?;
    Ok((father, *last))
}

/// The tree below a node.
///
/// # Errors
/// There is no such node.
pub(super) fn below(all: &Nodes, at: &[i64]) -> Result<Value, Fault> {
    label(all, at)?;
    let inside = all.iter().filter_map(|(p, v)| Some((p.strip_prefix(at)?.to_vec(), v.clone())));
    Ok(tree(inside.collect()))
}

/// Adds a tree as the nth son of the root.
pub(super) fn grown(all: &mut Nodes, n: i64, son: Nodes) {
    all.extend(son.into_iter().map(|(at, label)| ([&[n], at.as_slice()].concat(), label)));
}

/// The labels in the order of a key of their paths.
pub(super) fn labels(all: Nodes, key: impl Fn(&[i64]) -> Vec<i64>) -> Value {
    let sorted: BTreeMap<Vec<i64>, Value> = all.into_iter().map(|(at, label)| (key(&at), label)).collect();
    numbered(sorted.into_values())
}

/// Nodes as a value.
pub(super) fn tree(all: Nodes) -> Value {
    let pairs = all.into_iter().map(|(at, label)| Value::pair(way(&at), label));
    Value::Set(SetRef::from_vec(pairs.collect()))
}

/// A path as a value.
pub(super) fn way(at: &[i64]) -> Value {
    numbered(at.iter().map(|i| Value::Int(*i)))
}

/// A value as a path.
///
/// # Errors
/// The value is no sequence, or a number in it fits no word.
pub(super) fn path(v: &Value, cx: &Cx<'_>) -> Result<Vec<i64>, Fault> {
    let number = |v: Value| match v {
        Value::Int(n) => Ok(n),
        other => Err(fault(format!("`{}` is the number of no son", brief(&other, cx)))),
    };
    values(&sequence(v, cx)?).map(number).collect()
}

fn fault(text: String) -> Fault {
    Fault::new(Code::NotWellDefined, text)
}
