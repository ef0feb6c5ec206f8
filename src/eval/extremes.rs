//! Bounds through collections: what `min(ran(%x.(x : 1..10 | y + x))) = c`, `max({y, z}) < c`, `SIGMA(x).(x : 1..3 | y * x) = c` and
//! `f(2) = c` with `f = %x.(x : 1..10 | y + x)` say of the integers in the members.
//!
//! In: an expression over unknowns. Out: a term for it, if the members can be listed by form, with terms for them:
//! extensions, lambdas over known intervals, and constants that are defined by such. Few members only. What has no value
//! gives no term.

use super::Env;
use super::bind::Run;
use super::bits::Bits;
use super::interval::{Interval, Term};
use crate::ir::{Binder, Expr, ExprKind, LocalId, PredKind, Scoped};
use crate::ops::Op;
use crate::syntax::ast::Fold;
use crate::ty::Ty;
use crate::value::Value;
use std::ops::RangeInclusive;

/// Most members.
const MOST: i128 = 64;

impl Run<'_> {
    /// A term for an integer that is made of a collection.
    pub(super) fn collected(&self, e: &Expr, known: Known<'_>, env: &mut Env) -> Option<Term> {
        let known = Known { depth: known.depth.checked_sub(1)?, ..known };
        match &e.kind {
            ExprKind::Op(op @ (Op::Min | Op::Max), args) => {
                let [set] = &args[..] else { return None };
                let terms = self.members_of(set, known, env)?;
                Some(if *op == Op::Min { Term::Least(terms) } else { Term::Least(negated(terms)).minus() })
            }
            ExprKind::Op(Op::Apply, args) => {
                let [f, x] = &args[..] else { return None };
                let at = if self.is_known(x, known.bound) { self.int(x, env)? } else { return None };
                let mut found =
                    self.values_at(self.defined(f, known.rest)?, Some(at), known, env)?.into_iter();
                found.next().filter(|_| found.next().is_none())
            }
            ExprKind::Fold(Fold::Sum, scoped) => {
                let terms = self.values_over(scoped, None, known, env)?;
                Some(terms.into_iter().fold(Term::Known(Interval::one(0)), Term::plus))
            }
            _ => None,
        }
    }

    /// The members of a set of integers; at least one.
    fn members_of(&self, set: &Expr, known: Known<'_>, env: &mut Env) -> Option<Vec<Term>> {
        let terms = match &self.defined(set, known.rest)?.kind {
            ExprKind::SetExt(items) => items.iter().map(|e| self.term(e, known, env)).collect(),
            ExprKind::Op(Op::Ran, args) => {
                let [f] = &args[..] else { return None };
                self.values_at(self.defined(f, known.rest)?, None, known, env)?
            }
            _ => return None,
        };
        (!terms.is_empty()).then_some(terms)
    }

    /// The right sides of a relation to the integers, of those pairs whose left side is `at` if it is given.
    fn values_at(&self, f: &Expr, at: Option<i128>, known: Known<'_>, env: &mut Env) -> Option<Vec<Term>> {
        if !matches!(f.ty.sides(), Some((_, Ty::Int))) {
            return None;
        }
        match &f.kind {
            ExprKind::Lambda(scoped, _) => self.values_over(scoped, at, known, env),
            ExprKind::SeqExt(items) => {
                let mut found = (1i128..).zip(items).filter(|(i, _)| at.is_none_or(|at| at == *i));
                let mut term = |(_, e): (i128, &Expr)| self.term(e, known, env);
                Some(found.by_ref().map(&mut term).collect())
            }
            ExprKind::SetExt(pairs) if at.is_none() => {
                let mut right = |e: &Expr| match &e.kind {
                    ExprKind::Op(Op::Maplet, sides) => Some(self.term(sides.get(1)?, known, env)),
                    _ => None,
                };
                pairs.iter().map(&mut right).collect()
            }
            _ => None,
        }
    }

    /// The terms of a body for each integer of a known interval, or for one of them.
    fn values_over(
        &self,
        scoped: &Scoped<Expr>,
        at: Option<i128>,
        known: Known<'_>,
        env: &mut Env,
    ) -> Option<Vec<Term>> {
        let (var, range) = self.range_of(&scoped.binder, known, env)?;
        let range = match at {
            Some(n) if range.contains(&n) => n..=n,
            Some(_) => return None,
            None if range.end() - range.start() < MOST => range,
            None => return None,
        };
        let before = env.local(var).cloned();
        let mut one = |n| {
            env.set_local(var, Some(Value::double(n)));
            self.term(&scoped.body, known, env)
        };
        let terms = range.map(&mut one).collect();
        env.set_local(var, before);
        Some(terms)
    }

    /// The only variable of a binder, and the known interval that it ranges over.
    fn range_of(
        &self,
        binder: &Binder,
        known: Known<'_>,
        env: &mut Env,
    ) -> Option<(LocalId, RangeInclusive<i128>)> {
        let ([var], PredKind::Op(Op::In, args)) = (&binder.vars[..], &binder.pred.kind) else { return None };
        let [x, set] = &args[..] else { return None };
        let (ExprKind::Local(id), ExprKind::Op(Op::Interval, ends)) = (&x.kind, &set.kind) else {
            return None;
        };
        let [lo, hi] = &ends[..] else { return None };
        let free = |e: &Expr| self.is_known(e, known.bound) && !super::walk::mentions(e, var.id);
        if *id != var.id || !free(lo) || !free(hi) {
            return None;
        }
        Some((var.id, self.int(lo, env)?..=self.int(hi, env)?))
    }

    /// What an unknown is defined by; else the expression itself.
    fn defined<'e>(&'e self, e: &'e Expr, rest: &[usize]) -> Option<&'e Expr> {
        let Some(var) = self.problem.unknown_of(e) else { return Some(e) };
        rest.iter()
            .find_map(|c| {
                let PredKind::Op(Op::Eq, args) = &self.problem.conjs[*c].pred.kind else { return None };
                let [a, b] = &args[..] else { return None };
                let is = |e: &Expr| self.problem.unknown_of(e) == Some(var);
                [(a, b), (b, a)].into_iter().find(|(x, e)| is(x) && !self.problem.reads(e).contains(var))
            })
            .map(|(_, e)| e)
    }
}

fn negated(terms: Vec<Term>) -> Vec<Term> {
    terms.into_iter().map(Term::minus).collect()
}

/// What is known where a term is made.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    /// Unknowns that have values.
    pub(super) bound: &'a Bits,
    /// Conjuncts not dealt with yet: those that define unknowns are looked through.
    pub(super) rest: &'a [usize],
    /// How many collections may be in each other.
    depth: u8,
}

impl<'a> Known<'a> {
    pub(super) fn new(bound: &'a Bits, rest: &'a [usize]) -> Self {
        Self { bound, rest, depth: 2 }
    }
}
