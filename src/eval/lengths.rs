//! Sequences that are no longer than something: `s : seq(S) & size(s) <= n` says `s : 1..n +-> S`, and that s has a value at i
//! if it has one at i + 1.
//!
//! In: the conjuncts of a problem with its unknowns. Out: what follows of a sequence whose size has an upper bound and is not
//! known: candidates, which `seq(S)` alone would offer without an end. Nothing of it need be tested, since the
//! conjuncts that it follows from are.

use super::finite::{estimate, infinite};
use super::pointwise::same;
use super::problem::Unknown;
use super::sizes::{mentions, placed, typing};
use super::walk;
use crate::ir::{Expr, ExprKind, Pred, PredKind};
use crate::ops::{Op, World};
use crate::ty::Ty;
use crate::value::Value;

/// Longest sequences whose places are told one by one.
const LONGEST: i64 = 64;

/// What upper bounds of sizes say.
pub(super) fn conjuncts(conjuncts: &[Pred], unknowns: &[Unknown], world: &World) -> Vec<Pred> {
    let mut out = Vec::new();
    let mut done: Vec<&Expr> = Vec::new();
    for c in conjuncts {
        let Some((s, most)) = bound(c) else { continue };
        let open = unknowns.iter().any(|u| u.is(s)) && !done.iter().any(|d| same(d, s));
        if !open || is_sized(s, conjuncts, unknowns) || mentions(&most, s) {
            continue;
        }
        // Parts of a problem are problems again, with what has been found for the whole.
        if conjuncts.iter().any(|c| is_partial(c, s)) {
            continue;
        }
        if let Some((base, injective)) = typing(s, conjuncts).filter(|(base, _)| !mentions(base, s)) {
            done.push(s);
            let most = if injective { within(most, &base.ty, world) } else { most };
            let arrow = if injective { Op::PartialInj } else { Op::PartialFun };
            out.push(placed(s, &most, arrow, base, s.span));
            out.extend(places(s, &most));
        }
    }
    out
}

/// Whether a conjunct says that a set is a partial function.
fn is_partial(c: &Pred, s: &Expr) -> bool {
    let PredKind::Op(Op::In, sides) = &c.kind else { return false };
    let [x, space] = &sides[..] else { return false };
    let partial = matches!(space.kind, ExprKind::Op(Op::PartialFun | Op::PartialInj, _));
    partial && same(x, s)
}

/// The set and the bound of `size(s) <= n` and its like.
fn bound(c: &Pred) -> Option<(&Expr, Expr)> {
    let PredKind::Op(op, sides) = &c.kind else { return None };
    let [a, b] = &sides[..] else { return None };
    match (op, size_of(a), size_of(b)) {
        (Op::Le, Some(s), _) => Some((s, b.clone())),
        (Op::Ge, _, Some(s)) => Some((s, a.clone())),
        (Op::Lt, Some(s), _) => Some((s, before(b))),
        (Op::Gt, _, Some(s)) => Some((s, before(a))),
        (Op::In, Some(s), _) => match &b.kind {
            ExprKind::Op(Op::Interval, ends) => Some((s, ends.get(1)?.clone())),
            _ => None,
        },
        _ => None,
    }
}

fn size_of(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Op(Op::Size | Op::Card, args) => args.first(),
        _ => None,
    }
}

/// Whether an expression has a value if its parts have: by its operator.
fn has_value(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Op(op, _) => matches!(
            op,
            Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::Card | Op::Size | Op::Dom | Op::Ran | Op::Interval
        ),
        _ => true,
    }
}

/// Whether an equation gives the size of a sequence: not by itself, nor by the size of what is sought, too, nor by what may lack a
/// value: where it does, another conjunct may be false for each sequence that is short enough.
fn is_sized(s: &Expr, conjuncts: &[Pred], unknowns: &[Unknown]) -> bool {
    let is_size = |e: &Expr| size_of(e).is_some_and(|x| same(x, s));
    let gives = |e: &Expr| {
        let mut gives = true;
        walk::expr(e, &mut |e| {
            gives &=
                has_value(e) && !same(e, s) && !size_of(e).is_some_and(|x| unknowns.iter().any(|u| u.is(x)));
        });
        gives
    };
    conjuncts.iter().any(|c| match &c.kind {
        PredKind::Op(Op::Eq, sides) => match &sides[..] {
            [a, b] => is_size(a) && gives(b) || is_size(b) && gives(a),
            _ => false,
        },
        _ => false,
    })
}

/// That no place is left out.
fn places(s: &Expr, most: &Expr) -> Vec<Pred> {
    let span = s.span;
    let dom = || Expr::op(Op::Dom, vec![s.clone()], Ty::pow(Ty::Int), span);
    match most.kind {
        ExprKind::Lit(Value::Int(n)) if n <= LONGEST => (1..n)
            .map(|i| {
                let at = |i| Pred { kind: PredKind::Op(Op::In, vec![Expr::int(i, span), dom()]), span };
                Pred { kind: PredKind::Implies(Box::new(at(i + 1)), Box::new(at(i))), span }
            })
            .collect(),
        _ => {
            let size = Expr::op(Op::Card, vec![s.clone()], Ty::Int, span);
            let all = Expr::op(Op::Interval, vec![Expr::int(1, span), size], Ty::pow(Ty::Int), span);
            vec![Pred { kind: PredKind::Op(Op::Eq, vec![dom(), all]), span }]
        }
    }
}

/// A bound of the length of sequences without repetition: there are no more places than members of the type.
fn within(most: Expr, base: &Ty, world: &World) -> Expr {
    let members =
        base.elem().filter(|ty| !infinite(ty)).and_then(|ty| i64::try_from(estimate(ty, world)).ok());
    match (&most.kind, members) {
        (_, None) => most,
        (ExprKind::Lit(Value::Int(n)), Some(members)) => Expr::int(members.min(*n), most.span),
        (_, Some(members)) => {
            let span = most.span;
            let both = vec![most, Expr::int(members, span)];
            let both = Expr { kind: ExprKind::SetExt(both), ty: Ty::pow(Ty::Int), span };
            Expr::op(Op::Min, vec![both], Ty::Int, span)
        }
    }
}

/// `e - 1`.
fn before(e: &Expr) -> Expr {
    match e.kind {
        ExprKind::Lit(Value::Int(n)) if n > i64::MIN => Expr::int(n - 1, e.span),
        _ => Expr::op(Op::Sub, vec![e.clone(), Expr::int(1, e.span)], Ty::Int, e.span),
    }
}
