//! Sets that equations make one: what is said of the one holds of the other, so that `p <: S & p = x & card(x) = 1` offers for p
//! the sets of one member only.
//!
//! In: the conjuncts of a problem with its unknowns. Out: memberships, inclusions and comparisons of a set and of its size, with
//! one name instead of another. Nothing of it need be tested, since the equations are. Absent: scalars, whose domains an equation
//! makes one anyway, and what is said of values that are made of the set.

use super::problem::Unknown;
use crate::ir::{Expr, ExprKind, Pred, PredKind};
use crate::ops::Op;
use crate::ty::Ty;

/// Most names of one set: each is told what is said of all others.
const MOST: usize = 8;

/// What follows from equations between unknown sets.
pub(super) fn conjuncts(conjuncts: &[Pred], unknowns: &[Unknown]) -> Vec<Pred> {
    let mut out: Vec<Pred> = Vec::new();
    for class in classes(conjuncts, unknowns).iter().filter(|c| c.len() <= MOST) {
        for c in conjuncts {
            let PredKind::Op(op, args) = &c.kind else { continue };
            // An equation between two names says nothing more of them.
            if !is_bound(*op) || args.iter().all(|e| is_among(e, class)) {
                continue;
            }
            for from in class.iter().filter(|u| args.iter().any(|e| u.slot.is_read_by(e))) {
                out.extend(class.iter().filter(|to| to.slot != from.slot).filter_map(|to| {
                    let args = args.iter().map(|e| with(e, from, to)).collect::<Option<_>>()?;
                    Some(Pred { kind: PredKind::Op(*op, args), span: c.span })
                }));
            }
        }
    }
    out
}

/// Whether an operator bounds a set, or a number that is read off one.
fn is_bound(op: Op) -> bool {
    use Op::{Eq, Ge, Gt, In, Le, Lt, StrictSubset, Subset};
    matches!(op, In | Subset | StrictSubset | Eq | Le | Lt | Ge | Gt)
}

/// Unknown sets that equations make one, each class with two members at least.
fn classes<'u>(conjuncts: &[Pred], unknowns: &'u [Unknown]) -> Vec<Vec<&'u Unknown>> {
    let mut classes: Vec<Vec<&Unknown>> = Vec::new();
    for c in conjuncts {
        let PredKind::Op(Op::Eq, sides) = &c.kind else { continue };
        let unknown = |e| unknowns.iter().find(|u| u.is(e) && matches!(u.ty, Ty::Pow(_)));
        let [Some(a), Some(b)] = [0, 1].map(|i| sides.get(i).and_then(unknown)) else { continue };
        let mut one = Vec::new();
        for u in [a, b] {
            match classes.iter().position(|class| class.iter().any(|v| v.slot == u.slot)) {
                Some(at) => one.extend(classes.swap_remove(at)),
                None if one.iter().any(|v: &&Unknown| v.slot == u.slot) => {}
                None => one.push(u),
            }
        }
        classes.push(one);
    }
    classes.retain(|class| class.len() > 1);
    classes
}

fn is_among(e: &Expr, class: &[&Unknown]) -> bool {
    class.iter().any(|u| u.is(e))
}

/// One side of a conjunct with one name instead of another; `None` if the name is in it but neither it nor its size is the side.
fn with(e: &Expr, from: &Unknown, to: &Unknown) -> Option<Expr> {
    if from.is(e) {
        return Some(Expr { kind: to.slot.kind(), ty: e.ty.clone(), span: e.span });
    }
    match &e.kind {
        ExprKind::Op(Op::Card, sets) => {
            let sets = sets.iter().map(|s| with(s, from, to)).collect::<Option<_>>()?;
            Some(Expr { kind: ExprKind::Op(Op::Card, sets), ty: e.ty.clone(), span: e.span })
        }
        _ => (!from.slot.is_read_by(e)).then(|| e.clone()),
    }
}
