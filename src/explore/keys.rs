//! A set of 128-bit keys, insert only: what the search has stored.
//!
//! Open addressing with linear probing, split into shards by the key's upper bits so that growing copies
//! one shard at a time (peak memory stays near the table's own size) and threads can own shards. Slots are
//! found by multiplication ("fastrange"), so a shard may have any capacity and grows by a third instead of
//! doubling: between 17.6 and 23.5 bytes a key. Keys must be well mixed; they are fingerprints.
//!
//! Large tables are bound by memory latency, so keys are inserted in batches: a first pass reads every
//! first slot of a batch without depending on what it finds, which lets the processor have many cache misses
//! in flight; the second pass probes lines that have arrived.

/// Number of shards; a power of two.
pub const SHARDS: usize = 256;

/// How many keys are worth handing over at once.
pub const BATCH: usize = 64;

/// The empty slot. A key of zero is stored as one; that merges two of 2^128 fingerprints.
const EMPTY: u128 = 0;

/// One shard.
#[derive(Clone, Debug, Default)]
pub struct Shard {
    slots: Vec<u128>,
    len: usize,
}

impl Shard {
    /// Inserts a key; whether it was new.
    pub fn insert(&mut self, key: u128) -> bool {
        if self.len * 10 >= self.slots.len() * 9 {
            self.grow();
        }
        let key = key.max(1);
        let mut at = self.home(key);
        loop {
            let slot = &mut self.slots[at];
            if *slot == EMPTY {
                *slot = key;
                self.len += 1;
                return true;
            }
            if *slot == key {
                return false;
            }
            at += 1;
            if at == self.slots.len() {
                at = 0;
            }
        }
    }

    /// Whether a key is in.
    #[must_use]
    pub fn contains(&self, key: u128) -> bool {
        let key = key.max(1);
        if self.slots.is_empty() {
            return false;
        }
        let mut at = self.home(key);
        loop {
            match self.slots[at] {
                EMPTY => return false,
                k if k == key => return true,
                _ => at = if at + 1 == self.slots.len() { 0 } else { at + 1 },
            }
        }
    }

    /// The first slot of a key: its lower half scaled to the capacity (the upper half chose the shard).
    #[inline]
    fn home(&self, key: u128) -> usize {
        let low = key & u128::from(u64::MAX);
        usize::try_from((low * self.slots.len() as u128) >> 64).unwrap_or(0)
    }

    /// Reads the first slot of a key, for its effect on the cache.
    #[inline]
    fn touch(&self, key: u128) -> u64 {
        if self.slots.is_empty() { 0 } else { (self.slots[self.home(key)] >> 64) as u64 }
    }

    fn grow(&mut self) {
        let capacity = (self.slots.len() + self.slots.len() / 3).max(16);
        let old = std::mem::replace(&mut self.slots, vec![EMPTY; capacity]);
        // Homes keep the order of the slots, so this walks both arrays forwards.
        for key in old.into_iter().filter(|k| *k != EMPTY) {
            let mut at = self.home(key);
            while self.slots[at] != EMPTY {
                at = if at + 1 == capacity { 0 } else { at + 1 };
            }
            self.slots[at] = key;
        }
    }
}

/// The whole set.
#[derive(Clone, Debug)]
pub struct Keys {
    shards: Vec<Shard>,
}

impl Default for Keys {
    fn default() -> Self {
        Self { shards: vec![Shard::default(); SHARDS] }
    }
}

/// The shard of a key.
#[inline]
#[must_use]
pub fn shard_of(key: u128) -> usize {
    (key >> 120) as usize % SHARDS
}

impl Keys {
    /// Inserts a key; whether it was new.
    pub fn insert(&mut self, key: u128) -> bool {
        self.shards[shard_of(key)].insert(key)
    }

    /// Whether a key is in.
    #[must_use]
    pub fn contains(&self, key: u128) -> bool {
        self.shards[shard_of(key)].contains(key)
    }

    /// Inserts keys in order; calls `fresh` with the position of each that was new.
    pub fn insert_all(&mut self, keys: &[u128], mut fresh: impl FnMut(usize)) {
        for (n, batch) in keys.chunks(BATCH).enumerate() {
            let seen = batch.iter().fold(0, |acc, &k| acc ^ self.shards[shard_of(k)].touch(k));
            std::hint::black_box(seen);
            for (i, &key) in batch.iter().enumerate() {
                if self.insert(key) {
                    fresh(n * BATCH + i);
                }
            }
        }
    }

    /// Reads the first slot of each key, for its effect on the cache; to be called before inserting a batch
    /// one by one.
    pub fn prefetch(&self, keys: &[u128]) {
        let seen = keys.iter().fold(0, |acc, &k| acc ^ self.shards[shard_of(k)].touch(k));
        std::hint::black_box(seen);
    }

    /// Number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shards.iter().map(|s| s.len).sum()
    }

    /// Whether there is no key.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.shards.iter().map(|s| s.slots.capacity() * 16).sum()
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
        let mut keys = Keys::default();
        let mut model = HashSet::new();
        // Every key comes about three times, in an order that mixes new and old.
        let sequence: Vec<u128> = (0..60_000u64).map(|i| mixed(i * 7919 % 20_011)).collect();
        for batch in sequence.chunks(97) {
            let expected: Vec<usize> =
                batch.iter().enumerate().filter(|(_, k)| model.insert(**k)).map(|(i, _)| i).collect();
            let mut got = Vec::new();
            keys.insert_all(batch, |i| got.push(i));
            assert_eq!(got, expected);
        }
        assert_eq!(keys.len(), model.len());
        assert!(model.iter().all(|k| keys.contains(*k)));
        assert!(!keys.contains(mixed(999_999)));
        assert!(keys.bytes() < 24 * keys.len() + SHARDS * 16 * 16);
    }

    #[test]
    fn zero_is_a_key() {
        let mut keys = Keys::default();
        assert!(keys.insert(0));
        assert!(!keys.insert(0));
    }
}
