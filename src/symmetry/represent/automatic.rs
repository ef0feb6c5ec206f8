//! `TopSPIN`'s choice among the ways, state by state.
//!
//! In: a state and a group. Out: the image that one of the ways gives: all images of a small group; exchanges of columns where
//! nothing refers to several points; segments while few permutations keep the control part; else local search. What
//! decides is the same for all states of a class, so a class has one representative if the way that it goes gives one.

use super::super::Count;
use super::super::counts;
use super::acting::Acting;
use super::enumerate::Enumerate;
use super::hillclimb::Hillclimb;
use super::image::Image;
use super::minimise::Minimise;
use super::segment::Segment;
use super::{Chosen, Way};
use crate::ops::Interrupt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Groups of fewer permutations are enumerated, as Donaldson, Miller and Calder suggest.
const FEW: u64 = 100;

/// Segments of more permutations are left to local search: some 10 ms a state.
const MOST: u64 = 5000;

/// The ways, with how often each was taken.
#[derive(Default)]
pub(super) struct Automatic([AtomicU64; 4]);

/// In the order of the counters.
const WAYS: [(&str, &dyn Way); 4] = [
    ("by enumeration", &Enumerate),
    ("by a minimising set", &Minimise),
    ("by segments", &Segment),
    ("by local search", &Hillclimb),
];

impl Way for Automatic {
    fn choose(&self, state: Image, group: &Acting, stop: &Interrupt) -> Chosen {
        let way = if *group.order() < Count::from(FEW) {
            0
        } else if !state.refers && group.factors().iter().all(|f| f.exchanges.is_some()) {
            1
        } else if group.keeping_control(&state) <= Count::from(MOST) {
            2
        } else {
            3
        };
        self.0[way].fetch_add(1, Ordering::Relaxed);
        WAYS[way].1.choose(state, group, stop)
    }

    fn memory(&self) -> Vec<u64> {
        counts::words(&self.0)
    }

    fn recall(&self, memory: &[u64]) {
        counts::set_words(&self.0, memory);
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        WAYS.iter().zip(&self.0).map(|((name, _), n)| (*name, n.load(Ordering::Relaxed))).collect()
    }
}
