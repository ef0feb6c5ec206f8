//! Lowering of predicates: chains become lists, `!x.(P => Q)` a binder with a body.

use super::lower::Lower;
use crate::ir::{Expr, ExprKind, Local, Pred, PredKind};
use crate::ops::Op;
use crate::source::Span;
use crate::syntax::ast::{Ident, Node, NodeKind};

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
            NodeKind::Exists(names, p) => self.exists(names, &[p], node.span),
            NodeKind::LetWhere(names, condition, body) => self.exists(names, &[condition, body], node.span),
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

    fn exists(&mut self, names: &[Ident], parts: &[&Node], span: Span) -> PredKind {
        let vars = |s: &mut Self| names.iter().map(|id| s.bind(id)).collect();
        let (binder, mut outside) = self.binder_with(vars, |s, vars| {
            let all = parts.iter().map(|p| s.pred(p)).collect();
            narrowed(conjunction(all, span), vars)
        });
        if outside.is_empty() {
            return PredKind::Exists(binder);
        }
        outside.push(Pred { kind: PredKind::Exists(binder), span });
        PredKind::And(outside)
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
                (NodeKind::And(all), true) | (NodeKind::Or(all), false) => todo.extend(all.iter().rev()),
                _ => out.push(self.pred(n)),
            }
        }
        out
    }
}

/// The predicate of a quantifier without the equations that give names from outside a value, and these: `#k.(p = x * y & P)` is
/// `p = x * y & #k.(P)`. Whoever looks for p finds it there, and what is left of the quantifier asks for p only.
fn narrowed(p: Pred, vars: &[Local]) -> (Pred, Vec<Pred>) {
    let PredKind::And(parts) = p.kind else { return (p, Vec::new()) };
    let (free, inside): (Vec<Pred>, Vec<Pred>) = parts.into_iter().partition(|c| is_outer_value(c, vars));
    if inside.is_empty() {
        return (Pred { kind: PredKind::And(free), span: p.span }, Vec::new());
    }
    (conjunction(inside, p.span), free)
}

/// Whether a predicate equates a name from outside with an expression over such names.
fn is_outer_value(p: &Pred, vars: &[Local]) -> bool {
    let PredKind::Op(Op::Eq, sides) = &p.kind else { return false };
    let [a, b] = &sides[..] else { return false };
    let name = |e: &Expr| matches!(e.kind, ExprKind::Local(_));
    (name(a) || name(b)) && is_outer(a, vars) && is_outer(b, vars)
}

/// Whether an expression is made by operators of names that are not among some variables.
fn is_outer(e: &Expr, vars: &[Local]) -> bool {
    match &e.kind {
        ExprKind::Local(id) => vars.iter().all(|v| v.id != *id),
        ExprKind::Lit(_) | ExprKind::Const(_) | ExprKind::Var(_) | ExprKind::Given(_) => true,
        ExprKind::Op(_, args) => args.iter().all(|a| is_outer(a, vars)),
        _ => false,
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
