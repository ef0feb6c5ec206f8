//! Which number a key has.
//!
//! In: keys with numbers, one after the other; many keys that are asked for at once. Out: their numbers. Open addressing over 64-bit
//! slots: half of a slot is the place of a key, half says at once that another key is meant. Keys lie in the order in which they came. Who
//! asks for a single key waits twice for memory; of those that are asked for together all wait at the same time. Siblings: `keys` (which
//! keys are new).
#![allow(clippy::cast_possible_truncation, reason = "bits are picked out of words on purpose")]

use super::crew::one_after_the_other;
use super::huge::{prefetch, room, widen};

/// Keys that are asked for at the same time; as many as `keys` reads ahead.
const BATCH: usize = 32;

/// Slots at the beginning, as a power of two.
const FIRST: u32 = 10;

/// A slot without a key; the places of keys are counted from one.
const FREE: u64 = 0;

/// Keys and their numbers.
#[derive(Debug)]
pub(super) struct Numbers {
    /// The number of slots is a power of two.
    slots: Vec<u64>,
    bits: u32,
    keys: Vec<u128>,
    /// Of each key.
    given: Vec<u32>,
}

/// A key on its way.
#[derive(Clone, Copy, Default)]
struct Asked {
    by: u32,
    key: u128,
    spread: u64,
    /// The place of the key that is probably it.
    place: usize,
}

/// Keys are spread already, or codes; their bits are folded. The factor is odd and without visible structure (the golden ratio).
#[inline]
fn spread(key: u128) -> u64 {
    (key as u64 ^ (key >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The half of a slot that says which key it may be; the other bits choose the slot.
#[inline]
fn tag(spread: u64) -> u64 {
    spread << 32
}

/// Whether the key of a slot may be the one that is spread so.
#[inline]
fn is_alike(slot: u64, spread: u64) -> bool {
    slot & tag(u64::MAX) == tag(spread)
}

impl Numbers {
    pub(super) fn new() -> Self {
        Self { slots: free(FIRST), bits: FIRST, keys: Vec::new(), given: Vec::new() }
    }

    /// Gives a key a number, unless it has one.
    pub(super) fn insert(&mut self, key: u128, number: u32) {
        // Half of the slots stay free: those who look for a key look at one and a half slots.
        if self.keys.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let spread = spread(key);
        let mut at = self.home(spread);
        while let Some(slot) = self.slots.get_mut(at) {
            if *slot == FREE {
                room(&mut self.keys, 1);
                room(&mut self.given, 1);
                self.keys.push(key);
                self.given.push(number);
                *slot = tag(spread) | u64::from(self.keys.len() as u32);
                return;
            }
            if is_alike(*slot, spread) && self.keys.get(place(*slot)) == Some(&key) {
                return;
            }
            at = self.after(at);
        }
    }

    /// The number of a key.
    pub(super) fn get(&self, key: u128) -> Option<u32> {
        self.look(key, spread(key))
    }

    /// The numbers of keys; `found` is told what stands beside each key.
    pub(super) fn all(
        &self,
        mut keys: impl Iterator<Item = (u32, u128)>,
        mut found: impl FnMut(u32, Option<u32>),
    ) {
        let mut batch = [Asked::default(); BATCH];
        loop {
            let mut length = 0;
            for (asked, (by, key)) in batch.iter_mut().zip(&mut keys) {
                *asked = Asked { by, key, spread: spread(key), place: 0 };
                self.slots.get(self.home(asked.spread)).inspect(|slot| prefetch(*slot));
                length += 1;
            }
            let (batch, _) = batch.split_at_mut(length);
            for asked in batch.iter_mut() {
                asked.place = self.likely(asked.spread);
                self.keys.get(asked.place).inspect(|key| prefetch(*key));
                self.given.get(asked.place).inspect(|number| prefetch(*number));
            }
            for asked in batch.iter() {
                let number = match self.keys.get(asked.place) {
                    Some(key) if *key == asked.key => self.given.get(asked.place).copied(),
                    _ => self.look(asked.key, asked.spread),
                };
                found(asked.by, number);
            }
            if length < BATCH {
                return;
            }
        }
    }

    /// The place of the first key that looks like this one.
    #[inline]
    fn likely(&self, spread: u64) -> usize {
        let mut at = self.home(spread);
        while let Some(slot) = self.slots.get(at) {
            if *slot == FREE || is_alike(*slot, spread) {
                return place(*slot);
            }
            at = self.after(at);
        }
        usize::MAX
    }

    fn look(&self, key: u128, spread: u64) -> Option<u32> {
        let mut at = self.home(spread);
        while let Some(slot) = self.slots.get(at) {
            if *slot == FREE {
                return None;
            }
            if is_alike(*slot, spread) && self.keys.get(place(*slot)) == Some(&key) {
                return self.given.get(place(*slot)).copied();
            }
            at = self.after(at);
        }
        None
    }

    #[inline]
    fn home(&self, spread: u64) -> usize {
        (spread >> (u64::BITS - self.bits)) as usize
    }

    #[inline]
    fn after(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }

    fn grow(&mut self) {
        self.bits += 1;
        self.slots = free(self.bits);
        for at in 0..self.keys.len() {
            let spread = self.keys.get(at).map_or(0, |key| spread(*key));
            let mut slot = self.home(spread);
            while self.slots.get(slot).is_some_and(|s| *s != FREE) {
                slot = self.after(slot);
            }
            if let Some(free) = self.slots.get_mut(slot) {
                *free = tag(spread) | (at as u64 + 1);
            }
        }
    }
}

/// The place of the key of a slot; that of no key if it is free.
#[inline]
fn place(slot: u64) -> usize {
    (slot as u32 as usize).wrapping_sub(1)
}

fn free(bits: u32) -> Vec<u64> {
    let mut slots = Vec::new();
    widen(&mut slots, FREE, 1 << bits, &one_after_the_other);
    slots
}

#[cfg(test)]
mod tests {
    use super::Numbers;
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// Keys that are codes, that are spread, and that differ in bits which are folded away.
    fn key() -> impl Strategy<Value = u128> {
        prop_oneof![
            (0u128..3000),
            any::<u128>(),
            (0u128..50).prop_map(|n| n << 64 | n),
            (0u128..50).prop_map(|n| n << 120)
        ]
    }

    proptest! {
        #[test]
        fn numbers_are_those_of_a_map(
            keys in prop::collection::vec(key(), 0..3000),
            asked in prop::collection::vec(key(), 0..200),
        ) {
            let (mut map, mut numbers) = (HashMap::new(), Numbers::new());
            for (key, number) in keys.iter().zip(0..) {
                map.entry(*key).or_insert(number);
                numbers.insert(*key, number);
            }
            let all: Vec<u128> = asked.iter().chain(&keys).copied().collect();
            let mut found = Vec::new();
            numbers.all((0..).zip(all.iter().copied()), |by, number| found.push((by, number)));
            let expected: Vec<_> = (0..).zip(all.iter().map(|k| map.get(k).copied())).collect();
            prop_assert_eq!(found, expected);
            for key in &all {
                prop_assert_eq!(numbers.get(*key), map.get(key).copied());
            }
        }
    }
}
