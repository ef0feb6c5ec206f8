//! Keys of states met lately.
//!
//! In: packed states. Out: their keys, computed once for each as long as it is remembered. Many edges lead to the same
//! state, most often to the one they come from; where a key costs more than looking up a state, this pays.
//! A state takes the place of another one now and then; nothing else depends on what is remembered.

use std::sync::Mutex;

/// The logarithms of the numbers of pairs of places at first, and at most: half a megabyte for states of two words.
const FIRST: u32 = 6;
const MOST: u32 = 13;

/// Keys by state.
#[derive(Debug, Default)]
pub(super) struct Memo {
    width: usize,
    /// The logarithm of the number of pairs.
    log: u32,
    /// New states since the number of pairs was chosen.
    new: usize,
    /// A state may be in either place of its pair; the first is that of the newer one. Small searches stay in few pages
    /// of memory so: with one place for each state four times as many were needed to meet as few again.
    states: Vec<u64>,
    /// Zero where there is no state. (A key of zero is not remembered.)
    keys: Vec<u128>,
}

impl Memo {
    /// The key of a state.
    #[inline]
    pub(super) fn key(&mut self, state: &[u64], compute: impl FnOnce() -> u128) -> u128 {
        if state.len() != self.width {
            self.restart(state.len());
        }
        let first = self.pair(state);
        for place in [first, first + 1] {
            let words = place * self.width..(place + 1) * self.width;
            if let (Some(&key), Some(known)) = (self.keys.get(place), self.states.get(words))
                && key != 0
                && known == state
            {
                return key;
            }
        }
        let key = compute();
        self.put(first, state, key);
        self.new += 1;
        if self.new >> self.log > 1 && self.log < MOST {
            self.grow();
        }
        key
    }

    /// The first place of the pair of a state.
    #[inline]
    fn pair(&self, state: &[u64]) -> usize {
        // Only speed depends on how well this spreads.
        let mix = |h: u64, &w: &u64| (h.rotate_left(29) ^ w).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let h = state.iter().fold(0, mix);
        usize::try_from(h >> (u64::BITS - self.log)).unwrap_or(0) * 2
    }

    fn restart(&mut self, width: usize) {
        self.width = width;
        self.places(FIRST);
    }

    /// That many empty pairs, as a logarithm.
    fn places(&mut self, log: u32) {
        (self.log, self.new) = (log, 0);
        (self.keys, self.states) = (vec![0; 2 << log], vec![0; (2 * self.width) << log]);
    }

    /// Makes two pairs of each, and takes along what is remembered.
    fn grow(&mut self) {
        let (keys, states) = (std::mem::take(&mut self.keys), std::mem::take(&mut self.states));
        self.places(self.log + 1);
        // The newer state of a pair comes after the older one.
        for (&key, state) in
            keys.iter().zip(states.chunks(self.width.max(1))).rev().filter(|(key, _)| **key != 0)
        {
            self.put(self.pair(state), state, key);
        }
    }

    /// The newer state of a pair moves on to the second place.
    #[inline]
    fn put(&mut self, first: usize, state: &[u64], key: u128) {
        let words = first * self.width..(first + 2) * self.width;
        if let (Some(keys), Some(states)) = (self.keys.get_mut(first..first + 2), self.states.get_mut(words))
        {
            keys.rotate_right(1);
            states.rotate_right(self.width);
            keys[0] = key;
            states[..self.width].copy_from_slice(state);
        }
    }
}

/// Memory that calls take while they need it and leave for the next one: as many pieces as there are calls at a time.
#[derive(Debug, Default)]
pub(super) struct Shelf<T>(Mutex<Vec<Box<T>>>);

impl<T: Default> Shelf<T> {
    /// Calls `f` with a piece that nobody else has meanwhile.
    pub(super) fn lend<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        let left = self.0.lock().ok().and_then(|mut shelf| shelf.pop());
        let mut piece = left.unwrap_or_default();
        let result = f(&mut piece);
        if let Ok(mut shelf) = self.0.lock() {
            shelf.push(piece);
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_right() {
        let shelf: Shelf<Memo> = Shelf::default();
        let mut computed = 0u32;
        for round in 0..3u64 {
            for (width, kinds) in [(1u64, 5u64), (2, 40_000), (3, 1000)] {
                for n in 0..40_000u64 {
                    let state: Vec<u64> = (0..width).map(|i| (n * 7919 + round) % kinds + i).collect();
                    let wanted = u128::from(state[0]) + 1;
                    let key = shelf.lend(|memo| {
                        memo.key(&state, || {
                            computed += 1;
                            wanted
                        })
                    });
                    assert_eq!(key, wanted);
                }
            }
        }
        assert!((120_000..200_000).contains(&computed), "{computed}");
    }
}
