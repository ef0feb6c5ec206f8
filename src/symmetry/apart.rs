//! Valuations of the constants that leave nothing to permute: each state is the only one of its orbit under them.
//!
//! In: a packed state. Out: what `off` makes of it, codes where they are possible. Deliberately absent: whether the
//! valuations are such, and no images of each other (`exact` decides).

use super::off::Off;
use super::{Basis, Context, Count, Guarantee, Reducer};

/// The reducer of such valuations.
pub(super) struct Apart {
    off: Off,
    /// The size of every orbit.
    orbit: Count,
}

impl Apart {
    /// For states of these valuations.
    pub(super) fn new(context: &Context, valuations: &[u32], orbit: Count) -> Self {
        Self { off: Off::with_codes(context, valuations), orbit }
    }
}

impl Reducer for Apart {
    fn key(&self, state: &[u64]) -> u128 {
        self.off.key(state)
    }

    fn keys(&self, states: &[u64], width: usize, out: &mut Vec<u128>) {
        self.off.keys(states, width, out);
    }

    fn has_codes(&self) -> bool {
        self.off.has_codes()
    }

    fn valuation_key(&self, valuation: u32) -> u128 {
        self.off.valuation_key(valuation)
    }

    fn orbit_size(&self, _state: &[u64]) -> Option<Count> {
        Some(self.orbit.clone())
    }

    fn every_orbit(&self) -> Option<Count> {
        Some(self.orbit.clone())
    }

    fn memory(&self) -> Vec<u64> {
        self.off.memory()
    }

    fn recall(&self, memory: &[u64]) {
        self.off.recall(memory);
    }

    fn basis(&self) -> Basis {
        Basis::Equality
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Fingerprint
    }
}
