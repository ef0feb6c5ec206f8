//! Every expression and predicate of a machine, once each.
//!
//! In: the IR. Out: calls of a closure on each [`Node`], outer ones first. No meaning here.

use crate::ir::{Access, Binder, Expr, ExprKind, Machine, Pred, PredKind, Subst, SubstKind, Target};

/// A place in a machine's formulas.
#[derive(Clone, Copy)]
pub(super) enum Node<'a> {
    /// An expression.
    Expr(&'a Expr),
    /// A predicate.
    Pred(&'a Pred),
}

type Visit<'v, 'a> = &'v mut dyn FnMut(Node<'a>);

/// Visits what says which values the constants have.
pub(super) fn properties<'a>(m: &'a Machine, f: Visit<'_, 'a>) {
    m.properties.iter().for_each(|formula| pred(&formula.pred, f));
}

/// Visits every expression of a machine.
pub fn each_expr<'a>(m: &'a Machine, f: &mut dyn FnMut(&'a Expr)) {
    let mut visit = |node: Node<'a>| {
        if let Node::Expr(e) = node {
            f(e);
        }
    };
    properties(m, &mut visit);
    behaviour(m, &mut visit);
}

/// Visits everything else that is ever evaluated.
pub(super) fn behaviour<'a>(m: &'a Machine, f: Visit<'_, 'a>) {
    for formula in m.invariants.iter().chain(&m.assertions).chain(&m.goal) {
        pred(&formula.pred, f);
    }
    subst(&m.initialisation.body, f);
    for op in &m.operations {
        if let Some(body) = &op.offered {
            subst(body, f);
        }
        subst(&op.called, f);
    }
}

fn exprs<'a>(list: impl IntoIterator<Item = &'a Expr>, f: Visit<'_, 'a>) {
    for e in list {
        expr(e, f);
    }
}

fn preds<'a>(list: impl IntoIterator<Item = &'a Pred>, f: Visit<'_, 'a>) {
    for p in list {
        pred(p, f);
    }
}

fn binder<'a>(b: &'a Binder, f: Visit<'_, 'a>) {
    pred(&b.pred, f);
}

/// Visits an expression.
pub(super) fn expr<'a>(e: &'a Expr, f: Visit<'_, 'a>) {
    f(Node::Expr(e));
    match &e.kind {
        ExprKind::Lit(_)
        | ExprKind::Local(_)
        | ExprKind::Const(_)
        | ExprKind::Var(_)
        | ExprKind::Old(_)
        | ExprKind::Given(_)
        | ExprKind::FreeSet(_) => {}
        ExprKind::Op(_, list)
        | ExprKind::External(_, list)
        | ExprKind::SetExt(list)
        | ExprKind::SeqExt(list)
        | ExprKind::Rec(list)
        | ExprKind::Struct(list) => exprs(list, f),
        ExprKind::Field(x, _) => expr(x, f),
        ExprKind::Construct(_, _, arg) => exprs(arg.as_deref(), f),
        ExprKind::Bool(p) => pred(p, f),
        ExprKind::Compr(b, _) => binder(b, f),
        ExprKind::Image(s) | ExprKind::Lambda(s, _) | ExprKind::Fold(_, s) => {
            binder(&s.binder, f);
            expr(&s.body, f);
        }
        ExprKind::If(c, a, b) => {
            pred(c, f);
            exprs([&**a, &**b], f);
        }
        ExprKind::Let(_, a, b) => exprs([&**a, &**b], f),
    }
}

/// Visits a predicate.
pub(super) fn pred<'a>(p: &'a Pred, f: Visit<'_, 'a>) {
    f(Node::Pred(p));
    match &p.kind {
        PredKind::True | PredKind::False => {}
        PredKind::And(list) | PredKind::Or(list) => preds(list, f),
        PredKind::Implies(a, b) | PredKind::Iff(a, b) => preds([&**a, &**b], f),
        PredKind::Not(a) => pred(a, f),
        PredKind::Op(_, list) | PredKind::External(_, list) => exprs(list, f),
        PredKind::Forall(s) => {
            binder(&s.binder, f);
            pred(&s.body, f);
        }
        PredKind::Exists(b) => binder(b, f),
        PredKind::If(a, b, c) => preds([&**a, &**b, &**c], f),
        PredKind::Let(_, e, b) => {
            expr(e, f);
            pred(b, f);
        }
    }
}

fn targets<'a>(list: impl IntoIterator<Item = &'a Target>, f: Visit<'_, 'a>) {
    for access in list.into_iter().flat_map(|t| &t.path) {
        match access {
            Access::At(e) => expr(e, f),
            Access::Field(_) => {}
        }
    }
}

fn guarded<'a>(branches: &'a [(Pred, Subst)], rest: Option<&'a Subst>, f: Visit<'_, 'a>) {
    for (p, s) in branches {
        pred(p, f);
        subst(s, f);
    }
    if let Some(s) = rest {
        subst(s, f);
    }
}

fn subst<'a>(s: &'a Subst, f: Visit<'_, 'a>) {
    match &s.kind {
        SubstKind::Skip => {}
        SubstKind::Assign(list) => {
            for (t, e) in list {
                targets([t], f);
                expr(e, f);
            }
        }
        SubstKind::BecomesIn(t, e) => {
            targets(t, f);
            expr(e, f);
        }
        SubstKind::BecomesSuch(t, b) => {
            targets(t, f);
            binder(b, f);
        }
        SubstKind::Pre(p, body) | SubstKind::Assert(p, body) => {
            pred(p, f);
            subst(body, f);
        }
        SubstKind::Choice(list) | SubstKind::Seq(list) | SubstKind::Par(list) => {
            for s in list {
                subst(s, f);
            }
        }
        SubstKind::Select(branches, rest) | SubstKind::If(branches, rest) => {
            guarded(branches, rest.as_deref(), f);
        }
        SubstKind::Case(subject, branches, rest) => {
            expr(subject, f);
            for (values, s) in branches {
                exprs(values, f);
                subst(s, f);
            }
            guarded(&[], rest.as_deref(), f);
        }
        SubstKind::Any(b, body) => {
            binder(b, f);
            subst(body, f);
        }
        SubstKind::Let(list, body) => {
            exprs(list.iter().map(|(_, e)| e), f);
            subst(body, f);
        }
        SubstKind::Var(_, body) => subst(body, f),
        SubstKind::While { cond, body, invariant, variant } => {
            preds([cond, invariant], f);
            subst(body, f);
            expr(variant, f);
        }
        SubstKind::Call { args, results, .. } => {
            exprs(args, f);
            targets(results, f);
        }
    }
}
