//! Which codes share a block.
//!
//! In: codes that are stored, and how those found last differ. Out: up to six directions, words such that a code and its
//! exclusive or with one of them are often both stored; a block is what can be reached from a code by them. Codes are
//! linear in the bits of states (`symmetry/code`), so what an operation does to states of one kind is always
//! the same direction. No two codes have the same block and the same place there, whatever the directions are.
#![allow(clippy::cast_possible_truncation, reason = "numbers of few bits")]

use hashbrown::HashMap;
use std::cmp::Reverse;

/// Directions of a block: 2^6 codes have a bit each in a word.
const DIRECTIONS: usize = 6;

/// Codes of a block.
const BLOCK: usize = 1 << DIRECTIONS;

/// Differences that occur most often.
const CANDIDATES: usize = 96;

/// Of these, those that lead to stored codes most often.
const PROMISING: usize = 32;

/// Of the codes found last, one of so many is compared with so many before it.
const EACH: usize = 8;
const BEFORE: usize = 64;

/// Directions, each with a bit that no other has: in a block, which code is which is told by these bits.
#[derive(Clone, Debug)]
pub(super) struct Basis {
    bits: [u64; DIRECTIONS],
    /// The exclusive or of the directions of each number.
    sums: Box<[u64; BLOCK]>,
}

impl Basis {
    /// The block of a code (its code that has none of the bits) and its number there.
    #[inline]
    pub(super) fn split(&self, code: u64) -> (u64, u32) {
        let bit = |i: usize| u32::from(code & self.bits[i] != 0) << i;
        let number = (0..DIRECTIONS).fold(0, |number, i| number | bit(i));
        (code ^ self.sums[number as usize % BLOCK], number)
    }

    /// The code with this number in a block.
    pub(super) fn joined(&self, block: u64, number: u32) -> u64 {
        block ^ self.sums[number as usize % BLOCK]
    }

    /// The directions: [`Self::of`] makes the same of them.
    pub(super) fn directions(&self) -> Vec<u64> {
        let all = (0..DIRECTIONS).map(|i| self.sums[1 << i]);
        all.filter(|d| *d != 0).collect()
    }

    /// The directions that fill blocks best, and how many codes a block then has on average. `recent` are the codes found
    /// last, in order, `sample` some of all, `stored` tells whether a code is.
    pub(super) fn learn(recent: &[u64], sample: &[u64], stored: &dyn Fn(u64) -> bool) -> (Self, f64) {
        let mut differences: HashMap<u64, u32> = HashMap::new();
        for (i, code) in recent.iter().enumerate().step_by(EACH) {
            for other in recent.get(i.saturating_sub(BEFORE)..i).unwrap_or(&[]) {
                *differences.entry(code ^ other).or_default() += 1;
            }
        }
        differences.remove(&0);
        let candidates = best(differences.into_iter().map(|(d, n)| (n, d)), CANDIDATES);
        let partners = |d: u64| sample.iter().filter(|code| stored(*code ^ d)).count();
        let single = (0..u64::BITS).map(|i| 1 << i);
        let promising = best(candidates.into_iter().chain(single).map(|d| (partners(d), d)), PROMISING);

        // By sample, how many codes of its block are stored.
        let mut members = vec![1usize; sample.len()];
        let (mut directions, mut span) = (Vec::new(), vec![0u64]);
        while directions.len() < DIRECTIONS {
            let more = |d: u64| -> Vec<usize> {
                sample.iter().map(|code| span.iter().filter(|s| stored(code ^ *s ^ d)).count()).collect()
            };
            let new = promising.iter().filter(|d| !span.contains(d)).map(|&d| (d, more(d)));
            let Some((d, more)) = new.max_by_key(|(d, more)| (more.iter().sum::<usize>(), Reverse(*d)))
            else {
                break;
            };
            members.iter_mut().zip(more).for_each(|(m, more)| *m += more);
            let beyond: Vec<u64> = span.iter().map(|s| s ^ d).collect();
            span.extend(beyond);
            directions.push(d);
        }
        #[allow(clippy::cast_precision_loss, reason = "an estimate")]
        let blocks: f64 = members.iter().map(|m| 1.0 / *m as f64).sum();
        #[allow(clippy::cast_precision_loss, reason = "an estimate")]
        let density = if sample.is_empty() { 0.0 } else { sample.len() as f64 / blocks };
        (Self::of(&directions), density)
    }

    /// Of directions none of which others lead to.
    pub(super) fn of(directions: &[u64]) -> Self {
        let mut reduced: Vec<u64> = Vec::new();
        for &d in directions {
            let d = reduced.iter().fold(d, |d, r| if d & top(*r) == 0 { d } else { d ^ r });
            for r in &mut reduced {
                *r ^= if *r & top(d) == 0 { 0 } else { d };
            }
            reduced.push(d);
        }
        reduced.truncate(DIRECTIONS);
        let direction = |i: usize| reduced.get(i).copied().unwrap_or(0);
        let has = |number: usize, i: usize| if number >> i & 1 == 1 { direction(i) } else { 0 };
        let sum = |number: usize| (0..DIRECTIONS).fold(0, |sum, i| sum ^ has(number, i));
        let bit = |i: usize| top(direction(i));
        Self { bits: std::array::from_fn(bit), sums: Box::new(std::array::from_fn(sum)) }
    }
}

/// The highest bit.
fn top(d: u64) -> u64 {
    d & (1u64 << 63).wrapping_shr(d.leading_zeros())
}

/// The words with the highest numbers; of equal numbers the least words.
fn best<N: Ord>(words: impl Iterator<Item = (N, u64)>, most: usize) -> Vec<u64> {
    let mut all: Vec<(Reverse<N>, u64)> = words.map(|(n, d)| (Reverse(n), d)).collect();
    all.sort_unstable();
    let mut words: Vec<u64> = all.into_iter().map(|(_, d)| d).collect();
    words.dedup();
    words.truncate(most);
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_codes_have_the_same_place() {
        let bases = [
            Basis::of(&[]),
            Basis::of(&[1, 3]),
            Basis::of(&[0b11, 0b110, 0b1100, 0b1_1000, 0b11_0000, 0b110_0000]),
            Basis::of(&[u64::MAX, 1 << 63 | 1, 0xff00, 0x0ff0, 1 << 62, 5]),
        ];
        for basis in bases {
            let codes = (0..1u64 << 12).map(|x| x | x << 52);
            let places: HashSet<(u64, u32)> = codes.map(|c| basis.split(c)).collect();
            assert_eq!(places.len(), 1 << 12);
        }
    }

    #[test]
    fn blocks_are_full_where_directions_are_clear() {
        // Eight independent switches of two bits each: only pairs of bits change.
        let code = |x: u64| (0..8).filter(|i| x >> i & 1 == 1).fold(0, |c, i| c ^ 0x10_0001 << i);
        let codes: Vec<u64> = (0..256).map(code).collect();
        let all: HashSet<u64> = codes.iter().copied().collect();
        assert_eq!(all.len(), 256);
        let (basis, density) = Basis::learn(&codes, &codes, &|c| all.contains(&c));
        assert!(density > 63.9);
        assert_eq!(codes.iter().map(|c| basis.split(*c).0).collect::<HashSet<_>>().len(), 4);
    }
}
