//! Existential conjuncts that say where a variable's values come from.
//!
//! In: the variables and the predicate of an ANY. Out: `x` with `#u.(u : S & x = E)` is solved for `x` and `u`
//! together, so that the equation gives the candidates instead of all values of a type. A solution may then be met
//! more than once, so only those ask for it whose outcomes lose duplicates later. Lifted is only what always has a
//! value, since faults of a quantified predicate count differently from those of a conjunct.

use super::bind::Then;
use super::free::pred_mentions;
use super::{Env, Lower, Res};
use crate::ir::{Binder, Expr, ExprKind, Local, LocalId, Pred, PredKind};
use crate::ops::Op;

impl<'a> Lower<'a> {
    /// As [`Lower::solve`], but a solution may be met again and again.
    pub(super) fn solve_any(&mut self, b: &Binder, env: &Env, then: Then<'_, 'a>) -> Res<()> {
        let mut vars: Vec<Local> = b.vars.clone();
        let mut all: Vec<&Pred> = Vec::new();
        for p in b.pred.conjuncts() {
            match &p.kind {
                PredKind::Exists(inner) if gives(inner, &b.vars) && !clash(&inner.vars, &vars) => {
                    vars.extend(inner.vars.iter().cloned());
                    all.push(&inner.pred);
                }
                _ => all.push(p),
            }
        }
        if vars.len() > b.vars.len() {
            self.disorder();
        }
        self.solve(&vars, &all, env, then)
    }
}

fn clash(new: &[Local], old: &[Local]) -> bool {
    new.iter().any(|n| old.iter().any(|o| o.id == n.id))
}

/// Whether one of the conjuncts determines one of the variables, and nothing in it can be without value.
fn gives(inner: &Binder, vars: &[Local]) -> bool {
    let outer: Vec<LocalId> = vars.iter().map(|v| v.id).collect();
    let conjuncts = inner.pred.conjuncts();
    let is_outer = |e: &Expr| matches!(e.kind, ExprKind::Local(l) if outer.contains(&l));
    let equation = |p: &&Pred| match &p.kind {
        PredKind::Op(Op::Eq, args) => args.iter().any(is_outer),
        _ => false,
    };
    conjuncts.iter().any(equation)
        && conjuncts.iter().all(|p| safe(p))
        // Its own variables must have candidates that do not depend on those outside.
        && conjuncts.iter().any(|p| !pred_mentions(p, &outer))
}

/// Whether an atomic predicate always has a value.
fn safe(p: &Pred) -> bool {
    match &p.kind {
        PredKind::Op(Op::Eq | Op::Neq | Op::In | Op::NotIn | Op::Subset, args) => args.iter().all(total),
        _ => false,
    }
}

/// Whether an expression always has a value.
fn total(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(_)
        | ExprKind::Var(_)
        | ExprKind::Const(_)
        | ExprKind::Given(_)
        | ExprKind::Lit(_) => true,
        ExprKind::SetExt(items) => items.iter().all(total),
        ExprKind::Op(op, args) => {
            matches!(
                op,
                Op::Union
                    | Op::Inter
                    | Op::Diff
                    | Op::Maplet
                    | Op::Product
                    | Op::Dom
                    | Op::Ran
                    | Op::Image
                    | Op::Inverse
                    | Op::DomRes
                    | Op::DomSub
                    | Op::RanRes
                    | Op::RanSub
                    | Op::Override
                    | Op::BoolSet
            ) && args.iter().all(total)
        }
        _ => false,
    }
}
