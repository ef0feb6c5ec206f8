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
        let tried = |f: &Factor| f.exchanges.as_ref().unwrap_or(&f.generators).clone();
        let tried: Vec<_> = group.factors().iter().flat_map(tried).collect();
        let mut image = state;
        loop {
            let before = image.clone();
            for p in &tried {
                let moved = group.control(&image, p).cmp(&image.control);
                if moved.is_le() {
                    image = group.moved(&image, p).min(image);
                }
            }
            if image == before || stop.raised() {
                return Chosen { image, unique };
            }
        }
    }
}
