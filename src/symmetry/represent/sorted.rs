//! The points in the order of their control parts, ties as they come: what `SymmSpin` calls sorted, and `TopSPIN` fast.
//!
//! In: a state and a group. Out: one image; where points with equal controls are in references, states of one class may get
//! different ones.

use super::super::group::perm::Perm;
use super::acting::Acting;
use super::image::Image;
use super::{Chosen, Way};
use crate::ops::Interrupt;

/// The first image with sorted controls.
pub(super) struct Sorted;

impl Way for Sorted {
    fn choose(&self, state: Image, group: &Acting, _stop: &Interrupt) -> Chosen {
        let chain = group.chain();
        let (mut chosen, mut ties) = (Perm::identity(group.degree()), false);
        for level in 0..chain.base().count() {
            let control = |p: u32| state.control(chosen.image(p));
            let least = chain.transversal(level).map(|(p, _)| control(p)).min();
            let mut first = chain.transversal(level).filter(|(p, _)| Some(control(*p)) == least);
            let Some((_, to)) = first.next() else { break };
            ties |= first.next().is_some();
            chosen = to.then(&chosen);
        }
        let unique = !ties || !state.refers && group.is_symmetric();
        Chosen { image: group.moved(&state, &chosen.inverse()), unique }
    }
}
