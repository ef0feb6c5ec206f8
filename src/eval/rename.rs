//! Copies of formulas with other slots.
//!
//! In: a formula, a shift for its locals, a supply of binder numbers, expressions in it that become locals. Out: the same formula
//! over shifted slots, every binder new (with a number of its own, so that its plan is its own). Used to put formulas with
//! frames of their own side by side (properties, preconditions of called operations), and to take parts out of predicates.

use super::problem::Slot;
use crate::ir::{Binder, Expr, ExprKind, Local, LocalId, Pred, PredKind, Scoped};
use hashbrown::HashMap;
use std::sync::Arc;

/// How to copy.
pub(crate) struct Rename {
    /// Added to every slot.
    pub(crate) shift: u32,
    /// The next binder number.
    pub(crate) next: u32,
    /// Expressions, by address, instead of which there are slots, which are not shifted.
    taken: HashMap<usize, Slot>,
    /// Those that have come so far.
    come: Vec<LocalId>,
}

impl Rename {
    /// With another shift and other binder numbers.
    pub(crate) fn by(shift: u32, next: u32) -> Self {
        Self { shift, next, taken: HashMap::new(), come: Vec::new() }
    }

    /// With other binder numbers, and slots instead of expressions, by address.
    pub(super) fn taking(taken: HashMap<usize, Slot>, next: u32) -> Self {
        Self { shift: 0, next, taken, come: Vec::new() }
    }

    fn id(&self, id: LocalId) -> LocalId {
        LocalId(id.0 + self.shift)
    }

    pub(crate) fn local(&self, l: &Local) -> Local {
        Local { id: self.id(l.id), ..l.clone() }
    }

    /// A binder, with what else is in its scope.
    fn binder_with<T>(&mut self, b: &Binder, body: impl FnOnce(&mut Self) -> T) -> (Arc<Binder>, T) {
        let id = self.next;
        self.next = self.next.saturating_add(1);
        let before = self.come.len();
        let pred = self.pred(&b.pred);
        let body = body(self);
        let mut captures: Vec<LocalId> = b.captures.iter().map(|c| self.id(*c)).collect();
        captures.extend_from_slice(&self.come[before..]);
        captures.sort_unstable();
        captures.dedup();
        let vars = b.vars.iter().map(|v| self.local(v)).collect();
        let frame = b.frame + self.shift;
        (Arc::new(Binder { vars, pred, captures, frame, reads_state: b.reads_state, id }), body)
    }

    fn binder(&mut self, b: &Binder) -> Arc<Binder> {
        self.binder_with(b, |_| ()).0
    }

    fn scoped<T>(&mut self, s: &Scoped<T>, body: impl FnOnce(&mut Self, &T) -> T) -> Arc<Scoped<T>> {
        let (binder, body) = self.binder_with(&s.binder, |rename| body(rename, &s.body));
        Arc::new(Scoped { binder, body })
    }

    fn exprs(&mut self, es: &[Expr]) -> Vec<Expr> {
        es.iter().map(|e| self.expr(e)).collect()
    }

    fn preds(&mut self, ps: &[Pred]) -> Vec<Pred> {
        ps.iter().map(|p| self.pred(p)).collect()
    }

    pub(super) fn expr(&mut self, e: &Expr) -> Expr {
        let kind = match self.taken.get(&std::ptr::from_ref(e).addr()) {
            Some(slot) => {
                if let Slot::Local(local) = slot {
                    self.come.push(*local);
                }
                slot.kind()
            }
            None => self.kind(e),
        };
        Expr { kind, ty: e.ty.clone(), span: e.span }
    }

    fn kind(&mut self, e: &Expr) -> ExprKind {
        match &e.kind {
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
            ExprKind::Image(s) => ExprKind::Image(self.scoped(s, Self::expr)),
            ExprKind::Lambda(s, symbolic) => ExprKind::Lambda(self.scoped(s, Self::expr), *symbolic),
            ExprKind::Fold(f, s) => ExprKind::Fold(*f, self.scoped(s, Self::expr)),
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
        }
    }

    pub(crate) fn pred(&mut self, p: &Pred) -> Pred {
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
            PredKind::Forall(s) => PredKind::Forall(self.scoped(s, Self::pred)),
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
