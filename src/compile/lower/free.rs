//! Which names an expression mentions.
//!
//! In: IR. Out: calls of a visitor on every expression below, binders included.

use crate::ir::{Access, Binder, Expr, ExprKind, LocalId, Pred, PredKind, Subst, SubstKind, Target};

/// Calls `f` on an expression and all expressions below it.
pub(crate) fn in_expr(e: &Expr, f: &mut dyn FnMut(&Expr)) {
    f(e);
    match &e.kind {
        ExprKind::Lit(_)
        | ExprKind::Local(_)
        | ExprKind::Const(_)
        | ExprKind::Var(_)
        | ExprKind::Old(_)
        | ExprKind::Given(_)
        | ExprKind::FreeSet(_) => {}
        ExprKind::Op(_, es)
        | ExprKind::External(_, es)
        | ExprKind::SetExt(es)
        | ExprKind::SeqExt(es)
        | ExprKind::Rec(es)
        | ExprKind::Struct(es) => es.iter().for_each(|e| in_expr(e, f)),
        ExprKind::Field(e, _) => in_expr(e, f),
        ExprKind::Construct(_, _, e) => {
            if let Some(e) = e {
                in_expr(e, f);
            }
        }
        ExprKind::Bool(p) => in_pred(p, f),
        ExprKind::Compr(b, _) => in_pred(&b.pred, f),
        ExprKind::Image(s) | ExprKind::Lambda(s, _) | ExprKind::Fold(_, s) => {
            in_pred(&s.binder.pred, f);
            in_expr(&s.body, f);
        }
        ExprKind::If(p, a, b) => {
            in_pred(p, f);
            in_expr(a, f);
            in_expr(b, f);
        }
        ExprKind::Let(_, a, b) => {
            in_expr(a, f);
            in_expr(b, f);
        }
    }
}

/// Calls `f` on all expressions in a predicate.
pub(crate) fn in_pred(p: &Pred, f: &mut dyn FnMut(&Expr)) {
    match &p.kind {
        PredKind::True | PredKind::False => {}
        PredKind::And(ps) | PredKind::Or(ps) => ps.iter().for_each(|p| in_pred(p, f)),
        PredKind::Implies(p, q) | PredKind::Iff(p, q) => {
            in_pred(p, f);
            in_pred(q, f);
        }
        PredKind::Not(p) => in_pred(p, f),
        PredKind::Op(_, es) | PredKind::External(_, es) => es.iter().for_each(|e| in_expr(e, f)),
        PredKind::Forall(s) => {
            in_pred(&s.binder.pred, f);
            in_pred(&s.body, f);
        }
        PredKind::Exists(b) => in_pred(&b.pred, f),
        PredKind::If(p, q, r) => {
            in_pred(p, f);
            in_pred(q, f);
            in_pred(r, f);
        }
        PredKind::Let(_, e, p) => {
            in_expr(e, f);
            in_pred(p, f);
        }
    }
}

fn in_target(t: &Target, f: &mut dyn FnMut(&Expr)) {
    for a in &t.path {
        if let Access::At(e) = a {
            in_expr(e, f);
        }
    }
}

fn in_binder(b: &Binder, f: &mut dyn FnMut(&Expr)) {
    in_pred(&b.pred, f);
}

/// Calls `f` on all expressions in a substitution (not in operations it calls) and `t` on all targets.
pub(crate) fn in_subst(s: &Subst, f: &mut dyn FnMut(&Expr), t: &mut dyn FnMut(&Target)) {
    match &s.kind {
        SubstKind::Skip => {}
        SubstKind::Assign(pairs) => {
            for (target, e) in pairs {
                in_target(target, f);
                t(target);
                in_expr(e, f);
            }
        }
        SubstKind::BecomesIn(targets, e) => {
            for x in targets {
                in_target(x, f);
                t(x);
            }
            in_expr(e, f);
        }
        SubstKind::BecomesSuch(targets, b) => {
            for x in targets {
                in_target(x, f);
                t(x);
            }
            in_binder(b, f);
        }
        SubstKind::Pre(p, s) | SubstKind::Assert(p, s) => {
            in_pred(p, f);
            in_subst(s, f, t);
        }
        SubstKind::Choice(ss) | SubstKind::Seq(ss) | SubstKind::Par(ss) => {
            for s in ss {
                in_subst(s, f, t);
            }
        }
        SubstKind::Select(bs, other) | SubstKind::If(bs, other) => {
            for (p, s) in bs {
                in_pred(p, f);
                in_subst(s, f, t);
            }
            if let Some(s) = other {
                in_subst(s, f, t);
            }
        }
        SubstKind::Case(e, bs, other) => {
            in_expr(e, f);
            for (es, s) in bs {
                for e in es {
                    in_expr(e, f);
                }
                in_subst(s, f, t);
            }
            if let Some(s) = other {
                in_subst(s, f, t);
            }
        }
        SubstKind::Any(b, s) => {
            in_binder(b, f);
            in_subst(s, f, t);
        }
        SubstKind::Let(pairs, s) => {
            for (_, e) in pairs {
                in_expr(e, f);
            }
            in_subst(s, f, t);
        }
        SubstKind::Var(_, s) => in_subst(s, f, t),
        SubstKind::While { cond, body, invariant, variant } => {
            in_pred(cond, f);
            in_pred(invariant, f);
            in_expr(variant, f);
            in_subst(body, f, t);
        }
        SubstKind::Call { args, results, .. } => {
            for e in args {
                in_expr(e, f);
            }
            for x in results {
                in_target(x, f);
                t(x);
            }
        }
    }
}

/// Whether an expression mentions one of some locals.
pub(crate) fn expr_mentions(e: &Expr, locals: &[LocalId]) -> bool {
    let mut found = false;
    in_expr(e, &mut |e| found |= matches!(&e.kind, ExprKind::Local(l) if locals.contains(l)));
    found
}

/// Whether a predicate mentions one of some locals.
pub(crate) fn pred_mentions(p: &Pred, locals: &[LocalId]) -> bool {
    let mut found = false;
    in_pred(p, &mut |e| found |= matches!(&e.kind, ExprKind::Local(l) if locals.contains(l)));
    found
}
