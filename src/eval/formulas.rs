//! Small services on formulas for the solver: predicates it makes itself, and what is evaluated in any case.

use crate::ir::{Expr, ExprKind, Local, Pred, PredKind};
use crate::ops::Op;

/// A predicate `op(args)` placed at its first argument.
pub(crate) fn op_pred(op: Op, args: Vec<Expr>) -> Pred {
    let span = args.first().map(|a| a.span).unwrap_or_default();
    Pred { kind: PredKind::Op(op, args), span }
}

/// `x = e`.
pub(crate) fn equation(x: &Local, e: &Expr) -> Pred {
    let x = Expr { kind: ExprKind::Local(x.id), ty: x.ty.clone(), span: e.span };
    op_pred(Op::Eq, vec![x, e.clone()])
}

/// Calls `f` on the sub-expressions that are evaluated whenever the expression is.
pub(super) fn strict<'a>(e: &'a Expr, f: &mut dyn FnMut(&'a Expr)) {
    f(e);
    match &e.kind {
        ExprKind::Op(_, es) | ExprKind::SetExt(es) | ExprKind::SeqExt(es) | ExprKind::Rec(es) => {
            es.iter().for_each(|e| strict(e, f));
        }
        ExprKind::Field(e, _) => strict(e, f),
        _ => {}
    }
}
