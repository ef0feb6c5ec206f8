//! No reduction: the key of a state is a hash of its words.
//!
//! In: a packed state. Out: its hash. Equal values have equal words (`layout`), so states are the same
//! exactly if their words are; the hash and what it promises are in `mix`. States of one word have keys of one
//! word, which never collide: the hash is a bijection.

use super::{Basis, Context, Count, Guarantee, Reducer, mix};

/// Tags that keep states and valuations apart.
const STATE: u128 = 1;
const VALUATION: u128 = 2;

/// The reducer that identifies nothing.
#[derive(Clone, Copy, Debug)]
pub struct Off {
    narrow: bool,
}

impl Off {
    /// A reducer for one run.
    #[must_use]
    pub fn new(context: &Context) -> Self {
        // With one valuation a state is its second word.
        Self { narrow: context.machine.constants.is_empty() && context.layout.words == 2 }
    }
}

impl Reducer for Off {
    fn key(&self, state: &[u64]) -> u128 {
        match *state {
            [_, word] if self.narrow => u128::from(mix::word(word)),
            _ => mix::words(STATE, state),
        }
    }

    fn keys(&self, states: &[u64], width: usize, out: &mut Vec<u128>) {
        out.extend(states.chunks_exact(width).map(|s| self.key(s)));
    }

    fn narrow(&self) -> bool {
        self.narrow
    }

    fn valuation_key(&self, valuation: u32) -> u128 {
        mix::words(VALUATION, &[u64::from(valuation)])
    }

    fn valuation_orbit_size(&self, _valuation: u32) -> Option<Count> {
        Some(Count::ONE)
    }

    fn basis(&self) -> Basis {
        Basis::Equality
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Fingerprint
    }
}
