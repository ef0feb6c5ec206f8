//! All solutions by trying all values: the oracle of plans and searches, which shares with them how closed formulas are evaluated.
//!
//! In: a problem that has kept its predicates as they were stated, an environment. Out: calls of the consumer, one per
//! solution, or that there are too many values to be tried. Values come from the types of the unknowns; where a type has
//! too many, from a stated conjunct `x : S`, `x <: S` or `x = e` in which x stands alone and the other side is
//! evaluated as any closed formula is. Siblings: `solve` (who asks), `finite` (values of types), `problem` (what a
//! conjunct without a value means).

use super::assign::UNSEEN;
use super::pred::{fatal, graver};
use super::problem::{Conj, Index, Unknown, conj, excused};
use super::solve::Mode;
use super::well_defined::{WellDefined, well_defined};
use super::{Env, Evaluator, Flow, Sink, finite, pattern};
use crate::diagnostic::Code;
use crate::ir::{Expr, Pred, PredKind};
use crate::ops::{Fault, Op};
use crate::value::Value;
use std::cell::Cell;
use std::ops::ControlFlow::{Break, Continue};

/// Most values, of all unknowns together, that are tried.
const TRIED: u64 = 1_000_000;

/// A type with more values gives way to a set that the unknown is in.
const TYPE: u64 = 4096;

/// Most members of a set whose subsets are tried.
const BASE: usize = 16;

/// Where the values of one unknown come from.
enum Source<'p> {
    /// These.
    Values(Vec<Value>),
    /// What an equation says, by its number, of unknowns that come before.
    Equal(usize, &'p Expr),
}

/// A problem as it was stated.
#[derive(Debug)]
pub(super) struct Stated {
    unknowns: Vec<Unknown>,
    index: Index,
    conjuncts: Vec<Conj>,
}

impl Stated {
    pub(super) fn new(unknowns: &[Unknown], preds: &[&Pred]) -> Self {
        let index = Index::new(unknowns);
        let conjuncts = preds.iter().flat_map(|p| p.conjuncts());
        let conjuncts = conjuncts.map(|p| conj(p.clone(), &index)).collect();
        Self { unknowns: unknowns.to_vec(), index, conjuncts }
    }

    /// Its conjuncts.
    pub(super) fn conjuncts_mut(&mut self) -> impl Iterator<Item = &mut Conj> {
        self.conjuncts.iter_mut()
    }

    /// The other sides of conjuncts with one of these operators that have an unknown for their first side, or, of equations,
    /// for any.
    fn sides<'p>(&'p self, u: &'p Unknown, ops: &'p [Op]) -> impl Iterator<Item = (usize, Op, &'p Expr)> {
        self.conjuncts.iter().enumerate().filter_map(move |(i, c)| {
            let PredKind::Op(op, sides) = &c.pred.kind else { return None };
            let [a, b] = &sides[..] else { return None };
            let other = if u.is(a) { Some(b) } else { (*op == Op::Eq && u.is(b)).then_some(a) };
            ops.contains(op).then_some((i, *op, other?))
        })
    }

    /// Whether an expression reads none but some of the unknowns.
    fn reads_only(&self, e: &Expr, some: impl Fn(usize) -> bool) -> bool {
        let reads = self.index.read_by(e);
        (0..self.unknowns.len()).all(|i| some(i) || !reads.contains(i))
    }
}

impl Evaluator {
    /// Calls `f` with every solution; `None` if there are too many values to be tried.
    pub(super) fn try_all(&self, stated: &Stated, mode: Mode, env: &mut Env, f: Sink<'_>) -> Option<Flow> {
        let sources = self.sources(stated, env)?;
        let given = |s: &(&Unknown, Source<'_>)| if let Source::Equal(c, _) = s.1 { Some(c) } else { None };
        let given: Vec<usize> = sources.iter().filter_map(given).collect();
        Some(self.try_from(&sources, &given, (stated, mode), env, f))
    }

    /// Unknowns in the order in which they are given values, with those.
    fn sources<'p>(&self, stated: &'p Stated, env: &mut Env) -> Option<Vec<(&'p Unknown, Source<'p>)>> {
        let (mut sources, mut placed, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        let mut product = 1u64;
        for (i, u) in stated.unknowns.iter().enumerate() {
            let Some(values) = self.values(u, stated, env) else {
                rest.push((i, u));
                continue;
            };
            product = product.checked_mul(values.len() as u64).filter(|n| *n <= TRIED)?;
            sources.push((u, Source::Values(values)));
            placed.push(i);
        }
        while !rest.is_empty() {
            let given = |u: &'p Unknown| {
                let mut sides = stated.sides(u, &[Op::Eq]);
                sides.find(|(_, _, e)| stated.reads_only(e, |i| placed.contains(&i)))
            };
            let (at, (c, _, e)) = rest.iter().enumerate().find_map(|(at, (_, u))| Some((at, given(u)?)))?;
            let (i, u) = rest.remove(at);
            sources.push((u, Source::Equal(c, e)));
            placed.push(i);
        }
        Some(sources)
    }

    /// The values that an unknown may have, whatever the others are, if they are few.
    fn values(&self, u: &Unknown, stated: &Stated, env: &mut Env) -> Option<Vec<Value>> {
        if !finite::infinite(&u.ty) && finite::estimate(&u.ty, &self.world) <= TYPE {
            return finite::all(&u.ty, &self.world, None).ok();
        }
        let mut sides = stated.sides(u, &[Op::In, Op::Subset]);
        sides.find_map(|(_, op, set)| {
            if !stated.reads_only(set, |_| false) {
                return None;
            }
            let value = self.expr(set, env).ok()?;
            let members = self.members(&value, &set.ty, set.span).ok()?;
            if op == Op::In {
                return (members.len() as u64 <= TRIED).then(|| members.items().to_vec());
            }
            let mut values = Vec::new();
            let mut keep = |v| {
                values.push(v);
                Ok(Continue(()))
            };
            let few = members.len() <= BASE;
            (few && finite::subsets(members.items(), &self.world, &mut keep).is_ok()).then_some(values)
        })
    }

    fn try_from(
        &self,
        sources: &[(&Unknown, Source<'_>)],
        given: &[usize],
        (stated, mode): (&Stated, Mode),
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        self.go_on()?;
        let passed_over = |f: &Fault| mode.lenient && !fatal(f);
        let Some(((u, source), rest)) = sources.split_first() else {
            return match self.all_hold(stated, given, env) {
                Ok(true) => f(self, env),
                Ok(false) => Ok(Continue(())),
                Err(f) if passed_over(&f) => Ok(Continue(())),
                Err(f) => Err(f),
            };
        };
        let one;
        let mut fault = None;
        let excused = |f: &Fault| passed_over(f) || stated.conjuncts.iter().any(|c| c.excuses(f));
        let values = match source {
            Source::Values(values) => &values[..],
            // Without a value it equals none.
            Source::Equal(c, e) => match self.expr(e, env) {
                Ok(v) => {
                    let known = well_defined(&v, &Cell::new(UNSEEN));
                    let soft = stated.conjuncts.get(*c).is_some_and(Conj::has_soft);
                    match known {
                        WellDefined::No(no) => fault = Some(no),
                        WellDefined::Yes if !soft || v.is_extension() => {}
                        _ => {
                            let message =
                                "members that were not listed may lack a value, which makes this false";
                            return Err(Fault::new(Code::TooLarge, message).at(e.span));
                        }
                    }
                    one = [v];
                    &one[..]
                }
                Err(f) if excused(&f) => &[],
                Err(f) => return Err(f),
            },
        };
        // What one of its members lacks counts where all else holds.
        let mut ill = |_: &Evaluator, _: &mut Env| fault.clone().map_or(Ok(Continue(())), Err);
        let f: Sink<'_> = match &fault {
            Some(fault) if excused(fault) => return Ok(Continue(())),
            Some(_) => &mut ill,
            None => f,
        };
        for v in values {
            pattern::put(env, u.slot, v.clone());
            if self.try_from(rest, given, (stated, mode), env, f)?.is_break() {
                return Ok(Break(()));
            }
        }
        Ok(Continue(()))
    }

    /// Whether all conjuncts hold, those apart that have given values: functions given by formulas cannot be compared. One that is
    /// false goes before one that has no value.
    fn all_hold(&self, stated: &Stated, given: &[usize], env: &mut Env) -> Result<bool, Fault> {
        let mut fault = None;
        for (_, c) in stated.conjuncts.iter().enumerate().filter(|(i, _)| !given.contains(i)) {
            match excused(&stated.conjuncts, self.pred(&c.pred, env)) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(f) if fatal(&f) => return Err(f),
                Err(f) => fault = Some(graver(fault, f)),
            }
        }
        fault.map_or(Ok(true), Err)
    }
}
