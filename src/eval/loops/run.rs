//! Running loops: row by row, each integer of a level between its bounds, then the levels inside.
//!
//! In: levels with what bounds and tests their integers. Out: the solutions, one after the other, or nothing where the common
//! way must answer: something has no value, or there are too many rows, of which too few are solutions.

use super::hoist::Made;
use super::lookup::Wanted;
use super::{Level, Rows};
use crate::eval::pattern::put;
use crate::eval::pred::fatal;
use crate::eval::problem::Problem;
use crate::eval::{Env, Evaluator, solve};
use crate::value::Value;
use std::ops::ControlFlow::{self, Break, Continue};

/// Rows that may be in vain: so many, and [`VAIN`] for each solution.
const FREE: u64 = 1 << 10;
/// See [`FREE`].
const VAIN: u64 = 32;

/// A run of loops.
pub(super) struct Looping<'a> {
    pub(super) ev: &'a Evaluator,
    pub(super) problem: &'a Problem,
    pub(super) env: &'a mut Env,
    pub(super) rows: u64,
    /// Solutions, and rows that only an evaluated conjunct has turned away: a plan would go through these as well.
    pub(super) found: u64,
    /// The row at which it is asked next whether to go on.
    pub(super) next: u64,
    /// Most rows.
    pub(super) most: u64,
    /// The step of the thread after which there have been enough.
    pub(super) until: u64,
    /// Most integers of one level.
    pub(super) widest: u64,
    /// What is asked for by key, with the tables that there are so far.
    pub(super) wanted: Vec<Wanted<'a>>,
    pub(super) f: Rows<'a>,
}

impl Looping<'_> {
    pub(super) fn level(&mut self, levels: &[Level], at: &mut [i64]) -> Option<ControlFlow<()>> {
        let Some((level, inner)) = levels.split_first() else {
            self.found += 1;
            return (self.f)(at, self.env);
        };
        if let Some(term) = &level.single {
            let n = term.value(at)?;
            return self.row((level, inner), n, at);
        }
        let (from, to) = level.range(at)?;
        if to >= from && to.abs_diff(from) > self.widest {
            return None;
        }
        for n in from..=to {
            if self.row((level, inner), n, at)?.is_break() {
                return Some(Break(()));
            }
        }
        Some(Continue(()))
    }

    /// Goes on with one integer of a level.
    #[inline]
    fn row(&mut self, (level, inner): (&Level, &[Level]), n: i64, at: &mut [i64]) -> Option<ControlFlow<()>> {
        self.rows += 1;
        if self.rows >= self.next {
            self.look()?;
        }
        *at.get_mut(level.place)? = n;
        if !level.admits(at)? {
            return Some(Continue(()));
        }
        if !level.lookups.is_empty() && !self.has_all(&level.lookups, at)?
            || !level.late.is_empty() && !self.holds(&level.late, at)?
        {
            self.found += 1;
            return Some(Continue(()));
        }
        fill_in(&level.made, at)?;
        self.level(inner, at)
    }

    /// Looks whether to go on, and decides when to look again: before that row no answer can be another one.
    #[cold]
    fn look(&mut self) -> Option<()> {
        let vain = (self.found + FREE + 1).max(self.found.saturating_add(1).saturating_mul(VAIN));
        if self.rows >= vain
            || self.rows > self.most
            || self.rows.is_multiple_of(FREE) && self.ev.is_stopped()
        {
            return None;
        }
        let whole = (self.rows / FREE + 1) * FREE;
        self.next = whole.min(vain).min(self.most.saturating_add(1));
        Some(())
    }

    /// Whether conjuncts hold; `None` if one has no value and none is false.
    pub(super) fn holds(&mut self, conjs: &[usize], at: &[i64]) -> Option<bool> {
        if solve::steps().saturating_add(self.rows) > self.until {
            return None;
        }
        let mut fault = false;
        for conj in conjs.iter().filter_map(|c| self.problem.conjs.get(*c)) {
            for i in conj.reads.iter() {
                put(self.env, self.problem.unknowns.get(i)?.slot, Value::Int(*at.get(i)?));
            }
            match self.ev.pred(&conj.pred, self.env) {
                Ok(true) => {}
                Ok(false) => return Some(false),
                Err(f) if conj.excuses(&f) => return Some(false),
                Err(f) if fatal(&f) => return None,
                Err(_) => fault = true,
            }
        }
        (!fault).then_some(true)
    }
}

/// Finds terms for the levels inside.
pub(super) fn fill_in(made: &[Made], at: &mut [i64]) -> Option<()> {
    for (place, term) in made {
        *at.get_mut(*place)? = term.value(at)?;
    }
    Some(())
}
