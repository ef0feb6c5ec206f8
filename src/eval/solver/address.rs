//! Maps keyed by the address of a formula: what is remembered of expressions during one search.
//!
//! The formulas outlive the search, so an address stands for one formula. The hash is a multiplication: addresses
//! are spread already.

use crate::eval::bits::spread;
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
        self.0 = spread(n as u64);
    }
}
