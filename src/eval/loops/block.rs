//! Blocks of rows: which integers of a level may lead to a solution, for 64 of them at once.
//!
//! In: a level that asks nothing of its integers, levels inside it that have one integer each, and masks that turn most rows away by
//! a key (`lookup`). Out: a bit for each integer that has to be looked at by itself; the others come to nothing, whatever the
//! rest of the loops asks. Nothing where a term leaves 64 bits or is no sum or product: then one row after the other is
//! gone through, as if there were no blocks.

use super::Level;
use super::lookup::Mask;
use super::run::Looping;
use crate::eval::small::Term;
use crate::ops::Op;
use smallvec::SmallVec;
use std::cell::OnceCell;

/// Rows of a block.
pub(super) const LANES: usize = 64;

/// Most levels inside.
const INSIDE: usize = 2;

/// One number for each row.
pub(super) type Column = [i64; LANES];

/// What turns solutions away: keys that are in no table. There is none before the table is made.
#[derive(Debug)]
pub(in crate::eval) struct Filter<'a> {
    pub(in crate::eval) key: &'a [Term],
    pub(in crate::eval) mask: OnceCell<Mask>,
}

/// The columns of what differs from row to row, by place.
type Columns = SmallVec<[(usize, Column); 1 + INSIDE]>;

impl Looping<'_> {
    /// Whether rows of a level may go by blocks: nothing but masks is asked of them.
    pub(super) fn by_blocks(&self, level: &Level, inner: &[Level]) -> bool {
        if self.wanted.is_empty() && self.filter.is_none() {
            return false;
        }
        let Some((last, others)) = inner.split_last() else { return self.is_masked(level) };
        inner.len() <= INSIDE
            && level.is_bare()
            && inner.iter().all(|l| l.single.is_some())
            && others.iter().all(Level::is_bare)
            && self.is_masked(last)
    }

    /// Whether the only questions about an integer are those of masks, and there are some.
    fn is_masked(&self, level: &Level) -> bool {
        let asks = !level.lookups.is_empty() || self.filter.is_some_and(|f| f.mask.get().is_some());
        let ready = |i: &usize| self.wanted.get(*i).is_some_and(|w| w.mask().is_some());
        asks && level.asks_only_keys() && level.lookups.iter().all(ready)
    }

    /// The integers, from one on, that may lead to solutions.
    pub(super) fn block(&self, level: &Level, inner: &[Level], from: i64, at: &[i64]) -> Option<u64> {
        let mut columns = Columns::new();
        let mut first = [0; LANES];
        for (n, i) in first.iter_mut().zip(0..) {
            *n = from.checked_add(i)?;
        }
        columns.push((level.place, first));
        for l in inner {
            let column = column(l.single.as_ref()?, at, &columns)?;
            columns.push((l.place, column));
        }
        let mut able = u64::MAX;
        for i in &inner.last().unwrap_or(level).lookups {
            let (mask, key) = self.wanted.get(*i)?.mask()?;
            able &= admitted(mask, key, at, &columns)?;
        }
        if let Some(filter) = self.filter
            && let Some(mask) = filter.mask.get()
        {
            able &= admitted(mask, filter.key, at, &columns)?;
        }
        Some(able)
    }
}

/// For which rows a mask may have the key.
fn admitted(mask: &Mask, key: &[Term], at: &[i64], columns: &Columns) -> Option<u64> {
    let mut hashes = [0; LANES];
    for term in key {
        Mask::mix(&mut hashes, &column(term, at, columns)?);
    }
    Some(mask.admitted(&hashes))
}

/// The values of a term in all rows.
fn column(term: &Term, at: &[i64], columns: &Columns) -> Option<Column> {
    Some(match term {
        Term::Number(n) => [*n; LANES],
        Term::At(i) => match columns.iter().find(|(place, _)| place == i) {
            Some((_, column)) => *column,
            None => [*at.get(*i)?; LANES],
        },
        Term::Of(op, sides) => {
            let (mut a, b) = (column(&sides.0, at, columns)?, column(&sides.1, at, columns)?);
            let over = match op {
                Op::Add => combine(&mut a, &b, i64::overflowing_add),
                Op::Sub => combine(&mut a, &b, i64::overflowing_sub),
                Op::Mul => combine(&mut a, &b, i64::overflowing_mul),
                _ => return None,
            };
            if over {
                return None;
            }
            a
        }
    })
}

/// Combines two columns; whether that has left 64 bits somewhere.
#[inline]
fn combine(a: &mut Column, b: &Column, apply: impl Fn(i64, i64) -> (i64, bool)) -> bool {
    let mut left = false;
    for (m, n) in a.iter_mut().zip(b) {
        let (value, over) = apply(*m, *n);
        *m = value;
        left |= over;
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::keyed::Key;
    use proptest::prelude::*;

    /// Terms over places 0 to 2.
    fn terms() -> BoxedStrategy<Term> {
        let leaf = prop_oneof![
            4 => (0..3usize).prop_map(Term::At),
            1 => (-5..6i64).prop_map(Term::Number),
            1 => Just(Term::Number(i64::MAX / 3)),
        ];
        let ops = prop_oneof![3 => Just(Op::Add), 3 => Just(Op::Sub), 3 => Just(Op::Mul), 1 => Just(Op::Div)];
        leaf.prop_recursive(3, 8, 2, move |inner| {
            (ops.clone(), inner.clone(), inner).prop_map(|(op, a, b)| a.op(op, b))
        })
        .boxed()
    }

    proptest! {
        /// A block says of each row what the row by itself says, or nothing.
        #[test]
        fn blocks_say_what_rows_say(
            (first, second) in (terms(), terms()),
            (from, fixed) in (-40..40i64, -9..9i64),
            keys in prop::collection::vec((-60..60i64, -60..60i64), 0..40),
        ) {
            // Place 0 goes through the block, place 1 is twice that and a bit, place 2 stays the same.
            let mut columns = Columns::new();
            columns.push((0, std::array::from_fn(|i| from + i64::try_from(i).unwrap_or_default())));
            let double = Term::At(0).op(Op::Mul, Term::Number(2)).op(Op::Sub, Term::Number(3));
            let doubled = column(&double, &[0, 0, fixed], &columns);
            columns.push((1, doubled.unwrap_or([0; LANES])));
            let keys: Vec<Key> = keys.iter().map(|(m, n)| Key::from_slice(&[*m, *n])).collect();
            let mask = Mask::of(keys.iter());
            let key = [first, second];
            let Some(able) = admitted(&mask, &key, &[0, 0, fixed], &columns) else { return Ok(()) };
            for lane in 0..LANES {
                let at = [columns[0].1[lane], columns[1].1[lane], fixed];
                prop_assert_eq!(at[1], 2 * at[0] - 3);
                prop_assert_eq!(mask.admits(&key, &at), Some(able >> lane & 1 == 1));
            }
        }
    }
}
