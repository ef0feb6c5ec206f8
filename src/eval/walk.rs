//! Walking over expressions and predicates: which locals and constants they read.
//!
//! In: IR. Out: calls of a visitor on every sub-expression and sub-predicate, binders' insides included.

use crate::ir::{Expr, ExprKind, LocalId, Pred, PredKind};

/// Calls `f` on an expression and everything in it, outer ones first.
pub(super) fn expr<'a>(e: &'a Expr, f: &mut dyn FnMut(&'a Expr)) {
    f(e);
    match &e.kind {
        ExprKind::Lit(_)
        | ExprKind::Local(_)
        | ExprKind::Const(_)
        | ExprKind::Var(_)
        | ExprKind::Old(_)
        | ExprKind::Given(_)
        | ExprKind::Construct(_, _, None)
        | ExprKind::FreeSet(_) => {}
        ExprKind::Op(_, es)
        | ExprKind::External(_, es)
        | ExprKind::SetExt(es)
        | ExprKind::SeqExt(es)
        | ExprKind::Rec(es)
        | ExprKind::Struct(es) => es.iter().for_each(|e| expr(e, f)),
        ExprKind::Field(e, _) | ExprKind::Construct(_, _, Some(e)) => expr(e, f),
        ExprKind::Bool(p) => pred(p, f),
        ExprKind::Compr(b, _) => pred(&b.pred, f),
        ExprKind::Image(s) | ExprKind::Lambda(s, _) | ExprKind::Fold(_, s) => {
            pred(&s.binder.pred, f);
            expr(&s.body, f);
        }
        ExprKind::If(p, a, b) => {
            pred(p, f);
            expr(a, f);
            expr(b, f);
        }
        ExprKind::Let(_, a, b) => {
            expr(a, f);
            expr(b, f);
        }
    }
}

/// What formulas read, as [`Reads::note`] is told of everything in them.
#[derive(Default)]
pub(super) struct Reads {
    locals: Vec<LocalId>,
    /// Locals that are bound inside.
    inside: Vec<LocalId>,
    /// Whether variables of the state are read.
    pub(super) state: bool,
}

impl Reads {
    /// What an expression reads.
    pub(super) fn of(e: &Expr) -> Self {
        let mut reads = Self::default();
        expr(e, &mut |e| reads.note(e));
        reads
    }

    /// Takes note of one expression, whatever is in it.
    pub(super) fn note(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Local(id) => self.locals.push(*id),
            ExprKind::Var(_) | ExprKind::Old(_) => self.state = true,
            _ => self.inside.extend(e.binder().iter().flat_map(|b| &b.vars).map(|v| v.id)),
        }
    }

    /// Takes note of variables that are bound around what was noted.
    pub(super) fn bind(&mut self, vars: impl Iterator<Item = LocalId>) {
        self.inside.extend(vars);
    }

    /// The locals that come from outside (those of quantifiers inside count as such, which is safe).
    pub(super) fn free(&self) -> impl Iterator<Item = LocalId> + '_ {
        self.locals.iter().copied().filter(|id| !self.inside.contains(id))
    }
}

/// Whether a local occurs in an expression.
pub(super) fn mentions(e: &Expr, local: LocalId) -> bool {
    let mut found = false;
    expr(e, &mut |e| found |= matches!(e.kind, ExprKind::Local(id) if id == local));
    found
}

/// Whether a local occurs in a predicate.
pub(super) fn pred_mentions(p: &Pred, local: LocalId) -> bool {
    let mut found = false;
    pred(p, &mut |e| found |= matches!(e.kind, ExprKind::Local(id) if id == local));
    found
}

/// Calls `f` on every expression in a predicate, outer ones first.
pub(super) fn pred<'a>(p: &'a Pred, f: &mut dyn FnMut(&'a Expr)) {
    match &p.kind {
        PredKind::True | PredKind::False => {}
        PredKind::And(ps) | PredKind::Or(ps) => ps.iter().for_each(|p| pred(p, f)),
        PredKind::Implies(a, b) | PredKind::Iff(a, b) => {
            pred(a, f);
            pred(b, f);
        }
        PredKind::Not(a) => pred(a, f),
        PredKind::Op(_, es) | PredKind::External(_, es) => es.iter().for_each(|e| expr(e, f)),
        PredKind::Forall(s) => {
            pred(&s.binder.pred, f);
            pred(&s.body, f);
        }
        PredKind::Exists(b) => pred(&b.pred, f),
        PredKind::If(a, b, c) => {
            pred(a, f);
            pred(b, f);
            pred(c, f);
        }
        PredKind::Let(_, e, p) => {
            expr(e, f);
            pred(p, f);
        }
    }
}

/// Collects the variables that something in a predicate binds: quantifiers, comprehensions and the like, LET.
pub(super) fn bound_in(p: &Pred, found: &mut Vec<LocalId>) {
    quantified(p, found);
    pred(p, &mut |e| bound_by(e, found));
}

/// The same for an expression.
pub(super) fn bound_in_expr(e: &Expr, found: &mut Vec<LocalId>) {
    expr(e, &mut |e| bound_by(e, found));
}

/// What an expression itself binds, and the quantifiers of predicates that are parts of it.
fn bound_by(e: &Expr, found: &mut Vec<LocalId>) {
    if let Some(binder) = e.binder() {
        found.extend(binder.vars.iter().map(|v| v.id));
        quantified(&binder.pred, found);
    }
    match &e.kind {
        ExprKind::Bool(p) | ExprKind::If(p, ..) => quantified(p, found),
        ExprKind::Let(id, ..) => found.push(*id),
        _ => {}
    }
}

/// What quantifiers and LET in a predicate bind, leaving its expressions aside.
fn quantified(p: &Pred, found: &mut Vec<LocalId>) {
    match &p.kind {
        PredKind::True | PredKind::False | PredKind::Op(..) | PredKind::External(..) => {}
        PredKind::And(ps) | PredKind::Or(ps) => ps.iter().for_each(|p| quantified(p, found)),
        PredKind::Implies(a, b) | PredKind::Iff(a, b) => {
            quantified(a, found);
            quantified(b, found);
        }
        PredKind::Not(a) => quantified(a, found),
        PredKind::Forall(s) => {
            found.extend(s.binder.vars.iter().map(|v| v.id));
            quantified(&s.binder.pred, found);
            quantified(&s.body, found);
        }
        PredKind::Exists(b) => {
            found.extend(b.vars.iter().map(|v| v.id));
            quantified(&b.pred, found);
        }
        PredKind::If(a, b, c) => [a, b, c].into_iter().for_each(|p| quantified(p, found)),
        PredKind::Let(id, _, p) => {
            found.push(*id);
            quantified(p, found);
        }
    }
}
