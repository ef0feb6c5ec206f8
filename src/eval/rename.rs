//! Copies of formulas with other slots.
//!
//! In: a formula, a shift for its locals, a supply of binder numbers. Out: the same formula over shifted slots,
//! every binder new (with a number of its own, so that its plan is its own). Used to put formulas with frames of
//! their own side by side: properties, and preconditions of called operations.

use crate::ir::{Binder, Expr, ExprKind, Local, LocalId, Pred, PredKind, Scoped};
use std::sync::Arc;

/// How to copy.
pub(super) struct Rename {
    /// Added to every slot.
    pub(super) shift: u32,
    /// The next binder number.
    pub(super) next: u32,
}

impl Rename {
    fn id(&self, id: LocalId) -> LocalId {
        LocalId(id.0 + self.shift)
    }

    pub(super) fn local(&self, l: &Local) -> Local {
        Local { id: self.id(l.id), ..l.clone() }
    }

    fn binder(&mut self, b: &Binder) -> Arc<Binder> {
        let id = self.next;
        self.next = self.next.saturating_add(1);
        Arc::new(Binder {
            vars: b.vars.iter().map(|v| self.local(v)).collect(),
            pred: self.pred(&b.pred),
            captures: b.captures.iter().map(|c| self.id(*c)).collect(),
            frame: b.frame + self.shift,
            reads_state: b.reads_state,
            id,
        })
    }

    fn scoped(&mut self, s: &Scoped<Expr>) -> Arc<Scoped<Expr>> {
        Arc::new(Scoped { binder: self.binder(&s.binder), body: self.expr(&s.body) })
    }

    fn exprs(&mut self, es: &[Expr]) -> Vec<Expr> {
        es.iter().map(|e| self.expr(e)).collect()
    }

    fn preds(&mut self, ps: &[Pred]) -> Vec<Pred> {
        ps.iter().map(|p| self.pred(p)).collect()
    }

    pub(super) fn expr(&mut self, e: &Expr) -> Expr {
        let kind = match &e.kind {
            ExprKind::Local(id) => ExprKind::Local(self.id(*id)),
            ExprKind::Op(op, es) => ExprKind::Op(*op, self.exprs(es)),
            ExprKind::External(x, es) => ExprKind::External(x, self.exprs(es)),
            ExprKind::SetExt(es) => ExprKind::SetExt(self.exprs(es)),
            ExprKind::SeqExt(es) => ExprKind::SeqExt(self.exprs(es)),
            ExprKind::Rec(es) => ExprKind::Rec(self.exprs(es)),
            ExprKind::Struct(es) => ExprKind::Struct(self.exprs(es)),
            ExprKind::Field(e, i) => ExprKind::Field(Box::new(self.expr(e)), *i),
            ExprKind::Construct(t, c, a) => {
                ExprKind::Construct(*t, *c, a.as_ref().map(|a| Box::new(self.expr(a))))
            }
            ExprKind::Bool(p) => ExprKind::Bool(Box::new(self.pred(p))),
            ExprKind::Compr(b, s) => ExprKind::Compr(self.binder(b), *s),
            ExprKind::Image(s) => ExprKind::Image(self.scoped(s)),
            ExprKind::Lambda(s, symbolic) => ExprKind::Lambda(self.scoped(s), *symbolic),
            ExprKind::Fold(f, s) => ExprKind::Fold(*f, self.scoped(s)),
            ExprKind::If(p, a, b) => {
                ExprKind::If(Box::new(self.pred(p)), Box::new(self.expr(a)), Box::new(self.expr(b)))
            }
            ExprKind::Let(id, a, b) => {
                ExprKind::Let(self.id(*id), Box::new(self.expr(a)), Box::new(self.expr(b)))
            }
            same @ (ExprKind::Lit(_)
            | ExprKind::Const(_)
            | ExprKind::Var(_)
            | ExprKind::Old(_)
            | ExprKind::Given(_)
            | ExprKind::FreeSet(_)) => same.clone(),
        };
        Expr { kind, ty: e.ty.clone(), span: e.span }
    }

    pub(super) fn pred(&mut self, p: &Pred) -> Pred {
        let kind = match &p.kind {
            PredKind::True => PredKind::True,
            PredKind::False => PredKind::False,
            PredKind::And(ps) => PredKind::And(self.preds(ps)),
            PredKind::Or(ps) => PredKind::Or(self.preds(ps)),
            PredKind::Implies(a, b) => PredKind::Implies(Box::new(self.pred(a)), Box::new(self.pred(b))),
            PredKind::Iff(a, b) => PredKind::Iff(Box::new(self.pred(a)), Box::new(self.pred(b))),
            PredKind::Not(a) => PredKind::Not(Box::new(self.pred(a))),
            PredKind::Op(op, es) => PredKind::Op(*op, self.exprs(es)),
            PredKind::External(x, es) => PredKind::External(x, self.exprs(es)),
            PredKind::Forall(s) => PredKind::Forall(Arc::new(Scoped {
                binder: self.binder(&s.binder),
                body: self.pred(&s.body),
            })),
            PredKind::Exists(b) => PredKind::Exists(self.binder(b)),
            PredKind::If(a, b, c) => {
                PredKind::If(Box::new(self.pred(a)), Box::new(self.pred(b)), Box::new(self.pred(c)))
            }
            PredKind::Let(id, e, q) => {
                PredKind::Let(self.id(*id), Box::new(self.expr(e)), Box::new(self.pred(q)))
            }
        };
        Pred { kind, span: p.span }
    }
}
