//! Running loops: row by row, each integer of a level between its bounds, then the levels inside.
//!
//! In: levels with what bounds and tests their integers. Out: the solutions, one after the other, or nothing where the common
//! way must answer: something has no value, or there are too many rows, of which too few are solutions.

use super::block::{Filter, LANES};
use super::hoist::Made;
use super::lookup::Wanted;
use super::{Level, Rows};
use crate::eval::pattern::put;
use crate::eval::pred::fatal;
use crate::eval::problem::Problem;
use crate::eval::{Env, Evaluator, solve};
use crate::value::Value;
use std::ops::ControlFlow::{self, Break, Continue};
use std::ops::RangeInclusive;

/// Rows that may be in vain: so many, and [`VAIN`] for each solution.
const FREE: u64 = 1 << 10;
/// See [`FREE`].
const VAIN: u64 = 32;

/// Integers of a block.
#[allow(clippy::cast_possible_wrap, reason = "64")]
const BLOCK: i64 = LANES as i64;

/// For fewer integers, less one, a block takes longer than they do.
const FEW: u64 = 8;

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
    /// What turns solutions away.
    pub(super) filter: Option<&'a Filter<'a>>,
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
        if inner.is_empty() && level.is_bare() {
            return self.bare(level.place, from..=to, at);
        }
        let mut n = from;
        while n <= to {
            let end = to.min(n.saturating_add(BLOCK - 1));
            if end.abs_diff(n) >= FEW
                && self.by_blocks(level, inner)
                && let Some(able) = self.block(level, inner, n, at)
            {
                if self.some_of((level, inner), (n, end), able, at)?.is_break() {
                    return Some(Break(()));
                }
            } else {
                for n in n..=end {
                    if self.row((level, inner), n, at)?.is_break() {
                        return Some(Break(()));
                    }
                }
            }
            let Some(next) = end.checked_add(1) else { break };
            n = next;
        }
        Some(Continue(()))
    }

    /// Those integers of a block that may lead to solutions, each by itself; the others are counted.
    fn some_of(
        &mut self,
        (level, inner): (&Level, &[Level]),
        (from, to): (i64, i64),
        able: u64,
        at: &mut [i64],
    ) -> Option<ControlFlow<()>> {
        let (mut away, mut n) = (0, from);
        while n <= to {
            if able >> n.abs_diff(from) & 1 == 1 {
                if self.row((level, inner), n, at)?.is_break() {
                    return Some(Break(()));
                }
            } else {
                away += 1;
            }
            n += 1;
        }
        self.found += away;
        self.rows += away * (1 + inner.len() as u64);
        if self.rows < self.next { Some(Continue(())) } else { self.look().map(Continue) }
    }

    /// The last level, if each integer between its bounds is a solution.
    fn bare(&mut self, place: usize, range: RangeInclusive<i64>, at: &mut [i64]) -> Option<ControlFlow<()>> {
        at.get(place)?;
        for n in range {
            self.next_row()?;
            at[place] = n;
            self.found += 1;
            if (self.f)(at, self.env)?.is_break() {
                return Some(Break(()));
            }
        }
        Some(Continue(()))
    }

    /// Goes on with one integer of a level. Levels inside that have one integer only are no turn of their own: most rows end there.
    #[inline]
    fn row(
        &mut self,
        (mut level, mut inner): (&Level, &[Level]),
        mut n: i64,
        at: &mut [i64],
    ) -> Option<ControlFlow<()>> {
        loop {
            self.next_row()?;
            *at.get_mut(level.place)? = n;
            if !level.is_bare() && !self.admits(level, at)? {
                return Some(Continue(()));
            }
            let Some((next, rest)) = inner.split_first() else {
                self.found += 1;
                return (self.f)(at, self.env);
            };
            let Some(term) = &next.single else { return self.level(inner, at) };
            n = term.value(at)?;
            (level, inner) = (next, rest);
        }
    }

    /// Whether the integer of a level goes through its tests; finds what levels inside ask for.
    fn admits(&mut self, level: &Level, at: &mut [i64]) -> Option<bool> {
        if !level.admits(at)? {
            return Some(false);
        }
        if !level.lookups.is_empty() && !self.has_all(&level.lookups, at)?
            || !level.late.is_empty() && !self.holds(&level.late, at)?
        {
            self.found += 1;
            return Some(false);
        }
        fill_in(&level.made, at)?;
        Some(true)
    }

    /// Counts a row; `None` if there have been too many.
    #[inline]
    fn next_row(&mut self) -> Option<()> {
        self.rows += 1;
        if self.rows < self.next { Some(()) } else { self.look() }
    }

    /// Looks whether to go on, and decides when to look again: before that row no answer can be another one.
    #[cold]
    fn look(&mut self) -> Option<()> {
        let vain = (self.found + FREE + 1).max(self.found.saturating_add(1).saturating_mul(VAIN));
        if self.rows >= vain || self.rows > self.most || self.ev.is_stopped() {
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
