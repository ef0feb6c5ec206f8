//! Which tests say the same as the conjunct they were taken from, once they have said anything.
//!
//! In: a predicate. Out: whether everything in it has a value whatever becomes of the cells, functions that are applied
//! apart (`defined`). A test of such a predicate is never void: what it was found to be is what the evaluator would say, so
//! that a conjunct need not be evaluated again at each solution.

use crate::eval::walk;
use crate::ir::{Binder, Expr, ExprKind, Pred, PredKind};
use crate::ops::Op;
use crate::ty::Ty;

/// Whether nothing in a predicate can be without a value but applications.
pub(super) fn always_has_value(p: &Pred) -> bool {
    let mut fine = plain(p);
    walk::pred(p, &mut |e| fine &= total(e));
    fine
}

/// Whether a predicate has a value if its expressions have.
fn plain(p: &Pred) -> bool {
    match &p.kind {
        PredKind::And(ps) | PredKind::Or(ps) => ps.iter().all(plain),
        PredKind::Implies(a, b) | PredKind::Iff(a, b) => plain(a) && plain(b),
        PredKind::Not(a) => plain(a),
        PredKind::Forall(s) => bounded(&s.binder) && plain(&s.body),
        PredKind::Exists(b) => bounded(b),
        PredKind::Op(op, _) => matches!(
            op,
            Op::Eq
                | Op::Neq
                | Op::Lt
                | Op::Le
                | Op::Gt
                | Op::Ge
                | Op::In
                | Op::NotIn
                | Op::Subset
                | Op::NotSubset
                | Op::StrictSubset
                | Op::NotStrictSubset
        ),
        PredKind::True | PredKind::False => true,
        PredKind::If(..) | PredKind::Let(..) | PredKind::External(..) => false,
    }
}

/// Whether the variables of a binder have finitely many values, whatever its predicate says.
fn bounded(b: &Binder) -> bool {
    b.vars.iter().all(|v| is_finite(&v.ty)) && plain(&b.pred)
}

/// Whether an expression has a value if its parts have.
fn total(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(_)
        | ExprKind::Const(_)
        | ExprKind::Var(_)
        | ExprKind::Given(_)
        | ExprKind::Lit(_)
        | ExprKind::SetExt(_)
        | ExprKind::SeqExt(_)
        | ExprKind::Rec(_)
        | ExprKind::Field(..) => true,
        ExprKind::Compr(b, _) => bounded(b),
        ExprKind::Op(Op::Card, of) => of.iter().all(|s| is_finite(&s.ty)),
        ExprKind::Op(op, _) => matches!(
            op,
            Op::Apply
                | Op::Add
                | Op::Sub
                | Op::Mul
                | Op::Neg
                | Op::Maplet
                | Op::Interval
                | Op::Union
                | Op::Inter
                | Op::Diff
                | Op::Product
                | Op::Dom
                | Op::Ran
                | Op::Inverse
                | Op::Image
        ),
        _ => false,
    }
}

/// Whether a type has finitely many values, by its form.
fn is_finite(ty: &Ty) -> bool {
    match ty {
        Ty::Bool | Ty::Given(_) => true,
        Ty::Pow(t) => is_finite(t),
        Ty::Pair(a, b) => is_finite(a) && is_finite(b),
        Ty::Rec(fields) => fields.iter().all(|(_, t)| is_finite(t)),
        Ty::Int | Ty::Str | Ty::Real | Ty::Free(_) | Ty::Any => false,
    }
}
