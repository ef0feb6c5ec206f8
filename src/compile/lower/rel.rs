//! Relations as bit matrices: rows by left element.
//!
//! In and out: [`Bits`] over pairs. Where a matrix fits one word, whole-matrix tricks replace loops: with
//! rows of width m, a multiplication copies a row into all rows, and an addition carries into the top bit of
//! each row that is not empty.

use super::bits::ones;
use super::shape::{Bits, Shape};
use super::{Lower, Res, no};
use crate::compile::word::{Bin, Opd, Un};
use Opd::K;

/// The pattern with the lowest bit of each of `n` rows of width `m` set.
fn lows(n: u64, m: u64) -> u64 {
    (0..n).fold(0, |a, i| a | 1u64.checked_shl(u32::try_from(i * m).unwrap_or(64)).unwrap_or(0))
}

/// Left and right shape of a relation.
pub(super) fn sides(r: &Bits) -> Res<(Shape, Shape)> {
    match r.elem.sides() {
        Some((a, b)) => Ok((a.clone(), b.clone())),
        None => no("relation expected"),
    }
}

impl Lower<'_> {
    /// The row of the left element with number `i`; without words where there is no pair, however many elements one side has.
    pub(super) fn row(&mut self, r: &Bits, i: Opd) -> Res<Vec<Opd>> {
        let (a, b) = sides(r)?;
        let m = b.size();
        if a.size() == 0 || m == 0 {
            return Ok(Vec::new());
        }
        let at = self.bin(Bin::Mul, i, K(m));
        Ok(self.extract(&r.words, at, m))
    }

    /// The words with a row of bits put at row `i`.
    pub(super) fn at_row(&mut self, r: &Bits, row: &[Opd], i: Opd) -> Res<Vec<Opd>> {
        let (_, b) = sides(r)?;
        let at = self.bin(Bin::Mul, i, K(b.size()));
        Ok(self.place_all(r.words.len(), row, at))
    }

    /// All ones in a row of a relation.
    fn full_row(r: &Bits) -> Res<Vec<Opd>> {
        Ok(Self::full(&sides(r)?.1)?.words)
    }

    /// For a matrix in one word: the lowest bit of each row that is not empty.
    fn occupied(&mut self, w: Opd, n: u64, m: u64) -> Opd {
        let low = lows(n, m);
        if m == 1 {
            return w;
        }
        let body = low.wrapping_mul(ones(m - 1));
        let x = self.bin(Bin::And, w, K(body));
        let x = self.bin(Bin::Add, x, K(body));
        let x = self.bin(Bin::Or, x, w);
        let x = self.bin(Bin::Shr, x, K(m - 1));
        self.bin(Bin::And, x, K(low))
    }

    /// dom(r).
    pub(super) fn dom(&mut self, r: &Bits) -> Res<Bits> {
        let (a, b) = sides(r)?;
        let m = b.size();
        let empty = Self::empty(&a)?;
        if m == 0 || a.size() == 0 {
            return Ok(empty);
        }
        if m == 1 {
            return Ok(Bits { elem: a, words: r.words.clone() });
        }
        let rows = self.occupied_rows(r)?;
        let cell = self.cell(&empty);
        self.each_bit(&rows, &mut |g, i| {
            let (_, x) = g.divide(i, m);
            g.include(&cell, x);
            Ok(())
        })?;
        Ok(cell)
    }

    /// For a matrix in one word: the bits of the right element with number `y`, where they are.
    pub(super) fn column(&mut self, r: &Bits, y: Opd) -> Res<Opd> {
        let (a, b) = sides(r)?;
        let all = self.bin(Bin::Shl, K(lows(a.size(), b.size())), y);
        Ok(self.bin(Bin::And, r.words.first().copied().unwrap_or(K(0)), all))
    }

    /// Whether every left element has a right one, 0 or 1; `None` unless the matrix is in one word.
    pub(super) fn total(&mut self, r: &Bits) -> Res<Option<Opd>> {
        let (a, b) = sides(r)?;
        let [w] = r.words[..] else { return Ok(None) };
        if a.size() == 0 || b.size() == 0 {
            return Ok(None);
        }
        let rows = self.occupied(w, a.size(), b.size());
        Ok(Some(self.bin(Bin::Eq, rows, K(lows(a.size(), b.size())))))
    }

    /// r~[s], with `s` over the right shape of `r`.
    pub(super) fn preimage(&mut self, r: &Bits, s: &Bits) -> Res<Bits> {
        let rows = self.in_all_rows(s, r)?;
        let words = self.zip(Bin::And, &r.words, &rows);
        self.dom(&Bits { elem: r.elem.clone(), words })
    }

    /// Adds a member by number to a set held in registers.
    pub(super) fn include(&mut self, cell: &Bits, i: Opd) {
        let one = self.single(cell.words.len(), i);
        let sum = self.zip(Bin::Or, &cell.words, &one);
        self.put(cell, &sum);
    }

    /// Words that have, in each row of `r` that is not empty, at least one bit set (and no bit in empty rows).
    fn occupied_rows(&mut self, r: &Bits) -> Res<Vec<Opd>> {
        let (a, b) = sides(r)?;
        if let [w] = r.words[..] {
            return Ok(vec![self.occupied(w, a.size(), b.size())]);
        }
        Ok(r.words.clone())
    }

    /// ran(r).
    pub(super) fn ran(&mut self, r: &Bits) -> Res<Bits> {
        let (a, b) = sides(r)?;
        let (mut n, m) = (a.size(), b.size());
        let mut words = r.words.clone();
        while n > 1 {
            let half = n.div_ceil(2);
            let len = usize::try_from((half * m).div_ceil(64)).unwrap_or(0);
            let upper = self.down(&words, half * m, len);
            words.truncate(len);
            words = self.zip(Bin::Or, &words, &upper);
            n = half;
        }
        let full = Self::full(&b)?;
        if n == 0 {
            return Self::empty(&b);
        }
        words.truncate(full.words.len());
        let words = self.zip(Bin::And, &words, &full.words);
        Ok(Bits { elem: b, words })
    }

    /// The rows of the members of `s` (over the left shape of `r`), full.
    pub(super) fn rows_of(&mut self, s: &Bits, like: &Bits) -> Res<Vec<Opd>> {
        let row = Self::full_row(like)?;
        if row.iter().all(|w| *w == K(1)) && row.len() == 1 {
            return Ok(s.words.clone());
        }
        Ok(self.row_at_all(s, &row, &Self::empty(&like.elem)?)?.words)
    }

    /// The relation with the same row at all members of `s`; `none` is the empty one.
    pub(super) fn row_at_all(&mut self, s: &Bits, row: &[Opd], none: &Bits) -> Res<Bits> {
        let cell = self.cell(none);
        self.each_bit(&s.words, &mut |g, i| {
            let placed = g.at_row(&cell, row, i)?;
            let sum = g.zip(Bin::Or, &cell.words, &placed);
            g.put(&cell, &sum);
            Ok(())
        })?;
        Ok(cell)
    }

    /// A set over the right shape of `like`, in every row.
    pub(super) fn in_all_rows(&mut self, s: &Bits, like: &Bits) -> Res<Vec<Opd>> {
        let (a, b) = sides(like)?;
        let (n, m) = (a.size(), b.size());
        let len = like.words.len();
        if len == 1 {
            let w = s.words.first().copied().unwrap_or(K(0));
            return Ok(vec![self.bin(Bin::Mul, w, K(lows(n, m)))]);
        }
        let mut have = 1;
        let mut words: Vec<Opd> = s.words.clone();
        words.resize(len, K(0));
        while have < n {
            let more = self.up(&words, have * m, len);
            words = self.zip(Bin::Or, &words, &more);
            have *= 2;
        }
        let full = Self::full(&like.elem)?;
        Ok(self.zip(Bin::And, &words, &full.words))
    }

    /// r~.
    pub(super) fn inverse(&mut self, r: &Bits) -> Res<Bits> {
        let (a, b) = sides(r)?;
        let cell = self.cell(&Self::empty(&Shape::pair(&b, &a))?);
        self.each_bit(&r.words, &mut |g, i| {
            let (y, x) = g.divide(i, b.size().max(1));
            let at = g.bin(Bin::Mul, y, K(a.size()));
            let at = g.bin(Bin::Add, at, x);
            g.include(&cell, at);
            Ok(())
        })?;
        Ok(cell)
    }

    /// r[s], with `s` over the left shape of `r`.
    pub(super) fn image(&mut self, r: &Bits, s: &Bits) -> Res<Bits> {
        let (_, b) = sides(r)?;
        let cell = self.cell(&Self::empty(&b)?);
        self.each_bit(&s.words, &mut |g, i| {
            let row = g.row(r, i)?;
            let sum = g.zip(Bin::Or, &cell.words, &row);
            g.put(&cell, &sum);
            Ok(())
        })?;
        Ok(cell)
    }

    /// r <+ s, both over one shape.
    pub(super) fn override_with(&mut self, r: &Bits, s: &Bits) -> Res<Bits> {
        let d = self.dom(s)?;
        let gone = self.rows_of(&d, r)?;
        let kept = self.zip(Bin::AndNot, &r.words, &gone);
        let words = self.zip(Bin::Or, &kept, &s.words);
        Ok(Bits { elem: r.elem.clone(), words })
    }

    /// r <+ {x |-> y} by numbers.
    pub(super) fn override_at(&mut self, r: &Bits, x: Opd, y: Opd) -> Res<Bits> {
        let (_, b) = sides(r)?;
        let row = Self::full_row(r)?;
        let gone = self.at_row(r, &row, x)?;
        let kept = self.zip(Bin::AndNot, &r.words, &gone);
        let at = self.bin(Bin::Mul, x, K(b.size()));
        let at = self.bin(Bin::Add, at, y);
        let one = self.single(r.words.len(), at);
        let words = self.zip(Bin::Or, &kept, &one);
        Ok(Bits { elem: r.elem.clone(), words })
    }

    /// (r ; s), with the right shape of `r` the left shape of `s`.
    pub(super) fn compose(&mut self, r: &Bits, s: &Bits) -> Res<Bits> {
        let ((a, b), (_, c)) = (sides(r)?, sides(s)?);
        let cell = self.cell(&Self::empty(&Shape::pair(&a, &c))?);
        self.each_bit(&r.words, &mut |g, i| {
            let (y, x) = g.divide(i, b.size().max(1));
            let row = g.row(s, y)?;
            let placed = g.at_row(&cell, &row, x)?;
            let sum = g.zip(Bin::Or, &cell.words, &placed);
            g.put(&cell, &sum);
            Ok(())
        })?;
        Ok(cell)
    }

    /// closure1(r), by Warshall's loops: for each k, every row that reaches k takes over row k.
    pub(super) fn closure1(&mut self, r: &Bits) -> Res<Bits> {
        let (a, b) = sides(r)?;
        if a != b {
            return no("closure between different intervals");
        }
        let n = a.size();
        if let ([w], true) = (&r.words[..], n > 0) {
            let words = vec![self.closed(*w, n)];
            return Ok(Bits { elem: r.elem.clone(), words });
        }
        let cell = self.cell(r);
        self.count(K(0), K(n), &mut |g, k| {
            let row = g.row(&cell, k)?;
            g.count(K(0), K(n), &mut |g, i| {
                let at = g.bin(Bin::Mul, i, K(n));
                let at = g.bin(Bin::Add, at, k);
                let has = g.test(&cell.words, at);
                let fail = g.fail;
                g.require(has, fail);
                let placed = g.at_row(&cell, &row, i)?;
                let sum = g.zip(Bin::Or, &cell.words, &placed);
                g.put(&cell, &sum);
                Ok(())
            })
        })?;
        Ok(cell)
    }

    /// closure1 of a square matrix in one word: for each k, a multiplication copies row k into all rows that reach k.
    fn closed(&mut self, w: Opd, n: u64) -> Opd {
        (0..n).fold(w, |w, k| {
            let row = self.bin(Bin::Shr, w, K(k * n));
            let row = self.bin(Bin::And, row, K(ones(n)));
            let reach = self.bin(Bin::Shr, w, K(k));
            let reach = self.bin(Bin::And, reach, K(lows(n, n)));
            let more = self.bin(Bin::Mul, reach, row);
            self.bin(Bin::Or, w, more)
        })
    }

    /// id(s).
    pub(super) fn identity(&mut self, s: &Bits) -> Res<Bits> {
        let n = s.elem.size();
        let cell = self.cell(&Self::empty(&Shape::pair(&s.elem, &s.elem))?);
        self.each_bit(&s.words, &mut |g, i| {
            let at = g.bin(Bin::Mul, i, K(n + 1));
            g.include(&cell, at);
            Ok(())
        })?;
        Ok(cell)
    }

    /// Whether each left element has at most one right one: 0 or 1.
    pub(super) fn functional(&mut self, r: &Bits) -> Res<Opd> {
        let (a, b) = sides(r)?;
        if let [w] = r.words[..] {
            let rows = self.occupied(w, a.size(), b.size());
            let (x, y) = (self.un(Un::Count, rows), self.un(Un::Count, w));
            return Ok(self.bin(Bin::Eq, x, y));
        }
        let d = self.dom(r)?;
        let (x, y) = (self.population(&d.words), self.population(&r.words));
        Ok(self.bin(Bin::Eq, x, y))
    }

    /// Whether each right element has at most one left one: 0 or 1.
    pub(super) fn injective(&mut self, r: &Bits) -> Res<Opd> {
        let d = self.ran(r)?;
        let (x, y) = (self.population(&d.words), self.population(&r.words));
        Ok(self.bin(Bin::Eq, x, y))
    }
}
