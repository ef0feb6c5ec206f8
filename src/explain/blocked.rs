//! Why an operation is not possible: what its guard fails at, by kind of argument, or what its body has no outcome for.
//!
//! In: a state in which an offered operation has no outcome. Out: for each conjunct of the guard at which choices of arguments
//! fail, how many do and why one of them does. Choices are those that conjuncts like `p : S` list; where nothing lists them,
//! what comes near. A loop has no explanation: its body would be told as of one round.

use super::{Explainer, STEPS, Scope, Why};
use crate::eval::{Budget, Env};
use crate::exec::{Guard, Truth};
use crate::ir::{Binder, Expr, ExprKind, Local, Operation, Pred, PredKind, Subst, SubstKind};
use crate::ops::{Fault, Op};
use crate::source::Span;
use crate::value::Value;
use std::ops::ControlFlow::Break;
use std::sync::Arc;

/// Most choices of arguments that are looked at.
const CHOICES: usize = 1000;

/// Why an operation is not possible.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Blocked {
    /// The operation.
    pub operation: String,
    /// Number of choices of arguments that were looked at, if there is something to choose.
    pub choices: Option<u64>,
    /// Whether there are more of them.
    pub more: bool,
    /// What they fail at.
    pub kinds: Vec<Kind>,
}

/// Choices of arguments that fail for the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kind {
    /// Their number.
    pub choices: u64,
    /// Why, of one of them: all of these.
    pub why: Vec<Why>,
}

/// The choice that stands for a kind, so far.
struct Found {
    /// The conjunct, by its number; `None` if the guard is true.
    at: Option<usize>,
    choices: u64,
    /// How many conjuncts are not true.
    wrong: usize,
    fault: Option<Fault>,
    env: Env,
}

impl Explainer<'_> {
    /// Why an operation, by its number in the machine, is not possible under the values of constants and variables.
    #[must_use]
    pub fn blocked(&self, op: u32, env: &Env) -> Option<Blocked> {
        let machine = Arc::clone(&self.ev.machine);
        let o = machine.operations.get(op as usize)?;
        let offered = o.offered.as_ref()?;
        let _budget = Budget::of(STEPS);
        let mut env = Env::new(Arc::clone(&env.consts), Arc::clone(&env.vars), o.frame);
        env.old = Some(Arc::clone(&env.vars));
        let named = Blocked { operation: o.name.to_string(), ..Blocked::default() };
        if let Some(guard) = Guard::of(&self.ev, &machine, op).filter(|g| !g.locals.is_empty())
            && let Some(found) = self.by_choice(&guard, Guard::rest(offered), &env)
        {
            return Some(Blocked { operation: named.operation, ..found });
        }
        let mut why = Vec::new();
        self.any(&o.params, &guard_of(o), offered, &env, &mut Scope::new(), &mut why);
        let kinds = if why.is_empty() { Vec::new() } else { vec![Kind { choices: 1, why }] };
        Some(Blocked { kinds, ..named })
    }

    /// By choice of arguments; `None` if there is none.
    fn by_choice(&self, guard: &Guard, rest: &Subst, env: &Env) -> Option<Blocked> {
        let (mut seen, mut kinds) = (0, Vec::<Found>::new());
        let end = self.ev.examine(guard, env, CHOICES, &mut |env, truths| {
            seen += 1;
            let at = fails_at(guard, truths);
            let wrong = truths.iter().filter(|t| !matches!(t, Truth::True)).count();
            let fault = match at.and_then(|i| truths.get(i)) {
                Some(Truth::Void(fault)) => Some(fault.clone()),
                _ => None,
            };
            let found = Found { at, choices: 1, wrong, fault, env: env.clone() };
            match kinds.iter_mut().find(|k| k.at == at) {
                Some(known) if wrong < known.wrong => {
                    *known = Found { choices: known.choices + 1, ..found };
                }
                Some(known) => known.choices += 1,
                None => kinds.push(found),
            }
        });
        if seen == 0 {
            return None;
        }
        // What does not depend on the choice fails for all of them.
        let told = |k: &Found| k.at.is_some_and(|i| guard.reads.get(i) == Some(&false));
        let alone = kinds.iter().any(told);
        let kinds = kinds.into_iter().filter(|k| !alone || told(k));
        let kinds = kinds.map(|k| Kind { choices: k.choices, why: self.of_kind(guard, rest, k) }).collect();
        Some(Blocked { choices: Some(seen), more: !matches!(end, Ok(true)), kinds, ..Blocked::default() })
    }

    fn of_kind(&self, guard: &Guard, rest: &Subst, mut found: Found) -> Vec<Why> {
        let Some((i, p)) = found.at.and_then(|i| Some((i, guard.conjuncts.get(i)?))) else {
            let mut why = Vec::new();
            self.stuck(rest, &found.env, &mut guard.locals.clone(), &mut why);
            return why;
        };
        let chosen = guard.reads.get(i) == Some(&true);
        let mut scope = if chosen { guard.locals.clone() } else { Scope::new() };
        vec![match &found.fault {
            Some(fault) => self.void(p, fault, &found.env, &mut scope),
            None => self.descend(p, false, &mut found.env, &mut scope),
        }]
    }

    /// A predicate without a value, which counts as false.
    fn void(&self, p: &Pred, fault: &Fault, env: &Env, scope: &mut Scope) -> Why {
        let found = self.valueless(p, fault, &mut env.clone(), &mut scope.clone());
        found.unwrap_or_else(|| Why { holds: None, ..self.leaf(p, false, env, scope) })
    }

    /// Why a substitution has no outcome.
    fn stuck(&self, s: &Subst, env: &Env, scope: &mut Scope, out: &mut Vec<Why>) {
        match &s.kind {
            SubstKind::Select(branches, other) => {
                let mut taken = false;
                for (p, body) in branches {
                    match self.ev.pred(p, &mut env.clone()) {
                        Ok(true) => {
                            taken = true;
                            self.stuck(body, env, scope, out);
                        }
                        // Else the ELSE decides.
                        _ if other.is_some() => {}
                        Ok(false) => out.push(self.descend(p, false, &mut env.clone(), scope)),
                        Err(fault) => out.push(self.void(p, &fault.at(p.span), env, scope)),
                    }
                }
                if let Some(body) = other.as_ref().filter(|_| !taken) {
                    self.stuck(body, env, scope, out);
                }
            }
            SubstKind::If(branches, other) => {
                let is = |p: &Pred| self.ev.pred(p, &mut env.clone()).is_ok_and(|holds| holds);
                let branch = branches.iter().find(|(p, _)| is(p)).map(|(_, body)| body);
                if let Some(body) = branch.or(other.as_deref()) {
                    self.stuck(body, env, scope, out);
                }
            }
            SubstKind::Case(subject, branches, other) => {
                let is = |e: &&Expr| {
                    let kind = PredKind::Op(Op::Eq, vec![subject.clone(), (*e).clone()]);
                    self.ev.pred(&Pred { kind, span: e.span }, &mut env.clone()).is_ok_and(|holds| holds)
                };
                let branch = branches.iter().find(|(values, _)| values.iter().any(|e| is(&e)));
                if let Some(body) = branch.map(|(_, body)| body).or(other.as_deref()) {
                    self.stuck(body, env, scope, out);
                }
            }
            SubstKind::Choice(parts) => parts.iter().for_each(|p| self.stuck(p, env, scope, out)),
            SubstKind::Par(parts) => {
                if let Some(part) = parts.iter().find(|p| self.after(p, env).is_none()) {
                    self.stuck(part, env, scope, out);
                }
            }
            SubstKind::Seq(parts) => {
                let mut env = env.clone();
                for part in parts {
                    match self.after(part, &env) {
                        Some(next) => env = next,
                        None => return self.stuck(part, &env, scope, out),
                    }
                }
            }
            SubstKind::Any(b, body) => self.any(&b.vars, b, body, env, scope, out),
            SubstKind::BecomesSuch(_, b) => out.push(self.none(b, env, scope)),
            SubstKind::BecomesIn(_, e) => {
                let none =
                    Expr { kind: ExprKind::Lit(Value::empty()), ty: e.ty.clone(), span: Span::default() };
                let p = Pred { kind: PredKind::Op(Op::Neq, vec![e.clone(), none]), span: Span::default() };
                let text = self.text_of_expr(e, scope);
                let whole = text.chars().all(|c| c.is_alphanumeric() || c == '_') || text.starts_with('{');
                let part = if whole { format!("{text} /= {{}}") } else { format!("({text}) /= {{}}") };
                out.push(Why { part, place: e.span, ..self.leaf(&p, false, env, scope) });
            }
            SubstKind::Let(pairs, body) => {
                let (mut env, known) = (env.clone(), scope.len());
                for (local, e) in pairs {
                    let value = self.ev.expr(e, &mut env).ok();
                    env.set_local(local.id, value);
                    scope.push(local.clone());
                }
                self.stuck(body, &env, scope, out);
                scope.truncate(known);
            }
            SubstKind::Var(_, body) | SubstKind::Pre(_, body) | SubstKind::Assert(_, body) => {
                self.stuck(body, env, scope, out);
            }
            SubstKind::Call { op, args, .. } => self.in_call(*op, args, s.span, env, out),
            SubstKind::Skip | SubstKind::Assign(_) | SubstKind::While { .. } => {}
        }
    }

    /// Why there is no choice, or, if there is one, why a substitution has no outcome for it.
    fn any(
        &self,
        vars: &[Local],
        b: &Arc<Binder>,
        body: &Subst,
        env: &Env,
        scope: &mut Scope,
        out: &mut Vec<Why>,
    ) {
        if vars.is_empty() {
            return self.stuck(body, env, scope, out);
        }
        let mut found = None;
        let end = self.ev.solve(vars, &[&b.pred], &mut env.clone(), &mut |_, env| {
            found = Some(env.clone());
            Ok(Break(()))
        });
        match found {
            Some(env) => {
                let known = scope.len();
                scope.extend(vars.iter().cloned());
                self.stuck(body, &env, scope, out);
                scope.truncate(known);
            }
            None if end.is_ok() => out.push(self.none(b, env, scope)),
            None => {}
        }
    }

    /// That a choice has no solution.
    fn none(&self, b: &Arc<Binder>, env: &Env, scope: &mut Scope) -> Why {
        let kind = PredKind::Exists(Arc::clone(b));
        let why = self.nothing(&Pred { kind, span: Span::default() }, b, &mut env.clone(), scope);
        let known = scope.len();
        scope.extend(b.vars.iter().cloned());
        let part = format!("#({}).({})", why.missing.join(","), self.text_of_pred(&b.pred, scope));
        scope.truncate(known);
        Why { part, place: b.pred.span, ..why }
    }

    /// In the body of an operation that is called.
    fn in_call(&self, op: u32, args: &[Expr], place: Span, env: &Env, out: &mut Vec<Why>) {
        let machine = Arc::clone(&self.ev.machine);
        let Some(callee) = machine.operations.get(op as usize) else { return };
        let mut inner = Env::new(Arc::clone(&env.consts), Arc::clone(&env.vars), callee.frame);
        inner.old.clone_from(&env.old);
        for (p, e) in callee.params.iter().zip(args) {
            inner.set_local(p.id, self.ev.expr(e, &mut env.clone()).ok());
        }
        let known = out.len();
        self.stuck(&callee.called, &inner, &mut callee.params.clone(), out);
        out.iter_mut().skip(known).for_each(|why| why.calls.push(place));
    }

    /// The values after the first outcome of a substitution.
    fn after(&self, s: &Subst, env: &Env) -> Option<Env> {
        let mut next = None;
        let _ = self.ev.outcomes(s, &mut env.clone(), &mut |_, env| {
            next = Some(env.clone());
            Ok(Break(()))
        });
        next
    }
}

/// The conjunct at which a choice fails: one that does not depend on it, else the first that is false, else the first that has
/// no value.
fn fails_at(guard: &Guard, truths: &[Truth]) -> Option<usize> {
    let wrong =
        || truths.iter().zip(&guard.reads).enumerate().filter(|(_, (t, _))| !matches!(t, Truth::True));
    let first = wrong().find(|(_, (t, reads))| matches!(t, Truth::False) && !**reads);
    let first = first.or_else(|| wrong().find(|(_, (t, _))| matches!(t, Truth::False)));
    first.or_else(|| wrong().next()).map(|(i, _)| i)
}

/// The guard of an operation, with its parameters.
fn guard_of(o: &Operation) -> Arc<Binder> {
    let guard = match o.offered.as_ref().map(|s| &s.kind) {
        Some(SubstKind::Select(branches, None)) if branches.len() == 1 => branches.first().map(|(p, _)| p),
        _ => None,
    };
    let pred = guard.cloned().unwrap_or(Pred { kind: PredKind::True, span: o.span });
    Arc::new(Binder {
        vars: o.params.clone(),
        pred,
        captures: Vec::new(),
        frame: o.frame,
        reads_state: true,
        // Plans are kept by number, and this one's is of no use later.
        id: u32::MAX,
    })
}
