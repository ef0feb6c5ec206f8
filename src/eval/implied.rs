//! Where unknowns of infinite types must be that nothing else types: in the domain of a function that is applied to them,
//! `f(x ^ y) = z` with `f = %s.(s : seq(S) | E)`; and inside what all their members are, `!x.(x : s => x : T)`.
//!
//! In: the conjuncts of a problem with its unknowns. Out: memberships and inclusions that follow. The conjuncts themselves stay
//! and are tested; what follows only makes candidates finite. An application that is solved for has no value outside the domain,
//! which is as good as being false (b-language.md 4.6).

use super::finite;
use super::pointwise::{is_tuple, same};
use super::problem::Unknown;
use super::spaces::Named;
use super::walk;
use crate::ir::{Binder, Expr, ExprKind, Pred, PredKind, Scoped};
use crate::ops::Op;
use crate::source::Span;
use crate::ty::Ty;
use std::sync::Arc;

/// No binder of the machine: plans that are kept by number are those of the machine's binders.
pub(super) const NOBODY: u32 = u32::MAX;

/// What follows from the conjuncts.
pub(super) fn memberships(conjuncts: &[&Pred], unknowns: &[Unknown], named: &Named) -> Vec<Pred> {
    let mut finder = Finder { conjuncts, unknowns, out: Vec::new(), depth: 8 };
    for c in conjuncts {
        match &c.kind {
            PredKind::Op(_, args) => args.iter().for_each(|e| finder.applications(e, named)),
            PredKind::Forall(scoped) => finder.members(scoped),
            _ => {}
        }
    }
    finder.out
}

struct Finder<'a> {
    conjuncts: &'a [&'a Pred],
    unknowns: &'a [Unknown],
    out: Vec<Pred>,
    /// How many more names may be looked through: equations may go in circles.
    depth: u8,
}

impl Finder<'_> {
    /// Looks for applications of functions with known domains in an expression that is evaluated in any case.
    fn applications(&mut self, e: &Expr, named: &Named) {
        match &e.kind {
            ExprKind::Op(Op::Apply, args) => {
                let [f, x] = &args[..] else { return };
                if let Some(domain) = named.domain(f) {
                    self.inside(x, domain.clone());
                }
                self.applications(x, named);
            }
            ExprKind::Op(_, args) | ExprKind::SetExt(args) | ExprKind::SeqExt(args) => {
                args.iter().for_each(|e| self.applications(e, named));
            }
            _ => {}
        }
    }

    /// What it takes for the value of an expression to be in a set.
    fn inside(&mut self, e: &Expr, set: Expr) {
        if self.is_loose(e) {
            return self.note(Op::In, e, set);
        }
        if self.unknowns.iter().any(|u| u.is(e)) {
            let Some(depth) = self.depth.checked_sub(1) else { return };
            let made = self.made(e);
            let depth = std::mem::replace(&mut self.depth, depth);
            made.iter().for_each(|made| self.inside(made, set.clone()));
            self.depth = depth;
            return;
        }
        let (ExprKind::Op(op, parts), ExprKind::Op(space, of)) = (&e.kind, &set.kind) else { return };
        match (op, space, &parts[..], &of[..]) {
            (Op::Maplet, Op::Product, [a, b], [left, right]) => {
                self.inside(a, left.clone());
                self.inside(b, right.clone());
            }
            (Op::Rev, Op::Seq | Op::Seq1 | Op::Iseq | Op::Iseq1, [a], _) => self.inside(a, set),
            (Op::Concat, Op::Seq | Op::Seq1, [a, b], _) => {
                self.inside(a, sequences(&set));
                self.inside(b, sequences(&set));
            }
            (Op::Append, Op::Seq | Op::Seq1, [s, x], [base])
            | (Op::Prepend, Op::Seq | Op::Seq1, [x, s], [base]) => {
                self.inside(s, sequences(&set));
                self.inside(x, base.clone());
            }
            _ => {}
        }
    }

    /// What equations say that an unknown is made of.
    fn made(&self, e: &Expr) -> Vec<Expr> {
        let sides = |c: &Pred| match &c.kind {
            PredKind::Op(Op::Eq, sides) => match &sides[..] {
                [x, made] | [made, x] if same(x, e) && matches!(made.kind, ExprKind::Op(..)) => {
                    Some(made.clone())
                }
                _ => None,
            },
            _ => None,
        };
        self.conjuncts.iter().filter_map(|c| sides(c)).collect()
    }

    /// `!x.(x : s => Q)` says that s is included in `{x | Q}`, for the part of Q that does not mention s.
    fn members(&mut self, scoped: &Scoped<Pred>) {
        let PredKind::Op(Op::In, sides) = &scoped.binder.pred.kind else { return };
        let [x, s] = &sides[..] else { return };
        if !is_tuple(x, &scoped.binder.vars) || !self.is_loose(s) {
            return;
        }
        let known: Vec<Pred> =
            (scoped.body.conjuncts().into_iter()).filter(|c| !mentions(c, s)).cloned().collect();
        if known.is_empty() {
            return;
        }
        let pred = Pred { kind: PredKind::And(known), span: scoped.body.span };
        let binder = Binder {
            pred,
            vars: scoped.binder.vars.clone(),
            captures: scoped.binder.captures.clone(),
            id: NOBODY,
            ..*scoped.binder
        };
        let set =
            Expr { kind: ExprKind::Compr(Arc::new(binder), false), ty: s.ty.clone(), span: scoped.body.span };
        self.note(Op::Subset, s, set);
    }

    /// Whether an expression is an unknown of an infinite type that no conjunct types.
    fn is_loose(&self, e: &Expr) -> bool {
        let endless = match &e.ty {
            Ty::Pow(t) => finite::infinite(t),
            t => finite::infinite(t),
        };
        endless
            && self.unknowns.iter().any(|u| u.is(e))
            && !self.conjuncts.iter().any(|c| match &c.kind {
                PredKind::Op(Op::In | Op::Eq | Op::Subset | Op::StrictSubset, sides) => {
                    sides.first().is_some_and(|x| same(x, e)) || is_equated(c, e)
                }
                _ => false,
            })
    }

    fn note(&mut self, op: Op, e: &Expr, set: Expr) {
        let span: Span = e.span;
        self.out.push(Pred { kind: PredKind::Op(op, vec![e.clone(), set]), span });
    }
}

/// Whether a conjunct is `.. = e`.
fn is_equated(c: &Pred, e: &Expr) -> bool {
    matches!(&c.kind, PredKind::Op(Op::Eq, sides) if sides.get(1).is_some_and(|x| same(x, e)))
}

/// All sequences over what some kind of sequences is over.
fn sequences(set: &Expr) -> Expr {
    let mut set = set.clone();
    if let ExprKind::Op(op, _) = &mut set.kind {
        *op = Op::Seq;
    }
    set
}

fn mentions(p: &Pred, s: &Expr) -> bool {
    walk::pred_has(p, |e| same(e, s))
}
