//! Functions with many possible pairs, packed as an array.
//!
//! In: the type of a relation, a hull of functions. Out: a lane for each possible argument: 0 if the function has no value
//! there, else the number of the value plus one. A bit set has a bit for each pair of an argument and a value, a
//! thousand times as many for an array of 1,000 integers below 1,000. A relation that is no function has no such form.

use super::{Dense, Hull, Misfit};
use crate::ops::World;
use crate::ty::Ty;
use crate::value::{SetRef, Value};

/// Most bits of all lanes.
const MOST: u32 = 1 << 14;

/// What the values of a function may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lane {
    /// Few values, which have numbers.
    Dense(Dense),
    /// The integers between two.
    Span(i64, i64),
}

impl Lane {
    fn of(ty: &Ty, hull: &Hull, world: &World) -> Option<Lane> {
        match (Dense::of(ty, hull, world), ty, hull) {
            (Some(d), ..) => Some(Lane::Dense(d)),
            (None, Ty::Int, Hull::Int(lo, hi)) if lo <= hi && hi.abs_diff(*lo) < 1 << 31 => {
                Some(Lane::Span(*lo, *hi))
            }
            _ => None,
        }
    }

    /// How many values there are.
    fn size(&self) -> u64 {
        match self {
            Lane::Dense(d) => u64::from(d.size),
            Lane::Span(lo, hi) => hi.abs_diff(*lo) + 1,
        }
    }

    fn index(&self, v: &Value) -> Option<u64> {
        match (self, v) {
            (Lane::Dense(d), _) => d.index(v).map(u64::from),
            (Lane::Span(lo, hi), Value::Int(n)) if (lo..=hi).contains(&n) => Some(n.abs_diff(*lo)),
            _ => None,
        }
    }

    fn value(&self, index: u64) -> Value {
        match self {
            Lane::Dense(d) => d.value(u32::try_from(index).unwrap_or(0)),
            Lane::Span(lo, _) => Value::Int(lo.saturating_add_unsigned(index)),
        }
    }
}

/// How a function is packed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lanes {
    /// The possible arguments: one lane each, in this order.
    pub left: Dense,
    /// The possible values.
    pub right: Lane,
}

impl Lanes {
    /// The layout of functions whose pairs have a type, for values within the hull of the pairs.
    #[must_use]
    pub fn of(pairs: &Ty, hull: &Hull, world: &World) -> Option<Lanes> {
        let Ty::Pair(a, b) = pairs else { return None };
        let (ha, hb) = hull.pair();
        let lanes = Lanes { left: Dense::of(a, ha, world)?, right: Lane::of(b, hb, world)? };
        (lanes.left.size > 0 && lanes.left.size <= MOST / lanes.width()).then_some(lanes)
    }

    /// Bits of a lane: no lane is in two words.
    #[must_use]
    pub fn width(&self) -> u32 {
        (u64::BITS - self.right.size().leading_zeros()).next_power_of_two().max(8)
    }

    /// Words of all lanes, two at least: they share no word with other fields.
    #[must_use]
    pub fn words(&self) -> u32 {
        (self.left.size * self.width()).div_ceil(u64::BITS).max(2)
    }

    /// Word and shift of a lane.
    fn place(&self, lane: u32) -> (usize, u32) {
        let bit = lane * self.width();
        ((bit / u64::BITS) as usize, bit % u64::BITS)
    }

    /// The function that words hold.
    #[must_use]
    pub fn value(&self, words: &[u64]) -> Value {
        let mask = u64::MAX >> (u64::BITS - self.width());
        let pairs = (0..self.left.size).filter_map(|x| {
            let (word, shift) = self.place(x);
            let n = (words.get(word)? >> shift & mask).checked_sub(1)?;
            Some(Value::pair(self.left.value(x), self.right.value(n)))
        });
        Value::Set(SetRef::from_vec(pairs.collect()))
    }

    /// Writes a function into words that are 0.
    ///
    /// # Errors
    /// Why it does not fit.
    pub fn write(&self, v: &Value, words: &mut [u64]) -> Result<(), Misfit> {
        let Value::Set(pairs) = v else { return Err(Misfit::WrongType) };
        // What does not fit whatever its hull comes first.
        let mut last = None;
        for p in pairs.items() {
            let Value::Pair(p) = p else { return Err(Misfit::WrongType) };
            if last == Some(&p.0) {
                return Err(Misfit::NoFunction);
            }
            last = Some(&p.0);
        }
        for p in pairs.items() {
            let Value::Pair(p) = p else { return Err(Misfit::WrongType) };
            let x = self.left.index(&p.0).ok_or(Misfit::OutsideHull)?;
            let y = self.right.index(&p.1).ok_or(Misfit::OutsideHull)?;
            let (word, shift) = self.place(x);
            *words.get_mut(word).ok_or(Misfit::WrongType)? |= (y + 1) << shift;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{Layout, Pool, StateLayout};

    fn hull(left: (i64, i64), right: (i64, i64)) -> Hull {
        let pair = Hull::Pair(Box::new(Hull::Int(left.0, left.1)), Box::new(Hull::Int(right.0, right.1)));
        Hull::Fun(Box::new(pair))
    }

    #[test]
    fn functions_come_back_and_relations_do_not_fit() {
        let (world, pool) = (World::default(), Pool::default());
        let types = [Ty::rel(Ty::Int, Ty::Int)];
        let pair = |a, b| Value::pair(Value::Int(a), Value::Int(b));
        let set = |v: Vec<Value>| Value::Set(SetRef::from_vec(v));
        for (last, width) in [(40, 8), (254, 8), (255, 16), (65_534, 16), (65_535, 32)] {
            let layout = StateLayout::within(&types, &[hull((-5, 130), (0, last))], &world);
            let Layout::Lanes(lanes) = &layout.fields[0].layout else { panic!("{last}: no lanes") };
            assert_eq!(lanes.width(), width);
            let mut words = vec![u64::MAX; layout.words];
            for f in [
                set(vec![]),
                set((-5..=130).map(|i| pair(i, last)).collect()),
                set(vec![pair(-5, 0), pair(59, 1), pair(130, last)]),
            ] {
                assert_eq!(layout.set(&mut words, 0, &f, &pool), Ok(()));
                assert_eq!(layout.get(&words, 0, &pool), Some(f));
            }
            let twice = set(vec![pair(3, 0), pair(3, 1)]);
            assert_eq!(layout.set(&mut words, 0, &twice, &pool), Err(Misfit::NoFunction));
            for p in [pair(131, 0), pair(0, last + 1), pair(0, -1)] {
                assert_eq!(layout.set(&mut words, 0, &set(vec![p]), &pool), Err(Misfit::OutsideHull));
            }
        }
    }

    #[test]
    fn few_pairs_have_a_bit_each() {
        let types = [Ty::rel(Ty::Int, Ty::Int)];
        for (last, bits) in [(31, true), (32, false)] {
            let layout = StateLayout::within(&types, &[hull((1, 32), (0, last))], &World::default());
            assert_eq!(matches!(layout.fields[0].layout, Layout::Bits(_)), bits);
        }
    }
}
