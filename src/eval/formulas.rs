//! Predicates made by the solver itself: an operator applied, an equation for a local.

use crate::ir::{Expr, ExprKind, Local, Pred, PredKind};
use crate::ops::Op;

/// A predicate `op(args)` placed at its first argument.
pub(super) fn op_pred(op: Op, args: Vec<Expr>) -> Pred {
    let span = args.first().map(|a| a.span).unwrap_or_default();
    Pred { kind: PredKind::Op(op, args), span }
}

/// `x = e`.
pub(super) fn equation(x: &Local, e: &Expr) -> Pred {
    let x = Expr { kind: ExprKind::Local(x.id), ty: x.ty.clone(), span: e.span };
    op_pred(Op::Eq, vec![x, e.clone()])
}
