//! WHILE and calls of operations.
//!
//! In: a loop or a call. Out: its outcomes as writes in the caller's terms. A loop runs one round after the
//! other, not nested; only several outcomes of one round recurse.

use super::choices::Choices;
use super::direct::determined;
use super::subst::Then;
use super::writes::{Write, enact, follow, last as final_writes};
use crate::diagnostic::Code;
use crate::eval::{Env, Evaluator, Flow, witness};
use crate::ir::{Expr, Place, Pred, Subst, Target};
use crate::ops::{Fault, Op};
use crate::source::Span;
use crate::ty::Ty;
use crate::value::Value;
use std::ops::ControlFlow::{Break, Continue};

/// Test, body, invariant, variant.
type Loop<'a> = (&'a Pred, &'a Subst, &'a Pred, &'a Expr);

impl Evaluator {
    pub(super) fn repeat(
        &self,
        parts: Loop<'_>,
        span: Span,
        env: &mut Env,
        out: &mut Vec<Write>,
        then: Then<'_>,
    ) -> Flow {
        let (mut done, mut choices) = (Vec::new(), Choices::default());
        if determined(parts.1) && !self.machine.settings.simultaneous && !witness::on() {
            done.push(self.straight(parts, span, env.clone())?);
        } else {
            let ran = self.rounds(parts, span, env.clone(), Vec::new(), (1, None), &mut done);
            ran.or_else(|fault| choices.met(fault))?;
        }
        for writes in done {
            if choices.after(self.with_writes(writes, env, out, then))?.is_break() {
                return Ok(Break(()));
            }
        }
        choices.end(Ok(Continue(())))
    }

    /// What a loop with a determined body writes.
    fn straight(&self, parts: Loop<'_>, span: Span, mut env: Env) -> Result<Vec<Write>, Fault> {
        let mut touched = Vec::new();
        self.spin(parts, span, &mut env, &mut touched)?;
        let write = |place: Place| {
            let value = match place {
                Place::Var(id) => env.var(id),
                Place::Local(id) => env.local(id),
            };
            value.map(|v| Write { place, value: v.clone(), span, points: Vec::new() })
        };
        Ok(touched.into_iter().filter_map(write).collect())
    }

    /// Whether another round begins; a false invariant is a fault.
    pub(super) fn round_begins(&self, cond: &Pred, invariant: &Pred, env: &mut Env) -> Result<bool, Fault> {
        if !self.pred(invariant, env)? {
            return Err(Fault::new(Code::LoopFault, "the loop invariant is false").at(invariant.span));
        }
        self.pred(cond, env)
    }

    /// Runs rounds until the test is false; every way to get there adds its writes to `done`.
    fn rounds(
        &self,
        parts: Loop<'_>,
        span: Span,
        env: Env,
        acc: Vec<Write>,
        before: (u64, Option<Value>),
        done: &mut Vec<Vec<Write>>,
    ) -> Result<(), Fault> {
        let mut choices = Choices::default();
        let ran = self.all_rounds(parts, span, (env, acc), before, done, &mut choices);
        ran.or_else(|fault| choices.met(fault))?;
        choices.end(Ok(Continue(()))).map(|_| ())
    }

    /// As [`Evaluator::rounds`]; ways that meet a fault are among `choices`.
    fn all_rounds(
        &self,
        parts: Loop<'_>,
        span: Span,
        (mut env, mut acc): (Env, Vec<Write>),
        (mut round, mut last): (u64, Option<Value>),
        done: &mut Vec<Vec<Write>>,
        choices: &mut Choices,
    ) -> Result<(), Fault> {
        let (cond, body, invariant, variant) = parts;
        loop {
            self.go_on().map_err(|f| f.at(span))?;
            let begins = self.round_begins(cond, invariant, &mut env);
            if !begins.map_err(|f| witness::note_round(f, &env, round, last.as_ref(), None))? {
                done.push(acc);
                return Ok(());
            }
            let v = self.expr(variant, &mut env)?;
            self.decreasing(&v, last.as_ref(), variant)
                .map_err(|f| witness::note_round(f, &env, round, last.as_ref(), Some(&v)))?;
            last = Some(v);
            round += 1;
            let mut results: Vec<Vec<Write>> = Vec::new();
            let ran = self.execute(body, &mut env, &mut Vec::new(), &mut |_, _, w| {
                results.push(w.clone());
                Ok(Continue(()))
            });
            ran.map(|_| ()).or_else(|fault| choices.met(fault))?;
            let Some(last_one) = results.pop() else { return Ok(()) };
            for w in results {
                let mut next = env.clone();
                enact(&mut next, &w);
                let ran = self.rounds(parts, span, next, follow(&acc, &w), (round, last.clone()), done);
                ran.or_else(|fault| choices.met(fault))?;
            }
            enact(&mut env, &last_one);
            acc = follow(&acc, &last_one);
        }
    }

    pub(super) fn decreasing(&self, v: &Value, last: Option<&Value>, variant: &Expr) -> Result<(), Fault> {
        let fault = |text: &str| Err(Fault::new(Code::LoopFault, text).at(variant.span));
        let negative = match v {
            Value::Int(n) => *n < 0,
            _ => self.holds(Op::Lt, &[v.clone(), Value::Int(0)], &Ty::Int, variant.span)?,
        };
        if negative {
            return fault("the loop variant is negative");
        }
        match last {
            Some(last) if v >= last => fault("the loop variant does not decrease"),
            _ => Ok(()),
        }
    }

    /// A call: the called body runs in a frame of its own.
    pub(super) fn call(
        &self,
        op: u32,
        args: &[Expr],
        results: &[Target],
        span: Span,
        env: &mut Env,
        out: &mut Vec<Write>,
        then: Then<'_>,
    ) -> Flow {
        let machine = self.machine.clone();
        let Some(callee) = machine.operations.get(op as usize) else {
            return Err(Fault::new(Code::Unsupported, "a call of an unknown operation").at(span));
        };
        let mut inner = Env::new(env.consts.clone(), env.vars.clone(), callee.frame);
        inner.old = Some(env.vars.clone());
        for (param, arg) in callee.params.iter().zip(args) {
            let v = self.settled(arg, env)?;
            inner.set_local(param.id, Some(v));
        }
        // A call stands for the body with the targets in place of the results (B-Book 7.2): a result that is read
        // before it is assigned has the target's value.
        for (target, result) in results.iter().zip(&callee.results) {
            let value = match (target.path.is_empty(), target.place) {
                (true, Place::Var(v)) => env.var(v).cloned(),
                (true, Place::Local(l)) => env.local(l).cloned(),
                (false, _) => None,
            };
            inner.set_local(result.id, value);
        }
        self.execute(&callee.called, &mut inner, &mut Vec::new(), &mut |ev, _, writes| {
            let mut all: Vec<Write> = Vec::new();
            for (target, result) in results.iter().zip(&callee.results) {
                let v = writes.iter().rev().find(|w| w.place == Place::Local(result.id));
                let v = v.ok_or_else(|| {
                    let text = format!("`{}` does not assign its result `{}`", callee.name, result.name);
                    Fault::new(Code::Unset, text).at(span)
                })?;
                all.push(ev.write(target, v.value.clone(), env)?);
            }
            all.extend(final_writes(writes).filter(|w| matches!(w.place, Place::Var(_))).cloned());
            ev.with_writes(all, env, out, then)
        })
    }
}
