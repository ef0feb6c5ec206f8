//! LET: names with one equation each, or names with any condition on them.
//!
//! In: the names, what stands between BE and IN, the body. Out: a LET of equations `x = E` in an order in which each reads only
//! names before it, if the condition is a conjunction of such; else what the names mean: in a substitution ANY, in a
//! predicate `#`, in an expression the one value that the body has for all solutions, an error if there is none or are several.
//! Absent: whether the condition has a solution.

use super::ast::{Ident, Node, NodeKind, Subst, SubstKind};
use super::make::Make;
use super::walk;
use crate::diagnostic::{Code, Diagnostic};
use crate::ops::table::def;
use crate::ops::{Meaning, Op};

impl Make {
    /// LET as a formula.
    pub fn let_formula(&self, names: Vec<Ident>, condition: Node, body: Node) -> NodeKind {
        self.all_mentioned(&names, &condition);
        let condition = match equations(&names, condition) {
            Ok(equations) => return NodeKind::Let(equations, Box::new(body)),
            Err(condition) => condition,
        };
        let span = body.span;
        if is_predicate(&body) {
            let both = NodeKind::And(vec![condition, body]);
            return NodeKind::Exists(names, Box::new(Node { kind: both, span }));
        }
        let node = |kind| Node { kind, span };
        let one = || node(NodeKind::Int(1.into()));
        let values = node(NodeKind::EventCompr(names, Box::new(condition), Box::new(body)));
        // A relation of one row, applied: it has a value if the row has one member.
        let row = node(NodeKind::Op(Op::Star, vec![node(NodeKind::SetExt(vec![one()])), values]));
        NodeKind::Apply(Box::new(row), vec![one()])
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
        for name in names.iter().filter(|n| !mentions(condition, n)) {
            let text = format!("this LET says nothing of `{}`", name.name);
            self.note(Diagnostic::error(Code::WrongArity, name.span, text));
        }
    }
}

/// The equations of a condition in an order in which they can be evaluated; the condition itself if it is no such list.
fn equations(names: &[Ident], condition: Node) -> Result<Vec<(Ident, Node)>, Node> {
    let parts = conjuncts(&condition);
    let of = |part: &Node| {
        let NodeKind::Op(Op::Eq, sides) = &part.kind else { return None };
        let [Node { kind: NodeKind::Name(x), .. }, value] = &sides[..] else { return None };
        let at = names.iter().position(|n| n.name == *x)?;
        Some((at, value.clone()))
    };
    let Some(mut left) = parts.iter().map(|p| of(p)).collect::<Option<Vec<_>>>() else {
        return Err(condition);
    };
    if left.len() != names.len() {
        return Err(condition);
    }
    let mut out: Vec<(Ident, Node)> = Vec::new();
    while !left.is_empty() {
        let open = |value: &Node| left.iter().any(|(n, _)| mentions(value, &names[*n]));
        let Some(next) = left.iter().position(|(_, value)| !open(value)) else { return Err(condition) };
        let (at, value) = left.remove(next);
        if out.iter().any(|(x, _)| x.name == names[at].name) {
            return Err(condition);
        }
        out.push((names[at].clone(), value));
    }
    Ok(out)
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

/// Whether a name stands in a formula, bound there or not.
fn mentions(node: &Node, name: &Ident) -> bool {
    let mut todo = vec![node];
    while let Some(n) = todo.pop() {
        match &n.kind {
            NodeKind::Name(x) if *x == name.name => return true,
            NodeKind::Table(t) if t.rows.names.iter().any(|x| x.name == name.name) => return true,
            _ => {}
        }
        walk::children(n, &mut |child| todo.push(child));
    }
    false
}

/// Whether a formula is a predicate by its outermost operator.
fn is_predicate(node: &Node) -> bool {
    match &node.kind {
        NodeKind::And(..)
        | NodeKind::Or(..)
        | NodeKind::Implies(..)
        | NodeKind::Iff(..)
        | NodeKind::Not(_)
        | NodeKind::Forall(..)
        | NodeKind::Exists(..) => true,
        NodeKind::Op(op, _) => matches!(def(*op).meaning, Meaning::Pred(_)),
        NodeKind::If(_, a, _) | NodeKind::Let(_, a) => is_predicate(a),
        _ => false,
    }
}
