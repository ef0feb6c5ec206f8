//! The parts of a substitution that can say no, and the substitution without some of them.
//!
//! In: the body of INITIALISATION. Out: conjuncts of ANY, SELECT and `x :(P)`, and the sets of `x :: S`, in order; the body
//! in which those that are not kept hold. Tests of IF and CASE, which only choose, are no parts.

use super::{Part, exprs_of};
use crate::eval::{Constants, Env, Evaluator, exprs_in};
use crate::ir::{Binder, Pred, PredKind, Subst, SubstKind};
use crate::ops::Fault;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The parts of a body.
pub(super) fn parts(body: &Subst) -> Vec<Part<'_>> {
    let mut found = Vec::new();
    gather(body, &mut found);
    found
}

fn gather<'m>(s: &'m Subst, found: &mut Vec<Part<'m>>) {
    let mut conjuncts = |p: &'m Pred| {
        found.extend(p.conjuncts().into_iter().map(|p| Part { span: p.span, exprs: exprs_of(p) }));
    };
    match &s.kind {
        SubstKind::BecomesIn(_, e) => found.push(Part { span: s.span, exprs: exprs_in(e) }),
        SubstKind::BecomesSuch(_, b) => conjuncts(&b.pred),
        SubstKind::Any(b, body) => {
            conjuncts(&b.pred);
            gather(body, found);
        }
        SubstKind::Select(branches, otherwise) => {
            for (test, body) in branches {
                found.extend(test.conjuncts().into_iter().map(|p| Part { span: p.span, exprs: exprs_of(p) }));
                gather(body, found);
            }
            otherwise.iter().for_each(|s| gather(s, found));
        }
        SubstKind::Pre(_, body)
        | SubstKind::Assert(_, body)
        | SubstKind::Let(_, body)
        | SubstKind::Var(_, body) => {
            gather(body, found);
        }
        SubstKind::Choice(all) | SubstKind::Seq(all) | SubstKind::Par(all) => {
            all.iter().for_each(|s| gather(s, found));
        }
        // Of what is chosen by tests, all may be needed: left as it is.
        _ => {}
    }
}

/// The body in which only some of its parts say anything.
pub(super) fn with(body: &Subst, kept: &[usize]) -> Subst {
    Without { kept, at: 0 }.subst(body)
}

struct Without<'k> {
    kept: &'k [usize],
    /// Parts met so far.
    at: usize,
}

impl Without<'_> {
    fn keeps(&mut self) -> bool {
        let keeps = self.kept.contains(&self.at);
        self.at += 1;
        keeps
    }

    fn pred(&mut self, p: &Pred) -> Pred {
        let mut some: Vec<Pred> = p.conjuncts().into_iter().filter(|_| self.keeps()).cloned().collect();
        let kind = match some.len() {
            0 => PredKind::True,
            1 => return some.remove(0),
            _ => PredKind::And(some),
        };
        Pred { kind, span: p.span }
    }

    fn binder(&mut self, b: &Binder) -> Arc<Binder> {
        Arc::new(Binder {
            vars: b.vars.clone(),
            pred: self.pred(&b.pred),
            captures: b.captures.clone(),
            frame: b.frame,
            reads_state: b.reads_state,
            id: b.id,
        })
    }

    fn all(&mut self, all: &[Subst]) -> Vec<Subst> {
        all.iter().map(|s| self.subst(s)).collect()
    }

    fn boxed(&mut self, s: &Subst) -> Box<Subst> {
        Box::new(self.subst(s))
    }

    /// In the order of [`gather`].
    fn subst(&mut self, s: &Subst) -> Subst {
        let kind = match &s.kind {
            SubstKind::BecomesIn(..) => {
                if self.keeps() {
                    s.kind.clone()
                } else {
                    SubstKind::Skip
                }
            }
            SubstKind::BecomesSuch(targets, b) => SubstKind::BecomesSuch(targets.clone(), self.binder(b)),
            SubstKind::Any(b, body) => {
                let b = self.binder(b);
                SubstKind::Any(b, self.boxed(body))
            }
            SubstKind::Select(branches, otherwise) => {
                let branches = branches.iter().map(|(p, s)| (self.pred(p), self.subst(s))).collect();
                SubstKind::Select(branches, otherwise.as_ref().map(|s| self.boxed(s)))
            }
            SubstKind::Pre(p, body) => SubstKind::Pre(p.clone(), self.boxed(body)),
            SubstKind::Assert(p, body) => SubstKind::Assert(p.clone(), self.boxed(body)),
            SubstKind::Let(locals, body) => SubstKind::Let(locals.clone(), self.boxed(body)),
            SubstKind::Var(locals, body) => SubstKind::Var(locals.clone(), self.boxed(body)),
            SubstKind::Choice(all) => SubstKind::Choice(self.all(all)),
            SubstKind::Seq(all) => SubstKind::Seq(self.all(all)),
            SubstKind::Par(all) => SubstKind::Par(self.all(all)),
            other => other.clone(),
        };
        Subst { kind, span: s.span }
    }
}

/// Whether a body has an outcome under these values of the constants.
pub(super) fn has_outcome(
    ev: &Evaluator,
    body: &Subst,
    frame: u32,
    constants: &Constants,
) -> Result<bool, Fault> {
    let vars = Arc::new(vec![None; ev.machine.variables.len()]);
    let mut env = Env::new(Arc::clone(constants), vars, frame);
    let mut found = false;
    let _broken_off = ev.outcomes(body, &mut env, &mut |_, _| {
        found = true;
        Ok(ControlFlow::Break(()))
    })?;
    Ok(found)
}
