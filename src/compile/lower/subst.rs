//! Substitutions: all outcomes, each as a call of a continuation.
//!
//! In: [`Subst`], the names' values before it. Out: code that reaches the continuation once per outcome, with
//! the values after it. Deterministic substitutions yield one environment instead; their branches are merged
//! by copies into common registers. Environments are never changed in place, so loops around a choice find
//! their registers as they were.

use super::bind::Then;
use super::effects::writes;
use super::shape::{Shape, Val};
use super::{Env, Lower, Res, no};
use crate::compile::word::{Block, Opd};
use crate::ir::{Access, Binder, Expr, Place, Pred, Subst, SubstKind, Target};
use Opd::{K, R};
use std::collections::BTreeSet;

impl<'a> Lower<'a> {
    /// Whether a substitution has at most one outcome, by its form.
    pub(crate) fn deterministic(&self, s: &Subst, depth: u32) -> bool {
        let all = |ss: &[Subst]| ss.iter().all(|s| self.deterministic(s, depth));
        let some = |o: &Option<Box<Subst>>| o.as_ref().is_none_or(|s| self.deterministic(s, depth));
        match &s.kind {
            SubstKind::Skip | SubstKind::Assign(_) => true,
            SubstKind::Pre(_, s)
            | SubstKind::Assert(_, s)
            | SubstKind::Let(_, s)
            | SubstKind::Var(_, s)
            | SubstKind::While { body: s, .. } => self.deterministic(s, depth),
            SubstKind::Seq(ss) | SubstKind::Par(ss) => all(ss),
            SubstKind::If(bs, other) => bs.iter().all(|(_, s)| self.deterministic(s, depth)) && some(other),
            SubstKind::Case(_, bs, other) => {
                bs.iter().all(|(_, s)| self.deterministic(s, depth)) && some(other)
            }
            SubstKind::Select(bs, None) => {
                bs.len() == 1 && bs.iter().all(|(_, s)| self.deterministic(s, depth))
            }
            SubstKind::Call { op, .. } => self
                .src
                .machine
                .operations
                .get(*op as usize)
                .is_some_and(|o| depth < 8 && self.deterministic(&o.called, depth + 1)),
            _ => false,
        }
    }

    /// Emits `then` for every outcome.
    pub(crate) fn outcomes(&mut self, s: &Subst, env: &Env, then: Then<'_, 'a>) -> Res<()> {
        self.nest(|g| g.outcomes_kind(s, env, then)).map_err(|mut u| {
            u.span.get_or_insert(s.span);
            u
        })
    }

    fn outcomes_kind(&mut self, s: &Subst, env: &Env, then: Then<'_, 'a>) -> Res<()> {
        if self.deterministic(s, 0) {
            return self.alternative(&mut |g| {
                let env = g.run(s, env)?;
                then(g, &env)
            });
        }
        match &s.kind {
            SubstKind::Pre(p, s) | SubstKind::Assert(p, s) => {
                let bail = self.bail;
                self.demand(p, env, bail)?;
                self.outcomes(s, env, then)
            }
            SubstKind::Choice(ss) => ss.iter().try_for_each(|s| self.outcomes(s, env, then)),
            SubstKind::Select(bs, other) => self.select(bs, other.as_deref(), env, then),
            SubstKind::If(bs, other) => {
                let join = self.b.block();
                for (p, s) in bs {
                    let (on, next) = (self.b.block(), self.b.block());
                    self.cond(p, env, on, next)?;
                    self.b.at(on);
                    self.outcomes(s, env, then)?;
                    self.b.jump(join);
                    self.b.at(next);
                }
                match other {
                    Some(s) => self.outcomes(s, env, then)?,
                    None => self.alternative(&mut |g| then(g, env))?,
                }
                self.b.jump(join);
                self.b.at(join);
                Ok(())
            }
            SubstKind::Any(b, s) => self.solve_any(b, env, &mut |g, env| g.outcomes(s, env, then)),
            SubstKind::Let(pairs, s) => {
                let env = self.bind_all(pairs, env)?;
                self.outcomes(s, &env, then)
            }
            SubstKind::Var(locals, s) => {
                let mut env = env.clone();
                for l in locals {
                    env.locals.remove(&l.id);
                }
                self.outcomes(s, &env, then)
            }
            SubstKind::Seq(ss) => self.sequence_of(ss, env, then),
            SubstKind::Par(ss) => {
                self.disjoint(ss)?;
                self.parallel(ss, env, env, then)
            }
            SubstKind::BecomesIn(targets, e) => self.becomes_in(targets, e, env, then),
            SubstKind::BecomesSuch(targets, b) => self.becomes_such(targets, b, env, then),
            SubstKind::Call { op, args, results } => {
                let Some(o) = self.src.machine.operations.get(*op as usize) else { return no("call") };
                let inner = self.enter(o, args, env)?;
                self.outcomes(&o.called, &inner, &mut |g, after| {
                    let env = g.leave(o, results, env, after)?;
                    then(g, &env)
                })
            }
            _ => no("substitution"),
        }
    }

    fn select(
        &mut self,
        bs: &[(Pred, Subst)],
        other: Option<&Subst>,
        env: &Env,
        then: Then<'_, 'a>,
    ) -> Res<()> {
        let taken = self.b.var(K(0));
        for (p, s) in bs {
            let (on, next) = (self.b.block(), self.b.block());
            self.cond(p, env, on, next)?;
            self.b.at(on);
            self.b.set(taken, K(1));
            self.outcomes(s, env, then)?;
            self.b.jump(next);
            self.b.at(next);
        }
        if let Some(s) = other {
            let (on, done) = (self.b.block(), self.b.block());
            self.b.branch(R(taken), done, on);
            self.b.at(on);
            self.outcomes(s, env, then)?;
            self.b.jump(done);
            self.b.at(done);
        }
        Ok(())
    }

    fn sequence_of(&mut self, ss: &[Subst], env: &Env, then: Then<'_, 'a>) -> Res<()> {
        match ss {
            [] => self.alternative(&mut |g| then(g, env)),
            [s] => self.outcomes(s, env, then),
            [s, rest @ ..] => self.outcomes(s, env, &mut |g, env| g.sequence_of(rest, env, then)),
        }
    }

    /// Refuses parallel branches that may write the same place.
    fn disjoint(&self, ss: &[Subst]) -> Res<()> {
        let mut seen = BTreeSet::new();
        for s in ss {
            for p in writes(s, self.src.machine) {
                if !seen.insert(p) {
                    return no("parallel assignments to one variable");
                }
            }
        }
        Ok(())
    }

    /// Branches see `start`; what they write is gathered in `sum`.
    fn parallel(&mut self, ss: &[Subst], start: &Env, sum: &Env, then: Then<'_, 'a>) -> Res<()> {
        let [s, rest @ ..] = ss else { return self.alternative(&mut |g| then(g, sum)) };
        let written = writes(s, self.src.machine);
        self.outcomes(s, start, &mut |g, after| {
            let sum = gather(&written, after, sum);
            g.parallel(rest, start, &sum, then)
        })
    }

    fn becomes_in(&mut self, targets: &[Target], e: &Expr, env: &Env, then: Then<'_, 'a>) -> Res<()> {
        let mut each = |g: &mut Self, v: Val| {
            let mut parts = Vec::new();
            untuple(v, targets.len(), &mut parts)?;
            let env = g.assign_all(targets, parts, env)?;
            then(g, &env)
        };
        self.choices(e, env, &mut each)
    }

    /// A loop over the members of a set expression, also where it has no bits.
    fn choices(&mut self, e: &Expr, env: &Env, each: &mut dyn FnMut(&mut Self, Val) -> Res<()>) -> Res<()> {
        self.alternative(&mut |g| g.members(None, e, &[], env, each))
    }

    fn becomes_such(&mut self, targets: &[Target], b: &Binder, env: &Env, then: Then<'_, 'a>) -> Res<()> {
        self.solve_any(b, env, &mut |g, inner| {
            let mut vals = Vec::new();
            for v in &b.vars {
                match inner.locals.get(&v.id) {
                    Some(v) => vals.push(v.clone()),
                    None => return no("variable without value"),
                }
            }
            let env = g.assign_all(targets, vals, env)?;
            then(g, &env)
        })
    }

    fn bind_all(&mut self, pairs: &[(crate::ir::Local, Expr)], env: &Env) -> Res<Env> {
        let mut env = env.clone();
        for (l, e) in pairs {
            let v = self.expr(e, &env)?;
            env.locals.insert(l.id, v);
        }
        Ok(env)
    }

    /// The environment after a deterministic substitution; where it has no outcome, control is at `fail`.
    pub(crate) fn run(&mut self, s: &Subst, env: &Env) -> Res<Env> {
        self.nest(|g| g.run_kind(s, env)).map_err(|mut u| {
            u.span.get_or_insert(s.span);
            u
        })
    }

    fn run_kind(&mut self, s: &Subst, env: &Env) -> Res<Env> {
        match &s.kind {
            SubstKind::Skip => Ok(env.clone()),
            SubstKind::Assign(pairs) => {
                let mut places = BTreeSet::new();
                if !pairs.iter().all(|(t, _)| places.insert(t.place)) {
                    return no("two assignments to one variable");
                }
                let mut out = env.clone();
                for (t, e) in pairs {
                    let v = self.expr(e, env)?;
                    self.assign(t, v, env, &mut out)?;
                }
                Ok(out)
            }
            SubstKind::Pre(p, s) | SubstKind::Assert(p, s) => {
                let bail = self.bail;
                self.demand(p, env, bail)?;
                self.run(s, env)
            }
            SubstKind::Select(bs, _) => {
                let Some((p, s)) = bs.first() else { return no("SELECT") };
                let fail = self.fail;
                self.demand(p, env, fail)?;
                self.run(s, env)
            }
            SubstKind::If(bs, other) => self.run_if(bs, other.as_deref(), env),
            SubstKind::Case(e, bs, other) => self.run_case(e, bs, other.as_deref(), env),
            SubstKind::Let(pairs, s) => {
                let env = self.bind_all(pairs, env)?;
                self.run(s, &env)
            }
            SubstKind::Var(locals, s) => {
                let mut env = env.clone();
                for l in locals {
                    env.locals.remove(&l.id);
                }
                self.run(s, &env)
            }
            SubstKind::Seq(ss) => ss.iter().try_fold(env.clone(), |env, s| self.run(s, &env)),
            SubstKind::Par(ss) => {
                self.disjoint(ss)?;
                let mut sum = env.clone();
                for s in ss {
                    let after = self.run(s, env)?;
                    sum = gather(&writes(s, self.src.machine), &after, &sum);
                }
                Ok(sum)
            }
            SubstKind::While { cond, body, invariant, variant } => {
                self.run_while(cond, body, invariant, variant, env)
            }
            SubstKind::Call { op, args, results } => {
                let Some(o) = self.src.machine.operations.get(*op as usize) else { return no("call") };
                let inner = self.enter(o, args, env)?;
                let after = self.run(&o.called, &inner)?;
                self.leave(o, results, env, &after)
            }
            _ => no("substitution"),
        }
    }

    fn run_if(&mut self, bs: &[(Pred, Subst)], other: Option<&Subst>, env: &Env) -> Res<Env> {
        let Some(((p, s), rest)) = bs.split_first() else {
            return other.map_or_else(|| Ok(env.clone()), |s| self.run(s, env));
        };
        let (yes, next) = (self.b.block(), self.b.block());
        self.cond(p, env, yes, next)?;
        self.b.at(yes);
        let a = self.run(s, env)?;
        let a_end = self.b.here();
        self.b.at(next);
        let b = self.run_if(rest, other, env)?;
        let b_end = self.b.here();
        self.join(&a, a_end, &b, b_end)
    }

    fn run_case(
        &mut self,
        e: &Expr,
        bs: &[(Vec<Expr>, Subst)],
        other: Option<&Subst>,
        env: &Env,
    ) -> Res<Env> {
        let v = self.expr(e, env)?;
        self.run_branches(&v, bs, other, env)
    }

    fn run_branches(
        &mut self,
        v: &Val,
        bs: &[(Vec<Expr>, Subst)],
        other: Option<&Subst>,
        env: &Env,
    ) -> Res<Env> {
        let Some(((items, s), rest)) = bs.split_first() else {
            return other.map_or_else(|| Ok(env.clone()), |s| self.run(s, env));
        };
        let (yes, next) = (self.b.block(), self.b.block());
        for item in items {
            let w = self.expr(item, env)?;
            let on = self.b.block();
            let same = self.same(v, &w)?;
            self.b.branch(same, yes, on);
            self.b.at(on);
        }
        self.b.jump(next);
        self.b.at(yes);
        let a = self.run(s, env)?;
        let a_end = self.b.here();
        self.b.at(next);
        let b = self.run_branches(v, rest, other, env)?;
        let b_end = self.b.here();
        self.join(&a, a_end, &b, b_end)
    }

    /// The environment where two branches meet; the meeting block becomes current.
    fn join(&mut self, a: &Env, mut a_end: Block, b: &Env, mut b_end: Block) -> Res<Env> {
        let mut out = a.clone();
        for (i, x) in a.vars.iter().enumerate() {
            let y = b.vars.get(i).unwrap_or(&None);
            let merged = match (x, y) {
                (Some(x), Some(y)) => Some(self.merge(x, &mut a_end, y, &mut b_end)?),
                _ => None,
            };
            if let Some(slot) = out.vars.get_mut(i).filter(|slot| **slot != merged) {
                *slot = merged;
            }
        }
        for (l, x) in &a.locals {
            match b.locals.get(l) {
                Some(y) => {
                    let v = self.merge(x, &mut a_end, y, &mut b_end)?;
                    out.locals.insert(*l, v);
                }
                // Unset on one way: whoever reads it is refused.
                None => {
                    out.locals.remove(l);
                }
            }
        }
        let join = self.b.block();
        self.b.at(a_end);
        self.b.jump(join);
        self.b.at(b_end);
        self.b.jump(join);
        self.b.at(join);
        Ok(out)
    }

    /// The environment in which a called operation's body runs.
    fn enter(&mut self, o: &crate::ir::Operation, args: &[Expr], env: &Env) -> Res<Env> {
        // The caller's arguments are no concern of what is called.
        let mut inner = Env { vars: env.vars.clone(), tried: usize::MAX, ..Env::default() };
        for (p, e) in o.params.iter().zip(args) {
            let v = self.expr(e, env)?;
            inner.locals.insert(p.id, v);
        }
        Ok(inner)
    }

    /// The caller's environment after a call.
    fn leave(&mut self, o: &crate::ir::Operation, results: &[Target], env: &Env, after: &Env) -> Res<Env> {
        let out = Env { vars: after.vars.clone(), ..env.clone() };
        let mut vals = Vec::new();
        for r in &o.results {
            match after.locals.get(&r.id) {
                Some(v) => vals.push(v.clone()),
                None => return no("result that may be unset"),
            }
        }
        vals.truncate(results.len());
        self.assign_all(results, vals, &out)
    }

    fn assign_all(&mut self, targets: &[Target], vals: Vec<Val>, env: &Env) -> Res<Env> {
        let mut out = env.clone();
        for (t, v) in targets.iter().zip(vals) {
            self.assign(t, v, env, &mut out)?;
        }
        Ok(out)
    }

    fn assign(&mut self, t: &Target, v: Val, env: &Env, out: &mut Env) -> Res<()> {
        let v = if t.path.is_empty() {
            v
        } else {
            let now = match t.place {
                Place::Var(x) => env.vars.get(x.0 as usize).cloned().flatten(),
                Place::Local(l) => env.locals.get(&l).cloned(),
            };
            let Some(now) = now else { return no("variable without value") };
            let home = match t.place {
                Place::Var(x) => self.home(x.0 as usize),
                Place::Local(_) => None,
            };
            self.along(now, &t.path, v, env, home.as_ref())?
        };
        put_place(out, t.place, v);
        Ok(())
    }

    fn along(&mut self, now: Val, path: &[Access], v: Val, env: &Env, home: Option<&Shape>) -> Res<Val> {
        match (path, now) {
            ([], _) => Ok(v),
            ([Access::Field(i), rest @ ..], Val::Tuple(mut parts)) => {
                let Some(part) = parts.get_mut(*i as usize) else { return no("field") };
                *part = self.along(part.clone(), rest, v, env, None)?;
                Ok(Val::Tuple(parts))
            }
            ([Access::At(x), rest @ ..], Val::Set(f)) => {
                let x = self.expr(x, env)?;
                let v = if rest.is_empty() {
                    v
                } else {
                    let bail = self.bail;
                    let inner = self.apply_to(&f, &x, bail)?;
                    self.along(inner, rest, v, env, None)?
                };
                self.update(&f, &Val::Tuple(vec![x, v]), home).map(Val::Set)
            }
            ([Access::At(x), rest @ ..], Val::Fun(f)) => {
                let x = self.expr(x, env)?;
                let v = if rest.is_empty() {
                    v
                } else {
                    let bail = self.bail;
                    let inner = self.apply_fun(&f, &x, bail)?;
                    self.along(inner, rest, v, env, Some(&f.item))?
                };
                self.update_fun(&f, &x, &v).map(Val::Fun)
            }
            ([Access::At(x)], Val::Array(f)) => {
                let x = self.expr(x, env)?;
                self.update_array(&f, &x, &v).map(Val::Array)
            }
            _ => no("assignment target"),
        }
    }
}

pub(super) fn put_place(env: &mut Env, p: Place, v: Val) {
    match p {
        Place::Var(x) => {
            if let Some(slot) = env.vars.get_mut(x.0 as usize) {
                *slot = Some(v);
            }
        }
        Place::Local(l) => {
            env.locals.insert(l, v);
        }
    }
}

/// `sum` with what a branch wrote.
fn gather(written: &BTreeSet<Place>, after: &Env, sum: &Env) -> Env {
    let mut out = sum.clone();
    for p in written {
        match p {
            Place::Var(x) => {
                if let (Some(slot), Some(v)) = (out.vars.get_mut(x.0 as usize), after.vars.get(x.0 as usize))
                {
                    slot.clone_from(v);
                }
            }
            Place::Local(l) => {
                match after.locals.get(l) {
                    Some(v) => out.locals.insert(*l, v.clone()),
                    None => out.locals.remove(l),
                };
            }
        }
    }
    out
}

/// The parts of a left-nested tuple.
fn untuple(v: Val, n: usize, out: &mut Vec<Val>) -> Res<()> {
    if n <= 1 {
        out.push(v);
        return Ok(());
    }
    match v {
        Val::Tuple(parts) => match <[Val; 2]>::try_from(parts) {
            Ok([left, right]) => {
                untuple(left, n - 1, out)?;
                out.push(right);
                Ok(())
            }
            Err(_) => no("tuple"),
        },
        _ => no("tuple"),
    }
}
