//! Keys of states that differ little from another one, as the successors of a state do.
//!
//! In: the colours of a state about whose points nothing is said together. Out: the keys of states near it:
//! only the points of facts that come or go are coloured anew, so a key costs what has changed, not what
//! there is; a variable that has to be decoded is so only where its words have changed. The keys are those that the
//! whole state would give; where something else than colours changes, there is no answer, and the whole state
//! has to be read.

use super::dense::Reader;
use super::facts::{Atom, Facts};
use super::mix;

/// More points than this are not coloured anew one by one.
const MOST: usize = 16;

/// A state and its sums.
pub(super) struct Near<'a> {
    reader: &'a Reader<Atom>,
    state: &'a [u64],
    /// What is said of each point alone.
    colours: Vec<u128>,
    /// The hash of its set for each point.
    first: &'a [u128],
    /// Everything but the plain words.
    sum: u128,
    /// Reads a variable that has to be decoded.
    decode: &'a Decode<'a>,
    /// The facts about each such variable.
    decoded: Vec<Vec<Atom>>,
}

/// The facts about one variable of a state; `None` if it has no value.
pub(super) type Decode<'a> = dyn Fn(&[u64], usize) -> Option<Vec<Atom>> + 'a;

impl<'a> Near<'a> {
    /// A state with its facts; `None` if some are about several points.
    pub(super) fn of(
        reader: &'a Reader<Atom>,
        state: &'a [u64],
        facts: Facts,
        first: &'a [u128],
        decode: &'a Decode<'a>,
    ) -> Option<Self> {
        if !facts.is_unary() {
            return None;
        }
        let decoded = reader.decoded().iter().map(|(var, _)| decode(state, *var)).collect::<Option<_>>()?;
        let fixed = facts.fixed.wrapping_sub(reader.plain_hash(state));
        let sum = facts.colours.iter().zip(first).map(|(&c, &f)| mix::pair(c, f));
        let sum = sum.fold(fixed, u128::wrapping_add);
        Some(Self { reader, state, colours: facts.colours, first, sum, decode, decoded })
    }

    /// The sum of a state, its hash before the last mixing, and how many points it cost.
    pub(super) fn sum(&self, state: &[u64]) -> Option<(u128, usize)> {
        if state.first() != self.state.first() {
            return None;
        }
        let mut changes = Changes { known: true, fixed: 0, points: [(0, 0); MOST], count: 0 };
        self.reader.changes(self.state, state, |atom, new| changes.add(atom, new));
        for ((var, field), before) in self.reader.decoded().iter().zip(&self.decoded) {
            if !changes.known {
                return None;
            }
            if !field.same(self.state, state) {
                let after = (self.decode)(state, *var)?;
                before.iter().for_each(|atom| changes.add(atom, false));
                after.iter().for_each(|atom| changes.add(atom, true));
            }
        }
        if !changes.known {
            return None;
        }
        let mut sum = self.sum.wrapping_add(self.reader.plain_hash(state)).wrapping_add(changes.fixed);
        for &(p, change) in changes.points.get(..changes.count)? {
            let (&colour, &first) = (self.colours.get(p as usize)?, self.first.get(p as usize)?);
            sum = sum
                .wrapping_sub(mix::pair(colour, first))
                .wrapping_add(mix::pair(colour.wrapping_add(change), first));
        }
        Some((sum, changes.count))
    }
}

/// What comes and goes between two states.
struct Changes {
    /// Whether all of it is about single points, and these are few.
    known: bool,
    fixed: u128,
    /// Points, each once, with what their colours gain.
    points: [(u32, u128); MOST],
    count: usize,
}

impl Changes {
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
