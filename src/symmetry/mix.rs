//! 128-bit mixing: cheap hashes of words, and of hashes.
//!
//! In: words or 128-bit hashes. Out: 128 bits. Everything here is made of bijections of 128-bit words
//! (multiplication by an odd constant, xor with a right shift), with fixed constants taken from the
//! digits of pi. The argument for collisions is that of any non-cryptographic hash: for inputs that were
//! not made to collide, the outputs behave like random words, so that N different states collide with
//! probability N(N-1)/2^129. There is no proof of that, and somebody who knows the constants can make
//! inputs that collide. Two inputs that differ in one word never collide. Labels of paths are blake3.
//!
//! Arithmetic here wraps on purpose: it is modulo 2^128.

const K0: u128 = 0x243f_6a88_85a3_08d3_1319_8a2e_0370_7345;
const K1: u128 = 0xa409_3822_299f_31d0_082e_fa98_ec4e_6c89;
const K2: u128 = 0x4528_21e6_38d0_1377_be54_66cf_34e9_0c6d;
const K3: u128 = 0xc0ac_29b7_c97c_50dd_3f84_d5b5_b547_0917;

/// A bijection of 128-bit words without visible structure.
#[inline]
#[must_use]
pub(super) fn mix(x: u128) -> u128 {
    let x = (x ^ x >> 64 ^ K1).wrapping_mul(K0);
    let x = (x ^ x >> 67).wrapping_mul(K2);
    x ^ x >> 61
}

/// A hash of an ordered pair.
#[inline]
#[must_use]
pub(super) fn pair(a: u128, b: u128) -> u128 {
    mix(a.wrapping_mul(K3).wrapping_add(b))
}

/// A hash of some words after a tag.
#[inline]
#[must_use]
pub(super) fn words(tag: u128, words: &[u64]) -> u128 {
    // A tag in the low bits could be cancelled by the first word.
    let mut h = tag.wrapping_mul(K3) ^ K1;
    for &w in words {
        h = (h ^ u128::from(w)).wrapping_mul(K0);
        h ^= h >> 64;
    }
    mix(h)
}

/// A hash of some bits of some words.
#[inline]
#[must_use]
pub(super) fn masked(words: &[u64], masks: &[(usize, u64)]) -> u128 {
    let mut h = K1;
    for &(at, mask) in masks {
        h = (h ^ u128::from(words.get(at).copied().unwrap_or(0) & mask)).wrapping_mul(K0);
        h ^= h >> 64;
    }
    mix(h)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn small_inputs_spread() {
        let mut all = HashSet::new();
        let mut low = HashSet::new();
        for a in 0..200u64 {
            for b in 0..200u64 {
                all.insert(words(1, &[a, b << 56]));
                all.insert(words(2, &[a << 40 | b]));
                low.insert(pair(u128::from(a), u128::from(b)) & 0xffff_ffff_ffff);
            }
        }
        assert_eq!(all.len(), 80_000);
        assert_eq!(low.len(), 40_000);
    }
}
