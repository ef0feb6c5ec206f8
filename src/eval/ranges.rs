//! The ranges of all unknown integers, from one step of a plan to the next.
//!
//! In: conjuncts, the unknowns that have values, and the ranges at the step above, if a step above found any. Out: the ranges that all
//! comparisons leave. Sums of multiples of unknowns, and what mentions each unknown once, are written down once for all steps below,
//! as an unknown that gets a value is one with a short range; other conjuncts are read again once one of their
//! unknowns has a value, since they then say more. Only what mentions an unknown that has changed is looked at.
//! Disjunctions are read at each step.

use super::Env;
use super::bind::Run;
use super::bits::Bits;
use super::extremes::Known;
use super::interval::{ALL, Comparison, Interval, Term, bit, endpoint, propagate, propagate_from, variables};
use super::pattern::get;
use crate::ir::{Expr, Pred, PredKind};
use crate::ops::Op;
use crate::ty::Ty;
use smallvec::SmallVec;
use std::rc::Rc;

/// With so many open integers disjunctions are looked at, too.
const MANY: usize = 3;

/// Likewise if one of them has more candidates than this.
const WIDE: i128 = 256;

/// Parts of disjunctions that weigh less are evaluated to learn whether they are settled.
const CHEAP: u32 = 50;

/// Comparisons with the bits of their variables.
type Stated = Vec<(Comparison, u64)>;

/// The ranges at a step.
#[derive(Debug)]
pub(super) struct Ranges {
    /// By unknown.
    pub(super) doms: Vec<Interval>,
    /// Unknowns that have values.
    bound: Bits,
    /// Conjuncts that have been read.
    read: Bits,
    /// What the first step wrote down for all.
    lasting: Rc<Stated>,
    /// What conjuncts say as long as their unknowns are as they are.
    passing: Vec<(usize, Rc<Stated>)>,
}

impl Run<'_> {
    /// The ranges of all unknowns after propagation; `None` if there is no solution.
    pub(super) fn domains(&self, rest: &[usize], bound: &Bits, env: &mut Env) -> Option<Vec<Interval>> {
        self.ranges(rest, bound, env).map(|ranges| ranges.doms)
    }

    /// Goes on with ranges that steps below begin with.
    pub(super) fn below<T>(&self, ranges: Ranges, env: &mut Env, go: impl FnOnce(&mut Env) -> T) -> T {
        let above = self.above.replace(Some(Rc::new(ranges)));
        let done = go(env);
        self.above.replace(above);
        done
    }

    /// The ranges at a step; `None` if there is no solution.
    pub(super) fn ranges(&self, rest: &[usize], bound: &Bits, env: &mut Env) -> Option<Ranges> {
        let above = self.above.borrow().clone();
        let mut ranges = match &above {
            Some(above) => self.narrowed(above, rest, bound, env)?,
            None => self.first(rest, bound, env)?,
        };
        let doms = &ranges.doms;
        let open = |(i, u): (usize, &super::problem::Unknown)| u.ty == Ty::Int && !bound.contains(i);
        let opens = || self.problem.unknowns.iter().enumerate().filter(|u| open(*u));
        let wide = |i: usize| doms[i].size().is_some_and(|n| n > WIDE);
        if opens().count() >= MANY || opens().any(|(i, _)| wide(i)) {
            self.choose(rest, bound, &mut ranges, env)?;
        }
        Some(ranges)
    }

    /// The ranges where nothing is known yet.
    fn first(&self, rest: &[usize], bound: &Bits, env: &mut Env) -> Option<Ranges> {
        let (mut lasting, mut passing) = (Vec::new(), Vec::new());
        let mut read = Bits::default();
        for &c in rest {
            read.insert(c);
            let said = self.said(c, rest, bound, env);
            if self.lasts(c, &said, bound) {
                lasting.extend(said);
            } else {
                passing.push((c, Rc::new(said)));
            }
        }
        let doms = vec![ALL; self.problem.unknowns.len()];
        let mut ranges = Ranges { doms, bound: bound.clone(), read, lasting: Rc::new(lasting), passing };
        ranges.propagate(0, 0).then_some(ranges)
    }

    /// The ranges after more unknowns have got values, and conjuncts come to others.
    fn narrowed(&self, above: &Ranges, rest: &[usize], bound: &Bits, env: &mut Env) -> Option<Ranges> {
        let mut doms = above.doms.clone();
        let mut changed = 0;
        let mut given = Bits::default();
        for i in bound.iter().filter(|i| !above.bound.contains(*i)) {
            given.insert(i);
            if let Some(n) = get(env, self.problem.unknowns[i].slot).and_then(endpoint) {
                doms[i] = doms[i].meet(Interval::one(n));
                changed |= bit(i);
            }
        }
        let mut read = above.read.clone();
        let (mut passing, mut again) = (Vec::with_capacity(above.passing.len()), Vec::new());
        for (c, said) in &above.passing {
            let reads = &self.problem.conjs[*c].reads;
            if !reads.meets(&given) {
                passing.push((*c, said.clone()));
            } else if !reads.is_subset(bound) {
                again.push(*c);
            }
        }
        for &c in rest.iter().filter(|c| !above.read.contains(**c)) {
            read.insert(c);
            again.push(c);
        }
        let old = above.lasting.len() + passing.iter().map(|(_, said)| said.len()).sum::<usize>();
        for c in again {
            passing.push((c, Rc::new(self.said(c, rest, bound, env))));
        }
        let lasting = above.lasting.clone();
        let mut ranges = Ranges { doms, bound: bound.clone(), read, lasting, passing };
        ranges.propagate(old, changed).then_some(ranges)
    }

    /// What a conjunct says of integers.
    fn said(&self, c: usize, rest: &[usize], bound: &Bits, env: &mut Env) -> Stated {
        let mut out = Vec::new();
        self.compare(&self.problem.conjs[c].pred, Known::new(bound, rest), &mut out, env);
        out.into_iter().map(stated).collect()
    }

    /// Whether what a conjunct says stays all that it says when more unknowns have values.
    fn lasts(&self, c: usize, said: &[(Comparison, u64)], bound: &Bits) -> bool {
        let PredKind::Op(op, args) = &self.problem.conjs[c].pred.kind else { return said.is_empty() };
        let [a, b] = &args[..] else { return said.is_empty() };
        if a.ty != Ty::Int {
            return said.is_empty();
        }
        // The ends of a known set stay, also where it has none.
        let ends = *op == Op::In && self.is_known(b, bound);
        let known = |t: &Term| ends && matches!(t, Term::Known(_));
        let linear = |t: &Term| t.is_linear() || known(t);
        let plain = |a: &Term, b: &Term| {
            let mut seen = 0;
            a.is_plain(&mut seen) && b.is_plain(&mut seen)
        };
        said.iter().all(|((_, a, b), _)| linear(a) && linear(b) || plain(a, b))
    }

    /// Takes disjunctions of comparisons into account: of which no part is possible, there is no solution; if only
    /// one part is possible, it holds.
    fn choose(&self, rest: &[usize], bound: &Bits, ranges: &mut Ranges, env: &mut Env) -> Option<()> {
        let mut open: Vec<Vec<Vec<Comparison>>> = Vec::new();
        for &c in rest {
            let conj = &self.problem.conjs[c];
            let PredKind::Or(parts) = &conj.pred.kind else { continue };
            let cheap = conj.weight < CHEAP;
            let truth = |p: &Pred| if cheap { self.decided(p, bound, env) } else { None };
            let truths: Vec<Option<bool>> = parts.iter().map(truth).collect();
            if truths.contains(&Some(true)) {
                continue;
            }
            let mut one = |p: &Pred| {
                let mut out = Vec::new();
                self.compare(p, Known::new(bound, rest), &mut out, env);
                out
            };
            let parts = parts.iter().zip(truths).filter(|(_, t)| t.is_none());
            open.push(parts.map(|(p, _)| one(p)).collect());
        }
        let mut chosen = Vec::new();
        loop {
            let mut found = false;
            let mut left = Vec::new();
            for mut parts in open {
                parts.retain(|part| propagate(part, &mut ranges.doms.clone()));
                if parts.len() > 1 {
                    left.push(parts);
                    continue;
                }
                chosen.extend(parts.pop()?.into_iter().map(stated));
                found = true;
            }
            if !found {
                return Some(());
            }
            if !ranges.propagate_with(&chosen, 0, 0) {
                return None;
            }
            open = left;
        }
    }

    /// Whether a comparison or membership holds, if everything in it is known and it has a value. What has none says
    /// nothing here: it is for the test of the whole conjunct to tell.
    fn decided(&self, p: &Pred, bound: &Bits, env: &mut Env) -> Option<bool> {
        let PredKind::Op(..) = p.kind else { return None };
        let mut known = true;
        super::walk::pred(p, &mut |e: &Expr| {
            known &= self.problem.unknown_of(e).is_none_or(|i| bound.contains(i));
        });
        if known { self.ev.pred(p, env).ok() } else { None }
    }
}

impl Ranges {
    /// Narrows all ranges; of the comparisons the first `old` ones are known to leave them as they are, but for
    /// the unknowns that have changed.
    fn propagate(&mut self, old: usize, changed: u64) -> bool {
        self.propagate_with(&[], old, changed)
    }

    /// The same, given more comparisons.
    fn propagate_with(&mut self, more: &[(Comparison, u64)], old: usize, changed: u64) -> bool {
        let passing = self.passing.iter().flat_map(|(_, said)| said.iter());
        let all: SmallVec<[(&Comparison, u64); 64]> =
            self.lasting.iter().chain(passing).chain(more).map(|(c, bits)| (c, *bits)).collect();
        propagate_from(&all, old, changed, &mut self.doms)
    }
}

/// A comparison with the bits of its variables.
fn stated(c: Comparison) -> (Comparison, u64) {
    let bits = variables(&c);
    (c, bits)
}
