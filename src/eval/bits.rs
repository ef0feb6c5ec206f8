//! Small sets of small numbers (unknowns and conjuncts of a problem).

use smallvec::SmallVec;

/// The numbers of the bits that are set.
pub(super) struct Ones(pub(super) u64);

impl Iterator for Ones {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let b = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(b as usize)
    }
}

/// A number whose low and high bits depend on all bits of another: the product with the odd constant of Fibonacci hashing, folded.
#[inline]
pub(super) fn spread(n: u64) -> u64 {
    let wide = u128::from(n) * 0x9e37_79b9_7f4a_7c15;
    #[allow(clippy::cast_possible_truncation)]
    let folded = wide as u64 ^ (wide >> 64) as u64;
    folded
}

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

    /// The set with one more.
    pub(super) fn with(&self, i: usize) -> Self {
        let mut more = self.clone();
        more.insert(i);
        more
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
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(w, o)| *w |= o);
    }

    pub(super) fn is_subset(&self, other: &Bits) -> bool {
        self.0.iter().enumerate().all(|(i, w)| w & !other.0.get(i).copied().unwrap_or(0) == 0)
    }

    /// Those that are not in another set.
    pub(super) fn without(&self, other: &Bits) -> Bits {
        let out = |(i, w): (usize, &u64)| w & !other.0.get(i).copied().unwrap_or(0);
        Bits(self.0.iter().enumerate().map(out).collect())
    }

    /// Whether some are in both.
    pub(super) fn meets(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|w| *w == 0)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(i, w)| Ones(*w).map(move |b| i * 64 + b))
    }
}
