//! `closure1(r)`: the transitive closure.

use super::dom;
use super::pairs::push_image;
use crate::ops::args::{one, sides};
use crate::ops::extension::{expand, guard, no_set, poll, set_of, size};
use crate::ops::lazy::reach::Reach;
use crate::ops::{Cx, Fault, Form, Meaning, Op, OpDef};
use crate::value::symbolic::Size;
use crate::value::{SetRef, Value};
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
    if pairs.is_extension() {
        return Ok(Value::Set(SetRef::from_listed(Graph::new(&pairs)?.closure(cx)?)));
    }
    let listed = Value::Set(pairs);
    let Value::Set(starts) = dom::of(&listed, cx)? else { return Err(no_set()) };
    let mut out = Vec::new();
    for a in starts.items() {
        out.extend(reachable(&listed, a, cx)?.into_iter().map(|y| Value::pair(a.clone(), y)));
        guard(out.len())?;
    }
    set_of(out, cx)
}

/// A relation in extension with its elements numbered in their order: a search neither compares nor copies them.
struct Graph<'r> {
    /// The elements of both sides.
    nodes: Vec<&'r Value>,
    /// The successors of each node, one node after the other.
    next: Vec<usize>,
    /// Where the successors of each node begin, and where the last end.
    begin: Vec<usize>,
}

impl<'r> Graph<'r> {
    fn new(pairs: &'r SetRef) -> Result<Self, Fault> {
        let sides = pairs.items().iter().map(sides).collect::<Result<Vec<_>, _>>()?;
        let mut nodes: Vec<&Value> = sides.iter().flat_map(|&(a, b)| [a, b]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let (mut next, mut begin) = (Vec::with_capacity(sides.len()), Vec::with_capacity(nodes.len() + 1));
        let mut rows = sides.iter().peekable();
        for node in &nodes {
            begin.push(next.len());
            while let Some((_, b)) = rows.next_if(|(a, _)| a == node) {
                next.push(nodes.partition_point(|n| n < b));
            }
        }
        begin.push(next.len());
        Ok(Self { nodes, next, begin })
    }

    /// The pairs of the transitive closure, in order. One search from each node: linear in the size of the result.
    fn closure(&self, cx: &Cx<'_>) -> Result<Vec<Value>, Fault> {
        let mut out = Vec::new();
        let (mut seen, mut reached, mut todo) = (vec![false; self.nodes.len()], Vec::new(), Vec::new());
        for (at, start) in self.nodes.iter().enumerate() {
            todo.push(at);
            while let Some(x) = todo.pop() {
                poll(cx)?;
                for &y in &self.next[self.begin[x]..self.begin[x + 1]] {
                    if !std::mem::replace(&mut seen[y], true) {
                        reached.push(y);
                        todo.push(y);
                    }
                }
            }
            guard(out.len() + reached.len())?;
            reached.sort_unstable();
            for y in reached.drain(..) {
                seen[y] = false;
                out.push(Value::pair((*start).clone(), self.nodes[y].clone()));
            }
        }
        Ok(out)
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::World;
    use crate::ty::Ty;

    #[test]
    fn a_graph_reaches_what_searches_reach() -> Result<(), Fault> {
        let (world, ty) = (World::default(), Ty::Any);
        let cx = Cx { world: &world, ty: &ty };
        let mut seed = 7_i64;
        for size in [0, 1, 2, 5, 20, 40] {
            let mut element = || {
                seed = seed * 1_103_515_245 % 2_147_483_647;
                seed % 23
            };
            let pairs = (0..size).map(|_| Value::pair(Value::Int(element()), Value::Int(element())));
            let r = Value::Set(SetRef::from_vec(pairs.collect()));
            let mut searched = Vec::new();
            for a in (-23..23).map(Value::Int) {
                searched.extend(reachable(&r, &a, &cx)?.into_iter().map(|y| Value::pair(a.clone(), y)));
            }
            assert_eq!(of(&r, &cx)?, set_of(searched, &cx)?);
        }
        Ok(())
    }
}
