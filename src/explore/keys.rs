//! A set of keys, insert only: what the search has stored.
//!
//! Open addressing in lines of one cache line each. Keys are 128 bits wide, or 64 where the reducer says that
//! the lower half tells them apart ([`Keys::new`]); they must be well mixed, since their bits choose shard, line
//! and slot. Lines are found by multiplication ("fastrange"), so a shard may have any number of lines and grows
//! by a third instead of doubling: about 11 bytes a key (narrow) or 22 (wide). There are shards so that
//! growing copies a small part at a time (peak memory stays near the table's own size) and threads can own shards.
//!
//! Large tables are bound by memory latency, so keys are inserted in batches: a first pass reads every first
//! slot of a batch without depending on what it finds, which lets the processor have many cache misses in
//! flight; the second pass probes lines that have arrived.
#![allow(clippy::cast_possible_truncation, reason = "bits are picked out of words on purpose")]

use super::huge::filled;
use rayon::prelude::*;
use std::ops::Range;

/// Number of shards; a power of two.
const SHARDS: usize = 8;

/// How many keys are read ahead.
const BATCH: usize = 64;

/// Threads do not share a window of fewer keys.
const WORTH: usize = 512;

/// A key as it is stored.
pub trait Slot: Copy + Eq + Send + Sync {
    /// The empty slot; the key that looks like it is kept apart.
    const EMPTY: Self;
    /// Of a key as the reducer gives it.
    fn of(key: u128) -> Self;
    /// The bits that choose the place.
    fn bits(self) -> u64;
}

impl Slot for u64 {
    const EMPTY: Self = 0;
    #[inline]
    fn of(key: u128) -> Self {
        (key & u128::from(u64::MAX)) as u64
    }
    #[inline]
    fn bits(self) -> u64 {
        self
    }
}

impl Slot for u128 {
    const EMPTY: Self = 0;
    #[inline]
    fn of(key: u128) -> Self {
        key
    }
    #[inline]
    fn bits(self) -> u64 {
        (self & u128::from(u64::MAX)) as u64
    }
}

/// Slots that lie in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line<K, const N: usize>([K; N]);

/// One shard.
#[derive(Clone, Debug)]
struct Shard<K, const N: usize> {
    lines: Vec<Line<K, N>>,
    len: usize,
}

impl<K: Slot, const N: usize> Shard<K, N> {
    #[inline]
    fn insert(&mut self, key: K) -> bool {
        // At most 17 slots of 20 are in use.
        if self.len * 20 >= self.lines.len() * (N * 17) {
            self.grow();
        }
        let (line, slot, new) = self.place(key);
        if new {
            self.lines[line].0[slot] = key;
            self.len += 1;
        }
        new
    }

    /// Where a key is or belongs (line and slot), and whether it is not there. Not all lines are full.
    #[inline]
    fn place(&self, key: K) -> (usize, usize, bool) {
        let (mut at, start) = (self.home(key), key.bits() as usize % N);
        loop {
            let line = &self.lines[at].0;
            for i in 0..N {
                let slot = (start + i) % N;
                if line[slot] == key {
                    return (at, slot, false);
                }
                if line[slot] == K::EMPTY {
                    return (at, slot, true);
                }
            }
            at = if at + 1 == self.lines.len() { 0 } else { at + 1 };
        }
    }

    /// The first line of a key: the bits that did not choose the shard, scaled to the capacity.
    #[inline]
    fn home(&self, key: K) -> usize {
        let bits = key.bits() << SHARDS.trailing_zeros();
        ((u128::from(bits) * self.lines.len() as u128) >> 64) as usize
    }

    /// Reads the first line of a key, for its effect on the cache.
    #[inline]
    fn touch(&self, key: K) -> u64 {
        self.lines.get(self.home(key)).map_or(0, |l| l.0[0].bits())
    }

    fn grow(&mut self) {
        let lines = self.lines.len() + self.lines.len() / 3 + 1;
        let old = std::mem::replace(&mut self.lines, filled(Line([K::EMPTY; N]), lines));
        // Homes keep the order of the lines, so this walks both arrays forwards.
        for key in old.into_iter().flat_map(|l| l.0).filter(|k| *k != K::EMPTY) {
            let (line, slot, _) = self.place(key);
            self.lines[line].0[slot] = key;
        }
    }
}

#[derive(Clone, Debug)]
struct Table<K, const N: usize> {
    shards: Vec<Shard<K, N>>,
    /// Whether the key that looks like an empty slot is in.
    empty: bool,
}

impl<K: Slot, const N: usize> Table<K, N> {
    fn new() -> Self {
        Self { shards: vec![Shard { lines: Vec::new(), len: 0 }; SHARDS], empty: false }
    }

    fn insert(&mut self, key: u128) -> bool {
        let key = K::of(key);
        if key == K::EMPTY {
            return !std::mem::replace(&mut self.empty, true);
        }
        self.shards[shard(key)].insert(key)
    }

    fn insert_all(&mut self, keys: &[u128], fresh: &mut impl FnMut(usize)) {
        for (n, batch) in keys.chunks(BATCH).enumerate() {
            let seen = batch.iter().fold(0, |acc, &k| acc ^ self.shards[shard(K::of(k))].touch(K::of(k)));
            std::hint::black_box(seen);
            for (i, &key) in batch.iter().enumerate() {
                if self.insert(key) {
                    fresh(n * BATCH + i);
                }
            }
        }
    }

    fn insert_shared(&mut self, keys: &[u128], threads: usize) -> Vec<usize> {
        let mut fresh = Vec::new();
        if keys.iter().any(|k| K::of(*k) == K::EMPTY) {
            self.insert_all(keys, &mut |i| fresh.push(i));
            return fresh;
        }
        let part = SHARDS.div_ceil(threads);
        let lists: Vec<Vec<usize>> = (self.shards.par_chunks_mut(part).enumerate())
            .map(|(n, shards)| own(shards, n * part..n * part + shards.len(), keys))
            .collect();
        fresh.extend(lists.into_iter().flatten());
        fresh.sort_unstable();
        fresh
    }

    fn len(&self) -> usize {
        self.shards.iter().map(|s| s.len).sum::<usize>() + usize::from(self.empty)
    }

    fn bytes(&self) -> usize {
        self.shards.iter().map(|s| s.lines.capacity() * size_of::<Line<K, N>>()).sum()
    }
}

/// Inserts those of the keys that belong to some shards; the positions of the new ones.
fn own<K: Slot, const N: usize>(
    shards: &mut [Shard<K, N>],
    range: Range<usize>,
    keys: &[u128],
) -> Vec<usize> {
    let mut fresh = Vec::new();
    let mine = |k: &K| range.contains(&shard(*k));
    for (n, batch) in keys.chunks(2 * BATCH).enumerate() {
        let seen = batch.iter().map(|k| K::of(*k)).filter(mine);
        let seen = seen.fold(0, |acc, k| acc ^ shards[shard(k) - range.start].touch(k));
        std::hint::black_box(seen);
        for (i, key) in batch.iter().map(|k| K::of(*k)).enumerate().filter(|(_, k)| mine(k)) {
            if shards[shard(key) - range.start].insert(key) {
                fresh.push(n * 2 * BATCH + i);
            }
        }
    }
    fresh
}

/// The shard of a key: its uppermost bits.
#[inline]
fn shard<K: Slot>(key: K) -> usize {
    (key.bits() >> (u64::BITS - SHARDS.trailing_zeros())) as usize
}

/// The whole set.
#[derive(Clone, Debug)]
pub struct Keys(Width);

#[derive(Clone, Debug)]
enum Width {
    Narrow(Table<u64, 8>),
    Wide(Table<u128, 4>),
}

/// The same for both widths.
macro_rules! table {
    ($set:expr, $t:ident => $what:expr) => {
        match $set {
            Width::Narrow($t) => $what,
            Width::Wide($t) => $what,
        }
    };
}

impl Keys {
    /// An empty set; narrow if the lower 64 bits of its keys tell them apart.
    #[must_use]
    pub fn new(narrow: bool) -> Self {
        Self(if narrow { Width::Narrow(Table::new()) } else { Width::Wide(Table::new()) })
    }

    /// Inserts a key; whether it was new.
    pub fn insert(&mut self, key: u128) -> bool {
        table!(&mut self.0, t => t.insert(key))
    }

    /// Inserts keys in order; calls `fresh` with the position of each that was new.
    pub fn insert_all(&mut self, keys: &[u128], mut fresh: impl FnMut(usize)) {
        table!(&mut self.0, t => t.insert_all(keys, &mut fresh));
    }

    /// As [`Keys::insert_all`], by several threads (those of the rayon pool it is called in); the positions of
    /// those that were new, in order. Of equal keys the first is new, whatever the number of threads.
    pub fn insert_shared(&mut self, keys: &[u128], threads: usize) -> Vec<usize> {
        if threads > 1 && keys.len() >= WORTH {
            return table!(&mut self.0, t => t.insert_shared(keys, threads));
        }
        let mut fresh = Vec::new();
        self.insert_all(keys, |i| fresh.push(i));
        fresh
    }

    /// Number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        table!(&self.0, t => t.len())
    }

    /// Whether there is no key.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        table!(&self.0, t => t.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// A small generator of well-mixed numbers (splitmix64), so that the test repeats.
    fn mixed(n: u64) -> u128 {
        let mix = |x: u64| {
            let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            x ^ x >> 31
        };
        let a = mix(n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        u128::from(a) << 64 | u128::from(mix(a ^ 0x1234))
    }

    #[test]
    fn agrees_with_the_standard_set() {
        for (narrow, bytes) in [(true, 14), (false, 28)] {
            let (mut keys, mut shared) = (Keys::new(narrow), Keys::new(narrow));
            let mut model = HashSet::new();
            // Every key comes about three times, in an order that mixes new and old.
            let sequence: Vec<u128> = (0..90_000u64).map(|i| mixed(i * 7919 % 30_011)).collect();
            for batch in sequence.chunks(1097) {
                let expected: Vec<usize> =
                    batch.iter().enumerate().filter(|(_, k)| model.insert(**k)).map(|(i, _)| i).collect();
                let mut got = Vec::new();
                keys.insert_all(batch, |i| got.push(i));
                assert_eq!(got, expected);
                assert_eq!(shared.insert_shared(batch, 3), expected);
            }
            assert_eq!((keys.len(), shared.len()), (model.len(), model.len()));
            assert!(model.iter().all(|k| !keys.insert(*k)));
            assert!(keys.insert(mixed(999_999)));
            assert!(keys.bytes() < bytes * keys.len() + SHARDS * 64 * 2);
        }
    }

    #[test]
    fn zero_is_a_key() {
        for narrow in [true, false] {
            let mut keys = Keys::new(narrow);
            assert!(keys.insert(0));
            assert!(!keys.insert(0));
            assert_eq!(keys.insert_shared(&[0; WORTH], 2), Vec::<usize>::new());
            assert_eq!(keys.len(), 1);
        }
    }
}
