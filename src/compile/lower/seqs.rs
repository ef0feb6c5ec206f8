//! Sequences: relations from 1..n, as matrices whose first rows have one bit each.
//!
//! In and out: [`Bits`] over pairs of an interval and something. The operators bail on what is no sequence:
//! the plain evaluator knows what to say. Rows are indexed from the interval's lower bound, which must be at
//! most 1.

use super::rel::sides;
use super::shape::{Bits, Range, Shape, Val};
use super::{Env, Lower, Res, no};
use crate::compile::word::{Bin, Opd};
use crate::ir::Expr;
use crate::ops::Op;
use Opd::K;

/// A checked sequence: matrix over 1..most, and its length.
struct Seq {
    bits: Bits,
    item: Shape,
    most: i64,
    len: Opd,
}

impl Lower<'_> {
    /// Puts a relation over 1..most and checks that it is a sequence.
    fn sequence(&mut self, s: &Bits) -> Res<Seq> {
        let (a, item) = sides(s)?;
        let Shape::Int(lo, hi) = a else { return no("sequence expected") };
        let most = if lo > hi { 0 } else { hi.max(0) };
        let shape = Shape::pair(&Shape::Int(1, most), &item);
        let bail = self.bail;
        let bits = if most == 0 && lo <= hi {
            // Only integers below 1: a sequence exactly if empty.
            let any = self.any(&s.words);
            let none = self.bin(Bin::Eq, any, K(0));
            self.require(none, bail);
            Self::empty(&shape)?
        } else {
            self.reshape(s, &shape, bail)?
        };
        let len = self.population(&bits.words);
        if most > 0 {
            let d = self.dom(&bits)?;
            // The domain is an initial segment as long as there are pairs.
            let n = self.population(&d.words);
            let same = self.bin(Bin::Eq, n, len);
            self.require(same, bail);
            let next = self.plus_one(&d.words);
            let overlap = self.zip(Bin::And, &d.words, &next);
            let any = self.any(&overlap);
            let none = self.bin(Bin::Eq, any, K(0));
            self.require(none, bail);
        }
        Ok(Seq { bits, item, most, len })
    }

    /// Some words as one long number, plus one.
    fn plus_one(&mut self, words: &[Opd]) -> Vec<Opd> {
        let mut carry = K(1);
        let mut out = Vec::new();
        for w in words {
            let sum = self.bin(Bin::Add, *w, carry);
            let over = self.bin(Bin::Eq, sum, K(0));
            carry = self.bin(Bin::And, over, carry);
            out.push(sum);
        }
        out
    }

    /// size, first, last.
    pub(super) fn of_sequence(&mut self, op: Op, s: &Bits) -> Res<Val> {
        let q = self.sequence(s)?;
        if op == Op::Size {
            return Ok(Val::Int(q.len, Range(0, q.most)));
        }
        let bail = self.bail;
        self.require(q.len, bail);
        let at = if op == Op::First { K(1) } else { q.len };
        let v = Val::Int(at, Range(1, q.most.max(1)));
        self.apply_to(&q.bits, &v, bail)
    }

    /// The operators on sequences that yield sequences.
    pub(super) fn seq_operator(&mut self, op: Op, args: &[Expr], env: &Env) -> Res<Bits> {
        match (op, args) {
            (Op::Front | Op::Tail, [s]) => {
                let s = self.set(s, env)?;
                let q = self.sequence(&s)?;
                let bail = self.bail;
                self.require(q.len, bail);
                self.shorten(&q, op == Op::Tail)
            }
            (Op::Append, [s, x]) => {
                let s = self.set(s, env)?;
                let x = self.expr(x, env)?;
                let q = self.sequence(&s)?;
                self.append(&q, &x)
            }
            (Op::Prepend, [x, s]) => {
                let x = self.expr(x, env)?;
                let s = self.set(s, env)?;
                let q = self.sequence(&s)?;
                self.prepend(&q, &x)
            }
            (Op::Concat, [s, t]) => {
                let (s, t) = (self.set(s, env)?, self.set(t, env)?);
                let (s, t) = (self.sequence(&s)?, self.sequence(&t)?);
                self.concat(&s, &t)
            }
            (Op::Take | Op::Drop, [s, n]) => {
                let s = self.set(s, env)?;
                let (n, _) = self.int(n, env)?;
                let q = self.sequence(&s)?;
                self.part(&q, n, op == Op::Drop)
            }
            (Op::Rev, [s]) => {
                let s = self.set(s, env)?;
                let q = self.sequence(&s)?;
                self.reverse(&q)
            }
            _ => no("operator"),
        }
    }

    fn shorten(&mut self, q: &Seq, tail: bool) -> Res<Bits> {
        let m = q.item.size();
        let words = if tail {
            self.down(&q.bits.words, m, q.bits.words.len())
        } else {
            let last = self.bin(Bin::Sub, q.len, K(1));
            let row = Self::full(&q.item)?;
            let gone = self.at_row(&q.bits, &row.words, last)?;
            self.zip(Bin::AndNot, &q.bits.words, &gone)
        };
        Ok(Bits { elem: q.bits.elem.clone(), words })
    }

    /// The item shape of a sequence that also takes `x`.
    fn item_with(q: &Seq, x: &Val) -> Res<Shape> {
        match x.shape().and_then(|s| q.item.join(&s)) {
            Some(s) => Ok(s),
            None => no("sequence of sets"),
        }
    }

    fn longer(&mut self, q: &Seq, item: &Shape, by: i64) -> Res<Bits> {
        let bail = self.bail;
        let to = Shape::pair(&Shape::Int(1, q.most.saturating_add(by)), item);
        self.reshape(&q.bits, &to, bail)
    }

    fn append(&mut self, q: &Seq, x: &Val) -> Res<Bits> {
        let item = Self::item_with(q, x)?;
        let s = self.longer(q, &item, 1)?;
        let bail = self.bail;
        let k = self.number(x, &item, bail)?;
        let at = self.bin(Bin::Mul, q.len, K(item.size()));
        let at = self.bin(Bin::Add, at, k);
        let one = self.single(s.words.len(), at);
        Ok(Bits { words: self.zip(Bin::Or, &s.words, &one), elem: s.elem })
    }

    fn prepend(&mut self, q: &Seq, x: &Val) -> Res<Bits> {
        let item = Self::item_with(q, x)?;
        let s = self.longer(q, &item, 1)?;
        let bail = self.bail;
        let k = self.number(x, &item, bail)?;
        let moved = self.up(&s.words, item.size(), s.words.len());
        let one = self.single(s.words.len(), k);
        Ok(Bits { words: self.zip(Bin::Or, &moved, &one), elem: s.elem })
    }

    fn concat(&mut self, s: &Seq, t: &Seq) -> Res<Bits> {
        let Some(item) = s.item.join(&t.item) else { return no("sequences of different kinds") };
        let a = self.longer(s, &item, t.most)?;
        let b = self.longer(t, &item, 0)?;
        let at = self.bin(Bin::Mul, s.len, K(item.size()));
        // Rows past the end of t are empty, so nothing is lost.
        let moved = self.place_all(a.words.len(), &b.words, at);
        Ok(Bits { words: self.zip(Bin::Or, &a.words, &moved), elem: a.elem })
    }

    /// `s /|\ n` or `s \|/ n`.
    fn part(&mut self, q: &Seq, n: Opd, drop: bool) -> Res<Bits> {
        let bail = self.bail;
        let natural = self.bin(Bin::Sle, K(0), n);
        self.require(natural, bail);
        if drop {
            let short = self.bin(Bin::Sle, n, q.len);
            self.require(short, bail);
        }
        let cell = self.cell(&Self::empty(&q.bits.elem)?);
        let from = if drop { n } else { K(0) };
        self.count(from, q.len, &mut |g, i| {
            if !drop {
                let (early, fail) = (g.bin(Bin::Slt, i, n), g.fail);
                g.require(early, fail);
            }
            let row = g.row(&q.bits, i)?;
            let to = g.bin(Bin::Sub, i, from);
            let placed = g.at_row(&cell, &row, to)?;
            let sum = g.zip(Bin::Or, &cell.words, &placed);
            g.put(&cell, &sum);
            Ok(())
        })?;
        Ok(cell)
    }

    fn reverse(&mut self, q: &Seq) -> Res<Bits> {
        let cell = self.cell(&Self::empty(&q.bits.elem)?);
        self.count(K(0), q.len, &mut |g, i| {
            let row = g.row(&q.bits, i)?;
            let last = g.bin(Bin::Sub, q.len, K(1));
            let to = g.bin(Bin::Sub, last, i);
            let placed = g.at_row(&cell, &row, to)?;
            let sum = g.zip(Bin::Or, &cell.words, &placed);
            g.put(&cell, &sum);
            Ok(())
        })?;
        Ok(cell)
    }
}

impl Lower<'_> {
    /// The matrix of a sequence over 1..most and its length; bails on what is none.
    pub(super) fn sequence_items(&mut self, s: &Bits) -> Res<(Bits, Opd)> {
        self.sequence(s).map(|q| (q.bits, q.len))
    }
}
