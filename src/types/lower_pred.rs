//! Lowering of predicates: chains become lists, `!x.(P => Q)` a binder with a body.

use super::lower::Lower;
use crate::ir::{Expr, Local, Pred, PredKind};
use crate::ops::Op;
use crate::source::Span;
use crate::syntax::ast::{Node, NodeKind};

impl Lower<'_, '_> {
    fn boxed_pred(&mut self, node: &Node) -> Box<Pred> {
        Box::new(self.pred(node))
    }

    /// Lowers a predicate.
    pub(super) fn pred(&mut self, node: &Node) -> Pred {
        let kind = match &node.kind {
            NodeKind::And(..) => PredKind::And(self.flatten(node, true)),
            NodeKind::Or(..) => PredKind::Or(self.flatten(node, false)),
            NodeKind::Implies(a, b) => {
                let a = self.boxed_pred(a);
                PredKind::Implies(a, self.boxed_pred(b))
            }
            NodeKind::Iff(a, b) => {
                let a = self.boxed_pred(a);
                PredKind::Iff(a, self.boxed_pred(b))
            }
            NodeKind::Not(a) => PredKind::Not(self.boxed_pred(a)),
            NodeKind::Op(Op::True, _) => PredKind::True,
            NodeKind::Op(Op::False, _) => PredKind::False,
            NodeKind::Op(op, args) => PredKind::Op(*op, self.all(args)),
            NodeKind::Forall(names, p) => PredKind::Forall(self.scoped(names, |s| s.guarded(p))),
            NodeKind::Exists(names, p) => {
                let (binder, ()) = self.binder(names, |s| (s.pred(p), ()));
                PredKind::Exists(binder)
            }
            NodeKind::If(c, a, b) => {
                let (c, a) = (self.boxed_pred(c), self.boxed_pred(a));
                PredKind::If(c, a, self.boxed_pred(b))
            }
            NodeKind::Let(binds, body) => {
                let mark = self.frame.scope.len();
                let bound: Vec<(Local, Expr)> = binds.iter().map(|b| self.let_bind(b)).collect();
                let mut out = self.pred(body);
                self.frame.scope.truncate(mark);
                for (local, value) in bound.into_iter().rev() {
                    let span = out.span;
                    out = Pred { kind: PredKind::Let(local.id, Box::new(value), Box::new(out)), span };
                }
                out.kind
            }
            NodeKind::Apply(f, args) => match self.external(f) {
                Some(ext) => PredKind::External(ext, self.all(args)),
                None => PredKind::False,
            },
            // Not predicates: inference has refused them.
            _ => PredKind::False,
        };
        Pred { kind, span: node.span }
    }

    /// `P => (Q => R)` as P & Q and R, for the binder and the body of `!x.(..)`. Without an implication the
    /// binder's predicate is `btrue`. (`P => Q => R` is `(P => Q) => R` to the parser and stays that.)
    fn guarded(&mut self, node: &Node) -> (Pred, Pred) {
        let (mut guards, mut body, mut span) = (Vec::new(), node, node.span);
        while let NodeKind::Implies(a, b) = &body.kind {
            span = if guards.is_empty() { a.span } else { span.to(a.span) };
            guards.push(self.pred(a));
            body = b;
        }
        (conjunction(guards, span), self.pred(body))
    }

    /// The operands of a chain of `&` (or of `or`), without recursion along the chain.
    fn flatten(&mut self, node: &Node, and: bool) -> Vec<Pred> {
        let mut out = Vec::new();
        let mut todo = vec![node];
        while let Some(n) = todo.pop() {
            match (&n.kind, and) {
                (NodeKind::And(a, b), true) | (NodeKind::Or(a, b), false) => {
                    todo.push(b);
                    todo.push(a);
                }
                _ => out.push(self.pred(n)),
            }
        }
        out
    }
}

/// A conjunction of any number of predicates.
pub(super) fn conjunction(preds: Vec<Pred>, span: Span) -> Pred {
    let mut flat = Vec::new();
    for p in preds {
        match p.kind {
            PredKind::And(inner) => flat.extend(inner),
            PredKind::True => {}
            _ => flat.push(p),
        }
    }
    match flat.len() {
        0 => Pred { kind: PredKind::True, span },
        1 => flat.remove(0),
        _ => Pred { kind: PredKind::And(flat), span },
    }
}
