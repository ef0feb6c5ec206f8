//! The children of every node, listed once for all passes that walk trees.
//!
//! In: a formula or substitution. Out: its direct parts, to look at or to replace. No pass lives here.
//! What a node binds is told by [`bound`].

#![allow(
    clippy::needless_for_each,
    clippy::match_same_arms,
    clippy::semicolon_if_nothing_returned,
    reason = "one arm per kind, each a list of calls in the order of the text"
)]

use super::ast::{Ident, Node, NodeKind, Subst, SubstKind};

/// The identifiers that a kind of node binds, by a way to go through lists.
macro_rules! binds {
    ($kind:expr, $each:ident) => {
        match $kind {
            NodeKind::Compr(x, _)
            | NodeKind::EventCompr(x, _, _)
            | NodeKind::LetWhere(x, _, _)
            | NodeKind::Lambda(x, _, _)
            | NodeKind::Forall(x, _)
            | NodeKind::Exists(x, _)
            | NodeKind::Fold(_, x, _, _) => x.$each().collect(),
            NodeKind::Let(v, _) => v.$each().map(|(x, _)| x).collect(),
            _ => Vec::new(),
        }
    };
}

/// The names that a formula binds in (some of) its children, in order.
#[must_use]
pub fn bound(node: &Node) -> Vec<&Ident> {
    binds!(&node.kind, iter)
}

/// The same, to be changed.
pub fn bound_mut(node: &mut Node) -> Vec<&mut Ident> {
    binds!(&mut node.kind, iter_mut)
}

/// Whether a formula is a literal or a constant operator: most nodes of a table of data are, and passes that resolve names
/// have nothing to do there.
#[must_use]
pub fn is_literal(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Int(_) | NodeKind::Real(_) | NodeKind::Str(_) => true,
        NodeKind::Op(_, arguments) => arguments.is_empty(),
        NodeKind::Table(table) => table.rows.names.is_empty(),
        _ => false,
    }
}

/// Calls `f` with each direct child, in the order of the text. A table has none: it binds nothing and is of one piece.
pub fn children<'a>(node: &'a Node, f: &mut dyn FnMut(&'a Node)) {
    match &node.kind {
        NodeKind::Name(_)
        | NodeKind::Ref(_)
        | NodeKind::Int(_)
        | NodeKind::Real(_)
        | NodeKind::Str(_)
        | NodeKind::Table(_)
        | NodeKind::Error => {}
        NodeKind::Op(_, v)
        | NodeKind::And(v)
        | NodeKind::Or(v)
        | NodeKind::SetExt(v)
        | NodeKind::SeqExt(v) => v.iter().for_each(f),
        NodeKind::Implies(a, b) | NodeKind::Iff(a, b) => {
            f(a);
            f(b);
        }
        NodeKind::Old(a)
        | NodeKind::Not(a)
        | NodeKind::Bool(a)
        | NodeKind::Field(a, _)
        | NodeKind::Compr(_, a)
        | NodeKind::Forall(_, a)
        | NodeKind::Exists(_, a) => f(a),
        NodeKind::Apply(a, v) => {
            f(a);
            v.iter().for_each(f);
        }
        NodeKind::Rec(v) | NodeKind::Struct(v) => v.iter().for_each(|(_, e)| f(e)),
        NodeKind::EventCompr(_, a, b)
        | NodeKind::LetWhere(_, a, b)
        | NodeKind::Lambda(_, a, b)
        | NodeKind::Fold(_, _, a, b) => {
            f(a);
            f(b);
        }
        NodeKind::If(a, b, c) => {
            f(a);
            f(b);
            f(c);
        }
        NodeKind::Let(v, a) => {
            v.iter().for_each(|(_, e)| f(e));
            f(a);
        }
    }
}

/// The same node with each direct child replaced by what `f` makes of it.
#[must_use]
pub fn map_children(node: Node, f: &mut dyn FnMut(Node) -> Node) -> Node {
    let Node { mut kind, span } = node;
    let mut each = |child: &mut Node| {
        let old = std::mem::replace(child, Node { kind: NodeKind::Error, span });
        *child = f(old);
    };
    match &mut kind {
        NodeKind::Name(_)
        | NodeKind::Ref(_)
        | NodeKind::Int(_)
        | NodeKind::Real(_)
        | NodeKind::Str(_)
        | NodeKind::Table(_)
        | NodeKind::Error => {}
        NodeKind::Op(_, v)
        | NodeKind::And(v)
        | NodeKind::Or(v)
        | NodeKind::SetExt(v)
        | NodeKind::SeqExt(v) => v.iter_mut().for_each(each),
        NodeKind::Implies(a, b) | NodeKind::Iff(a, b) => {
            each(a);
            each(b);
        }
        NodeKind::Old(a)
        | NodeKind::Not(a)
        | NodeKind::Bool(a)
        | NodeKind::Field(a, _)
        | NodeKind::Compr(_, a)
        | NodeKind::Forall(_, a)
        | NodeKind::Exists(_, a) => each(a),
        NodeKind::Apply(a, v) => {
            each(a);
            v.iter_mut().for_each(each);
        }
        NodeKind::Rec(v) | NodeKind::Struct(v) => v.iter_mut().for_each(|(_, e)| each(e)),
        NodeKind::EventCompr(_, a, b)
        | NodeKind::LetWhere(_, a, b)
        | NodeKind::Lambda(_, a, b)
        | NodeKind::Fold(_, _, a, b) => {
            each(a);
            each(b);
        }
        NodeKind::If(a, b, c) => {
            each(a);
            each(b);
            each(c);
        }
        NodeKind::Let(v, a) => {
            v.iter_mut().for_each(|(_, e)| each(e));
            each(a);
        }
    }
    Node { kind, span }
}

/// The names that a substitution binds.
#[must_use]
pub fn bound_by_subst(subst: &Subst) -> Vec<&Ident> {
    match &subst.kind {
        SubstKind::Any(x, _, _) | SubstKind::Var(x, _) => x.iter().collect(),
        SubstKind::Let(v, _) => v.iter().map(|(x, _)| x).collect(),
        _ => Vec::new(),
    }
}

/// A direct part of a substitution.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// A formula.
    Node(&'a Node),
    /// A substitution.
    Subst(&'a Subst),
}

/// Calls `f` with each direct part of a substitution, in the order of the text.
pub fn parts<'a>(subst: &'a Subst, f: &mut dyn FnMut(Part<'a>)) {
    match &subst.kind {
        SubstKind::Skip | SubstKind::Error => {}
        SubstKind::Assign(t, v) => t.iter().chain(v).for_each(|n| f(Part::Node(n))),
        SubstKind::BecomesIn(t, e) | SubstKind::BecomesSuch(t, e) => {
            t.iter().for_each(|n| f(Part::Node(n)));
            f(Part::Node(e));
        }
        SubstKind::Pre(p, s) | SubstKind::Assert(p, s) | SubstKind::Any(_, p, s) => {
            f(Part::Node(p));
            f(Part::Subst(s));
        }
        SubstKind::Choice(v) | SubstKind::Seq(v) | SubstKind::Par(v) => {
            v.iter().for_each(|s| f(Part::Subst(s)))
        }
        SubstKind::Select(v, e) | SubstKind::If(v, e) => {
            for (p, s) in v {
                f(Part::Node(p));
                f(Part::Subst(s));
            }
            e.iter().for_each(|s| f(Part::Subst(s)));
        }
        SubstKind::Case(n, v, e) => {
            f(Part::Node(n));
            for (values, s) in v {
                values.iter().for_each(|n| f(Part::Node(n)));
                f(Part::Subst(s));
            }
            e.iter().for_each(|s| f(Part::Subst(s)));
        }
        SubstKind::Let(v, s) => {
            v.iter().for_each(|(_, e)| f(Part::Node(e)));
            f(Part::Subst(s));
        }
        SubstKind::Var(_, s) => f(Part::Subst(s)),
        SubstKind::While { cond, body, invariant, variant } => {
            f(Part::Node(cond));
            f(Part::Subst(body));
            f(Part::Node(invariant));
            f(Part::Node(variant));
        }
        SubstKind::Call { results, args, .. } => results.iter().chain(args).for_each(|n| f(Part::Node(n))),
    }
}

/// A substitution and all that are part of it, in no order that matters.
#[must_use]
pub fn substitutions(subst: &Subst) -> Vec<&Subst> {
    let (mut all, mut next) = (vec![subst], 0);
    while let Some(subst) = all.get(next).copied() {
        parts(subst, &mut |part| {
            if let Part::Subst(part) = part {
                all.push(part);
            }
        });
        next += 1;
    }
    all
}

/// The mutable form of [`Part`].
#[derive(Debug)]
pub enum PartMut<'a> {
    /// A formula.
    Node(&'a mut Node),
    /// A substitution.
    Subst(&'a mut Subst),
}

/// Calls `f` with each direct part of a substitution, to change it in place.
pub fn parts_mut(subst: &mut Subst, f: &mut dyn FnMut(PartMut<'_>)) {
    match &mut subst.kind {
        SubstKind::Skip | SubstKind::Error => {}
        SubstKind::Assign(t, v) => t.iter_mut().chain(v).for_each(|n| f(PartMut::Node(n))),
        SubstKind::BecomesIn(t, e) | SubstKind::BecomesSuch(t, e) => {
            t.iter_mut().for_each(|n| f(PartMut::Node(n)));
            f(PartMut::Node(e));
        }
        SubstKind::Pre(p, s) | SubstKind::Assert(p, s) | SubstKind::Any(_, p, s) => {
            f(PartMut::Node(p));
            f(PartMut::Subst(s));
        }
        SubstKind::Choice(v) | SubstKind::Seq(v) | SubstKind::Par(v) => {
            v.iter_mut().for_each(|s| f(PartMut::Subst(s)));
        }
        SubstKind::Select(v, e) | SubstKind::If(v, e) => {
            for (p, s) in v {
                f(PartMut::Node(p));
                f(PartMut::Subst(s));
            }
            e.iter_mut().for_each(|s| f(PartMut::Subst(s)));
        }
        SubstKind::Case(n, v, e) => {
            f(PartMut::Node(n));
            for (values, s) in v {
                values.iter_mut().for_each(|n| f(PartMut::Node(n)));
                f(PartMut::Subst(s));
            }
            e.iter_mut().for_each(|s| f(PartMut::Subst(s)));
        }
        SubstKind::Let(v, s) => {
            v.iter_mut().for_each(|(_, e)| f(PartMut::Node(e)));
            f(PartMut::Subst(s));
        }
        SubstKind::Var(_, s) => f(PartMut::Subst(s)),
        SubstKind::While { cond, body, invariant, variant } => {
            f(PartMut::Node(cond));
            f(PartMut::Subst(body));
            f(PartMut::Node(invariant));
            f(PartMut::Node(variant));
        }
        SubstKind::Call { results, args, .. } => {
            results.iter_mut().chain(args).for_each(|n| f(PartMut::Node(n)));
        }
    }
}
