//! All outcomes of a substitution (b-language.md 5).
//!
//! In: a substitution, an environment. Out: calls of a consumer, one per outcome. Inside, every substitution
//! reads the state it started in and lists its writes; `;` puts them into effect for what follows, `||` merges
//! them. Siblings: `writes` (the lists), `assign` (targets), `repeat` (WHILE and calls).

use super::choices::Choices;
use super::long::MANY;
use super::writes::{Undo, Write, enact, follow, last, revert};
use crate::diagnostic::Code;
use crate::eval::{Env, Evaluator, Flow, Sink, witness};
use crate::ir::{Expr, Local, Place, Pred, Subst, SubstKind};
use crate::ops::Fault;
use std::ops::ControlFlow::{Break, Continue};

/// A consumer of outcomes as lists of writes; the environment is that of the start.
pub(super) type Then<'a> = &'a mut dyn FnMut(&Evaluator, &mut Env, &mut Vec<Write>) -> Flow;

impl Evaluator {
    /// Calls `f` with every outcome of a substitution: the environment has the variables and locals as they
    /// are after it. The environment's variables are as before when this returns.
    ///
    /// # Errors
    /// A fault of evaluation, `Undecided` if no outcome is known and perhaps there is one, and what `f` returns.
    pub fn outcomes(&self, s: &Subst, env: &mut Env, f: Sink<'_>) -> Flow {
        let fresh = env.old.is_none();
        if fresh {
            env.old = Some(env.vars.clone());
        }
        let done = self.some_or_unknown(|any| {
            self.execute(s, env, &mut Vec::new(), &mut |ev, env, writes| {
                *any = true;
                let undo = enact(env, writes);
                let flow = f(ev, env);
                revert(env, undo);
                flow
            })
        });
        if fresh {
            env.old = None;
        }
        done
    }

    /// Adds the writes of every outcome to `out` and calls `then`; `out` is as before when this returns. What depends on
    /// something unknown has no outcome that is known, which is noted.
    pub(super) fn execute(&self, s: &Subst, env: &mut Env, out: &mut Vec<Write>, then: Then<'_>) -> Flow {
        let n = out.len();
        let flow = self.perform(s, env, out, then);
        if matches!(&flow, Err(f) if f.0.code == Code::Undecided) {
            out.truncate(n);
            return self.unless_undecided(flow);
        }
        flow.map_err(|f| {
            out.truncate(n);
            witness::note(&f, s, env);
            self.of_copy(f, s)
        })
    }

    fn perform(&self, s: &Subst, env: &mut Env, out: &mut Vec<Write>, then: Then<'_>) -> Flow {
        match &s.kind {
            SubstKind::Skip => then(self, env, out),
            SubstKind::Assign(pairs) => self.assign(pairs, env, out, then),
            SubstKind::BecomesIn(targets, set) => self.becomes_in(targets, set, env, out, then),
            SubstKind::BecomesSuch(targets, binder) => {
                let mut choices = Choices::default();
                let flow = self.solutions(binder, env, &mut |ev, env| {
                    let vs: Vec<_> = binder.vars.iter().filter_map(|v| env.local(v.id).cloned()).collect();
                    choices.after(ev.write_all(targets, vs, env, out, then))
                });
                choices.end(flow)
            }
            SubstKind::Pre(p, body) => {
                self.oblige(p, "precondition", env)?;
                self.execute(body, env, out, then)
            }
            SubstKind::Assert(p, body) => {
                self.oblige(p, "assertion", env)?;
                self.execute(body, env, out, then)
            }
            SubstKind::Choice(parts) => {
                let mut choices = Choices::default();
                for part in parts {
                    if choices.after(self.execute(part, env, out, then))?.is_break() {
                        return Ok(Break(()));
                    }
                }
                choices.end(Ok(Continue(())))
            }
            SubstKind::Select(branches, other) => {
                let (mut any, mut unknown) = (false, None);
                let mut choices = Choices::default();
                for (p, body) in branches {
                    match self.guard(p, env) {
                        Ok(Some(false)) => {}
                        // What is neither true nor false leads to no ELSE.
                        Ok(None) => any = true,
                        Ok(Some(true)) => {
                            any = true;
                            if choices.after(self.execute(body, env, out, then))?.is_break() {
                                return Ok(Break(()));
                            }
                        }
                        Err(f) if f.0.code == Code::Undecided => unknown = unknown.or(Some(f)),
                        Err(f) => {
                            any = true;
                            choices.met(f)?;
                        }
                    }
                }
                let flow = match (other, unknown) {
                    (_, Some(fault)) => Err(fault),
                    (Some(body), None) if !any => self.execute(body, env, out, then),
                    _ => Ok(Continue(())),
                };
                choices.end(flow)
            }
            SubstKind::If(branches, other) => {
                for (p, body) in branches {
                    if self.pred(p, env)? {
                        return self.execute(body, env, out, then);
                    }
                }
                match other {
                    Some(body) => self.execute(body, env, out, then),
                    None => then(self, env, out),
                }
            }
            SubstKind::Case(subject, branches, other) => self.case(subject, branches, other, env, out, then),
            SubstKind::Any(binder, body) => {
                let mut choices = Choices::default();
                let flow = self.guarded_solutions(binder, env, &mut |ev, env| {
                    choices.after(ev.execute(body, env, out, then))
                });
                choices.end(flow)
            }
            SubstKind::Let(pairs, body) => {
                for (local, e) in pairs {
                    let v = self.settled(e, env)?;
                    env.set_local(local.id, Some(v));
                }
                self.execute(body, env, out, then)
            }
            SubstKind::Var(locals, body) => self.var(locals, body, env, out, then),
            SubstKind::While { cond, body, invariant, variant } => {
                self.repeat((cond, body, invariant, variant), s.span, env, out, then)
            }
            SubstKind::Seq(parts) => self.sequence(parts, env, out, then),
            SubstKind::Par(parts) => self.parallel(parts, env, out, then),
            SubstKind::Call { op, args, results } => self.call(*op, args, results, s.span, env, out, then),
        }
    }

    /// A predicate whose falsity is a fault.
    pub(super) fn oblige(&self, p: &Pred, what: &str, env: &mut Env) -> Result<(), Fault> {
        if self.pred(p, env)? {
            Ok(())
        } else {
            Err(Fault::new(Code::AssertFailed, format!("this {what} is false")).at(p.span))
        }
    }

    fn case(
        &self,
        subject: &Expr,
        branches: &[(Vec<Expr>, Subst)],
        other: &Option<Box<Subst>>,
        env: &mut Env,
        out: &mut Vec<Write>,
        then: Then<'_>,
    ) -> Flow {
        let v = self.settled(subject, env)?;
        for (values, body) in branches {
            for e in values {
                let w = self.settled(e, env)?;
                if self.equal(&v, &w, &subject.ty, e.span)? {
                    return self.execute(body, env, out, then);
                }
            }
        }
        match other {
            Some(body) => self.execute(body, env, out, then),
            None => then(self, env, out),
        }
    }

    /// VAR: its writes to its own locals are forgotten at its end.
    fn var(
        &self,
        locals: &[Local],
        body: &Subst,
        env: &mut Env,
        out: &mut Vec<Write>,
        then: Then<'_>,
    ) -> Flow {
        for l in locals {
            env.set_local(l.id, None);
        }
        let own = |w: &Write| matches!(w.place, Place::Local(id) if locals.iter().any(|l| l.id == id));
        self.execute(body, env, &mut Vec::new(), &mut |ev, env, inner| {
            ev.with_writes(last(inner).filter(|w| !own(w)).cloned(), env, out, then)
        })
    }

    pub(super) fn parallel(
        &self,
        parts: &[Subst],
        env: &mut Env,
        out: &mut Vec<Write>,
        then: Then<'_>,
    ) -> Flow {
        if parts.len() > MANY {
            return self.long_parallel(parts, env, out, then);
        }
        match parts.split_first() {
            None => then(self, env, out),
            Some((first, rest)) => {
                self.execute(first, env, out, &mut |ev, env, out| ev.parallel(rest, env, out, then))
            }
        }
    }

    fn sequence(&self, parts: &[Subst], env: &mut Env, out: &mut Vec<Write>, then: Then<'_>) -> Flow {
        let then: Then<'_> = &mut |ev, env, total| ev.with_writes(total.iter().cloned(), env, out, then);
        if parts.len() > MANY {
            return self.long_chain(parts, env, then);
        }
        self.chain(parts, &[], &[], env, then)
    }

    /// Runs `parts` one after the other; `acc` are the writes so far, in effect in `env`, and `before` takes
    /// them back. The consumer sees the state of the start again.
    pub(super) fn chain(
        &self,
        parts: &[Subst],
        acc: &[Write],
        before: &[(crate::ir::Place, Option<crate::value::Value>)],
        env: &mut Env,
        then: Then<'_>,
    ) -> Flow {
        let Some((first, rest)) = parts.split_first() else { return then(self, env, &mut acc.to_vec()) };
        self.execute(first, env, &mut Vec::new(), &mut |ev, env, writes| {
            let mut total = follow(acc, writes);
            if rest.is_empty() {
                revert(env, before.to_vec());
                let flow = then(ev, env, &mut total);
                enact(env, acc);
                return flow;
            }
            let undo = enact(env, writes);
            let all: Undo = before.iter().chain(&undo).cloned().collect();
            let flow = ev.chain(rest, &total, &all, env, then);
            revert(env, undo);
            flow
        })
    }
}
