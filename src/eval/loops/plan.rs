//! Levels of loops: which unknown is looped over when, and between which bounds.
//!
//! In: conjuncts over integers at places, the first of which are the unknowns. Out: one level for each unknown, with what
//! bounds it and what is tested once it is known; nothing where one has no bounds made of those before it.

use super::{DEPTH, Level};
use crate::eval::small::{Term, Test};
use crate::ops::Op;

/// A conjunct with the places that it reads.
pub(super) struct Conjunct {
    pub(super) test: Test,
    reads: Vec<usize>,
}

impl Conjunct {
    pub(super) fn new(test: Test) -> Self {
        let mut reads = Vec::new();
        test.terms(&mut |t| t.places(&mut |i| reads.push(i)));
        Self { test, reads }
    }

    /// What the conjunct says of the integer at a place: it is at least, or at most, or equal to a term without it.
    fn bound(&self, place: usize) -> Option<(Op, Term)> {
        let Test::Compare(op, sides) = &self.test else { return None };
        if self.reads.iter().filter(|i| **i == place).count() != 1 {
            return None;
        }
        let in_term = |t: &Term| {
            let mut found = false;
            t.places(&mut |i| found |= i == place);
            found
        };
        let (mut op, mut of, mut other) = (*op, sides.0.clone(), sides.1.clone());
        if in_term(&other) {
            (op, of, other) = (op.mirrored()?, other, of);
        }
        loop {
            match of {
                Term::At(_) => break,
                Term::Of(Op::Add, sides) => {
                    let (a, b) = *sides;
                    let (with, without) = if in_term(&a) { (a, b) } else { (b, a) };
                    (of, other) = (with, other.op(Op::Sub, without));
                }
                Term::Of(Op::Sub, sides) => match *sides {
                    (a, b) if in_term(&a) => (of, other) = (a, other.op(Op::Add, b)),
                    (a, b) => (op, of, other) = (op.mirrored()?, b, a.op(Op::Sub, other)),
                },
                _ => return None,
            }
        }
        Some(match op {
            Op::Gt => (Op::Ge, other.op(Op::Add, Term::Number(1))),
            Op::Lt => (Op::Le, other.op(Op::Sub, Term::Number(1))),
            Op::Ge | Op::Le | Op::Eq => (op, other),
            _ => return None,
        })
    }
}

/// Makes levels.
pub(super) struct Planner {
    /// How many unknowns there are.
    pub(super) n: usize,
    /// Conjuncts that no level deals with so far.
    pub(super) open: Vec<Conjunct>,
    pub(super) levels: Vec<Level>,
}

impl Planner {
    /// Takes those conjuncts out that read nothing but certain places.
    pub(super) fn take(&mut self, known: &dyn Fn(usize) -> bool) -> Vec<Test> {
        let ready = |c: &Conjunct| c.reads.iter().all(|i| known(*i));
        let (ready, open) = std::mem::take(&mut self.open).into_iter().partition(ready);
        self.open = open;
        let ready: Vec<Conjunct> = ready;
        ready.into_iter().map(|c| c.test).collect()
    }

    fn is_known(&self, place: usize) -> bool {
        place >= self.n || self.levels.iter().any(|l| l.place == place)
    }

    /// Adds the level of an unknown that is bounded: by an equation if there is such a one.
    pub(super) fn next(&mut self) -> Option<()> {
        let open = || (0..self.n).filter(|i| !self.is_known(*i));
        let equal = |i: &usize| self.bounds(*i, Op::Eq, 0).next().is_some();
        let both = |i: &usize| {
            let side = |op| self.bounds(*i, op, DEPTH).next().is_some();
            side(Op::Ge) && side(Op::Le)
        };
        let place = open().find(equal).or_else(|| open().find(both))?;
        let (mut from, mut to): (Vec<Term>, Vec<Term>) =
            (self.bounds(place, Op::Ge, 0).collect(), self.bounds(place, Op::Le, 0).collect());
        if from.is_empty() {
            from.extend(self.bounds(place, Op::Ge, DEPTH));
        }
        if to.is_empty() {
            to.extend(self.bounds(place, Op::Le, DEPTH));
        }
        // What bounds it as it stands need not be tested.
        let known: Vec<bool> = (0..self.n).map(|i| i == place || self.is_known(i)).collect();
        self.open
            .retain(|c| c.bound(place).is_none() || c.reads.iter().any(|i| known.get(*i) == Some(&false)));
        let tests = self.take(&|i| known.get(i) != Some(&false));
        let single = from.first().filter(|_| from.len() == 1 && from == to).cloned();
        let (lookups, late, made) = (Vec::new(), Vec::new(), Vec::new());
        self.levels.push(Level { place, from, to, tests, single, lookups, late, made });
        Some(())
    }

    /// The bounds of an unknown by what is known, or by bounds of unknowns that are not.
    fn bounds(&self, place: usize, side: Op, depth: u8) -> Box<dyn Iterator<Item = Term> + '_> {
        let one = move |c: &Conjunct| {
            let (op, term) = c.bound(place).filter(|(op, _)| *op == side || *op == Op::Eq)?;
            if side == Op::Eq && op != Op::Eq {
                return None;
            }
            self.known(term, side, depth)
        };
        Box::new(self.open.iter().filter_map(one))
    }

    /// A term that is at most (or at least) this one and reads what is known only.
    fn known(&self, term: Term, side: Op, depth: u8) -> Option<Term> {
        match term {
            Term::Number(_) => Some(term),
            Term::At(i) if self.is_known(i) => Some(term),
            Term::At(i) if depth > 0 && side != Op::Eq => self.bounds(i, side, depth - 1).next(),
            Term::At(_) => None,
            Term::Of(op, sides) => {
                let mut known = true;
                Term::places(&sides.0, &mut |i| known &= self.is_known(i));
                Term::places(&sides.1, &mut |i| known &= self.is_known(i));
                if known {
                    return Some(Term::Of(op, sides));
                }
                let (a, b) = *sides;
                let other = match op {
                    Op::Add => side,
                    Op::Sub => side.mirrored()?,
                    _ => return None,
                };
                Some(self.known(a, side, depth)?.op(op, self.known(b, other, depth)?))
            }
        }
    }
}
