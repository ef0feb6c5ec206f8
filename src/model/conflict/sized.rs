//! The conjuncts that have given a deferred set its size, where others cannot hold with it and could with another.
//!
//! In: conjuncts of PROPERTIES that cannot hold together with sizes that nobody has asked for. Out: these with the ones that say
//! no to the other sizes, so that what is named is a contradiction by itself. Deliberately absent: sizes beyond
//! [`SIZES`], and several sets of different sizes.

use super::remedy::SIZES;
use super::{Answer, Puzzle};
use crate::model::card::Origin;
use crate::ty::SetId;

impl Puzzle<'_> {
    /// The parts with those that keep the sets among them from another size; whether all are known to take part.
    pub(super) fn with_sizes(&self, kept: Vec<usize>, smallest: bool) -> (Vec<usize>, bool) {
        let asked = |o: Origin| matches!(o, Origin::Enumerated | Origin::Asked | Origin::Scope);
        let sets = self.sets(&self.exprs(&kept), |o| !asked(o));
        let mut all = kept.clone();
        for set in &sets {
            for size in SIZES.take_while(|_| !self.over()) {
                if self.can_hold(&all, *set, size)
                    && let Some(other) = self.against(&all, *set, size)
                {
                    all.push(other);
                }
            }
        }
        if all.len() == kept.len() {
            return (kept, smallest);
        }
        all.sort_unstable();
        let without = |part: &usize| all.iter().copied().filter(|p| p != part).collect::<Vec<usize>>();
        let needed = |part: &usize| {
            let others = without(part);
            sets.iter().any(|set| SIZES.take_while(|_| !self.over()).any(|n| self.can_hold(&others, *set, n)))
        };
        let smallest = all.iter().all(needed);
        (all, smallest)
    }

    fn can_hold(&self, kept: &[usize], set: SetId, size: u32) -> bool {
        self.with(&self.resized(&[set], size), kept) == Answer::Possible
    }

    /// A part with which others cannot hold.
    fn against(&self, kept: &[usize], set: SetId, size: u32) -> Option<usize> {
        let sizes = self.resized(&[set], size);
        (0..self.parts.len()).filter(|part| !kept.contains(part)).take_while(|_| !self.over()).find(|part| {
            let more: Vec<usize> = kept.iter().copied().chain([*part]).collect();
            self.with(&sizes, &more) == Answer::Impossible
        })
    }
}
