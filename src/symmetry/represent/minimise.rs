//! The state that no exchange of two columns makes less: `TopSPIN`'s minimising sets.
//!
//! In: a state and a group. Out: one image. Where each factor of the group is the symmetric group of its columns (`acting`) and
//! nothing refers to several points, that is the least image; elsewhere states of one class may get different ones. Of a
//! factor without columns the generators are tried.

use super::acting::{Acting, Factor};
use super::image::Image;
use super::{Chosen, Way};
use crate::ops::Interrupt;

/// What exchanges do not make less.
pub(super) struct Minimise;

impl Way for Minimise {
    fn choose(&self, state: Image, group: &Acting, stop: &Interrupt) -> Chosen {
        let unique = group.generators.is_empty()
            || !state.refers && group.factors().iter().all(|f| f.exchanges.is_some());
        let mut image = state;
        loop {
            let mut changed = false;
            for p in group.factors().iter().flat_map(Factor::tried) {
                if group.control(&image, p) <= image.control {
                    let moved = group.moved(&image, p);
                    if moved < image {
                        (image, changed) = (moved, true);
                    }
                }
            }
            if !changed || stop.raised() {
                return Chosen { image, unique };
            }
        }
    }
}
