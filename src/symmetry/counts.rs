//! Which way keys of stored states were made, and what that says of them.
//!
//! In: the way of one state after the other, from all threads. Out: counters for reports, and why states of one key are symmetric.

use super::Basis;
use super::settle::Way;
use std::sync::atomic::{AtomicU64, Ordering};

/// How the key of a state is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Went {
    /// From all images.
    Images,
    /// From those under what the constants leave of the group.
    Residual,
    /// Without names.
    Alone,
    /// With names that colours, twins or links give.
    Discrete,
    Twins,
    Linked,
    /// With names that a search gives.
    Search,
}

impl From<Option<Way>> for Went {
    fn from(way: Option<Way>) -> Self {
        match way {
            None => Self::Alone,
            Some(Way::Discrete) => Self::Discrete,
            Some(Way::Twins) => Self::Twins,
            Some(Way::Linked) => Self::Linked,
            Some(Way::Search) => Self::Search,
        }
    }
}

/// What counters have counted, as a reducer remembers it.
pub(super) fn words(counters: &[AtomicU64]) -> Vec<u64> {
    counters.iter().map(|n| n.load(Ordering::Relaxed)).collect()
}

/// Lets counters go on from there.
pub(super) fn set_words(counters: &[AtomicU64], words: &[u64]) {
    counters.iter().zip(words).for_each(|(n, was)| n.store(*was, Ordering::Relaxed));
}

/// How many stored states went which way.
#[derive(Default)]
pub(super) struct Counts([AtomicU64; 7]);

impl Counts {
    /// Counts one more.
    pub(super) fn add(&self, went: Went) {
        self.0[went as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// All of them.
    pub(super) fn all(&self) -> Vec<u64> {
        words(&self.0)
    }

    /// Goes on counting from there.
    pub(super) fn set(&self, all: &[u64]) {
        set_words(&self.0, all);
    }

    fn read(&self, went: Went) -> u64 {
        self.0[went as usize].load(Ordering::Relaxed)
    }

    /// Why states of one key are symmetric; `no_functions` is whether the certificate asks nothing of states, if there is one.
    pub(super) fn basis(&self, no_functions: Option<bool>) -> Basis {
        let (alone, labelling) = (self.read(Went::Alone), self.read(Went::Search));
        let residual = self.read(Went::Residual);
        let named = self.read(Went::Discrete) + self.read(Went::Twins) + self.read(Went::Linked);
        // What the certificate asks of states holds where no points had to be named.
        match no_functions {
            Some(none) if none || named + labelling + residual == 0 => Basis::Types,
            _ if residual > 0 && alone + named + labelling == 0 => Basis::Enumeration,
            _ => Basis::States { certificate: alone + named + residual, labelling },
        }
    }

    /// For reports, where keys are made from images.
    pub(super) fn of_images(&self) -> Vec<(&'static str, u64)> {
        vec![("by images", self.read(Went::Images))]
    }

    /// For reports, where they are made with names.
    pub(super) fn of_names(&self) -> Vec<(&'static str, u64)> {
        let all = [
            ("alone", Went::Alone),
            ("named by colour", Went::Discrete),
            ("named with twins", Went::Twins),
            ("named with links", Went::Linked),
            ("named by search", Went::Search),
            ("by residual group", Went::Residual),
        ];
        all.map(|(name, went)| (name, self.read(went))).into()
    }
}
