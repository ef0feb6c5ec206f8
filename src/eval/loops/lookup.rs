//! Conjuncts of loops that ask a table for a key: `#k.(k : S & f(k) = x * y)` for one x and y after the other.
//!
//! In: a quantifier that asks for a key (`keyed`), what it asks for being made of the integers that are looped over. Out:
//! whether there is that key, for numbers at their places. Before there is a table the quantifier is evaluated, which is what
//! makes the table once that pays. Most keys that are asked for are in no table, and most of these are turned away by a bit.

use super::block::{Column, LANES};
use super::run::Looping;
use crate::eval::Evaluator;
use crate::eval::keyed::{Key, Table};
use crate::eval::small::{self, Term};
use crate::ir::{Binder, Pred, PredKind};
use crate::ty::Ty;
use std::sync::Arc;

/// Bits for each key; of few keys more, so that hardly any other is let through.
const SPARSE: [usize; 2] = [64, 16];

/// So many keys are few: their bits stay near.
const FEW: usize = 1 << 12;

/// What spreads numbers over all bits.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// A conjunct that asks for a key.
#[derive(Debug)]
pub(super) struct Lookup {
    /// Its number among the conjuncts.
    pub(super) conj: usize,
    key: Vec<Term>,
}

impl Lookup {
    /// A conjunct as one that asks for a key made of what is looped over; `None` if it is no such one.
    pub(super) fn new(conj: usize, p: &Pred, ev: &Evaluator, leaf: small::Leaf<'_>) -> Option<Self> {
        let asked = ev.keyed(quantifier(p)?)?.asked();
        let term = |e| Term::new(e, leaf);
        let key = if asked.iter().all(|e| e.ty == Ty::Int) { asked.iter().map(term).collect() } else { None };
        key.map(|key| Self { conj, key })
    }
}

fn quantifier(p: &Pred) -> Option<&Binder> {
    match &p.kind {
        PredKind::Exists(binder) => Some(binder),
        _ => None,
    }
}

/// What a run of loops knows of a conjunct that asks for a key.
pub(super) struct Wanted<'a> {
    lookup: &'a Lookup,
    table: Option<(Arc<Table>, Mask)>,
}

impl<'a> Wanted<'a> {
    pub(super) fn new(lookup: &'a Lookup) -> Self {
        Self { lookup, table: None }
    }

    /// What turns most keys away, and what they are made of; `None` before there is a table.
    pub(super) fn mask(&self) -> Option<(&Mask, &'a [Term])> {
        self.table.as_ref().map(|(_, mask)| (mask, &self.lookup.key[..]))
    }
}

impl Looping<'_> {
    /// Whether there are the keys that conjuncts ask for; `None` where the common way must answer.
    pub(super) fn has_all(&mut self, lookups: &[usize], at: &[i64]) -> Option<bool> {
        for i in lookups {
            if !self.has(*i, at)? {
                return Some(false);
            }
        }
        Some(true)
    }

    fn has(&mut self, i: usize, at: &[i64]) -> Option<bool> {
        let wanted = self.wanted.get(i)?;
        if let Some((table, mask)) = &wanted.table {
            return mask
                .admits(&wanted.lookup.key, at)
                .map(|may| may && found(table, &wanted.lookup.key, at));
        }
        let conj = wanted.lookup.conj;
        let holds = self.holds(&[conj], at)?;
        let binder = self.problem.conjs.get(conj).and_then(|c| quantifier(&c.pred));
        let table = binder.and_then(|b| self.ev.keyed(b)).and_then(|keyed| keyed.ready(self.env));
        if let Some(table) = table {
            let mask = Mask::of(table.keys());
            self.wanted.get_mut(i)?.table = Some((table, mask));
        }
        Some(holds)
    }
}

/// Whether a table has a key whose terms have values.
fn found(table: &Table, key: &[Term], at: &[i64]) -> bool {
    key.iter().map(|t| t.value(at)).collect::<Option<Key>>().is_some_and(|key| table.contains_key(&key))
}

/// Which keys there may be: a bit for each, at a place that its numbers give.
#[derive(Debug)]
pub(in crate::eval) struct Mask {
    bits: Vec<u64>,
    shift: u32,
}

impl Mask {
    pub(in crate::eval) fn of<'k>(keys: impl ExactSizeIterator<Item = &'k Key>) -> Self {
        let sparse = SPARSE[usize::from(keys.len() > FEW)];
        let size = keys.len().saturating_mul(sparse).max(64).next_power_of_two();
        let mut mask = Self { bits: vec![0; size / 64], shift: u64::BITS - size.trailing_zeros() };
        for key in keys {
            let (word, bit) = mask.place(key.iter().fold(0, |hash, n| mixed(hash, *n)));
            if let Some(word) = mask.bits.get_mut(word) {
                *word |= 1 << bit;
            }
        }
        mask
    }

    /// The word and the bit of a hash, whose upper bits are spread best.
    fn place(&self, hash: u64) -> (usize, u64) {
        let at = hash >> self.shift;
        (usize::try_from(at / 64).unwrap_or(usize::MAX), at % 64)
    }

    /// The hashes of keys with one number more, for a block of rows.
    pub(super) fn mix(hashes: &mut [u64; LANES], numbers: &Column) {
        hashes.iter_mut().zip(numbers).for_each(|(hash, n)| *hash = mixed(*hash, *n));
    }

    /// For which hashes of a block there may be keys.
    pub(super) fn admitted(&self, hashes: &[u64; LANES]) -> u64 {
        (0..).zip(hashes).fold(0, |all, (lane, hash)| {
            let (word, bit) = self.place(*hash);
            all | (self.bits.get(word).copied().unwrap_or(0) >> bit & 1) << lane
        })
    }

    /// Whether there may be the key that terms give; `None` where they have no value.
    #[inline]
    pub(in crate::eval) fn admits(&self, key: &[Term], at: &[i64]) -> Option<bool> {
        let mut hash = 0;
        for term in key {
            hash = mixed(hash, term.value(at)?);
        }
        let (word, bit) = self.place(hash);
        Some(self.bits.get(word).is_some_and(|word| word >> bit & 1 == 1))
    }
}

#[inline]
fn mixed(hash: u64, n: i64) -> u64 {
    (hash.rotate_left(26) ^ n.cast_unsigned()).wrapping_mul(SPREAD)
}
