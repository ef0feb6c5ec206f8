//! The reducer by symmetry markers, with any of the rules of `marker`.
//!
//! In: a packed state. Out: the hash of its marker. Approximate in general: the representative of a marker
//! is the first state met, and another state with that marker need not be symmetric to it.

use super::marker::{self, Rules};
use super::vector::{Places, Vector};
use super::{Context, Guarantee, MarkerHash, Reducer, audit};

/// The reducer by markers.
pub struct Markers {
    context: Context,
    places: Places,
    rules: Rules,
}

impl Markers {
    /// A reducer for one run.
    #[must_use]
    pub fn new(context: &Context, rules: Rules) -> Self {
        Self { context: context.clone(), places: Places::new(context), rules }
    }

    fn hash(&self, vector: &Vector) -> u128 {
        match self.context.marker_hash {
            MarkerHash::Sums => marker::marker(vector, &self.places, self.rules, self.context.group()),
            MarkerHash::Blake3 => audit::marker(vector, self.rules, self.context.group()),
        }
    }
}

impl Reducer for Markers {
    fn key(&self, state: &[u64]) -> u128 {
        self.hash(&Vector::of_state(&self.context, state))
    }

    fn valuation_key(&self, valuation: u32) -> u128 {
        self.hash(&Vector::of_valuation(&self.context, valuation))
    }

    fn guarantee(&self) -> Guarantee {
        if self.context.group().is_trivial() { Guarantee::Fingerprint } else { Guarantee::Approximate }
    }
}
