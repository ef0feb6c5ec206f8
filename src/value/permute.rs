//! Permutations of the elements of given sets, and how they act on values.
//!
//! In: for each given set the image of each of its elements. Out: the image of a value, with every set
//! sorted again. Integers, strings, reals and booleans stay as they are. A set that is not in extension
//! stays, too: it never gets into a state, and what it captured cannot be seen from here. Which
//! permutations may be used is decided in `symmetry`, not here.

use super::{SetRef, Value};
use crate::ops::World;
use crate::ty::SetId;
use std::sync::Arc;

/// For each given set, by `SetId`, the images of its elements. Invariant: each is a permutation of
/// `0..card`. Elements and sets that it does not know stay where they are.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Permutation {
    images: Vec<Vec<u32>>,
}

impl Permutation {
    /// The permutation that moves nothing.
    #[must_use]
    pub fn identity(world: &World) -> Self {
        Self { images: world.card.iter().map(|&n| (0..n).collect()).collect() }
    }

    /// A permutation from the images of all elements; `None` if some set's images are not a permutation.
    #[must_use]
    pub fn from_images(images: Vec<Vec<u32>>) -> Option<Self> {
        let valid = images.iter().all(|image| {
            let mut seen = vec![false; image.len()];
            image
                .iter()
                .all(|&i| seen.get_mut(i as usize).is_some_and(|taken| !std::mem::replace(taken, true)))
        });
        valid.then_some(Self { images })
    }

    /// The permutation that exchanges two elements of one set.
    #[must_use]
    pub fn transposition(world: &World, set: SetId, i: u32, j: u32) -> Self {
        let mut p = Self::identity(world);
        p.swap(set, i, j);
        p
    }

    /// Exchanges the images of two elements; elements that do not exist are left alone.
    pub fn swap(&mut self, set: SetId, i: u32, j: u32) {
        if let Some(image) = self.images.get_mut(usize::from(set.0))
            && image.len() > i.max(j) as usize
        {
            image.swap(i as usize, j as usize);
        }
    }

    /// The image of an element.
    #[must_use]
    pub fn image(&self, set: SetId, i: u32) -> u32 {
        self.images.get(usize::from(set.0)).and_then(|image| image.get(i as usize)).copied().unwrap_or(i)
    }

    /// The permutation that first does `first`, then `self`. Both must be of the same world.
    #[must_use]
    pub fn compose(&self, first: &Self) -> Self {
        let images = first
            .images
            .iter()
            .enumerate()
            .map(|(s, image)| {
                let set = SetId(u16::try_from(s).unwrap_or(u16::MAX));
                image.iter().map(|&i| self.image(set, i)).collect()
            })
            .collect();
        Self { images }
    }

    /// The permutation that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let images = self
            .images
            .iter()
            .map(|image| {
                let mut back = vec![0; image.len()];
                for (from, &to) in (0u32..).zip(image) {
                    if let Some(slot) = back.get_mut(to as usize) {
                        *slot = from;
                    }
                }
                back
            })
            .collect();
        Self { images }
    }

    /// Whether nothing moves.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.images.iter().all(|image| (0u32..).zip(image).all(|(i, &to)| i == to))
    }

    /// The image of a value.
    #[must_use]
    pub fn apply(&self, v: &Value) -> Value {
        match v {
            Value::Elem(s, i) => Value::Elem(*s, self.image(*s, *i)),
            Value::Pair(p) => Value::pair(self.apply(&p.0), self.apply(&p.1)),
            Value::Rec(fields) => Value::Rec(fields.iter().map(|f| self.apply(f)).collect()),
            Value::Free(t, c, Some(arg)) => Value::Free(*t, *c, Some(Arc::new(self.apply(arg)))),
            Value::Set(s) => Value::Set(SetRef::from_vec(s.items().iter().map(|x| self.apply(x)).collect())),
            Value::Bool(_)
            | Value::Int(_)
            | Value::Big(_)
            | Value::Real(_)
            | Value::Str(_)
            | Value::Free(_, _, None)
            | Value::Lazy(_) => v.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_elements_and_sorts_sets() {
        let world = World { card: vec![3, 2], ..World::default() };
        let e = |i| Value::Elem(SetId(0), i);
        let f = |i| Value::Elem(SetId(1), i);
        let set = |v: Vec<Value>| Value::Set(SetRef::from_vec(v));
        let p = Permutation::transposition(&world, SetId(0), 0, 2);
        let v = set(vec![Value::pair(e(0), f(1)), Value::pair(e(1), f(0))]);
        let image = set(vec![Value::pair(e(2), f(1)), Value::pair(e(1), f(0))]);
        assert_eq!(p.apply(&v), image);
        assert_eq!(p.inverse().apply(&image), v);
        let q = Permutation::from_images(vec![vec![1, 2, 0], vec![1, 0]]).unwrap_or_default();
        assert_eq!(p.compose(&q).apply(&v), p.apply(&q.apply(&v)));
        assert!(q.compose(&q.inverse()).is_identity());
        assert_eq!(Permutation::from_images(vec![vec![1, 1]]), None);
    }
}
