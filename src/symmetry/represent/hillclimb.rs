//! Local search: from image to lesser image by the generators of the group, until none of them leads on.
//!
//! In: a state and a group. Out: one image; states of one class may get different ones (`TopSPIN`'s local search).

use super::acting::Acting;
use super::image::Image;
use super::{Chosen, Way};
use crate::ops::Interrupt;

/// The least image that local search comes to.
pub(super) struct Hillclimb;

impl Way for Hillclimb {
    fn choose(&self, state: Image, group: &Acting, stop: &Interrupt) -> Chosen {
        let mut image = state;
        while !stop.raised() {
            let least = group.generators.iter().map(|g| group.moved(&image, g)).min();
            match least.filter(|next| *next < image) {
                Some(next) => image = next,
                None => break,
            }
        }
        Chosen { image, unique: group.generators.is_empty() }
    }
}
