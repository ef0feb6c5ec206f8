//! Of the images whose control part is least the least one: segmentation for states with references, and, under full symmetric
//! groups, what `SymmSpin` calls segmented.
//!
//! In: a state and a group. Out: one image for the whole class (Donaldson and Miller, algorithm 3). Which control part is least
//! is found going down a chain of stabilisers, a place of its base at a time; what ties there is the coset of the stabiliser
//! of the partition into equal controls, and all of it is tried.

use super::super::group::perm::Perm;
use super::acting::Acting;
use super::image::Image;
use super::{Chosen, Way};
use crate::ops::Interrupt;

/// The least image among those with the least control part.
pub(super) struct Segment;

impl Way for Segment {
    fn choose(&self, state: Image, group: &Acting, stop: &Interrupt) -> Chosen {
        let mut descent = Descent { group, state: &state, stop, controls: Vec::new(), least: None };
        descent.go(0, &Perm::identity(group.degree()));
        let least = descent.least;
        Chosen { image: least.unwrap_or(state), unique: true }
    }
}

/// A way down the chain.
struct Descent<'a> {
    group: &'a Acting,
    state: &'a Image,
    stop: &'a Interrupt,
    /// The least controls of the places of the base that were met.
    controls: Vec<u128>,
    /// The least image with these.
    least: Option<Image>,
}

impl Descent<'_> {
    /// From a level on; `chosen` takes each place of the base before it to the point that comes there.
    fn go(&mut self, level: usize, chosen: &Perm) {
        let mut next: Vec<(u128, &Perm)> = (self.group.chain().transversal(level))
            .map(|(p, to)| (self.state.control(chosen.image(p)), to))
            .collect();
        if next.is_empty() {
            let image = self.group.moved(self.state, &chosen.inverse());
            self.least = self.least.take().into_iter().chain([image]).min();
            return;
        }
        next.sort_by_key(|(control, _)| *control);
        for (control, to) in next {
            match self.controls.get(level) {
                Some(least) if control > *least => return,
                Some(least) if control == *least => {}
                _ => {
                    self.controls.truncate(level);
                    self.controls.push(control);
                    self.least = None;
                }
            }
            if self.stop.raised() {
                return;
            }
            self.go(level + 1, &to.then(chosen));
        }
    }
}
