//! What equations say of sets without being memberships: `s : seq(S) & size(s) = n` says `s : 1..n --> S`, and
//! `f(x) = e` for a relation f of which nothing else is known says `f[{x}] = {e}`.
//!
//! In: the conjuncts of a problem with its unknowns. Out: the conjuncts that follow from such equations. The
//! equations themselves stay and are tested; the others only make candidates finite, or fewer. `size(s)` has a
//! value for sequences only, so that `size(s) = n` alone says that s is one.

use super::problem::Unknown;
use super::splits::whole;
use super::walk;
use crate::ir::{Expr, ExprKind, Pred, PredKind};
use crate::ops::Op;
use crate::source::Span;
use crate::ty::Ty;

/// The memberships that equations about sizes imply.
pub(super) fn memberships(conjuncts: &[Pred], unknowns: &[Unknown]) -> Vec<Pred> {
    let mut out = Vec::new();
    for c in conjuncts {
        let PredKind::Op(Op::Eq, sides) = &c.kind else { continue };
        let [a, b] = &sides[..] else { continue };
        let found = membership(a, b, conjuncts, unknowns).or_else(|| membership(b, a, conjuncts, unknowns));
        out.extend(found);
    }
    out
}

/// The images that equations about points of relations imply.
pub(super) fn images(conjuncts: &[Pred], unknowns: &[Unknown]) -> Vec<Pred> {
    let mut out = Vec::new();
    for c in conjuncts {
        let PredKind::Op(Op::Eq, sides) = &c.kind else { continue };
        let [a, b] = &sides[..] else { continue };
        for (point, e) in [(a, b), (b, a)] {
            let ExprKind::Op(Op::Apply, args) = &point.kind else { continue };
            let [f, x] = &args[..] else { continue };
            if !unknowns.iter().any(|u| u.is(f)) || typed(f, conjuncts) {
                continue;
            }
            let one = |e: &Expr| Expr {
                kind: ExprKind::SetExt(vec![e.clone()]),
                ty: Ty::pow(e.ty.clone()),
                span: e.span,
            };
            let image = ExprKind::Op(Op::Image, vec![f.clone(), one(x)]);
            let image = Expr { kind: image, ty: Ty::pow(e.ty.clone()), span: point.span };
            out.push(Pred { kind: PredKind::Op(Op::Eq, vec![image, one(e)]), span: c.span });
        }
    }
    out
}

/// Whether conjuncts give a relation by a membership or an equation.
fn typed(f: &Expr, conjuncts: &[Pred]) -> bool {
    conjuncts.iter().any(|c| match &c.kind {
        PredKind::Op(Op::In | Op::Eq, args) => args.iter().any(|a| super::pointwise::same(a, f)),
        _ => false,
    })
}

fn membership(size: &Expr, n: &Expr, conjuncts: &[Pred], unknowns: &[Unknown]) -> Option<Pred> {
    let ExprKind::Op(op @ (Op::Size | Op::Card), args) = &size.kind else { return None };
    let s = args.first()?;
    if !unknowns.iter().any(|u| u.is(s)) || mentions(n, s) {
        return None;
    }
    let (base, injective) = match typing(s, conjuncts) {
        Some(found) => found,
        None if *op == Op::Size => (whole(s.ty.sides()?.1, s.span)?, false),
        None => return None,
    };
    if mentions(&base, s) {
        return None;
    }
    let arrow = if injective { Op::TotalInj } else { Op::TotalFun };
    Some(placed(s, n, arrow, base, size.span))
}

/// `s : 1..n arrow base`.
pub(super) fn placed(s: &Expr, n: &Expr, arrow: Op, base: Expr, span: Span) -> Pred {
    let places = Expr::op(Op::Interval, vec![Expr::int(1, span), n.clone()], Ty::pow(Ty::Int), span);
    let space = Expr::op(arrow, vec![places, base], Ty::pow(s.ty.clone()), s.span);
    Pred { kind: PredKind::Op(Op::In, vec![s.clone(), space]), span }
}

/// The set that the elements of a sequence come from, and whether they differ.
pub(super) fn typing(s: &Expr, conjuncts: &[Pred]) -> Option<(Expr, bool)> {
    let of = |c| sequence(c).filter(|(x, ..)| super::pointwise::same(x, s));
    conjuncts.iter().find_map(of).map(|(_, base, injective)| (base.clone(), injective))
}

/// Of `s : seq(S)` and its like: s, S, and whether the elements differ.
pub(super) fn sequence(p: &Pred) -> Option<(&Expr, &Expr, bool)> {
    let PredKind::Op(Op::In, args) = &p.kind else { return None };
    let [s, set] = &args[..] else { return None };
    let ExprKind::Op(op @ (Op::Seq | Op::Seq1 | Op::Iseq | Op::Iseq1), base) = &set.kind else { return None };
    Some((s, base.first()?, matches!(op, Op::Iseq | Op::Iseq1)))
}

pub(super) fn mentions(e: &Expr, s: &Expr) -> bool {
    walk::expr_has(e, |e| super::pointwise::same(e, s))
}
