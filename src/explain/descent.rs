//! From a predicate to the smallest part that decides it.
//!
//! In: a predicate that is true or false under the values of an environment. Out: the part. A conjunction is false for its first
//! false part, a disjunction for all of them together; `!` for the first choice that breaks it, `#` for want of one.

use super::{Explainer, Scope, Why};
use crate::eval::Env;
use crate::ir::{Binder, Expr, ExprKind, Local, Pred, PredKind};
use crate::ops::Op;
use crate::source::Span;
use crate::value::Value;
use std::ops::ControlFlow::{Break, Continue};

/// Most parts that are told where all decide together.
const PARTS: usize = 8;

impl Explainer<'_> {
    /// Why a predicate is what `holds` says.
    pub(super) fn descend(&self, p: &Pred, holds: bool, env: &mut Env, scope: &mut Scope) -> Why {
        match (&p.kind, holds) {
            (PredKind::And(ps), false) | (PredKind::Or(ps), true) => {
                match ps.iter().find(|q| self.is(q, holds, env)) {
                    Some(q) => self.descend(q, holds, env, scope),
                    None => self.leaf(p, holds, env, scope),
                }
            }
            (PredKind::And(ps), true) | (PredKind::Or(ps), false) => {
                let parts: Vec<(&Pred, bool)> = ps.iter().map(|q| (q, holds)).collect();
                self.together(p, holds, &parts, env, scope)
            }
            (PredKind::Implies(a, b), false) if is_constant(b) => self.descend(a, true, env, scope),
            (PredKind::Implies(_, b), false) => self.descend(b, false, env, scope),
            (PredKind::Implies(a, _), true) if self.is(a, false, env) => self.descend(a, false, env, scope),
            (PredKind::Implies(_, b), true) => self.descend(b, true, env, scope),
            (PredKind::Iff(a, b), _) => {
                let (x, y) = (self.is(a, true, env), self.is(b, true, env));
                self.together(p, holds, &[(a, x), (b, y)], env, scope)
            }
            (PredKind::Not(a), _) => self.descend(a, !holds, env, scope),
            (PredKind::If(c, a, b), _) => {
                let branch = if self.is(c, true, env) { a } else { b };
                self.descend(branch, holds, env, scope)
            }
            (PredKind::Let(id, e, q), _) => match self.ev.expr(e, env) {
                Ok(v) => {
                    env.set_local(*id, Some(v));
                    let known = scope.len();
                    scope.extend(self.name_of(*id, q));
                    let why = self.descend(q, holds, env, scope);
                    scope.truncate(known);
                    why
                }
                Err(_) => self.leaf(p, holds, env, scope),
            },
            (PredKind::Forall(s), false) => {
                let broken = |q: &Pred, env: &mut Env| self.is(q, false, env);
                let broken = self.choice(&s.binder, env, &mut |env| broken(&s.body, env));
                match broken.or_else(|| self.denying(&s.binder, &s.body, env)) {
                    // Nothing is said of the choice but that there is one.
                    Some(mut env) if is_constant(&s.body) => {
                        self.within(&s.binder.vars, &s.binder.pred, true, &mut env, scope)
                    }
                    Some(mut env) => self.within(&s.binder.vars, &s.body, false, &mut env, scope),
                    None => self.leaf(p, holds, env, scope),
                }
            }
            (PredKind::Exists(b), true) => match self.choice(b, env, &mut |_| true) {
                Some(mut env) => self.within(&b.vars, &b.pred, true, &mut env, scope),
                None => self.leaf(p, holds, env, scope),
            },
            (PredKind::Exists(b), false) => self.nothing(p, b, env, scope),
            (PredKind::Op(op @ (Op::Eq | Op::Neq), args), _) => match truth_value(args) {
                Some((q, wanted)) => self.descend(q, holds == (wanted == (*op == Op::Eq)), env, scope),
                None => self.leaf(p, holds, env, scope),
            },
            _ => self.leaf(p, holds, env, scope),
        }
    }

    /// Whether a predicate has that truth value.
    fn is(&self, p: &Pred, wanted: bool, env: &Env) -> bool {
        self.ev.pred(p, &mut env.clone()).is_ok_and(|holds| holds == wanted)
    }

    /// The first choice of a binder's variables that is as wanted.
    fn choice(&self, b: &Binder, env: &Env, wanted: &mut dyn FnMut(&mut Env) -> bool) -> Option<Env> {
        let mut found = None;
        let mut taken = |_: &_, env: &mut Env| {
            if !wanted(&mut env.clone()) {
                return Ok(Continue(()));
            }
            found = Some(env.clone());
            Ok(Break(()))
        };
        // What was found before evaluation could go no farther is one.
        let _ = self.ev.solutions(b, &mut env.clone(), &mut taken);
        found
    }

    /// A choice of a binder's variables that breaks a predicate, found from what would break it.
    fn denying(&self, b: &Binder, body: &Pred, env: &Env) -> Option<Env> {
        let denial = Pred { span: body.span, kind: PredKind::Not(Box::new(body.clone())) };
        let mut found = None;
        let _ = self.ev.solve(&b.vars, &[&b.pred, &denial], &mut env.clone(), &mut |_, env| {
            found = Some(env.clone());
            Ok(Break(()))
        });
        found
    }

    /// A part under the values of variables that were chosen.
    fn within(&self, vars: &[Local], p: &Pred, holds: bool, env: &mut Env, scope: &mut Scope) -> Why {
        let known = scope.len();
        scope.extend(vars.iter().cloned());
        let why = self.descend(p, holds, env, scope);
        scope.truncate(known);
        why
    }

    /// Parts that decide together.
    fn together(
        &self,
        p: &Pred,
        holds: bool,
        parts: &[(&Pred, bool)],
        env: &mut Env,
        scope: &mut Scope,
    ) -> Why {
        let shown = parts.iter().take(PARTS);
        let parts = shown.map(|(q, holds)| self.descend(q, *holds, &mut env.clone(), scope)).collect();
        Why { parts, values: Vec::new(), ..self.leaf(p, holds, env, scope) }
    }

    /// `#x.(P)` that is false: of the choices for which most conjuncts at the beginning of P are true the first, and what is in
    /// its way.
    pub(super) fn nothing(&self, p: &Pred, b: &Binder, env: &mut Env, scope: &mut Scope) -> Why {
        let conjuncts = b.pred.conjuncts();
        let near = (1..conjuncts.len()).rev().find_map(|n| {
            let begun = Binder {
                vars: b.vars.clone(),
                pred: Pred {
                    kind: PredKind::And(conjuncts.iter().take(n).map(|q| (*q).clone()).collect()),
                    span: Span::default(),
                },
                captures: b.captures.clone(),
                ..*b
            };
            // Plans are remembered by the number of the binder, which this one shares with others.
            let mut found = None;
            let vars = &begun.vars;
            let _ = self.ev.solve(vars, &[&begun.pred], &mut env.clone(), &mut |_, env| {
                found = Some(env.clone());
                Ok(Break(()))
            });
            let env = found?;
            let wrong = conjuncts.iter().find(|q| self.is(q, false, &env))?;
            Some(self.within(vars, wrong, false, &mut env.clone(), scope))
        });
        let missing = b.vars.iter().map(|v| v.name.to_string()).collect();
        Why { missing, parts: near.into_iter().collect(), ..self.leaf(p, false, env, scope) }
    }

    /// The predicate itself, with values.
    pub(super) fn leaf(&self, p: &Pred, holds: bool, env: &Env, scope: &Scope) -> Why {
        let choice = scope.iter().filter_map(|l| self.local(l, env)).collect();
        Why {
            part: self.text_of_pred(p, scope),
            place: p.span,
            holds: Some(holds),
            choice,
            names: self.names(p, env, scope),
            values: self.values(p, env, scope),
            ..Why::default()
        }
    }
}

/// Whether a predicate says nothing of anything.
fn is_constant(p: &Pred) -> bool {
    matches!(p.kind, PredKind::True | PredKind::False)
}

/// `bool(P) = TRUE`: the predicate and the value that it is compared with.
fn truth_value(args: &[Expr]) -> Option<(&Pred, bool)> {
    let sides =
        |a: &'_ Expr, b: &'_ Expr| matches!((&a.kind, &b.kind), (ExprKind::Bool(_), ExprKind::Lit(_)));
    let (a, b) = match args {
        [a, b] if sides(a, b) => (a, b),
        [b, a] if sides(a, b) => (a, b),
        _ => return None,
    };
    match (&a.kind, &b.kind) {
        (ExprKind::Bool(p), ExprKind::Lit(Value::Bool(v))) => Some((p, *v)),
        _ => None,
    }
}
