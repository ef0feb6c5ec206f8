//! Applications that certainly have a value: in a comprehension that is kept unlisted, none of those that would make its conjunct
//! false is outside the domain of its function, whatever the members are.
//!
//! In: a conjunct that gives an unknown a value, that value's expression, an environment in which all else is known. Out: yes if
//! each function is one (a list, a lambda, any member of a set of functions) whose domain includes what its argument may be by
//! `reach`, or is said to be by a condition around it; then the members need not be listed to learn it. No where that says nothing.
//! Operators on sequences are not looked at.

use super::pointwise::same;
use super::problem::Conj;
use super::reach::Known;
use super::walk;
use super::{Env, Evaluator};
use crate::ir::{Binder, Expr, ExprKind, Pred, PredKind};
use crate::ops::Op;
use crate::source::Span;
use crate::value::Value;

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
        Walk { ev: self, places, known: Known::default(), given: Vec::new(), env }.expr(value)
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
    /// What holds where one stands, else it does not matter.
    given: Vec<&'a Pred>,
    env: Env,
}

impl<'a> Walk<'a> {
    /// Whether all applications in an expression have values.
    fn expr(&mut self, e: &'a Expr) -> bool {
        match &e.kind {
            ExprKind::Op(_, es)
            | ExprKind::External(_, es)
            | ExprKind::SetExt(es)
            | ExprKind::SeqExt(es)
            | ExprKind::Rec(es)
            | ExprKind::Struct(es) => es.iter().all(|e| self.expr(e)) && self.has_value(e),
            ExprKind::Field(e, _) | ExprKind::Construct(_, _, Some(e)) => self.expr(e),
            ExprKind::Bool(p) => self.pred(p),
            ExprKind::Compr(b, _) => self.within(b, |_| true),
            ExprKind::Image(s) | ExprKind::Lambda(s, _) | ExprKind::Fold(_, s) => {
                self.within(&s.binder, |w| w.expr(&s.body))
            }
            ExprKind::If(p, a, b) => self.pred(p) && self.where_holds(p, |w| w.expr(a)) && self.expr(b),
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

    fn pred(&mut self, p: &'a Pred) -> bool {
        match &p.kind {
            PredKind::True | PredKind::False => true,
            // A conjunct without a value does not matter where another one is false.
            PredKind::And(ps) => self.where_holds(p, |w| ps.iter().all(|p| w.pred(p))),
            PredKind::Or(ps) => ps.iter().all(|p| self.pred(p)),
            PredKind::Implies(a, b) => self.pred(a) && self.where_holds(a, |w| w.pred(b)),
            PredKind::Iff(a, b) => self.pred(a) && self.pred(b),
            PredKind::Not(a) => self.pred(a),
            PredKind::Op(_, es) | PredKind::External(_, es) => es.iter().all(|e| self.expr(e)),
            PredKind::Forall(s) => self.within(&s.binder, |w| w.pred(&s.body)),
            PredKind::Exists(b) => self.within(b, |_| true),
            PredKind::If(c, a, b) => self.pred(c) && self.where_holds(c, |w| w.pred(a)) && self.pred(b),
            PredKind::Let(_, e, p) => self.expr(e) && self.pred(p),
        }
    }

    /// What is so where a predicate holds.
    fn where_holds(&mut self, p: &'a Pred, f: impl FnOnce(&mut Self) -> bool) -> bool {
        let before = self.given.len();
        self.given.extend(p.conjuncts());
        let all = f(self);
        self.given.truncate(before);
        all
    }

    /// Whether all applications in a binder's predicate have values, and what is in its scope is so.
    fn within(&mut self, binder: &'a Binder, scope: impl FnOnce(&mut Self) -> bool) -> bool {
        let before = self.known.vars.len();
        self.ev.enter(binder, &mut self.known, &mut self.env);
        let all = self.where_holds(&binder.pred, |w| w.pred(&binder.pred) && scope(w));
        self.known.vars.truncate(before);
        all
    }

    /// Whether an application has a value whatever the variables are.
    fn has_value(&mut self, e: &Expr) -> bool {
        let ExprKind::Op(Op::Apply, args) = &e.kind else { return true };
        let [f, x] = &args[..] else { return true };
        if !self.places.contains(&e.span) {
            return true;
        }
        let Self { ev, known, given, env, .. } = self;
        let arguments = ev.reach(x, known, env);
        if ev.applies_on(f, &arguments, known, env) {
            return true;
        }
        // Or the argument is said to be where the function has values.
        let sets = given.iter().filter_map(|p| match &p.kind {
            PredKind::Op(Op::In, sides) => sides.first().filter(|y| same(y, x)).and(sides.get(1)),
            _ => None,
        });
        let of_domain = |set: &Expr| matches!(&set.kind, ExprKind::Op(Op::Dom, of) if of.first().is_some_and(|g| same(g, f)));
        for set in sets {
            let on = if of_domain(set) { Ok(Value::empty()) } else { ev.expr(set, env) };
            if on.is_ok_and(|on| ev.applies_on(f, &on, known, env)) {
                return true;
            }
        }
        false
    }
}
