//! Small sets of small numbers (unknowns and conjuncts of a problem).

use smallvec::SmallVec;

/// A set of numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Bits(SmallVec<[u64; 2]>);

impl Bits {
    pub(super) fn insert(&mut self, i: usize) {
        let w = i / 64;
        if w >= self.0.len() {
            self.0.resize(w + 1, 0);
        }
        self.0[w] |= 1 << (i % 64);
    }

    pub(super) fn remove(&mut self, i: usize) {
        if let Some(w) = self.0.get_mut(i / 64) {
            *w &= !(1 << (i % 64));
        }
    }

    pub(super) fn contains(&self, i: usize) -> bool {
        self.0.get(i / 64).is_some_and(|w| w >> (i % 64) & 1 == 1)
    }

    pub(super) fn add_all(&mut self, other: &Bits) {
        for i in other.iter() {
            self.insert(i);
        }
    }

    pub(super) fn is_subset(&self, other: &Bits) -> bool {
        self.0.iter().enumerate().all(|(i, w)| w & !other.0.get(i).copied().unwrap_or(0) == 0)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|w| *w == 0)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0
            .iter()
            .enumerate()
            .flat_map(|(i, w)| (0..64).filter(move |b| w >> b & 1 == 1).map(move |b| i * 64 + b))
    }
}
