//! Symmetry reduction: which states count as the same.
//!
//! In: packed states, their layout, the pool, the group of permutations. Out: 128-bit keys. A strategy is
//! one file here and one row in [`STRATEGIES`]; the explorer knows only the [`Reducer`] trait, so none can
//! be forgotten by a search order. Specification: `docs/` and the papers cited in each file.

/// A way to identify states.
pub trait Reducer: Sync {
    /// The key under which a state is stored.
    fn key(&self, state: &[u64]) -> u128;

    /// The key of a constants valuation as a node of its own.
    fn valuation_key(&self, valuation: u32) -> u128;

    /// Keys to store as already visited once `state` is new (permutation flooding): calls `f` on each.
    fn further_keys(&self, _state: &[u64], _f: &mut dyn FnMut(u128)) {}

    /// As [`Reducer::further_keys`], for a constants valuation.
    fn further_valuation_keys(&self, _valuation: u32, _f: &mut dyn FnMut(u128)) {}

    /// What a finished search has shown.
    fn guarantee(&self) -> Guarantee;
}

/// What a finished search under a strategy has shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guarantee {
    /// Every reachable state is represented, up to a collision of 128-bit fingerprints.
    Fingerprint,
    /// States may have been skipped: no violation found is no proof.
    Approximate,
}

/// A row of the table of strategies.
#[derive(Clone, Copy, Debug)]
pub struct Strategy {
    /// Name on the command line.
    pub name: &'static str,
    /// One line for `--help`.
    pub help: &'static str,
    /// Guarantee when the search finishes (a static certificate may raise it).
    pub guarantee: Guarantee,
}
