//! Locals that expressions and predicates read.
//!
//! In: a formula. Out: calls of a visitor with each local that is read, its place, and whether it is read whenever the formula
//! is evaluated (an operand of `or`, a branch or the body of a quantifier may be left out). Conjuncts count as read: one that
//! can only be evaluated where others are true has no value anywhere.

use crate::ir::{Binder, Expr, ExprKind, LocalId, Pred, PredKind};
use crate::source::Span;

/// A visitor of reads: local, place, whether it is read in any case.
pub(super) type Visit<'v> = &'v mut dyn FnMut(LocalId, Span, bool);

/// The locals that an expression reads.
pub(super) fn expr(e: &Expr, sure: bool, visit: Visit<'_>) {
    match &e.kind {
        ExprKind::Local(id) => visit(*id, e.span, sure),
        ExprKind::Op(_, args)
        | ExprKind::External(_, args)
        | ExprKind::SetExt(args)
        | ExprKind::SeqExt(args)
        | ExprKind::Rec(args)
        | ExprKind::Struct(args) => args.iter().for_each(|a| expr(a, sure, visit)),
        ExprKind::Field(r, _) => expr(r, sure, visit),
        ExprKind::Construct(_, _, arg) => arg.iter().for_each(|a| expr(a, sure, visit)),
        ExprKind::Bool(p) => pred(p, sure, visit),
        ExprKind::Compr(b, _) => binder(b, visit),
        ExprKind::Image(s) | ExprKind::Lambda(s, _) | ExprKind::Fold(_, s) => {
            binder(&s.binder, visit);
            expr(&s.body, false, visit);
        }
        ExprKind::If(c, a, b) => {
            pred(c, sure, visit);
            expr(a, false, visit);
            expr(b, false, visit);
        }
        ExprKind::Let(_, value, body) => {
            expr(value, sure, visit);
            expr(body, sure, visit);
        }
        ExprKind::Lit(_)
        | ExprKind::Const(_)
        | ExprKind::Var(_)
        | ExprKind::Old(_)
        | ExprKind::Given(_)
        | ExprKind::FreeSet(_) => {}
    }
}

/// The locals that a predicate reads.
pub(super) fn pred(p: &Pred, sure: bool, visit: Visit<'_>) {
    match &p.kind {
        PredKind::True | PredKind::False => {}
        PredKind::And(all) => all.iter().for_each(|p| pred(p, sure, visit)),
        PredKind::Or(all) => all.iter().enumerate().for_each(|(i, p)| pred(p, sure && i == 0, visit)),
        PredKind::Implies(a, b) => {
            pred(a, sure, visit);
            pred(b, false, visit);
        }
        PredKind::Iff(a, b) => {
            pred(a, sure, visit);
            pred(b, sure, visit);
        }
        PredKind::Not(a) => pred(a, sure, visit),
        PredKind::Op(_, args) | PredKind::External(_, args) => args.iter().for_each(|a| expr(a, sure, visit)),
        PredKind::Forall(s) => {
            binder(&s.binder, visit);
            pred(&s.body, false, visit);
        }
        PredKind::Exists(b) => binder(b, visit),
        PredKind::If(c, a, b) => {
            pred(c, sure, visit);
            pred(a, false, visit);
            pred(b, false, visit);
        }
        PredKind::Let(_, value, body) => {
            expr(value, sure, visit);
            pred(body, sure, visit);
        }
    }
}

fn binder(b: &Binder, visit: Visit<'_>) {
    pred(&b.pred, false, visit);
}
