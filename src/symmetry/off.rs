//! No reduction: the key of a state is a hash of its words.
//!
//! In: a packed state. Out: its hash. Equal values have equal words (`layout`), so states are the same
//! exactly if their words are; the hash and what it promises are in `mix`. Small states have codes, which never
//! collide (`code`).

use super::code::Code;
use super::{Basis, Context, Count, Guarantee, Reducer, mix};

/// Tags that keep states and valuations apart.
const STATE: u128 = 1;
const VALUATION: u128 = 2;

/// The reducer that identifies nothing.
pub struct Off {
    context: Context,
    code: Option<Code>,
}

impl Off {
    /// A reducer for one run.
    #[must_use]
    pub fn new(context: &Context) -> Self {
        Self { context: context.clone(), code: None }
    }

    /// The same for states of these valuations, with codes if they are small enough.
    pub(super) fn with_codes(context: &Context, valuations: &[u32]) -> Self {
        let most = valuations.iter().copied().max().unwrap_or(0);
        Self { context: context.clone(), code: Code::new(context, most) }
    }
}

impl Reducer for Off {
    fn key(&self, state: &[u64]) -> u128 {
        match &self.code {
            Some(code) => code.code(state).into(),
            None => mix::words(STATE, state),
        }
    }

    fn keys(&self, states: &[u64], width: usize, out: &mut Vec<u128>) {
        match &self.code {
            Some(code) => code.codes(states, width, out),
            None => out.extend(states.chunks_exact(width).map(|s| mix::words(STATE, s))),
        }
    }

    fn settled(&self, valuations: &[u32]) -> Option<Box<dyn Reducer>> {
        let coded = Self::with_codes(&self.context, valuations);
        if coded.has_codes() { Some(Box::new(coded)) } else { None }
    }

    fn has_codes(&self) -> bool {
        self.code.is_some()
    }

    fn is_trivial(&self) -> bool {
        true
    }

    fn valuation_key(&self, valuation: u32) -> u128 {
        mix::words(VALUATION, &[u64::from(valuation)])
    }

    fn valuation_orbit_size(&self, _valuation: u32) -> Option<Count> {
        Some(Count::ONE)
    }

    fn memory(&self) -> Vec<u64> {
        self.code.as_ref().map_or_else(Vec::new, Code::numbers)
    }

    fn recall(&self, memory: &[u64]) {
        self.code.iter().for_each(|code| code.number_again(memory));
    }

    fn basis(&self) -> Basis {
        Basis::Equality
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Fingerprint
    }
}
