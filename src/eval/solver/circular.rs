//! Sets that equations give in terms of themselves: `c = {r, s | r : 1..n & s = g(r |-> c(r - 1))}`.
//!
//! In: a conjunct. Out: the same as two universal quantifiers, whose instances `expand` makes: what has the property is
//! in the set, and what is in the set has the property. A comprehension as a whole says little before all that it reads is
//! decided. Other equations give values without search, and stay.

use super::Search;
use crate::eval::implied::NOBODY;
use crate::eval::problem::tuple_expr;
use crate::ir::{Binder, Expr, ExprKind, Pred, PredKind, Scoped};
use crate::ops::Op;
use std::sync::Arc;

impl Search<'_> {
    /// Such an equation, taken apart.
    pub(super) fn circular(&self, p: &Pred) -> Option<Pred> {
        let PredKind::Op(Op::Eq, sides) = &p.kind else { return None };
        let [a, b] = &sides[..] else { return None };
        self.both_ways(p, a, b).or_else(|| self.both_ways(p, b, a))
    }

    /// The two quantifiers for `set = {x | P}`, where P reads the set that is searched for.
    fn both_ways(&self, p: &Pred, set: &Expr, e: &Expr) -> Option<Pred> {
        let ExprKind::Compr(binder, _) = &e.kind else { return None };
        let var = self.run.problem.unknown_of(set).filter(|var| self.shapes.contains_key(var))?;
        if !self.run.problem.reads(e).contains(var) {
            return None;
        }
        let of = |kind| Pred { kind, span: p.span };
        let inside = of(PredKind::Op(Op::In, vec![tuple_expr(&binder.vars, e.span)?, set.clone()]));
        let members = Binder {
            vars: binder.vars.clone(),
            pred: inside.clone(),
            captures: binder.captures.clone(),
            id: NOBODY,
            ..**binder
        };
        let each = |binder, body| of(PredKind::Forall(Arc::new(Scoped { binder, body })));
        let there = each(binder.clone(), inside);
        let back = each(Arc::new(members), binder.pred.clone());
        Some(of(PredKind::And(vec![there, back])))
    }
}
