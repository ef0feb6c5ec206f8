//! Whether two states are symmetric, with a witness: the audit of what reducers put together.
//!
//! In: two packed states. Out: whether a permutation takes the values of one, constants included, to those
//! of the other. Canonical names of both states propose a permutation, and it is applied to the values
//! themselves: a yes never rests on hashes. Deliberately absent: keys.

use super::Context;
use super::core::Core;
use super::facts::Facts;
use super::residual::in_order;
use super::vector::{Places, Vector};

/// Decides whether states are symmetric.
pub struct Isomorphism {
    context: Context,
    places: Places,
    /// Whether anything may be permuted; otherwise only equal states count.
    permute: bool,
}

impl std::fmt::Debug for Isomorphism {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Isomorphism").field("permute", &self.permute).finish_non_exhaustive()
    }
}

impl Isomorphism {
    /// For one run; without `permute` only equal states are symmetric.
    #[must_use]
    pub fn new(context: &Context, permute: bool) -> Self {
        Self { context: context.clone(), places: Places::new(context), permute }
    }

    /// Whether a permutation takes one state to the other.
    #[must_use]
    pub fn symmetric(&self, a: &[u64], b: &[u64]) -> bool {
        let (a, b) = (Vector::of_state(&self.context, a), Vector::of_state(&self.context, b));
        if a == b {
            return true;
        }
        self.permute && self.images(&a, &b).is_some_and(|images| self.takes(&a, &b, &images))
    }

    fn takes(&self, a: &Vector, b: &Vector, images: &[u32]) -> bool {
        let group = self.context.group();
        // Inside their sets: a permutation across sets would be no permutation of the group.
        let stays = |(p, &q): (&(_, u32), &u32)| group.points().get(q as usize).is_some_and(|q| q.0 == p.0);
        group.points().iter().zip(images).all(stays) && a.permuted(&group.permutation(images)) == *b
    }

    /// For each point the point of the same canonical name in the other vector.
    fn images(&self, a: &Vector, b: &Vector) -> Option<Vec<u32>> {
        let (from, to) = (self.named(a), self.named(b));
        if from.len() != to.len() {
            return None;
        }
        let mut images = vec![u32::MAX; from.len()];
        for (p, q) in from.into_iter().zip(to) {
            *images.get_mut(p as usize)? = q;
        }
        Some(images)
    }

    /// The points in the order of their names, those outside the core by colour before the others.
    fn named(&self, vector: &Vector) -> Vec<u32> {
        let group = self.context.group();
        let facts = Facts::of(vector, &self.places, group);
        let colours: Vec<u128> = (facts.colours.iter().zip(group.points()))
            .map(|(&c, (s, _))| super::mix::pair(c, super::mix::mix(u128::from(s.0))))
            .collect();
        let core = Core::of(&facts, &colours);
        in_order(&core, &colours)
    }
}
