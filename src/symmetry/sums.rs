//! Hashes of a state under some labellings side by side, as sums over its facts.
//!
//! In: facts by number, labellings. Out: of the facts of a state the least sum of their hashes under a labelling, and how many
//! labellings give it. A fact has one hash under each labelling, made beforehand: where labellings are few and all facts are
//! read off the words of states, adding these costs less than to look at the facts.

use super::core::wide_hash;
use super::facts::Atom;
use super::mix;

/// More labellings are not added up side by side.
const MOST: usize = 128;

/// Hashes in a table: a megabyte.
const ROOM: usize = 1 << 16;

/// Hashes of facts under some labellings.
#[derive(Debug)]
pub(super) struct Sums {
    count: usize,
    /// By number of the fact, those under one labelling after the other.
    hashes: Vec<u128>,
}

impl Sums {
    /// A table for facts by number, under labellings that say which points come one after the other; `None` if there would
    /// be too much in it.
    pub(super) fn new<'a>(
        facts: &[&Atom],
        labellings: impl ExactSizeIterator<Item = &'a [u32]>,
    ) -> Option<Self> {
        let count = labellings.len();
        if count > MOST || facts.len().saturating_mul(count) > ROOM {
            return None;
        }
        let mut hashes = vec![0; facts.len() * count];
        for (n, row) in labellings.enumerate() {
            let mut places = vec![0; row.len()];
            for (place, &p) in (0u32..).zip(row) {
                if let Some(slot) = places.get_mut(p as usize) {
                    *slot = place;
                }
            }
            let place = |p: u32| places.get(p as usize).copied().unwrap_or(p);
            for (slot, fact) in hashes.iter_mut().skip(n).step_by(count).zip(facts) {
                *slot = hash(fact, &place);
            }
        }
        Some(Self { count, hashes })
    }

    /// The least sum over the facts that `each` goes through, and how many labellings give it; `sums` is memory.
    pub(super) fn least(
        &self,
        each: impl FnOnce(&mut dyn FnMut(u32)),
        sums: &mut Vec<u128>,
    ) -> (u128, usize) {
        sums.clear();
        sums.resize(self.count, 0);
        each(&mut |fact| {
            let from = fact as usize * self.count;
            let hashes = self.hashes.get(from..from + self.count).unwrap_or_default();
            sums.iter_mut().zip(hashes).for_each(|(sum, h)| *sum = sum.wrapping_add(*h));
        });
        let least = sums.iter().copied().min().unwrap_or(0);
        (least, sums.iter().filter(|s| **s == least).count())
    }
}

/// The hash of a fact under names of points.
fn hash(fact: &Atom, place: &impl Fn(u32) -> u32) -> u128 {
    match fact {
        Atom::Fixed { label } => *label,
        Atom::Colour { point, label } => mix::pair(*label, place(*point).into()),
        Atom::Edge { from, to, label } => {
            mix::pair(*label, u128::from(place(*from)) << 32 | u128::from(place(*to)))
        }
        Atom::Wide(w) => wide_hash(w, &|p| place(p).into()),
    }
}
