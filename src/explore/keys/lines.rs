//! What a cache line of the set holds, in each of three forms.
//!
//! In: keys as reducers give them. Out: lines that take them. Slots of a line in use come first. All slots are compared at
//! once: which one has the key cannot be foretold, and a branch for each would be mispredicted for nearly every key.
#![allow(clippy::cast_possible_truncation, reason = "bits are picked out of words on purpose")]

use super::basis::Basis;

/// What became of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Inserted {
    /// It was there.
    Known,
    /// It is new, and shares the slot of others.
    Joined,
    /// It is new, and has a slot of its own.
    Placed,
    /// It is not here, and there is no slot.
    Full,
}

/// A cache line.
pub(super) trait Line: Copy + Send + Sync {
    /// A key as it is stored.
    type Key: Copy + Default + Send + Sync;
    /// What is to be known to make it of a reducer's.
    type Coder: Clone + Send + Sync;
    /// No slot in use.
    const EMPTY: Self;
    /// How many.
    const SLOTS: usize;
    /// Of 20 slots, how many are in use at most.
    const FILL: usize;

    /// The key as it is stored.
    fn key(coder: &Self::Coder, key: u128) -> Self::Key;
    /// The keys that a slot in use stands for.
    fn keys(coder: &Self::Coder, slot: Self::Key) -> impl Iterator<Item = u128>;
    /// A key as it is stored, as a word.
    fn word(key: Self::Key) -> u128;
    /// The key that is this word.
    fn of_word(word: u128) -> Self::Key;
    /// Bits without visible structure, equal for keys that share a slot.
    fn place(key: Self::Key) -> u64;
    /// Whether it looks like a slot not in use.
    fn is_apart(key: Self::Key) -> bool;
    /// Inserts a key.
    fn insert(&mut self, key: Self::Key) -> Inserted;
    /// Puts a key that is not here into a slot of its own; whether there is one.
    fn put(&mut self, key: Self::Key) -> bool;
    /// What the slots in use hold: all of it inserted anew into other lines is the same set.
    fn slots(&self) -> impl Iterator<Item = Self::Key>;
}

/// Bits without visible structure that depend on all bits of a word: the halves of its product with a constant (the
/// golden ratio), folded.
#[inline]
fn mixed(word: u64) -> u64 {
    let product = u128::from(word) * 0x9e37_79b9_7f4a_7c15;
    (product >> 64) as u64 ^ product as u64
}

/// A bit for each slot that holds this. Masks are as wide as keys, which makes them vectors.
#[inline]
fn equal<const N: usize>(slots: &[u64; N], key: u64) -> u64 {
    slots.iter().enumerate().fold(0, |mask, (i, slot)| mask | if *slot == key { 1 << i } else { 0 })
}

/// A word of two halves.
#[inline]
fn joined(high: u64, low: u64) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}

/// Codes of 64 bits; 0 is a slot not in use.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Narrow([u64; 8]);

impl Line for Narrow {
    type Key = u64;
    type Coder = ();
    const EMPTY: Self = Self([0; 8]);
    const SLOTS: usize = 8;
    const FILL: usize = 17;

    #[inline]
    fn key((): &(), key: u128) -> u64 {
        key as u64
    }
    fn keys((): &(), key: u64) -> impl Iterator<Item = u128> {
        std::iter::once(key.into())
    }
    #[inline]
    fn word(key: u64) -> u128 {
        key.into()
    }
    #[inline]
    fn of_word(word: u128) -> u64 {
        word as u64
    }
    #[inline]
    fn place(key: u64) -> u64 {
        mixed(key)
    }
    #[inline]
    fn is_apart(key: u64) -> bool {
        key == 0
    }
    #[inline]
    fn insert(&mut self, key: u64) -> Inserted {
        if equal(&self.0, key) != 0 {
            return Inserted::Known;
        }
        if self.put(key) { Inserted::Placed } else { Inserted::Full }
    }
    #[inline]
    fn put(&mut self, key: u64) -> bool {
        let free = equal(&self.0, 0).trailing_zeros() as usize;
        self.0.get_mut(free).map(|slot| *slot = key).is_some()
    }
    fn slots(&self) -> impl Iterator<Item = u64> {
        self.0.into_iter().take_while(|k| *k != 0)
    }
}

/// Hashes of 128 bits, in halves, in two lines that are fetched together: eight slots are seldom all in use where four
/// often are. A slot not in use has 0 for its lower half.
#[derive(Clone, Copy, Debug)]
#[repr(align(128))]
pub(super) struct Wide {
    low: [u64; 8],
    high: [u64; 8],
}

impl Line for Wide {
    /// The lower half and the higher one.
    type Key = (u64, u64);
    type Coder = ();
    const EMPTY: Self = Self { low: [0; 8], high: [0; 8] };
    const SLOTS: usize = 8;
    const FILL: usize = 17;

    /// One hash in 2^64 is taken for another one.
    #[inline]
    fn key((): &(), key: u128) -> (u64, u64) {
        ((key as u64).max(1), (key >> 64) as u64)
    }
    fn keys((): &(), (low, high): (u64, u64)) -> impl Iterator<Item = u128> {
        std::iter::once(joined(high, low))
    }
    #[inline]
    fn word((low, high): (u64, u64)) -> u128 {
        joined(high, low)
    }
    #[inline]
    fn of_word(word: u128) -> (u64, u64) {
        (word as u64, (word >> 64) as u64)
    }
    #[inline]
    fn place((low, _): (u64, u64)) -> u64 {
        low
    }
    #[inline]
    fn is_apart(_: (u64, u64)) -> bool {
        false
    }
    #[inline]
    fn insert(&mut self, (low, high): (u64, u64)) -> Inserted {
        let mut here = equal(&self.low, low);
        while here != 0 {
            if self.high.get(here.trailing_zeros() as usize) == Some(&high) {
                return Inserted::Known;
            }
            here &= here - 1;
        }
        if self.put((low, high)) { Inserted::Placed } else { Inserted::Full }
    }
    #[inline]
    fn put(&mut self, (low, high): (u64, u64)) -> bool {
        let free = equal(&self.low, 0).trailing_zeros() as usize;
        let (Some(l), Some(h)) = (self.low.get_mut(free), self.high.get_mut(free)) else { return false };
        (*l, *h) = (low, high);
        true
    }
    fn slots(&self) -> impl Iterator<Item = (u64, u64)> {
        self.low.into_iter().zip(self.high).take_while(|(low, _)| *low != 0)
    }
}

/// Codes in blocks of 64: which block, and a bit for each of its codes. A slot not in use has no bits.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Packed {
    blocks: [u64; 4],
    codes: [u64; 4],
}

impl Line for Packed {
    /// A block with some of its codes.
    type Key = (u64, u64);
    type Coder = Basis;
    const EMPTY: Self = Self { blocks: [0; 4], codes: [0; 4] };
    const SLOTS: usize = 4;
    const FILL: usize = 15;

    #[inline]
    fn key(basis: &Basis, key: u128) -> (u64, u64) {
        let (block, code) = basis.split(key as u64);
        (block, 1 << code)
    }
    fn keys(basis: &Basis, (block, codes): (u64, u64)) -> impl Iterator<Item = u128> {
        let there = (0..u64::BITS).filter(move |n| codes >> n & 1 == 1);
        there.map(move |n| basis.joined(block, n).into())
    }
    #[inline]
    fn word((block, codes): (u64, u64)) -> u128 {
        joined(block, codes)
    }
    #[inline]
    fn of_word(word: u128) -> (u64, u64) {
        ((word >> 64) as u64, word as u64)
    }
    #[inline]
    fn place((block, _): (u64, u64)) -> u64 {
        mixed(block)
    }
    #[inline]
    fn is_apart(_: (u64, u64)) -> bool {
        false
    }
    #[inline]
    fn insert(&mut self, (block, codes): (u64, u64)) -> Inserted {
        // The block that looks like that of a slot not in use is in the first of these, if it is not before them.
        let here = equal(&self.blocks, block);
        let slot = if here == 0 { equal(&self.codes, 0) } else { here }.trailing_zeros() as usize;
        let (Some(b), Some(c)) = (self.blocks.get_mut(slot), self.codes.get_mut(slot)) else {
            return Inserted::Full;
        };
        let before = *c;
        *b = block;
        *c |= codes;
        match (before, before == *c) {
            (0, _) => Inserted::Placed,
            (_, true) => Inserted::Known,
            (_, false) => Inserted::Joined,
        }
    }
    #[inline]
    fn put(&mut self, (block, codes): (u64, u64)) -> bool {
        let free = equal(&self.codes, 0).trailing_zeros() as usize;
        let (Some(b), Some(c)) = (self.blocks.get_mut(free), self.codes.get_mut(free)) else { return false };
        (*b, *c) = (block, codes);
        true
    }
    fn slots(&self) -> impl Iterator<Item = (u64, u64)> {
        self.blocks.into_iter().zip(self.codes).take_while(|(_, codes)| *codes != 0)
    }
}
