//! What constraints are drawn by: numbers from a seed.

use super::random::Random;

/// This test's own numbers.
const SALT: u64 = 0x1234_5678_9abc_def0;

impl Random {
    /// The generator of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self::salted(seed, SALT)
    }

    /// One of some things.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// True once in `n` times.
    pub(crate) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}
