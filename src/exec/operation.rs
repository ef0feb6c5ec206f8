//! The edges of an offered operation: parameters and body enumerated together.
//!
//! In: an operation, a state. Out: one [`Edge`] per outcome (not deduplicated: two outcomes may carry the same
//! label and target). A fault of one choice of parameters does not hide the edges of the others. Sibling:
//! `guards` (what restricts the parameters).

use super::guards::Guards;
use super::writes::Write;
use crate::diagnostic::Code;
use crate::eval::formulas::equation;
use crate::eval::problem::Problem;
use crate::eval::solve::OPEN;
use crate::eval::{Env, Evaluator};
use crate::ir::{Binder, Expr, ExprKind, Local, LocalId, Operation, Place, Pred, PredKind, Subst, SubstKind};
use crate::ops::Fault;
use crate::value::Value;
use std::collections::BTreeSet;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;

/// One outcome of an operation.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Values of the parameters, then of the shown ANY variables.
    pub args: Vec<Value>,
    /// Values of the results.
    pub results: Vec<Value>,
    /// Values of the variables after it.
    pub vars: Arc<Vec<Option<Value>>>,
}

/// What is said of one choice of parameters: an edge, or a fault with the arguments it happened under.
pub type Report = Result<Edge, (Vec<Value>, Fault)>;

impl Evaluator {
    /// Calls `f` with every outcome of operation number `op` (as offered) from the state in `env` (its constants and
    /// variables; its frame is not used), under parameters for which `tried` says so. A fault of the body goes to
    /// `f` with the arguments it happened under, and enumeration goes on.
    ///
    /// # Errors
    /// A fault of enumerating the parameters; `Undecided` if no outcome is known, and perhaps there is one.
    pub fn operation(
        &self,
        op: u32,
        env: &Env,
        tried: &dyn Fn(&[Value]) -> bool,
        f: &mut dyn FnMut(Report) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Fault> {
        let machine = self.machine.clone();
        let Some(o) = machine.operations.get(op as usize) else { return Ok(Continue(())) };
        let Some(offered) = &o.offered else { return Ok(Continue(())) };
        let make = || Guards { ev: self }.problems(o, &[]);
        let made;
        let problems: &[Problem] = match self.cache.operations.get(op as usize) {
            _ if o.params.is_empty() => &[],
            Some(slot) if !self.naive => slot.get_or_init(make),
            _ => {
                made = make();
                &made
            }
        };
        self.some_or_unknown(|any| {
            self.offered((o, offered), problems, env, tried, &mut |report| {
                *any |= report.is_ok();
                f(report)
            })
        })
    }

    /// As [`Evaluator::operation`], for given values of some parameters, or of variables of an outermost ANY that stand in
    /// the label. They are part of what is solved: what has no end else has one then.
    ///
    /// # Errors
    /// As those of [`Evaluator::operation`].
    pub fn operation_where(
        &self,
        op: u32,
        env: &Env,
        given: &[(LocalId, Value)],
        f: &mut dyn FnMut(Report) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Fault> {
        let machine = self.machine.clone();
        let Some(o) = machine.operations.get(op as usize) else { return Ok(Continue(())) };
        let Some(offered) = &o.offered else { return Ok(Continue(())) };
        let offered = narrowed(offered, given);
        let told = equations(&o.params, given);
        let problems = if o.params.is_empty() { Vec::new() } else { Guards { ev: self }.problems(o, &told) };
        self.some_or_unknown(|any| {
            self.offered((o, &offered), &problems, env, &|_| true, &mut |report| {
                *any |= report.is_ok();
                f(report)
            })
        })
    }

    fn offered(
        &self,
        (o, offered): (&Operation, &Subst),
        problems: &[Problem],
        env: &Env,
        tried: &dyn Fn(&[Value]) -> bool,
        f: &mut dyn FnMut(Report) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Fault> {
        let (guard, body) = Guards::outer(offered);
        let mut frame = Env::new(env.consts.clone(), env.vars.clone(), o.frame);
        frame.old = Some(env.vars.clone());
        if o.params.is_empty() {
            if let Some(p) = guard
                && self.guard(p, &mut frame)? != Some(true)
            {
                return Ok(Continue(()));
            }
            return self.body(o, body, &mut frame, tried, f);
        }
        if let [only] = problems {
            return self.run(only, OPEN, &mut frame, &mut |ev, env| ev.body(o, body, env, tried, f));
        }
        self.parameters_then_body(o, body, problems, &mut frame, tried, f)
    }

    /// Several ways to restrict the parameters: their union first, then the body for each.
    fn parameters_then_body(
        &self,
        o: &Operation,
        body: &Subst,
        problems: &[Problem],
        frame: &mut Env,
        tried: &dyn Fn(&[Value]) -> bool,
        f: &mut dyn FnMut(Report) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Fault> {
        let mut found: BTreeSet<Vec<Value>> = BTreeSet::new();
        for p in problems {
            let _ = self.run(p, OPEN, frame, &mut |_, env| {
                found.insert(o.params.iter().filter_map(|p| env.local(p.id).cloned()).collect());
                Ok(Continue(()))
            })?;
        }
        for row in found {
            for (p, v) in o.params.iter().zip(row) {
                frame.set_local(p.id, Some(v));
            }
            if self.body(o, body, frame, tried, f)?.is_break() {
                return Ok(Break(()));
            }
        }
        Ok(Continue(()))
    }

    /// Runs the body for the parameters in the frame and reports its edges or its fault.
    fn body(
        &self,
        o: &Operation,
        body: &Subst,
        frame: &mut Env,
        tried: &dyn Fn(&[Value]) -> bool,
        f: &mut dyn FnMut(Report) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Fault> {
        let args: Vec<Value> = o.params.iter().filter_map(|p| frame.local(p.id).cloned()).collect();
        if !tried(&args) {
            return Ok(Continue(()));
        }
        for r in &o.results {
            frame.set_local(r.id, None);
        }
        let mut stopped = false;
        let done = self.execute(body, frame, &mut Vec::new(), &mut |_, env, writes| {
            let flow = f(Ok(edge(o, &args, env, writes)));
            stopped = flow.is_break();
            Ok(flow)
        });
        match done {
            Ok(_) => Ok(if stopped { Break(()) } else { Continue(()) }),
            Err(fault) if fault.0.code == Code::Interrupted => Err(fault),
            Err(fault) => Ok(f(Err((args, fault)))),
        }
    }
}

/// The equations of locals whose values are given.
fn equations(locals: &[Local], given: &[(LocalId, Value)]) -> Vec<Pred> {
    let one = |(id, value): &(LocalId, Value)| {
        let local = locals.iter().find(|l| l.id == *id)?;
        let value = Expr { kind: ExprKind::Lit(value.clone()), ty: local.ty.clone(), span: local.span };
        Some(equation(local, &value))
    };
    given.iter().filter_map(one).collect()
}

/// A substitution where variables of an outermost ANY have given values.
fn narrowed(s: &Subst, given: &[(LocalId, Value)]) -> Subst {
    let SubstKind::Any(binder, body) = &s.kind else { return s.clone() };
    let mut parts = equations(&binder.vars, given);
    if parts.is_empty() {
        return s.clone();
    }
    parts.push(binder.pred.clone());
    let binder = Binder {
        vars: binder.vars.clone(),
        pred: Pred { kind: PredKind::And(parts), span: binder.pred.span },
        captures: binder.captures.clone(),
        // Plans are kept by number, and this one's is of no use later.
        id: u32::MAX,
        ..*binder.as_ref()
    };
    Subst { kind: SubstKind::Any(Arc::new(binder), body.clone()), span: s.span }
}

fn edge(o: &Operation, args: &[Value], env: &Env, writes: &[Write]) -> Edge {
    let mut args = args.to_vec();
    args.extend(o.shown.iter().filter_map(|id| env.local(*id).cloned()));
    let mut results = Vec::with_capacity(o.results.len());
    for r in &o.results {
        let w = writes.iter().rev().find(|w| w.place == Place::Local(r.id));
        // A result that is never assigned is accepted, with one value that stands for any.
        results.push(w.map_or_else(|| Value::Str("?".into()), |w| w.value.clone()));
    }
    let mut vars = env.vars.clone();
    if writes.iter().any(|w| matches!(w.place, Place::Var(_))) {
        let slots = Arc::make_mut(&mut vars);
        for w in writes {
            if let Place::Var(id) = w.place
                && let Some(slot) = slots.get_mut(id.0 as usize)
            {
                *slot = Some(w.value.clone());
            }
        }
    }
    Edge { args, results, vars }
}
