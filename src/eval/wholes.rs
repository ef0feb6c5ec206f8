//! Wholes of partitions: what `@partition(S, A, B)` says of S by itself.
//!
//! In: conjuncts, unknowns. Out: `S = union({A, B})` for each unknown whole of an infinite type, whose members are nowhere else to be
//! found than in the parts. Absent: that the parts are disjoint, which the partition itself says.

use super::finite::infinite;
use super::problem::{Unknown, slot_of};
use crate::ir::{Expr, ExprKind, Pred, PredKind};
use crate::ops::Op;
use crate::ty::Ty;

/// The equations of wholes with their parts.
pub(super) fn wholes(conjuncts: &[Pred], unknowns: &[Unknown]) -> Vec<Pred> {
    let equation = |p: &Pred| {
        let PredKind::Op(Op::Partition, args) = &p.kind else { return None };
        let (whole, parts) = args.split_first()?;
        let slot = slot_of(whole)?;
        if !infinite(&whole.ty) || unknowns.iter().all(|u| u.slot != slot) {
            return None;
        }
        let expr = |kind, ty| Expr { kind, ty, span: p.span };
        let list = expr(ExprKind::SetExt(parts.to_vec()), Ty::pow(whole.ty.clone()));
        let union = expr(ExprKind::Op(Op::BigUnion, vec![list]), whole.ty.clone());
        Some(Pred { kind: PredKind::Op(Op::Eq, vec![whole.clone(), union]), span: p.span })
    };
    conjuncts.iter().filter_map(equation).collect()
}
