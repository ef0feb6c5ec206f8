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
    type Key: Copy;
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
    /// Bits without visible structure, equal for keys that share a slot.
    fn place(key: Self::Key) -> u64;
    /// Whether it looks like a slot not in use.
    fn is_apart(key: Self::Key) -> bool;
    /// Inserts a key.
    fn insert(&mut self, key: Self::Key) -> Inserted;
    /// What the slots in use hold: all of it inserted anew into other lines is the same set.
    fn slots(&self) -> impl Iterator<Item = Self::Key>;
}

/// A bijection of words without visible structure (the finaliser of splitmix64).
#[inline]
pub(super) fn mixed(x: u64) -> u64 {
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// The word that was mixed.
pub(super) fn unmixed(x: u64) -> u64 {
    let x = (x ^ x >> 31 ^ x >> 62).wrapping_mul(0x3196_42b2_d24d_8ec3);
    let x = (x ^ x >> 27 ^ x >> 54).wrapping_mul(0x96de_1b17_3f11_9089);
    x ^ x >> 30 ^ x >> 60
}

/// A bit for each slot that holds this. Masks are as wide as keys of one word, which makes them vectors.
#[inline]
fn equal<K: PartialEq, const N: usize>(slots: &[K; N], key: &K) -> u64 {
    slots.iter().enumerate().fold(0, |mask, (i, slot)| mask | if slot == key { 1 << i } else { 0 })
}

/// Slots with a key each; 0 is a slot not in use.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Single<K, const N: usize>([K; N]);

impl<K: Copy + PartialEq, const N: usize> Single<K, N> {
    #[inline]
    fn insert(&mut self, key: K, empty: &K) -> Inserted {
        if equal(&self.0, &key) != 0 {
            return Inserted::Known;
        }
        let free = equal(&self.0, empty).trailing_zeros() as usize;
        match self.0.get_mut(free) {
            Some(slot) => {
                *slot = key;
                Inserted::Placed
            }
            None => Inserted::Full,
        }
    }
}

/// Keys of 128 bits: hashes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wide(Single<u128, 4>);

impl Line for Wide {
    type Key = u128;
    type Coder = ();
    const EMPTY: Self = Self(Single([0; 4]));
    const SLOTS: usize = 4;
    const FILL: usize = 17;

    #[inline]
    fn key((): &(), key: u128) -> u128 {
        key
    }
    #[inline]
    fn place(key: u128) -> u64 {
        key as u64
    }
    #[inline]
    fn is_apart(key: u128) -> bool {
        key == 0
    }
    #[inline]
    fn insert(&mut self, key: u128) -> Inserted {
        self.0.insert(key, &0)
    }
    fn slots(&self) -> impl Iterator<Item = u128> {
        self.0.0.into_iter().take_while(|k| *k != 0)
    }
}

/// Keys of 64 bits: codes, mixed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Narrow(Single<u64, 8>);

impl Line for Narrow {
    type Key = u64;
    type Coder = ();
    const EMPTY: Self = Self(Single([0; 8]));
    const SLOTS: usize = 8;
    const FILL: usize = 17;

    #[inline]
    fn key((): &(), key: u128) -> u64 {
        mixed(key as u64)
    }
    #[inline]
    fn place(key: u64) -> u64 {
        key
    }
    #[inline]
    fn is_apart(key: u64) -> bool {
        key == 0
    }
    #[inline]
    fn insert(&mut self, key: u64) -> Inserted {
        self.0.insert(key, &0)
    }
    fn slots(&self) -> impl Iterator<Item = u64> {
        self.0.0.into_iter().take_while(|k| *k != 0)
    }
}

/// Codes in blocks of 64: which block, mixed, and a bit for each of its codes. A slot not in use has no bits.
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
        (mixed(block), 1 << code)
    }
    #[inline]
    fn place((block, _): (u64, u64)) -> u64 {
        block
    }
    #[inline]
    fn is_apart(_: (u64, u64)) -> bool {
        false
    }
    #[inline]
    fn insert(&mut self, (block, codes): (u64, u64)) -> Inserted {
        // The block that looks like that of a slot not in use is in the first of these, if it is not before them.
        let here = equal(&self.blocks, &block);
        let slot = if here == 0 { equal(&self.codes, &0) } else { here }.trailing_zeros() as usize;
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
    fn slots(&self) -> impl Iterator<Item = (u64, u64)> {
        self.blocks.into_iter().zip(self.codes).take_while(|(_, codes)| *codes != 0)
    }
}
