//! Maps keyed by the address of a formula: what is remembered of expressions during one search.
//!
//! The formulas outlive the search, so an address stands for one formula. The hash is a multiplication: addresses
//! are spread already.

use hashbrown::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map from addresses.
pub(super) type ByAddress<T> = HashMap<usize, T, BuildHasherDefault<Spread>>;

/// Hashes one address.
#[derive(Clone, Copy, Default)]
pub(super) struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.0 = (self.0 << 8 | u64::from(*b)) ^ self.0 >> 56;
        }
    }

    fn write_usize(&mut self, n: usize) {
        // The odd constant of Fibonacci hashing; the product is folded so that high and low bits depend on all.
        let wide = u128::from(n as u64) * 0x9e37_79b9_7f4a_7c15;
        #[allow(clippy::cast_possible_truncation)]
        let folded = wide as u64 ^ (wide >> 64) as u64;
        self.0 = folded;
    }
}
