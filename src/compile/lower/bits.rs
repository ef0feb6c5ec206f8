//! Sets as words: building, testing, shifting, and moving from one numbering to another.
//!
//! In: operands. Out: operands. Everything is unrolled over the (few) words; positions may be literals or
//! registers.

use super::shape::{Bits, Range, Shape, Val};
use super::{Lower, Res, no};
use crate::compile::word::{Bin, Block, Opd, Un};
use Opd::{K, R};

/// The literal with the lowest `n` bits set.
pub(super) fn ones(n: u64) -> u64 {
    if n == 0 { 0 } else { u64::MAX >> (64 - n.min(64)) }
}

impl Lower<'_> {
    /// The empty set over a shape.
    pub(super) fn empty(elem: &Shape) -> Res<Bits> {
        let Some(n) = elem.words() else { return no("set over too many values") };
        Ok(Bits { elem: elem.clone(), words: vec![K(0); n] })
    }

    /// All values of a shape.
    pub(super) fn full(elem: &Shape) -> Res<Bits> {
        let mut s = Self::empty(elem)?;
        let mut left = elem.size();
        for w in &mut s.words {
            *w = K(ones(left));
            left = left.saturating_sub(64);
        }
        Ok(s)
    }

    /// Registers to accumulate a set in, holding it at first.
    pub(super) fn cell(&mut self, s: &Bits) -> Bits {
        Bits { elem: s.elem.clone(), words: s.words.iter().map(|w| R(self.b.var(*w))).collect() }
    }

    /// Writes a set of the same shape into the registers of a cell.
    pub(super) fn put(&mut self, cell: &Bits, s: &[Opd]) {
        for (c, w) in cell.words.iter().zip(s) {
            if let R(r) = c {
                self.b.set(*r, *w);
            }
        }
    }

    /// `op` word by word.
    pub(super) fn zip(&mut self, op: Bin, a: &[Opd], b: &[Opd]) -> Vec<Opd> {
        a.iter().zip(b).map(|(x, y)| self.b.bin(op, *x, *y)).collect()
    }

    /// Whether any bit is set: not 0 if so.
    pub(super) fn any(&mut self, words: &[Opd]) -> Opd {
        words.iter().fold(K(0), |a, w| self.b.bin(Bin::Or, a, *w))
    }

    /// Number of set bits.
    pub(super) fn population(&mut self, words: &[Opd]) -> Opd {
        let mut sum = K(0);
        for w in words {
            let n = self.un(Un::Count, *w);
            sum = self.bin(Bin::Add, sum, n);
        }
        sum
    }

    /// The words with only bit `i` set.
    pub(super) fn single(&mut self, n: usize, i: Opd) -> Vec<Opd> {
        if let K(i) = i {
            return (0..n as u64).map(|j| K(if i / 64 == j { 1 << (i % 64) } else { 0 })).collect();
        }
        self.place(n, K(1), i)
    }

    /// The words with the bits of `x` from bit `at` on; what would be past the end is lost.
    pub(super) fn place(&mut self, n: usize, x: Opd, at: Opd) -> Vec<Opd> {
        if n == 1 {
            return vec![self.bin(Bin::Shl, x, at)];
        }
        let word = self.bin(Bin::Shr, at, K(6));
        let shift = self.bin(Bin::And, at, K(63));
        let low = self.bin(Bin::Shl, x, shift);
        let back = self.bin(Bin::Sub, K(63), shift);
        let half = self.bin(Bin::Shr, x, K(1));
        let high = if x == K(1) { K(0) } else { self.bin(Bin::Shr, half, back) };
        let mut out = Vec::with_capacity(n);
        for j in 0..n as u64 {
            let here = self.bin(Bin::Eq, word, K(j));
            let mut v = self.bin(Bin::Mul, here, low);
            if j > 0 && high != K(0) {
                let before = self.bin(Bin::Eq, word, K(j - 1));
                let h = self.bin(Bin::Mul, before, high);
                v = self.bin(Bin::Or, v, h);
            }
            out.push(v);
        }
        out
    }

    /// As [`Self::place`] for several words.
    pub(super) fn place_all(&mut self, n: usize, xs: &[Opd], at: Opd) -> Vec<Opd> {
        let mut out = vec![K(0); n];
        for (j, x) in xs.iter().enumerate() {
            if *x == K(0) {
                continue;
            }
            let off = self.bin(Bin::Add, at, K(64 * j as u64));
            let w = self.place(n, *x, off);
            out = self.zip(Bin::Or, &out, &w);
        }
        out
    }

    /// `width` bits from bit `at` on, which is a multiple of the width.
    pub(super) fn extract(&mut self, words: &[Opd], at: Opd, width: u64) -> Vec<Opd> {
        let mut out = Vec::new();
        let mut done = 0;
        let straddles = if width <= 64 { 64 % width.max(1) != 0 } else { !width.is_multiple_of(64) };
        while done < width {
            let from = self.bin(Bin::Add, at, K(done));
            let mask = ones(width - done);
            let v = if words.len() == 1 {
                self.bin(Bin::Shr, words[0], from)
            } else {
                let word = self.bin(Bin::Shr, from, K(6));
                let shift = self.bin(Bin::And, from, K(63));
                let low = self.b.pick(words, word);
                let low = self.bin(Bin::Shr, low, shift);
                if straddles && !matches!(from, K(k) if k % 64 + (width - done).min(64) <= 64) {
                    let next = self.bin(Bin::Add, word, K(1));
                    let high = self.b.pick(words, next);
                    let high = self.bin(Bin::Shl, high, K(1));
                    let back = self.bin(Bin::Sub, K(63), shift);
                    let high = self.bin(Bin::Shl, high, back);
                    self.bin(Bin::Or, low, high)
                } else {
                    low
                }
            };
            out.push(self.bin(Bin::And, v, K(mask)));
            done += 64;
        }
        out
    }

    /// Whether bit `i` is set, as 0 or 1.
    pub(super) fn test(&mut self, words: &[Opd], i: Opd) -> Opd {
        let w = if words.len() == 1 {
            words[0]
        } else {
            let j = self.bin(Bin::Shr, i, K(6));
            self.b.pick(words, j)
        };
        let s = if words.len() == 1 { i } else { self.bin(Bin::And, i, K(63)) };
        let w = self.bin(Bin::Shr, w, s);
        self.bin(Bin::And, w, K(1))
    }

    /// Shifted towards higher positions by a literal.
    pub(super) fn up(&mut self, words: &[Opd], by: u64, n: usize) -> Vec<Opd> {
        let (skip, shift) = ((by / 64) as usize, by % 64);
        let at = |j: usize| j.checked_sub(skip).and_then(|k| words.get(k)).copied().unwrap_or(K(0));
        (0..n)
            .map(|j| {
                let low = self.b.bin(Bin::Shl, at(j), K(shift));
                if shift == 0 || j == 0 {
                    return low;
                }
                let carry = self.b.bin(Bin::Shr, at(j - 1), K(64 - shift));
                self.b.bin(Bin::Or, low, carry)
            })
            .collect()
    }

    /// Shifted towards lower positions by a literal.
    pub(super) fn down(&mut self, words: &[Opd], by: u64, n: usize) -> Vec<Opd> {
        let (skip, shift) = ((by / 64) as usize, by % 64);
        let at = |j: usize| words.get(j + skip).copied().unwrap_or(K(0));
        (0..n)
            .map(|j| {
                let low = self.b.bin(Bin::Shr, at(j), K(shift));
                if shift == 0 {
                    return low;
                }
                let carry = self.b.bin(Bin::Shl, at(j + 1), K(64 - shift));
                self.b.bin(Bin::Or, low, carry)
            })
            .collect()
    }

    /// The number of a value in a shape; goes to `out` if it is not among its values.
    pub(super) fn number(&mut self, v: &Val, shape: &Shape, out: Block) -> Res<Opd> {
        match (v, shape) {
            (Val::Word(_, w), Shape::Word(_)) => Ok(*w),
            (Val::Int(w, Range(lo, hi)), Shape::Int(a, b)) => {
                if a > b {
                    self.require(K(0), out);
                    return Ok(K(0));
                }
                let i = self.bin(Bin::Sub, *w, K(a.cast_unsigned()));
                if lo < a || hi > b {
                    let inside = self.bin(Bin::Ult, i, K(shape.size()));
                    self.require(inside, out);
                }
                Ok(i)
            }
            (Val::Tuple(vs), Shape::Tuple(shapes)) if vs.len() == shapes.len() => {
                let mut sum = K(0);
                for (v, s) in vs.iter().zip(shapes) {
                    let i = self.number(v, s, out)?;
                    let scaled = self.bin(Bin::Mul, sum, K(s.size()));
                    sum = self.bin(Bin::Add, scaled, i);
                }
                Ok(sum)
            }
            (Val::Set(s), Shape::Set(elem)) if shape.words().is_some() => {
                let s = self.reshape(s, elem, out)?;
                Ok(s.words.first().copied().unwrap_or(K(0)))
            }
            (Val::Fun(f), Shape::Set(elem)) if shape.words().is_some() => {
                let s = self.spread(f)?;
                let s = self.reshape(&s, elem, out)?;
                Ok(s.words.first().copied().unwrap_or(K(0)))
            }
            _ => no("number of a value"),
        }
    }

    /// The value with a number in a shape.
    pub(super) fn value_at(&mut self, i: Opd, shape: &Shape) -> Val {
        match shape {
            Shape::Word(n) => Val::Word(*n, i),
            Shape::Int(a, b) => Val::Int(self.bin(Bin::Add, i, K(a.cast_unsigned())), Range(*a, *b)),
            Shape::Set(elem) => {
                let words = if elem.size() == 0 { Vec::new() } else { vec![i] };
                Val::Set(Bits { elem: (**elem).clone(), words })
            }
            Shape::Tuple(parts) => {
                let mut rest = i;
                let mut out = Vec::with_capacity(parts.len());
                for (at, p) in parts.iter().enumerate().rev() {
                    let n = p.size().max(1);
                    let (low, high) = if at == 0 { (rest, K(0)) } else { self.divide(rest, n) };
                    out.push(self.value_at(low, p));
                    rest = high;
                }
                out.reverse();
                Val::Tuple(out)
            }
        }
    }

    /// Remainder and quotient by a literal.
    pub(super) fn divide(&mut self, x: Opd, n: u64) -> (Opd, Opd) {
        if n.is_power_of_two() {
            let shift = u64::from(n.trailing_zeros());
            (self.bin(Bin::And, x, K(n - 1)), self.bin(Bin::Shr, x, K(shift)))
        } else {
            let q = self.bin(Bin::Div, x, K(n));
            let p = self.bin(Bin::Mul, q, K(n));
            (self.bin(Bin::Sub, x, p), q)
        }
    }

    /// The same set over another shape; goes to `out` if a member is not among its values.
    pub(super) fn reshape(&mut self, s: &Bits, to: &Shape, out: Block) -> Res<Bits> {
        if s.elem == *to {
            return Ok(s.clone());
        }
        let mut target = Self::empty(to)?;
        if s.elem.size() == 0 {
            return Ok(target);
        }
        if let Some((from_lo, from_hi, to_lo, to_hi, row)) = leading(&s.elem, to) {
            let n = target.words.len();
            let size = s.elem.size();
            if from_lo < to_lo {
                let low = Self::mask(s.words.len(), 0, (to_lo.abs_diff(from_lo) * row).min(size));
                let lost = self.zip(Bin::And, &s.words, &low);
                self.refuse(&lost, out);
            }
            if from_hi > to_hi {
                let kept = if to_hi < from_lo { 0 } else { (to_hi.abs_diff(from_lo) + 1) * row };
                let high = Self::mask(s.words.len(), kept.min(size), size);
                let lost = self.zip(Bin::And, &s.words, &high);
                self.refuse(&lost, out);
            }
            let by = from_lo.abs_diff(to_lo).saturating_mul(row);
            target.words =
                if from_lo >= to_lo { self.up(&s.words, by, n) } else { self.down(&s.words, by, n) };
            return Ok(target);
        }
        let cell = self.cell(&target);
        let n = cell.words.len();
        self.each_bit(&s.words, &mut |g, i| {
            let v = g.value_at(i, &s.elem);
            let k = g.number(&v, to, out)?;
            let one = g.single(n, k);
            let sum = g.zip(Bin::Or, &cell.words, &one);
            g.put(&cell, &sum);
            Ok(())
        })?;
        Ok(cell)
    }

    fn refuse(&mut self, lost: &[Opd], out: Block) {
        let any = self.any(lost);
        let none = self.bin(Bin::Eq, any, K(0));
        self.require(none, out);
    }

    /// Literal words with the bits `from..to` set.
    pub(super) fn mask(n: usize, from: u64, to: u64) -> Vec<Opd> {
        (0..n as u64)
            .map(|j| {
                let upto = |x: u64| ones(x.saturating_sub(64 * j).min(64));
                K(upto(to) & !upto(from))
            })
            .collect()
    }

    /// Words that have the bits set before one that need not be among them (signed).
    pub(super) fn below(&mut self, end: Opd, n: usize) -> Vec<Opd> {
        (0..n as u64)
            .map(|j| {
                let here = self.bin(Bin::Sub, end, K(64 * j));
                let some = self.bin(Bin::Slt, K(0), here);
                let here = self.bin(Bin::Mul, here, some);
                let next = self.bin(Bin::Shl, K(1), here);
                let part = self.bin(Bin::Sub, next, K(1));
                let all = self.bin(Bin::Sle, K(64), here);
                let all = self.bin(Bin::Sub, K(0), all);
                self.bin(Bin::Or, part, all)
            })
            .collect()
    }

    /// Two sets over one shape.
    pub(super) fn align(&mut self, a: &Bits, b: &Bits) -> Res<(Bits, Bits)> {
        let Some(shape) = a.elem.join(&b.elem) else { return no("sets of different kinds") };
        let bail = self.bail;
        Ok((self.reshape(a, &shape, bail)?, self.reshape(b, &shape, bail)?))
    }
}

/// If two shapes differ only in their leading interval: both intervals and the number of
/// values under one integer.
fn leading(from: &Shape, to: &Shape) -> Option<(i64, i64, i64, i64, u64)> {
    match (from, to) {
        (Shape::Int(a, b), Shape::Int(c, d)) if a <= b && c <= d => Some((*a, *b, *c, *d, 1)),
        (Shape::Tuple(x), Shape::Tuple(y)) if x.len() == y.len() && x.len() > 1 && x[1..] == y[1..] => {
            match (&x[0], &y[0]) {
                (Shape::Int(a, b), Shape::Int(c, d)) if a <= b && c <= d => {
                    let row = x[1..].iter().fold(1, |n: u64, p| n.saturating_mul(p.size()));
                    Some((*a, *b, *c, *d, row))
                }
                _ => None,
            }
        }
        _ => None,
    }
}
