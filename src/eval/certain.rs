//! Applications that certainly have a value: in a comprehension that is kept unlisted, none of those that would make its conjunct
//! false is outside the domain of its function, whatever the members are.
//!
//! In: a conjunct that gives an unknown a value, that value's expression, an environment in which all else is known. Out: yes if
//! each function is one (a list, a lambda, any member of a set of functions) whose domain includes what its argument may be by
//! `reach`; then the members need not be listed to learn it. No where that says nothing. Operators on sequences are not looked at.

use super::problem::Conj;
use super::reach::Known;
use super::walk;
use super::{Env, Evaluator};
use crate::ir::{Binder, Expr, ExprKind, Pred, PredKind};
use crate::ops::Op;
use crate::source::Span;

impl Evaluator {
    /// Whether no application in a value makes its conjunct false.
    pub(super) fn has_values(&self, conj: &Conj, value: &Expr, env: &Env) -> bool {
        let Some(places) = conj.soft_applications() else { return false };
        // What the conjunct says beside the value is not looked at here.
        let (mut all, mut within) = (0, 0);
        let counted = |e: &Expr| usize::from(applies(e) && places.contains(&e.span));
        walk::pred(&conj.pred, &mut |e| all += counted(e));
        walk::expr(value, &mut |e| within += counted(e));
        if all != within {
            return false;
        }
        // Variables have no value but what is known of them: none is left from another evaluation.
        let mut env = env.clone();
        let mut bound = Vec::new();
        walk::bound_in_expr(value, &mut bound);
        bound.into_iter().for_each(|id| env.set_local(id, None));
        Walk { ev: self, places, known: Known::default(), env }.expr(value)
    }
}

fn applies(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Op(Op::Apply, _))
}

struct Walk<'a> {
    ev: &'a Evaluator,
    /// Where the applications stand.
    places: Vec<Span>,
    known: Known<'a>,
    env: Env,
}

impl Walk<'_> {
    /// Whether all applications in an expression have values.
    fn expr(&mut self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Op(_, es)
            | ExprKind::External(_, es)
            | ExprKind::SetExt(es)
            | ExprKind::SeqExt(es)
            | ExprKind::Rec(es)
            | ExprKind::Struct(es) => es.iter().all(|e| self.expr(e)) && self.has_value(e),
            ExprKind::Field(e, _) | ExprKind::Construct(_, _, Some(e)) => self.expr(e),
            ExprKind::Bool(p) => self.pred(p),
            ExprKind::Compr(b, _) => self.within(b, |w| w.pred(&b.pred)),
            ExprKind::Image(s) | ExprKind::Lambda(s, _) | ExprKind::Fold(_, s) => {
                self.within(&s.binder, |w| w.pred(&s.binder.pred) && w.expr(&s.body))
            }
            ExprKind::If(p, a, b) => self.pred(p) && self.expr(a) && self.expr(b),
            ExprKind::Let(_, a, b) => self.expr(a) && self.expr(b),
            ExprKind::Lit(_)
            | ExprKind::Local(_)
            | ExprKind::Const(_)
            | ExprKind::Var(_)
            | ExprKind::Old(_)
            | ExprKind::Given(_)
            | ExprKind::Construct(_, _, None)
            | ExprKind::FreeSet(_) => true,
        }
    }

    fn pred(&mut self, p: &Pred) -> bool {
        match &p.kind {
            PredKind::True | PredKind::False => true,
            PredKind::And(ps) | PredKind::Or(ps) => ps.iter().all(|p| self.pred(p)),
            PredKind::Implies(a, b) | PredKind::Iff(a, b) => self.pred(a) && self.pred(b),
            PredKind::Not(a) => self.pred(a),
            PredKind::Op(_, es) | PredKind::External(_, es) => es.iter().all(|e| self.expr(e)),
            PredKind::Forall(s) => self.within(&s.binder, |w| w.pred(&s.binder.pred) && w.pred(&s.body)),
            PredKind::Exists(b) => self.within(b, |w| w.pred(&b.pred)),
            PredKind::If(c, a, b) => self.pred(c) && self.pred(a) && self.pred(b),
            PredKind::Let(_, e, p) => self.expr(e) && self.pred(p),
        }
    }

    /// What holds where a binder's variables are what its predicate says.
    fn within(&mut self, binder: &Binder, f: impl FnOnce(&mut Self) -> bool) -> bool {
        let before = self.known.vars.len();
        self.ev.enter(binder, &mut self.known, &mut self.env);
        let all = f(self);
        self.known.vars.truncate(before);
        all
    }

    /// Whether an application has a value whatever the variables are.
    fn has_value(&mut self, e: &Expr) -> bool {
        let ExprKind::Op(Op::Apply, args) = &e.kind else { return true };
        let [f, x] = &args[..] else { return true };
        !self.places.contains(&e.span) || self.ev.always_applies(f, x, &mut self.known, &mut self.env)
    }
}
