//! Numbers from a seed, for tests that make their inputs: the same seed and salt, the same numbers.
//!
//! In: a seed, which the test prints, and a salt of its own. Out: [`Random`]. What only some tests draw is beside them.

/// A small generator of random numbers (splitmix64).
pub(crate) struct Random(u64);

impl Random {
    /// The generator of a seed, with other numbers for another salt.
    pub(crate) fn salted(seed: u64, salt: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ salt)
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(n.max(1)).unwrap_or(1)).unwrap_or(0)
    }
}
