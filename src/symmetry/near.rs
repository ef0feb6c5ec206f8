//! States that differ little from another one, as the successors of a state do.
//!
//! In: a state about whose points nothing is said together. Out: what comes and goes between it and states near it:
//! only the points of facts that change are coloured anew, so a key costs what has changed, not what there is; a
//! variable that has to be decoded is so only where its words have changed. The keys are those that the whole state
//! would give; where something else than colours changes, there is no answer, and the whole state has to be read.

use super::dense::Reader;
use super::facts::{Atom, Facts};
use super::mix;
use std::cell::OnceCell;

/// More points than this are not coloured anew one by one.
const MOST: usize = 16;

/// How states are read.
pub(super) struct Reading<'a> {
    /// Takes words apart.
    pub(super) reader: &'a Reader<Atom>,
    /// The hash of its set for each point.
    pub(super) first: &'a [u128],
    /// Reads a variable that has to be decoded.
    pub(super) decode: &'a dyn Fn(&[u64], usize) -> Option<Vec<Atom>>,
}

/// A state that others are compared with; its memory is kept for the next one.
#[derive(Debug, Default)]
pub(super) struct Near {
    state: Vec<u64>,
    facts: Facts,
    /// The facts about each variable that has to be decoded, once they have been asked for; `None` inside if it has no
    /// value.
    decoded: Vec<OnceCell<Option<Vec<Atom>>>>,
    /// What the state compared last has and this one has not, or the other way round.
    changes: Changes,
    /// The points that have another colour there.
    recoloured: Vec<Recoloured>,
}

impl Near {
    /// Takes another state; `read` replaces the facts by those about it.
    pub(super) fn take(&mut self, state: &[u64], read: impl FnOnce(&mut Facts)) {
        self.state.clear();
        self.state.extend_from_slice(state);
        read(&mut self.facts);
        self.decoded.clear();
    }

    /// The facts about the state.
    pub(super) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The hash of all facts but the plain words, before the last mixing; `colours` are the first colours of all points.
    pub(super) fn sum(&self, how: &Reading<'_>, colours: impl Iterator<Item = u128>) -> u128 {
        colours.fold(self.facts.fixed.wrapping_sub(how.reader.plain_hash(&self.state)), u128::wrapping_add)
    }

    /// As [`Near::sum`], of the state compared last, and with its plain words.
    pub(super) fn changed_sum(&self, sum: u128) -> u128 {
        let sum = sum.wrapping_add(self.changes.fixed);
        self.recoloured.iter().fold(sum, |sum, r| sum.wrapping_sub(r.before).wrapping_add(r.after))
    }

    /// Compares another state; whether what comes and goes is only a little about single points.
    pub(super) fn compare(&mut self, how: &Reading<'_>, state: &[u64]) -> bool {
        if !self.facts.is_unary() || state.first() != self.state.first() {
            return false;
        }
        let changes = &mut self.changes;
        (changes.known, changes.fixed, changes.count) = (true, how.reader.plain_hash(state), 0);
        how.reader.changes(&self.state, state, |atom, new| changes.add(atom, new));
        let variables = how.reader.decoded();
        if self.decoded.len() < variables.len() {
            self.decoded.resize_with(variables.len(), OnceCell::new);
        }
        for ((var, field), before) in variables.iter().zip(&self.decoded) {
            if !changes.known {
                return false;
            }
            if !field.same(&self.state, state) {
                let before = before.get_or_init(|| (how.decode)(&self.state, *var));
                let (Some(before), Some(after)) = (before, (how.decode)(state, *var)) else { return false };
                before.iter().for_each(|atom| changes.add(atom, false));
                after.iter().for_each(|atom| changes.add(atom, true));
            }
        }
        let known = changes.known;
        if known {
            self.recolour(how);
        }
        known
    }

    /// What is said of no point in the state compared last and not in this one, with its plain words.
    pub(super) fn fixed(&self) -> u128 {
        self.changes.fixed
    }

    /// How many points are touched by what comes and goes.
    pub(super) fn touched(&self) -> usize {
        self.changes.count
    }

    /// The points that have another colour in the state compared last.
    pub(super) fn recoloured(&self) -> &[Recoloured] {
        &self.recoloured
    }

    fn recolour(&mut self, how: &Reading<'_>) {
        let Self { facts, changes, recoloured, .. } = self;
        recoloured.clear();
        recoloured.extend(changes.points().iter().filter_map(|&(point, change)| {
            let p = point as usize;
            let (&colour, &first) = (facts.colours.get(p)?, how.first.get(p)?);
            let (before, after) = (mix::pair(colour, first), mix::pair(colour.wrapping_add(change), first));
            (before != after).then_some(Recoloured { point, before, after })
        }));
    }
}

/// A point of another colour; colours as hashes that tell its set, too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recoloured {
    pub(super) point: u32,
    pub(super) before: u128,
    pub(super) after: u128,
}

/// What comes and goes between two states.
#[derive(Debug, Default)]
struct Changes {
    /// Whether all of it is about single points, and these are few.
    known: bool,
    /// What is said of no point: the difference of facts, and all the plain words of the second state.
    fixed: u128,
    /// Points, each once, with what their colours gain.
    points: [(u32, u128); MOST],
    count: usize,
}

impl Changes {
    /// The points that anything comes or goes for, each once, with what their colours gain.
    fn points(&self) -> &[(u32, u128)] {
        self.points.get(..self.count).unwrap_or_default()
    }

    fn add(&mut self, atom: &Atom, new: bool) {
        let signed = |label: u128| if new { label } else { label.wrapping_neg() };
        match atom {
            Atom::Fixed { label } => self.fixed = self.fixed.wrapping_add(signed(*label)),
            Atom::Colour { point, label } => self.colour(*point, signed(*label)),
            Atom::Edge { .. } | Atom::Wide(_) => self.known = false,
        }
    }

    fn colour(&mut self, point: u32, change: u128) {
        if let Some((_, c)) = self.points.iter_mut().take(self.count).find(|(p, _)| *p == point) {
            *c = c.wrapping_add(change);
            return;
        }
        match self.points.get_mut(self.count) {
            Some(slot) => {
                *slot = (point, change);
                self.count += 1;
            }
            None => self.known = false,
        }
    }
}
