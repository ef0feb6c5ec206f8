//! Loop bodies with exactly one outcome, run in place.
//!
//! In: a substitution without choices, an environment of its own. Out: the environment afterwards, and the places
//! written. No lists of writes are merged and nothing is undone: millions of rounds are practical. Absent: choices
//! (ANY, CHOICE, SELECT, `::`), calls, and parallel composition of anything but assignments; `subst` does those.

use crate::eval::small::quick;
use crate::eval::{Env, Evaluator};
use crate::ir::{Expr, Place, Pred, Subst, SubstKind, Target};
use crate::ops::Fault;
use crate::source::Span;
use crate::value::Value;

/// Whether a substitution has one outcome by its form, so that [`Evaluator::direct`] can run it.
pub(super) fn determined(s: &Subst) -> bool {
    match &s.kind {
        SubstKind::Skip | SubstKind::Assign(_) => true,
        SubstKind::Pre(_, body)
        | SubstKind::Assert(_, body)
        | SubstKind::Let(_, body)
        | SubstKind::Var(_, body) => determined(body),
        SubstKind::While { body, .. } => determined(body),
        SubstKind::If(branches, other) => {
            branches.iter().all(|(_, b)| determined(b)) && other.iter().all(|b| determined(b))
        }
        SubstKind::Case(_, branches, other) => {
            branches.iter().all(|(_, b)| determined(b)) && other.iter().all(|b| determined(b))
        }
        SubstKind::Seq(parts) => parts.iter().all(determined),
        SubstKind::Par(parts) => {
            parts.iter().all(|p| matches!(p.kind, SubstKind::Skip | SubstKind::Assign(_)))
        }
        _ => false,
    }
}

impl Evaluator {
    /// Runs a determined substitution; `env` is as it is after it, `touched` has the places that it wrote.
    pub(super) fn direct(&self, s: &Subst, env: &mut Env, touched: &mut Vec<Place>) -> Result<(), Fault> {
        match &s.kind {
            SubstKind::Assign(pairs) => self.put(pairs, env, touched),
            SubstKind::Pre(p, body) => {
                self.oblige(p, "precondition", env)?;
                self.direct(body, env, touched)
            }
            SubstKind::Assert(p, body) => {
                self.oblige(p, "assertion", env)?;
                self.direct(body, env, touched)
            }
            SubstKind::Let(pairs, body) => {
                for (local, e) in pairs {
                    let v = self.settled(e, env)?;
                    env.set_local(local.id, Some(v));
                }
                self.direct(body, env, touched)
            }
            SubstKind::Var(locals, body) => {
                for l in locals {
                    env.set_local(l.id, None);
                }
                self.direct(body, env, touched)?;
                let own = |p: &Place| matches!(p, Place::Local(id) if locals.iter().any(|l| l.id == *id));
                touched.retain(|p| !own(p));
                Ok(())
            }
            SubstKind::While { cond, body, invariant, variant } => {
                self.spin((cond, body, invariant, variant), s.span, env, touched)
            }
            SubstKind::If(branches, other) => {
                for (p, body) in branches {
                    if self.pred(p, env)? {
                        return self.direct(body, env, touched);
                    }
                }
                other.as_ref().map_or(Ok(()), |body| self.direct(body, env, touched))
            }
            SubstKind::Case(subject, branches, other) => {
                let v = self.settled(subject, env)?;
                for (values, body) in branches {
                    for e in values {
                        let w = self.settled(e, env)?;
                        if self.equal(&v, &w, &subject.ty, e.span)? {
                            return self.direct(body, env, touched);
                        }
                    }
                }
                other.as_ref().map_or(Ok(()), |body| self.direct(body, env, touched))
            }
            SubstKind::Seq(parts) => parts.iter().try_for_each(|p| self.direct(p, env, touched)),
            SubstKind::Par(parts) => {
                let pairs = parts.iter().flat_map(|p| match &p.kind {
                    SubstKind::Assign(pairs) => &pairs[..],
                    _ => &[],
                });
                self.put_all(pairs, env, touched)
            }
            // `determined` lets nothing else through.
            _ => Ok(()),
        }
    }

    /// Rounds of a loop with a determined body.
    pub(super) fn spin(
        &self,
        (cond, body, invariant, variant): (&Pred, &Subst, &Pred, &Expr),
        span: Span,
        env: &mut Env,
        touched: &mut Vec<Place>,
    ) -> Result<(), Fault> {
        let mut last: Option<Value> = None;
        loop {
            self.go_on().map_err(|f| f.at(span))?;
            if !self.round_begins(cond, invariant, env)? {
                return Ok(());
            }
            let v = quick(variant, env).map_or_else(|| self.expr(variant, env), |n| Ok(Value::Int(n)))?;
            self.decreasing(&v, last.as_ref(), variant)?;
            last = Some(v);
            self.direct(body, env, touched)?;
        }
    }

    /// All values are evaluated before the first is written.
    fn put(&self, pairs: &[(Target, Expr)], env: &mut Env, touched: &mut Vec<Place>) -> Result<(), Fault> {
        if let [(target, e)] = pairs {
            if target.path.is_empty() {
                if let Some(n) = quick(e, env) {
                    set(env, target.place, Value::Int(n), touched);
                    return Ok(());
                }
                let value = match self.grown(target.place, e, env)? {
                    Some(v) => v,
                    None => self.settled(e, env)?,
                };
                let value = self.storable(value, &target.ty, target)?;
                set(env, target.place, value, touched);
                return Ok(());
            }
            let v = self.settled(e, env)?;
            let value = self.write_part(target, v, env)?;
            set(env, target.place, value, touched);
            return Ok(());
        }
        self.put_all(pairs, env, touched)
    }

    fn put_all<'a>(
        &self,
        pairs: impl IntoIterator<Item = &'a (Target, Expr)>,
        env: &mut Env,
        touched: &mut Vec<Place>,
    ) -> Result<(), Fault> {
        let mut writes = Vec::new();
        for (target, e) in pairs {
            let v = self.settled(e, env)?;
            let w = self.write(target, v, env)?;
            self.add_write(&mut writes, w)?;
        }
        for w in writes {
            set(env, w.place, w.value, touched);
        }
        Ok(())
    }
}

fn set(env: &mut Env, place: Place, value: Value, touched: &mut Vec<Place>) {
    if !touched.contains(&place) {
        touched.push(place);
    }
    match place {
        Place::Var(id) => env.set_var(id, Some(value)),
        Place::Local(id) => env.set_local(id, Some(value)),
    }
}
