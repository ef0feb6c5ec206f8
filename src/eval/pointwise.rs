//! Functions given point by point: `f : A --> B & !x.(x : A => f(x) = E)` says `f = %x.(x : A | E)`.
//!
//! In: the conjuncts of a problem. Out: the equations that follow from such pairs. The conjuncts themselves stay
//! and are tested; the equations only give values without search.

use super::spaces::Named;
use super::walk;
use crate::ir::{Expr, ExprKind, Local, Pred, PredKind, Scoped};
use crate::ops::Op;
use std::sync::Arc;

/// The equations that pairs of conjuncts imply.
pub(super) fn equations(conjuncts: &[Pred], named: &Named) -> Vec<Pred> {
    let mut out = Vec::new();
    for c in conjuncts {
        let PredKind::Forall(s) = &c.kind else { continue };
        let parts: Vec<&Pred> = match &s.body.kind {
            PredKind::And(ps) => ps.iter().collect(),
            _ => vec![&s.body],
        };
        for body in parts {
            let PredKind::Op(Op::Eq, sides) = &body.kind else { continue };
            let [a, b] = &sides[..] else { continue };
            let found = equation(s, a, b, conjuncts, named).or_else(|| equation(s, b, a, conjuncts, named));
            out.extend(found);
        }
    }
    out
}

/// `point` is `f(x)` for the quantified x, `value` does not mention f, and x runs over f's domain.
fn equation(s: &Scoped<Pred>, point: &Expr, value: &Expr, conjuncts: &[Pred], named: &Named) -> Option<Pred> {
    let ExprKind::Op(Op::Apply, args) = &point.kind else { return None };
    let [f, x] = &args[..] else { return None };
    if !matches!(f.kind, ExprKind::Local(_) | ExprKind::Const(_)) || !is_tuple(x, &s.binder.vars) {
        return None;
    }
    let mut mentions = false;
    walk::expr(value, &mut |e| mentions |= same(e, f));
    let domain = conjuncts.iter().find_map(|c| domain(c, f, named))?;
    if mentions || !runs_over(&s.binder.pred, &s.binder.vars, domain) {
        return None;
    }
    let lambda = Scoped { binder: s.binder.clone(), body: value.clone() };
    let kind = ExprKind::Lambda(Arc::new(lambda), false);
    let lambda = Expr { kind, ty: f.ty.clone(), span: value.span };
    Some(Pred { kind: PredKind::Op(Op::Eq, vec![f.clone(), lambda]), span: s.body.span })
}

/// The A of `f : A --> B`.
fn domain<'p>(c: &'p Pred, f: &Expr, named: &'p Named) -> Option<&'p Expr> {
    let PredKind::Op(Op::In, args) = &c.kind else { return None };
    let [g, set] = &args[..] else { return None };
    match &named.spelled_out(set).kind {
        ExprKind::Op(Op::TotalFun | Op::TotalInj | Op::TotalSurj | Op::TotalBij, ab) if same(g, f) => {
            ab.first()
        }
        _ => None,
    }
}

/// Whether a predicate says just that the tuple of variables is in a set, perhaps side by side in a product.
fn runs_over(p: &Pred, vars: &[Local], set: &Expr) -> bool {
    match (&p.kind, &set.kind, vars) {
        (PredKind::Op(Op::In, args), _, _) => match &args[..] {
            [x, s] => is_tuple(x, vars) && same(s, set),
            _ => false,
        },
        (PredKind::And(ps), ExprKind::Op(Op::Product, sets), [firsts @ .., last]) => {
            match (&ps[..], &sets[..]) {
                ([init @ .., end], [a, b]) => {
                    let init = match init {
                        [one] => one.clone(),
                        many => Pred { kind: PredKind::And(many.to_vec()), span: p.span },
                    };
                    runs_over(&init, firsts, a) && runs_over(end, std::slice::from_ref(last), b)
                }
                _ => false,
            }
        }
        _ => false,
    }
}

pub(super) fn is_tuple(e: &Expr, vars: &[Local]) -> bool {
    match (vars, &e.kind) {
        ([x], ExprKind::Local(id)) => *id == x.id,
        ([firsts @ .., last], ExprKind::Op(Op::Maplet, args)) if !firsts.is_empty() => match &args[..] {
            [a, b] => is_tuple(a, firsts) && is_tuple(b, std::slice::from_ref(last)),
            _ => false,
        },
        _ => false,
    }
}

/// Whether two expressions without binders are the same.
pub(super) fn same(a: &Expr, b: &Expr) -> bool {
    let all = |xs: &[Expr], ys: &[Expr]| xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| same(x, y));
    match (&a.kind, &b.kind) {
        (ExprKind::Lit(x), ExprKind::Lit(y)) => x == y,
        (ExprKind::Local(x), ExprKind::Local(y)) => x == y,
        (ExprKind::Const(x), ExprKind::Const(y)) => x == y,
        (ExprKind::Var(x), ExprKind::Var(y)) => x == y,
        (ExprKind::Given(x), ExprKind::Given(y)) => x == y,
        (ExprKind::Old(x), ExprKind::Old(y)) => x == y,
        (ExprKind::Op(o, xs), ExprKind::Op(p, ys)) => o == p && all(xs, ys),
        (ExprKind::SetExt(xs), ExprKind::SetExt(ys)) | (ExprKind::SeqExt(xs), ExprKind::SeqExt(ys)) => {
            all(xs, ys)
        }
        (ExprKind::Rec(xs), ExprKind::Rec(ys)) | (ExprKind::Struct(xs), ExprKind::Struct(ys)) => {
            a.ty == b.ty && all(xs, ys)
        }
        (ExprKind::Field(x, i), ExprKind::Field(y, j)) => i == j && x.ty == y.ty && same(x, y),
        _ => false,
    }
}
