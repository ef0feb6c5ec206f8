//! All images, of which the least is kept: `TopSPIN`'s enumeration.
//!
//! In: a state and a group. Out: the least image; one for the whole class. The permutations are products along a chain of
//! stabilisers, of which parts are used again; values are permuted only where the control part does not decide.

use super::acting::Acting;
use super::image::Image;
use super::{Chosen, Way};
use crate::ops::Interrupt;
use std::ops::ControlFlow;

/// The least of all images.
pub(super) struct Enumerate;

impl Way for Enumerate {
    fn choose(&self, state: Image, group: &Acting, stop: &Interrupt) -> Chosen {
        let mut least = state.clone();
        let _stopped_or_not = group.chain().each(&mut |g| {
            if group.control(&state, g) <= least.control {
                let image = group.moved(&state, g);
                if image < least {
                    least = image;
                }
            }
            if stop.raised() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        Chosen { image: least, unique: true }
    }
}
