//! What equations with sets written out say of their members: `{a, b, c} = S` says `a : S` and so on, and that they differ if
//! S has as many members as are written.
//!
//! In: the conjuncts of a problem with its unknowns. Out: memberships and disequalities that follow. Nothing of it need be
//! tested, since the equations are: it makes candidates finite, and fewer.

use super::pointwise::same;
use super::problem::Unknown;
use super::walk;
use crate::ir::{Expr, ExprKind, Pred, PredKind};
use crate::ops::{Op, World};
use crate::value::Value;

/// Most members that are told to differ.
const MOST: usize = 64;

/// What follows from equations with sets that are written out.
pub(super) fn conjuncts(conjuncts: &[Pred], unknowns: &[Unknown], world: &World) -> Vec<Pred> {
    let mut out = Vec::new();
    for c in conjuncts {
        let PredKind::Op(Op::Eq, sides) = &c.kind else { continue };
        let [a, b] = &sides[..] else { continue };
        for (written, whole) in [(a, b), (b, a)] {
            let ExprKind::SetExt(items) = &written.kind else { continue };
            let open = |e: &Expr| unknowns.iter().any(|u| u.is(e));
            let Some(first) = items.iter().find(|x| open(x)) else { continue };
            // Parts of a problem are problems again, with what has been found for the whole.
            if reads_any(whole, unknowns) || conjuncts.iter().any(|c| is_member(c, first, whole)) {
                continue;
            }
            let op = |op, x: &Expr, y: &Expr| Pred {
                kind: PredKind::Op(op, vec![x.clone(), y.clone()]),
                span: c.span,
            };
            out.extend(items.iter().filter(|x| open(x)).map(|x| op(Op::In, x, whole)));
            if items.len() <= MOST && size(whole, world) == Some(items.len()) {
                for (i, x) in items.iter().enumerate() {
                    out.extend(items.iter().take(i).map(|y| op(Op::Neq, y, x)));
                }
            }
        }
    }
    out
}

/// Whether a conjunct is `x : set`.
fn is_member(c: &Pred, x: &Expr, set: &Expr) -> bool {
    match &c.kind {
        PredKind::Op(Op::In, sides) => matches!(&sides[..], [y, s] if same(x, y) && same(s, set)),
        _ => false,
    }
}

fn reads_any(e: &Expr, unknowns: &[Unknown]) -> bool {
    walk::expr_has(e, |e| unknowns.iter().any(|u| u.is(e)))
}

/// How many members a set has, by its form.
fn size(set: &Expr, world: &World) -> Option<usize> {
    match &set.kind {
        ExprKind::Op(Op::Interval, ends) => match &ends[..] {
            [
                Expr { kind: ExprKind::Lit(Value::Int(a)), .. },
                Expr { kind: ExprKind::Lit(Value::Int(b)), .. },
            ] => usize::try_from(b.checked_sub(*a)?.checked_add(1)?).ok(),
            _ => None,
        },
        ExprKind::Lit(Value::Set(s)) => Some(s.len()),
        ExprKind::Given(id) => world.card.get(id.0 as usize).map(|n| *n as usize),
        ExprKind::Op(Op::BoolSet, _) => Some(2),
        ExprKind::SetExt(items) => {
            let mut values = items
                .iter()
                .map(|x| match &x.kind {
                    ExprKind::Lit(v) => Some(v.clone()),
                    _ => None,
                })
                .collect::<Option<Vec<Value>>>()?;
            values.sort_unstable();
            values.dedup();
            Some(values.len())
        }
        _ => None,
    }
}
