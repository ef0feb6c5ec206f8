//! Integers between two ends, with the holes where the ends are near each other: what compiled tests calculate with.
//!
//! In: what cells may be. Out: what sums, differences and products of them may be, and what factors must be. Machine
//! words only: who makes spans sees to it that no number passes [`MOST`] (`form`).

use crate::eval::bits::Ones;

/// Numbers of spans lie between this and its negation, so that the sum of two fits into a word.
pub(super) const MOST: i64 = 1 << 61;

/// Spans up to this long have their holes noted.
const LISTED: i64 = 64;

/// Most pairs of factors that are multiplied one by one.
const PAIRS: u32 = 64;

/// Some integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Span {
    pub(super) lo: i64,
    pub(super) hi: i64,
    /// In a short span, bit i says that `lo + i` is in; the first and the last bit are set. Elsewhere it means nothing.
    bits: u64,
}

/// No integer.
pub(super) const NONE: Span = Span { lo: 1, hi: 0, bits: 0 };

/// So many bits, from the lowest on; at least one.
fn ones(n: i64) -> u64 {
    u64::MAX >> (LISTED - n)
}

impl Span {
    /// All integers between two ends.
    pub(super) fn between(lo: i64, hi: i64) -> Self {
        let (lo, hi) = (lo.max(-MOST), hi.min(MOST));
        if lo > hi {
            return NONE;
        }
        let bits = if hi - lo < LISTED { ones(hi - lo + 1) } else { u64::MAX };
        Self { lo, hi, bits }
    }

    #[inline]
    pub(super) fn one(n: i64) -> Self {
        Self { lo: n, hi: n, bits: 1 }
    }

    /// The integers that bits stand for, the lowest for `lo`.
    pub(super) fn listed(lo: i64, bits: u64) -> Self {
        if bits == 0 {
            return NONE;
        }
        let (first, last) = (bits.trailing_zeros(), bits.ilog2());
        Self { lo: lo + i64::from(first), hi: lo + i64::from(last), bits: bits >> first }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.lo > self.hi
    }

    #[inline]
    pub(super) fn single(&self) -> Option<i64> {
        (self.lo == self.hi).then_some(self.lo)
    }

    fn is_short(&self) -> bool {
        self.hi - self.lo < LISTED
    }

    pub(super) fn contains(&self, n: i64) -> bool {
        self.lo <= n && n <= self.hi && (!self.is_short() || self.bits >> (n - self.lo) & 1 == 1)
    }

    /// Which integers of a window that is less than 65 long are in, the lowest bit for its begin.
    pub(super) fn window(&self, begin: i64) -> u64 {
        let (lo, hi) = (self.lo.max(begin), self.hi.min(begin + LISTED - 1));
        if lo > hi {
            return 0;
        }
        let bits = if self.is_short() { self.bits >> (lo - self.lo) } else { u64::MAX };
        (bits & ones(hi - lo + 1)) << (lo - begin)
    }

    pub(super) fn meet(self, other: Self) -> Self {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        if lo > hi {
            return NONE;
        }
        if hi - lo >= LISTED {
            return Self { lo, hi, bits: u64::MAX };
        }
        Self::listed(lo, self.window(lo) & other.window(lo) & ones(hi - lo + 1))
    }

    /// What is in either; between the two ends of long ones everything counts as in.
    pub(super) fn join(self, other: Self) -> Self {
        match (self.is_empty(), other.is_empty()) {
            (true, _) => return other,
            (_, true) => return self,
            _ => {}
        }
        let (lo, hi) = (self.lo.min(other.lo), self.hi.max(other.hi));
        if hi - lo >= LISTED {
            return Self { lo, hi, bits: u64::MAX };
        }
        Self { lo, hi, bits: self.bits << (self.lo - lo) | other.bits << (other.lo - lo) }
    }

    pub(super) fn neg(self) -> Self {
        if self.is_empty() {
            return NONE;
        }
        let bits = if self.is_short() {
            self.bits.reverse_bits() >> (LISTED - 1 - (self.hi - self.lo))
        } else {
            u64::MAX
        };
        Self { lo: -self.hi, hi: -self.lo, bits }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        if self.is_empty() || other.is_empty() {
            return NONE;
        }
        let (lo, hi) = (self.lo + other.lo, self.hi + other.hi);
        if hi - lo >= LISTED || lo < -MOST || hi > MOST {
            return Self::between(lo, hi);
        }
        let (few, many) = if self.bits.count_ones() < other.bits.count_ones() {
            (self.bits, other.bits)
        } else {
            (other.bits, self.bits)
        };
        Self { lo, hi, bits: Ones(few).fold(0, |all, i| all | many << i) }
    }

    /// Products. Those of factors that are far apart are all integers between the ends.
    pub(super) fn times(self, other: Self) -> Self {
        if self.is_empty() || other.is_empty() {
            return NONE;
        }
        let corners = [(self.lo, other.lo), (self.lo, other.hi), (self.hi, other.lo), (self.hi, other.hi)];
        let (mut lo, mut hi) = (i64::MAX, i64::MIN);
        for (a, b) in corners {
            let n = a.saturating_mul(b);
            (lo, hi) = (lo.min(n), hi.max(n));
        }
        let all = Self::between(lo, hi);
        let listed = all.is_short() && self.is_short() && other.is_short();
        if !listed || self.bits.count_ones() * other.bits.count_ones() > PAIRS {
            return all;
        }
        let mut bits = 0;
        for a in self.short() {
            other.short().for_each(|b| bits |= 1 << (a * b - lo));
        }
        Self::listed(lo, bits)
    }

    /// The integers of a short span.
    pub(super) fn short(self) -> impl Iterator<Item = i64> {
        let bits = if self.is_empty() { 0 } else { self.bits };
        // At most 63.
        Ones(bits).map(move |i| self.lo + i64::try_from(i).unwrap_or(0))
    }

    /// Where a factor lies, of which a product with a number of `by` is in `self`.
    pub(super) fn over(self, by: Self) -> Self {
        if self.is_empty() || by.is_empty() {
            return NONE;
        }
        if by.lo > 0 {
            return self.over_positive(by);
        }
        if by.hi < 0 {
            return self.neg().over_positive(by.neg());
        }
        if self.contains(0) {
            return Self::between(-MOST, MOST);
        }
        // By an integer that is not zero.
        let n = self.lo.abs().max(self.hi.abs());
        Self::between(-n, n)
    }

    fn over_positive(self, by: Self) -> Self {
        let lo = if self.lo > 0 { up(self.lo, by.hi) } else { up(self.lo, by.lo) };
        let hi = if self.hi > 0 { self.hi.div_euclid(by.lo) } else { self.hi.div_euclid(by.hi) };
        Self::between(lo, hi)
    }
}

/// The quotient by a positive number, rounded up.
fn up(n: i64, by: i64) -> i64 {
    -(-n).div_euclid(by)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Spans near zero and far from it, short and long.
    fn samples() -> Vec<(Span, BTreeSet<i64>)> {
        let mut all = Vec::new();
        let mut seed: u64 = 7;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed >> 20
        };
        for lo in [-70, -3, 0, 1, 5] {
            for bits in [1, 3, 0b1011, next(), next() & next() & next(), u64::MAX] {
                let set: BTreeSet<i64> = Ones(bits).map(|i| lo + i64::try_from(i).unwrap()).collect();
                all.push((Span::listed(lo, bits), set));
            }
            all.push((Span::between(lo, lo + 90), (lo..=lo + 90).collect()));
        }
        all.push((NONE, BTreeSet::new()));
        all
    }

    /// A span holds all of a set, and only that if both are short.
    fn covers(span: Span, set: &BTreeSet<i64>, exactly: bool) {
        let short = span.is_empty() || span.is_short();
        assert!(set.iter().all(|n| span.contains(*n)), "{span:?} {set:?}");
        if exactly && short {
            assert_eq!(span.short().collect::<BTreeSet<i64>>(), *set);
        }
        assert!(span.is_empty() == set.is_empty() || !exactly);
        if exactly && !set.is_empty() {
            assert_eq!((Some(&span.lo), Some(&span.hi)), (set.first(), set.last()));
        }
    }

    #[test]
    fn operators_cover_what_they_make() {
        for (a, xs) in samples() {
            covers(a.neg(), &xs.iter().map(|x| -x).collect(), true);
            for (b, ys) in samples() {
                covers(a.meet(b), &xs.intersection(&ys).copied().collect(), true);
                covers(a.join(b), &xs.union(&ys).copied().collect(), true);
                let each = |f: fn(i64, i64) -> i64| -> BTreeSet<i64> {
                    xs.iter().flat_map(|x| ys.iter().map(move |y| f(*x, *y))).collect()
                };
                covers(a.plus(b), &each(|x, y| x + y), true);
                covers(a.times(b), &each(|x, y| x * y), false);
                let able = |x: &i64| ys.iter().any(|y| xs.contains(&(x * y)));
                covers(a.over(b), &(-200..200).filter(able).collect(), false);
            }
        }
    }

    #[test]
    fn windows() {
        for (a, xs) in samples() {
            for begin in -80..80 {
                let window = a.window(begin);
                assert!((0..64).all(|i| (window >> i & 1 == 1) == xs.contains(&(begin + i))));
            }
        }
    }
}
