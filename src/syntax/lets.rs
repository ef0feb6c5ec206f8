//! LET: names with one equation each, or names with any condition on them.
//!
//! In: the names, what stands between BE and IN, the body. Out: a LET of equations `x = E` in an order in which each reads only
//! names before it, if the condition is a conjunction of such; else a LET of a condition (in a substitution ANY).
//! Absent: whether the condition has a solution, and whether the body is a predicate: it may be the use of a definition.

use super::ast::{Ident, Node, NodeKind, Subst, SubstKind};
use super::make::Make;
use super::walk;
use crate::diagnostic::{Code, Diagnostic};
use crate::ops::Op;
use hashbrown::HashMap;
use std::collections::{BTreeMap, BTreeSet};

impl Make {
    /// LET as a formula.
    pub fn let_formula(&self, names: Vec<Ident>, condition: Node, body: Node) -> NodeKind {
        self.all_mentioned(&names, &condition);
        let condition = match equations(&names, condition) {
            Ok(equations) => return NodeKind::Let(equations, Box::new(body)),
            Err(condition) => condition,
        };
        NodeKind::LetWhere(names, Box::new(condition), Box::new(body))
    }

    /// LET as a substitution.
    pub fn let_subst(&self, names: Vec<Ident>, condition: Node, body: Subst) -> SubstKind {
        self.all_mentioned(&names, &condition);
        match equations(&names, condition) {
            Ok(equations) => SubstKind::Let(equations, Box::new(body)),
            Err(condition) => SubstKind::Any(names, Box::new(condition), Box::new(body)),
        }
    }

    fn all_mentioned(&self, names: &[Ident], condition: &Node) {
        let said = mentioned(condition, &numbers(names));
        for (_, name) in (0..).zip(names).filter(|(i, _)| !said.contains(i)) {
            let text = format!("this LET says nothing of `{}`", name.name);
            self.note(Diagnostic::error(Code::WrongArity, name.span, text));
        }
    }
}

/// The places of names in their list.
fn numbers(names: &[Ident]) -> HashMap<&str, usize> {
    names.iter().enumerate().map(|(i, n)| (&*n.name, i)).collect()
}

/// The equations of a condition in an order in which they can be evaluated, of those that can the first each time; the condition
/// itself if it is no such list.
fn equations(names: &[Ident], condition: Node) -> Result<Vec<(Ident, Node)>, Node> {
    let parts = conjuncts(&condition);
    let numbers = numbers(names);
    let of = |part: &Node| {
        let NodeKind::Op(Op::Eq, sides) = &part.kind else { return None };
        let [Node { kind: NodeKind::Name(x), .. }, value] = &sides[..] else { return None };
        Some((*numbers.get(&**x)?, value.clone()))
    };
    let Some(all) = parts.iter().map(|p| of(p)).collect::<Option<Vec<_>>>() else { return Err(condition) };
    let by_name: BTreeMap<usize, usize> = all.iter().enumerate().map(|(i, (at, _))| (*at, i)).collect();
    if all.len() != names.len() || by_name.len() != names.len() {
        return Err(condition);
    }
    // By equation: how many it waits for, and which wait for it.
    let mut waits = vec![0; all.len()];
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); all.len()];
    for (i, (_, value)) in all.iter().enumerate() {
        for other in mentioned(value, &numbers).iter().filter_map(|n| by_name.get(n)) {
            waits[i] += 1;
            waiting[*other].push(i);
        }
    }
    let mut ready: BTreeSet<usize> = (0..all.len()).filter(|i| waits[*i] == 0).collect();
    let mut out: Vec<(Ident, Node)> = Vec::with_capacity(all.len());
    while let Some(i) = ready.pop_first() {
        let (at, value) = &all[i];
        out.push((names[*at].clone(), value.clone()));
        for next in std::mem::take(&mut waiting[i]) {
            waits[next] -= 1;
            if waits[next] == 0 {
                ready.insert(next);
            }
        }
    }
    if out.len() == all.len() { Ok(out) } else { Err(condition) }
}

fn conjuncts(node: &Node) -> Vec<&Node> {
    let (mut out, mut todo) = (Vec::new(), vec![node]);
    while let Some(n) = todo.pop() {
        match &n.kind {
            NodeKind::And(all) => todo.extend(all.iter().rev()),
            _ => out.push(n),
        }
    }
    out
}

/// The numbers of the names that stand in a formula, bound there or not.
fn mentioned(node: &Node, numbers: &HashMap<&str, usize>) -> BTreeSet<usize> {
    let (mut out, mut todo) = (BTreeSet::new(), vec![node]);
    while let Some(n) = todo.pop() {
        match &n.kind {
            NodeKind::Name(x) => out.extend(numbers.get(&**x)),
            NodeKind::Table(t) => out.extend(t.rows.names.iter().filter_map(|x| numbers.get(&*x.name))),
            _ => {}
        }
        walk::children(n, &mut |child| todo.push(child));
    }
    out
}
