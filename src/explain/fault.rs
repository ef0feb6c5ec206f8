//! Why something has no value: the expression at fault with the values in it, or the condition that a statement demands.
//!
//! In: a fault, and the formula or the scene in which it happened. Out: a [`Why`] of what stands at the fault's place. Variables of
//! quantifiers and sets around it have the first values under which the fault is met again.

use super::{Explainer, STEPS, Scope, Turn, Why};
use crate::diagnostic::Code;
use crate::eval::{Budget, Env, Scene, Scenes, bound_in, bound_in_expr, each_expr, exprs_in};
use crate::ir::{Access, Expr, ExprKind, Formula, Local, Operation, Pred, PredKind, Subst, SubstKind};
use crate::ops::Fault;
use crate::source::Span;
use crate::value::Value;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;

/// What a fault is looked for in.
#[derive(Clone, Copy)]
enum Within<'i> {
    Expr(&'i Expr),
    Pred(&'i Pred),
}

impl Explainer<'_> {
    /// Why a formula has no value.
    #[must_use]
    pub fn fault_in_formula(&self, formula: &Formula, env: &Env, fault: &Fault) -> Option<Why> {
        let _budget = Budget::of(STEPS);
        let mut env = Env::new(Arc::clone(&env.consts), Arc::clone(&env.vars), formula.frame);
        self.seek(Within::Pred(&formula.pred), fault, &mut env, &mut Vec::new())
    }

    /// Why an operation, by its number in the machine, has no outcome for the arguments that are meant.
    #[must_use]
    pub fn fault_in_operation(
        &self,
        op: u32,
        env: &Env,
        fault: &Fault,
        meant: &dyn Fn(&[Value]) -> bool,
    ) -> Option<Why> {
        let (scenes, _budget) = (Scenes::begin(), Budget::of(STEPS));
        let mut met = None;
        let end = self.ev.operation(op, env, &|_| true, &mut |found| {
            let scene = scenes.take();
            match found {
                Err((args, f)) if is_same(&f, fault) && meant(&args) => {
                    met = Some(scene);
                    Break(())
                }
                _ => Continue(()),
            }
        });
        let operation = self.ev.machine.operations.get(op as usize)?;
        match met {
            Some(Some(scene)) => self.in_scene(&scene, fault),
            Some(None) => self.in_guard(operation, env, fault),
            None if end.is_err_and(|f| is_same(&f, fault)) => self.in_guard(operation, env, fault),
            None => None,
        }
    }

    /// Why INITIALISATION has no outcome under the values of constants.
    #[must_use]
    pub fn fault_in_initialisation(&self, env: &Env, fault: &Fault) -> Option<Why> {
        let (scenes, _budget) = (Scenes::begin(), Budget::of(STEPS));
        let routine = &self.ev.machine.initialisation;
        let unset = Arc::new(vec![None; self.ev.machine.variables.len()]);
        let mut env = Env::new(Arc::clone(&env.consts), unset, routine.frame);
        let end = self.ev.outcomes(&routine.body, &mut env, &mut |_, _| Ok(Continue(())));
        let scene = scenes.take();
        scene.filter(|_| end.is_err_and(|f| is_same(&f, fault))).and_then(|s| self.in_scene(&s, fault))
    }

    /// What stands in front of an operation.
    fn in_guard(&self, o: &Operation, env: &Env, fault: &Fault) -> Option<Why> {
        let SubstKind::Select(branches, None) = &o.offered.as_ref()?.kind else { return None };
        let (guard, _) = branches.first()?;
        let mut env = Env::new(Arc::clone(&env.consts), Arc::clone(&env.vars), o.frame);
        self.chosen(&o.params, &[Within::Pred(guard)], fault, &mut env, &mut Vec::new())
    }

    /// What is at fault in a statement.
    fn in_scene(&self, scene: &Scene, fault: &Fault) -> Option<Why> {
        let s = scene.subst.as_ref()?;
        let mut env = scene.env.clone();
        let mut why = match (demanded(s, fault), &s.kind) {
            (Some(p), _) => {
                let mut scope = self.free(Within::Pred(p), &env);
                let outer = scope.clone();
                let holds = self.ev.pred(p, &mut env).ok()?;
                let why = (!holds).then(|| self.descend(p, false, &mut env, &mut scope))?;
                unchosen(why, &outer)
            }
            (None, SubstKind::While { variant, .. }) if fault.0.code == Code::LoopFault => {
                self.of_expr(variant, &env, &self.free(Within::Expr(variant), &env))
            }
            _ => self.in_parts(s, &mut env, fault)?,
        };
        let show = |v: &Value| v.brief(&self.ev.world);
        why.turn = scene.round.as_ref().map(|r| Turn {
            number: r.number,
            before: r.before.as_ref().map(show),
            now: r.now.as_ref().map(show),
        });
        why.calls.clone_from(&scene.calls);
        Some(why)
    }

    /// What is at fault among what a statement evaluates itself.
    fn in_parts(&self, s: &Subst, env: &mut Env, fault: &Fault) -> Option<Why> {
        if let SubstKind::Any(b, _) | SubstKind::BecomesSuch(_, b) = &s.kind {
            let p = Within::Pred(&b.pred);
            let mut scope = self.free(p, env);
            scope.retain(|l| !b.vars.iter().any(|v| v.id == l.id));
            let outer = scope.clone();
            return self.chosen(&b.vars, &[p], fault, env, &mut scope).map(|why| unchosen(why, &outer));
        }
        parts(s).into_iter().find_map(|p| {
            let mut scope = self.free(p, env);
            let outer = scope.clone();
            self.seek(p, fault, &mut env.clone(), &mut scope).map(|why| unchosen(why, &outer))
        })
    }

    /// Why a predicate has no value.
    pub(super) fn valueless(&self, p: &Pred, fault: &Fault, env: &mut Env, scope: &mut Scope) -> Option<Why> {
        self.seek(Within::Pred(p), fault, env, scope)
    }

    /// Looks for the expression at fault.
    fn seek(&self, within: Within<'_>, fault: &Fault, env: &mut Env, scope: &mut Scope) -> Option<Why> {
        if !within.has(fault) {
            return None;
        }
        match within {
            Within::Pred(p) => self.seek_in_pred(p, fault, env, scope),
            Within::Expr(e) => self.seek_in_expr(e, fault, env, scope),
        }
    }

    fn seek_in_pred(&self, p: &Pred, fault: &Fault, env: &mut Env, scope: &mut Scope) -> Option<Why> {
        let mut first =
            |all: &[&Pred]| all.iter().find_map(|q| self.seek(Within::Pred(q), fault, env, scope));
        match &p.kind {
            PredKind::And(ps) | PredKind::Or(ps) => first(&ps.iter().collect::<Vec<_>>()),
            PredKind::Implies(a, b) | PredKind::Iff(a, b) => first(&[a, b]),
            PredKind::Not(a) => first(&[a]),
            PredKind::If(a, b, c) => first(&[a, b, c]),
            PredKind::Op(_, es) | PredKind::External(_, es) => {
                es.iter().find_map(|e| self.seek(Within::Expr(e), fault, env, scope))
            }
            PredKind::Forall(s) => {
                let inside = [Within::Pred(&s.binder.pred), Within::Pred(&s.body)];
                self.chosen(&s.binder.vars, &inside, fault, env, scope)
            }
            PredKind::Exists(b) => self.chosen(&b.vars, &[Within::Pred(&b.pred)], fault, env, scope),
            PredKind::Let(id, e, q) => match self.seek(Within::Expr(e), fault, env, scope) {
                None => {
                    let value = self.ev.expr(e, env).ok();
                    env.set_local(*id, value);
                    scope.extend(self.name_of(*id, q));
                    self.seek(Within::Pred(q), fault, env, scope)
                }
                found => found,
            },
            PredKind::True | PredKind::False => None,
        }
    }

    fn seek_in_expr(&self, e: &Expr, fault: &Fault, env: &mut Env, scope: &mut Scope) -> Option<Why> {
        let is_it = |env: &Env| self.ev.expr(e, &mut env.clone()).is_err_and(|f| is_same(&f, fault));
        if fault.0.span == Some(e.span) && inside(e).iter().all(|part| !part.has(fault)) {
            return is_it(env).then(|| self.of_expr(e, env, scope));
        }
        match &e.kind {
            ExprKind::Compr(b, _) => self.chosen(&b.vars, &[Within::Pred(&b.pred)], fault, env, scope),
            ExprKind::Image(s) | ExprKind::Lambda(s, _) | ExprKind::Fold(_, s) => {
                let inside = [Within::Pred(&s.binder.pred), Within::Expr(&s.body)];
                self.chosen(&s.binder.vars, &inside, fault, env, scope)
            }
            ExprKind::Let(id, a, b) => match self.seek(Within::Expr(a), fault, env, scope) {
                None => {
                    let value = self.ev.expr(a, env).ok();
                    env.set_local(*id, value);
                    self.seek(Within::Expr(b), fault, env, scope)
                }
                found => found,
            },
            _ => {
                let found = inside(e).into_iter().find_map(|part| self.seek(part, fault, env, scope));
                found.or_else(|| {
                    (fault.0.span == Some(e.span) && is_it(env)).then(|| self.of_expr(e, env, scope))
                })
            }
        }
    }

    /// Looks under the values of variables that satisfy all conjuncts but those with the fault.
    fn chosen(
        &self,
        vars: &[Local],
        inside: &[Within<'_>],
        fault: &Fault,
        env: &mut Env,
        scope: &mut Scope,
    ) -> Option<Why> {
        let (mut conjuncts, mut at) = (Vec::new(), Vec::new());
        for (i, part) in inside.iter().enumerate() {
            match part {
                Within::Pred(p) if i == 0 => {
                    let (with, without): (Vec<&Pred>, Vec<&Pred>) =
                        p.conjuncts().into_iter().partition(|c| Within::Pred(c).has(fault));
                    conjuncts.extend(without);
                    at.extend(with.into_iter().map(Within::Pred));
                }
                other => at.push(*other),
            }
        }
        let known = scope.len();
        scope.extend(vars.iter().cloned());
        let mut found = None;
        let _ = self.ev.solve(vars, &conjuncts, &mut env.clone(), &mut |_, env| {
            found = at.iter().find_map(|part| self.seek(*part, fault, &mut env.clone(), scope));
            Ok(if found.is_some() { Break(()) } else { Continue(()) })
        });
        scope.truncate(known);
        found
    }

    /// An expression without a value, or a variant, with the values in it.
    fn of_expr(&self, e: &Expr, env: &Env, scope: &Scope) -> Why {
        Why {
            part: self.text_of_expr(e, scope),
            place: e.span,
            holds: None,
            names: self.names_in(&exprs_in(e), env, scope),
            values: self.values_in(e, env, scope),
            ..Why::default()
        }
    }

    /// The locals from outside that something reads, if they have values, with the names that they have there.
    fn free(&self, within: Within<'_>, env: &Env) -> Scope {
        let (mut exprs, mut bound) = (Vec::new(), Vec::new());
        match within {
            Within::Expr(e) => {
                exprs = exprs_in(e);
                bound_in_expr(e, &mut bound);
            }
            Within::Pred(p) => {
                each_expr(p, &mut |e| exprs.push(e));
                bound_in(p, &mut bound);
            }
        }
        let mut scope = Scope::new();
        for e in exprs {
            let ExprKind::Local(id) = e.kind else { continue };
            if env.local(id).is_some() && !bound.contains(&id) && !scope.iter().any(|l| l.id == id) {
                let name = self.sources.text(e.span).into();
                scope.push(Local { id, name, ty: e.ty.clone(), span: e.span });
            }
        }
        scope
    }
}

impl Within<'_> {
    /// Whether the place of a fault is in it.
    fn has(self, fault: &Fault) -> bool {
        let at = |span: Span| fault.0.span == Some(span);
        let mut has = false;
        match self {
            Within::Expr(e) => has = exprs_in(e).iter().any(|e| at(e.span)),
            Within::Pred(p) => each_expr(p, &mut |e| has |= at(e.span)),
        }
        has
    }
}

/// An explanation whose choice leaves out what had a value before: where that is read it is among the names.
fn unchosen(mut why: Why, outer: &Scope) -> Why {
    why.choice.retain(|c| !outer.iter().any(|l| *l.name == *c.text));
    why.parts = why.parts.into_iter().map(|p| unchosen(p, outer)).collect();
    why
}

fn is_same(f: &Fault, other: &Fault) -> bool {
    f.0.span == other.0.span && f.0.code == other.0.code
}

/// The condition that a statement demands, if it is what is at fault.
fn demanded<'s>(s: &'s Subst, fault: &Fault) -> Option<&'s Pred> {
    let p = match &s.kind {
        SubstKind::Pre(p, _) | SubstKind::Assert(p, _) if fault.0.code == Code::AssertFailed => p,
        SubstKind::While { invariant, .. } if fault.0.code == Code::LoopFault => invariant,
        _ => return None,
    };
    (fault.0.span == Some(p.span)).then_some(p)
}

/// What is evaluated with an expression, in the same scope.
fn inside(e: &Expr) -> Vec<Within<'_>> {
    match &e.kind {
        ExprKind::Op(_, args)
        | ExprKind::External(_, args)
        | ExprKind::SetExt(args)
        | ExprKind::SeqExt(args)
        | ExprKind::Rec(args)
        | ExprKind::Struct(args) => args.iter().map(Within::Expr).collect(),
        ExprKind::Field(e, _) | ExprKind::Construct(_, _, Some(e)) => vec![Within::Expr(e)],
        ExprKind::Bool(p) => vec![Within::Pred(p)],
        ExprKind::If(p, a, b) => vec![Within::Pred(p), Within::Expr(a), Within::Expr(b)],
        _ => Vec::new(),
    }
}

/// What a statement evaluates itself.
fn parts(s: &Subst) -> Vec<Within<'_>> {
    match &s.kind {
        SubstKind::Assign(pairs) => {
            let places = pairs.iter().flat_map(|(t, _)| &t.path).filter_map(|a| match a {
                Access::At(e) => Some(Within::Expr(e)),
                Access::Field(_) => None,
            });
            pairs.iter().map(|(_, e)| Within::Expr(e)).chain(places).collect()
        }
        SubstKind::BecomesIn(_, e) => vec![Within::Expr(e)],
        SubstKind::Pre(p, _) | SubstKind::Assert(p, _) => vec![Within::Pred(p)],
        SubstKind::Select(branches, _) | SubstKind::If(branches, _) => {
            branches.iter().map(|(p, _)| Within::Pred(p)).collect()
        }
        SubstKind::Case(e, branches, _) => {
            let values = branches.iter().flat_map(|(values, _)| values);
            std::iter::once(e).chain(values).map(Within::Expr).collect()
        }
        SubstKind::Let(pairs, _) => pairs.iter().map(|(_, e)| Within::Expr(e)).collect(),
        SubstKind::While { cond, invariant, variant, .. } => {
            vec![Within::Pred(invariant), Within::Pred(cond), Within::Expr(variant)]
        }
        SubstKind::Call { args, .. } => args.iter().map(Within::Expr).collect(),
        _ => Vec::new(),
    }
}
