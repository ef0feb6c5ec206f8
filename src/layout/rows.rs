//! Functions to sets, packed argument by argument.
//!
//! In: the type of a relation to sets, a hull of functions. Out: a row for each possible argument: one bit that
//! says whether the function has a value there, then the bits of that value. A bit set of pairs would have a bit for
//! each pair of an argument and a set: exponentially many. A relation that is no function has no such form.

use super::{DENSE_LIMIT, Dense, Hull, Misfit};
use crate::ops::World;
use crate::ty::Ty;
use crate::value::{SetRef, Value};

/// How a function to sets is packed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rows {
    /// The possible arguments: one row each, in this order.
    pub left: Dense,
    /// The possible members of a value.
    pub item: Dense,
}

impl Rows {
    /// The layout of functions whose pairs have a type, for values within the hull of the pairs.
    #[must_use]
    pub fn of(pairs: &Ty, hull: &Hull, world: &World) -> Option<Rows> {
        let Ty::Pair(a, b) = pairs else { return None };
        let Ty::Pow(t) = &**b else { return None };
        let (ha, hb) = hull.pair();
        let rows = Rows { left: Dense::of(a, ha, world)?, item: Dense::of(t, hb.member(), world)? };
        (u64::from(rows.left.size) * u64::from(rows.width()) <= DENSE_LIMIT).then_some(rows)
    }

    /// Bits of a row.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.item.size + 1
    }

    /// Bits of all rows.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.left.size * self.width()
    }

    /// The function that words hold from bit 0 on.
    #[must_use]
    pub fn value(&self, words: &[u64]) -> Value {
        let bit = |i: u32| words.get((i / 64) as usize).is_some_and(|w| w >> (i % 64) & 1 == 1);
        let pairs = (0..self.left.size).filter(|x| bit(x * self.width())).map(|x| {
            let from = x * self.width() + 1;
            let items = (0..self.item.size).filter(|j| bit(from + j)).map(|j| self.item.value(j));
            Value::pair(self.left.value(x), Value::Set(SetRef::from_vec(items.collect())))
        });
        Value::Set(SetRef::from_vec(pairs.collect()))
    }

    /// Writes a function into words that are 0.
    ///
    /// # Errors
    /// Why it does not fit.
    pub fn write(&self, v: &Value, words: &mut [u64]) -> Result<(), Misfit> {
        let Value::Set(pairs) = v else { return Err(Misfit::WrongType) };
        for p in pairs.items() {
            let Value::Pair(p) = p else { return Err(Misfit::WrongType) };
            let Value::Set(items) = &p.1 else { return Err(Misfit::NotInExtension) };
            let x = self.left.index(&p.0).ok_or(Misfit::OutsideHull)?;
            let from = x * self.width();
            if !put(words, from) {
                return Err(Misfit::NoFunction);
            }
            for item in items.items() {
                let j = self.item.index(item).ok_or(Misfit::OutsideHull)?;
                put(words, from + 1 + j);
            }
        }
        Ok(())
    }
}

/// Sets a bit; whether it was not set.
fn put(words: &mut [u64], bit: u32) -> bool {
    let Some(w) = words.get_mut((bit / 64) as usize) else { return false };
    let fresh = *w >> (bit % 64) & 1 == 0;
    *w |= 1 << (bit % 64);
    fresh
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{Layout, Pool, StateLayout};
    use crate::ty::SetId;

    #[test]
    fn functions_come_back_and_relations_do_not_fit() {
        let world = World { card: vec![20], ..World::default() };
        let id = Ty::Given(SetId(0));
        let e = |i| Value::Elem(SetId(0), i);
        let set = |v: Vec<Value>| Value::Set(SetRef::from_vec(v));
        let types = [Ty::rel(id.clone(), Ty::pow(id))];
        let hull = Hull::Fun(Box::new(Hull::Unknown));
        let layout = StateLayout::within(&types, &[hull], &world);
        assert!(matches!(&layout.fields[0].layout, Layout::Rows(r) if r.bits() == 420));
        let pool = Pool::default();
        let mut words = vec![u64::MAX; layout.words];
        let f = set(vec![
            Value::pair(e(3), set(vec![e(0), e(19)])),
            Value::pair(e(4), set(vec![])),
            Value::pair(e(19), set((0..20).map(e).collect())),
        ]);
        assert_eq!(layout.set(&mut words, 0, &f, &pool), Ok(()));
        assert_eq!(layout.get(&words, 0, &pool), Some(f));
        let r = set(vec![Value::pair(e(3), set(vec![e(0)])), Value::pair(e(3), set(vec![]))]);
        assert_eq!(layout.set(&mut words, 0, &r, &pool), Err(Misfit::NoFunction));
    }
}
