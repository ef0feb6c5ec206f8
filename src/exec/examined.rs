//! What the conjuncts of a guard come to, one by one, in a state.
//!
//! In: an operation, a state. Out: for each choice of its parameters (and of the variables of an ANY that it begins with) that
//! the conjuncts like `p : S` allow, whether each conjunct is true, false or without value. The search for steps is elsewhere
//! (`operation`): there a guard without a value is false (`voids`), and here it is seen which one that is.

use crate::diagnostic::Code;
use crate::eval::problem::{Problem, Unknown};
use crate::eval::solve::OPEN;
use crate::eval::{Env, Evaluator, walk};
use crate::ir::{Expr, ExprKind, Local, LocalId, Machine, Pred, PredKind, Subst, SubstKind};
use crate::ops::{Fault, Op};
use std::ops::ControlFlow::{Break, Continue};

/// What a conjunct comes to.
#[derive(Clone, Debug)]
pub enum Truth {
    /// It is true.
    True,
    /// It is false.
    False,
    /// It has no value, for this reason.
    Void(Fault),
}

/// What an operation begins with.
#[derive(Debug)]
pub struct Guard {
    /// Its number among all operations.
    pub op: u32,
    /// The conjuncts, in the order of the text.
    pub conjuncts: Vec<Pred>,
    /// Whether each reads a parameter.
    pub reads: Vec<bool>,
    /// What is chosen: parameters, and the variables of an ANY that the operation begins with.
    pub locals: Vec<Local>,
    /// What tells the choices; `None` if there is nothing to choose.
    choices: Option<Problem>,
    frame: u32,
}

impl Guard {
    /// The guard of an offered operation; `None` if it has none, or one whose parameters have nothing that lists them.
    #[must_use]
    pub fn of(ev: &Evaluator, machine: &Machine, op: u32) -> Option<Self> {
        let operation = machine.operations.get(op as usize)?;
        let (mut locals, mut conjuncts) = (operation.params.clone(), Vec::new());
        begin(operation.offered.as_ref()?, &mut locals, &mut conjuncts);
        if let Some(scope) = &machine.scope {
            // It stands in front of every guard, and is none of the operation's.
            let (file, lo, hi) = (scope.pred.span.file, scope.pred.span.lo, scope.pred.span.hi);
            conjuncts.retain(|c| c.span.file != file || c.span.lo < lo || c.span.hi > hi);
        }
        if conjuncts.is_empty() {
            return None;
        }
        let listing: Vec<&Pred> = conjuncts.iter().filter(|p| lists(p, &locals).is_some()).collect();
        let listed = |l: &Local| listing.iter().any(|p| lists(p, &locals) == Some(l.id));
        if !locals.iter().all(listed) {
            return None;
        }
        let unknowns = locals.iter().map(Unknown::local).collect();
        let choices = (!locals.is_empty()).then(|| Problem::new(unknowns, &listing, ev));
        let reads = conjuncts.iter().map(|p| reads(p, &locals)).collect();
        Some(Self { op, conjuncts, reads, locals, choices, frame: operation.frame })
    }

    /// What an offered operation does behind its guard.
    #[must_use]
    pub fn rest(offered: &Subst) -> &Subst {
        match &offered.kind {
            SubstKind::Select(branches, None) => match branches.as_slice() {
                [(_, body)] => Self::rest(body),
                _ => offered,
            },
            SubstKind::Any(_, body) => Self::rest(body),
            _ => offered,
        }
    }
}

/// The conjuncts that a substitution begins with, and the variables that it chooses there.
fn begin(s: &Subst, locals: &mut Vec<Local>, conjuncts: &mut Vec<Pred>) {
    match &s.kind {
        SubstKind::Select(branches, None) => {
            if let [(guard, body)] = branches.as_slice() {
                conjuncts.extend(guard.conjuncts().into_iter().cloned());
                begin(body, locals, conjuncts);
            }
        }
        SubstKind::Any(binder, body) => {
            locals.extend(binder.vars.iter().cloned());
            conjuncts.extend(binder.pred.conjuncts().into_iter().cloned());
            begin(body, locals, conjuncts);
        }
        _ => {}
    }
}

/// The local whose values a conjunct lists: `p : S`, `p <: S`, `p = e`.
fn lists(p: &Pred, locals: &[Local]) -> Option<LocalId> {
    let PredKind::Op(Op::In | Op::Subset | Op::Eq, args) = &p.kind else { return None };
    match args.first().map(|e| &e.kind) {
        Some(ExprKind::Local(id)) if locals.iter().any(|l| l.id == *id) => Some(*id),
        _ => None,
    }
}

fn reads(p: &Pred, locals: &[Local]) -> bool {
    let mut any = false;
    let mut look = |e: &Expr| {
        any |= matches!(e.kind, ExprKind::Local(id) if locals.iter().any(|l| l.id == id));
    };
    walk::pred(p, &mut look);
    any
}

impl Evaluator {
    /// Calls `f` with at most so many choices and what the conjuncts of a guard come to. Whether these were all.
    ///
    /// # Errors
    /// What keeps a conjunct from being decided, or choices from being listed.
    pub fn examine(
        &self,
        guard: &Guard,
        env: &Env,
        most: usize,
        f: &mut dyn FnMut(&Env, &[Truth]),
    ) -> Result<bool, Fault> {
        let mut frame = Env::new(env.consts.clone(), env.vars.clone(), guard.frame);
        frame.old = Some(env.vars.clone());
        let Some(choices) = &guard.choices else {
            let truths = self.truths(guard, &mut frame)?;
            f(&frame, &truths);
            return Ok(true);
        };
        let mut seen = 0;
        let done = self.run(choices, OPEN, &mut frame, &mut |ev, env| {
            if seen == most {
                return Ok(Break(()));
            }
            seen += 1;
            let truths = ev.truths(guard, env)?;
            f(env, &truths);
            Ok(Continue(()))
        })?;
        Ok(done.is_continue())
    }

    fn truths(&self, guard: &Guard, env: &mut Env) -> Result<Vec<Truth>, Fault> {
        let truth = |p: &Pred| match self.pred(p, env) {
            Ok(true) => Ok(Truth::True),
            Ok(false) => Ok(Truth::False),
            Err(f) if matches!(f.0.code, Code::Interrupted | Code::Undecided) => Err(f),
            Err(f) => Ok(Truth::Void(f.at(p.span))),
        };
        self.went_on(guard.conjuncts.len() as u64);
        guard.conjuncts.iter().map(truth).collect()
    }
}
