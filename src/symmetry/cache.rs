//! Things computed once per constants valuation.
//!
//! In: the number of a valuation and how to compute what is wanted of it. Out: that, kept. Thread-safe and without
//! locks, since every key asks: of two threads that compute the same thing at the same time one waits. Of a great many
//! valuations only the first are kept.

use std::ops::Deref;
use std::sync::OnceLock;

/// Rows of places, each twice as long as the one before: together they are enough for this many valuations. Later ones
/// are computed each time.
const ROWS: usize = 16;

/// One `T` per valuation.
#[derive(Debug)]
pub(super) struct Cache<T>([OnceLock<Box<[OnceLock<T>]>>; ROWS]);

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Self(std::array::from_fn(|_| OnceLock::new()))
    }
}

/// One of them.
pub(super) enum Known<'a, T> {
    /// Kept.
    Kept(&'a T),
    /// Computed for this once.
    Once(Box<T>),
}

impl<T> Deref for Known<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Self::Kept(t) => t,
            Self::Once(t) => t,
        }
    }
}

impl<T> Cache<T> {
    /// The one of a valuation.
    pub(super) fn get(&self, valuation: u32, compute: impl FnOnce() -> T) -> Known<'_, T> {
        // Row `r` has the places from 2^r - 1 on.
        let n = u64::from(valuation) + 1;
        let row = n.ilog2();
        let at = usize::try_from(n - (1 << row)).unwrap_or(usize::MAX);
        let places = self
            .0
            .get(row as usize)
            .map(|r| r.get_or_init(|| std::iter::repeat_with(OnceLock::new).take(1 << row).collect()));
        match places.and_then(|p| p.get(at)) {
            Some(place) => Known::Kept(place.get_or_init(compute)),
            None => Known::Once(Box::new(compute())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes_each_once() {
        let cache = Cache::default();
        for n in [0, 1, 2, 3, 6, 7, 1000, (1 << 16) - 2] {
            assert_eq!(*cache.get(n, || n), n);
            assert_eq!(*cache.get(n, || u32::MAX), n);
        }
        assert_eq!(*cache.get((1 << 16) - 1, || 5), 5);
        assert_eq!(*cache.get((1 << 16) - 1, || 6), 6);
    }
}
