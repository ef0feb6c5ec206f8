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

/// All expressions in an expression, itself first.
pub(crate) fn exprs_in(e: &Expr) -> Vec<&Expr> {
    let mut all = Vec::new();
    expr(e, &mut |e| all.push(e));
    all
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

    /// What a predicate reads.
    pub(super) fn of_pred(p: &Pred) -> Self {
        let mut reads = Self::default();
        pred(p, &mut |e| reads.note(e));
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

/// Whether an expression or something in it passes a test.
pub(super) fn expr_has(e: &Expr, mut test: impl FnMut(&Expr) -> bool) -> bool {
    let mut found = false;
    expr(e, &mut |e| found |= test(e));
    found
}

/// Whether an expression in a predicate passes a test.
pub(crate) fn pred_has(p: &Pred, mut test: impl FnMut(&Expr) -> bool) -> bool {
    let mut found = false;
    pred(p, &mut |e| found |= test(e));
    found
}

/// Whether a local occurs in an expression.
pub(super) fn mentions(e: &Expr, local: LocalId) -> bool {
    expr_has(e, |e| matches!(e.kind, ExprKind::Local(id) if id == local))
}

/// Whether a local occurs in a predicate.
pub(crate) fn pred_mentions(p: &Pred, local: LocalId) -> bool {
    pred_has(p, |e| matches!(e.kind, ExprKind::Local(id) if id == local))
}

/// Calls `f` on every expression in a predicate, outer ones first.
pub(crate) fn pred<'a>(p: &'a Pred, f: &mut dyn FnMut(&'a Expr)) {
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
pub(crate) fn bound_in(p: &Pred, found: &mut Vec<LocalId>) {
    each_pred(p, &mut |p| bound_by_pred(p, found));
    pred(p, &mut |e| bound_by(e, found));
}

/// The same for an expression.
pub(crate) fn bound_in_expr(e: &Expr, found: &mut Vec<LocalId>) {
    expr(e, &mut |e| preds_of(e, &mut |p| bound_by_pred(p, found)));
    expr(e, &mut |e| bound_by(e, found));
}

fn bound_by(e: &Expr, found: &mut Vec<LocalId>) {
    found.extend(e.binder().into_iter().flat_map(|b| &b.vars).map(|v| v.id));
    if let ExprKind::Let(id, ..) = &e.kind {
        found.push(*id);
    }
}

fn bound_by_pred(p: &Pred, found: &mut Vec<LocalId>) {
    match &p.kind {
        PredKind::Forall(s) => found.extend(s.binder.vars.iter().map(|v| v.id)),
        PredKind::Exists(b) => found.extend(b.vars.iter().map(|v| v.id)),
        PredKind::Let(id, ..) => found.push(*id),
        _ => {}
    }
}

/// Whether an external function is called anywhere in a predicate.
pub(super) fn calls_external(p: &Pred) -> bool {
    let mut calls = false;
    each_pred(p, &mut |p| calls |= matches!(p.kind, PredKind::External(..)));
    pred(p, &mut |e| calls |= matches!(e.kind, ExprKind::External(..)));
    calls
}

/// Calls `f` on every predicate in a predicate, those in expressions as well, outer ones first among each.
fn each_pred<'a>(p: &'a Pred, f: &mut dyn FnMut(&'a Pred)) {
    parts(p, f);
    pred(p, &mut |e| preds_of(e, f));
}

/// Calls `f` on the predicates of an expression, but not on those in expressions that are parts of it.
fn preds_of<'a>(e: &'a Expr, f: &mut dyn FnMut(&'a Pred)) {
    if let Some(binder) = e.binder() {
        parts(&binder.pred, f);
    }
    if let ExprKind::Bool(p) | ExprKind::If(p, ..) = &e.kind {
        parts(p, f);
    }
}

/// Calls `f` on a predicate and those that it is made of, leaving its expressions aside.
fn parts<'a>(p: &'a Pred, f: &mut dyn FnMut(&'a Pred)) {
    f(p);
    match &p.kind {
        PredKind::True | PredKind::False | PredKind::Op(..) | PredKind::External(..) => {}
        PredKind::And(ps) | PredKind::Or(ps) => ps.iter().for_each(|p| parts(p, f)),
        PredKind::Implies(a, b) | PredKind::Iff(a, b) => {
            parts(a, f);
            parts(b, f);
        }
        PredKind::Not(a) => parts(a, f),
        PredKind::Forall(s) => {
            parts(&s.binder.pred, f);
            parts(&s.body, f);
        }
        PredKind::Exists(b) => parts(&b.pred, f),
        PredKind::If(a, b, c) => [&**a, &**b, &**c].into_iter().for_each(|p| parts(p, f)),
        PredKind::Let(_, _, p) => parts(p, f),
    }
}
