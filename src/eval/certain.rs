//! Applications that certainly have a value: in a comprehension that is kept unlisted, none of those that would make its conjunct
//! false is outside the domain of its function, whatever the members are.
//!
//! In: a conjunct that gives an unknown a value, that value's expression, an environment in which all else is known; or a binder
//! with what is said of its solutions, of which no operator is to be without a value. Out: yes if
//! each function is one (a list, a lambda, any member of a set of functions) whose domain includes what its argument may be by
//! `reach`, or is said to be by a condition around it; then the members need not be listed to learn it. No where that says nothing.
//! Operators on sequences are taken to lack one.

use super::pointwise::same;
use super::problem::Conj;
use super::reach::Known;
use super::walk;
use super::{Env, Evaluator};
use crate::ir::{Binder, Expr, ExprKind, Pred, PredKind};
use crate::ops::{Numbers, Op, hull};
use crate::source::Span;
use crate::ty::Ty;
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
        Walk { ev: self, places: Some(places), known: Known::default(), given: Vec::new(), env }.expr(value)
    }

    /// Whether nothing in a binder's predicate, and in what is said of its solutions, can be without a value.
    pub(super) fn is_total(&self, binder: &Binder, body: Option<&Expr>, env: Env) -> bool {
        let mut walk = Walk { ev: self, places: None, known: Known::default(), given: Vec::new(), env };
        walk.within(binder, |w| body.is_none_or(|e| w.expr(e)))
    }
}

fn applies(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Op(Op::Apply, _))
}

struct Walk<'a> {
    ev: &'a Evaluator,
    /// Where the applications stand that are asked for; `None` for all operators that may have no value.
    places: Option<Vec<Span>>,
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
        let asked = self.places.as_ref().map(|places| places.contains(&e.span));
        let ExprKind::Op(Op::Apply, args) = &e.kind else { return asked.is_some() || self.is_plain(e) };
        let [f, x] = &args[..] else { return true };
        if asked == Some(false) {
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

    /// Whether something that is no application has a value if its parts have.
    fn is_plain(&mut self, e: &Expr) -> bool {
        use Op::{BigInter, Div, Iterate, Max, Min, Mod, Power};
        let (op, args) = match &e.kind {
            ExprKind::External(..) => return false,
            ExprKind::Op(op, args) => (op, args),
            _ => return true,
        };
        match op {
            Div => args.get(1).is_some_and(|d| self.is_from(d, 1) || self.is_to(d, -1)),
            Mod => {
                args.first().is_some_and(|n| self.is_from(n, 0))
                    && args.get(1).is_some_and(|d| self.is_from(d, 1))
            }
            Power => args.get(1).is_some_and(|n| self.is_from(n, 0)),
            Min | Max | BigInter | Iterate => false,
            // The others that may lack a value are those on sequences and trees, which come last.
            op => *op < Op::Seq,
        }
    }

    /// Whether an integer is certainly no less than a bound.
    fn is_from(&mut self, e: &Expr, least: i64) -> bool {
        self.ends(e).is_some_and(|ends| ends.lo.is_some_and(|lo| lo >= least.into()))
    }

    /// Whether an integer is certainly no more than a bound.
    fn is_to(&mut self, e: &Expr, most: i64) -> bool {
        self.ends(e).is_some_and(|ends| ends.hi.is_some_and(|hi| hi <= most.into()))
    }

    /// The ends of an interval around all values of an integer.
    fn ends(&mut self, e: &Expr) -> Option<Numbers> {
        let around = self.ev.reach(e, &mut self.known, &mut self.env);
        hull(&around, &self.ev.cx(&Ty::Int))
    }
}
