//! The audit of a reduction: of the states that were taken for known ones, a random part is compared with them.
//!
//! In: every stored state with its keys, every state whose key was known. Out: how many were known, how many of
//! them compared, how many found to be different. Which ones depends on their number alone, so an audit
//! repeats. Keeps all states in memory.

use super::expand::Chunk;
use crate::symmetry::Reducer;
use crate::symmetry::iso::Isomorphism;
use std::collections::HashMap;
use std::sync::Arc;

/// What to audit.
#[derive(Clone, Debug)]
pub struct Audit {
    /// The part of the known states that is compared, from 0 to 1.
    pub fraction: f64,
    /// Decides.
    pub judge: Arc<Isomorphism>,
}

/// What an audit has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Audited {
    /// States whose key was known.
    pub known: u64,
    /// Those that were compared with the state stored under the key.
    pub compared: u64,
    /// Those that turned out to be no image of it.
    pub different: u64,
}

impl Audited {
    /// With probability 0.95, at most this part of the known states is different, if none of those compared was.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "an estimate")]
    pub fn bound(&self) -> Option<f64> {
        let one = (self.compared > 0 && self.different == 0).then_some(1.0)?;
        // All of them: nothing is left to chance.
        let rest = if self.compared == self.known { 0.0 } else { 1.0 };
        Some(rest * (one - 0.05f64.powf(one / self.compared as f64)))
    }
}

/// The auditor of one search.
#[derive(Debug)]
pub(super) struct Auditor {
    audit: Audit,
    width: usize,
    states: Vec<u64>,
    /// By key the place of the first word of the stored state.
    stored: HashMap<u128, usize>,
    pub(super) found: Audited,
}

impl Auditor {
    pub(super) fn new(audit: Audit, width: usize) -> Self {
        Self { audit, width, states: Vec::new(), stored: HashMap::new(), found: Audited::default() }
    }

    /// Takes over the edges of a chunk.
    pub(super) fn chunk(&mut self, reducer: &dyn Reducer, chunk: &Chunk) {
        let mut fresh = chunk.fresh.iter().map(|&e| e as usize).peekable();
        for (edge, (key, target)) in chunk.keys.iter().zip(chunk.steps.targets.chunks(self.width)).enumerate()
        {
            let new = fresh.next_if_eq(&edge).is_some();
            self.edge(reducer, *key, target, new);
        }
    }

    /// Takes over a state that was reached.
    pub(super) fn edge(&mut self, reducer: &dyn Reducer, key: u128, state: &[u64], new: bool) {
        if !new {
            return self.known(key, state);
        }
        let at = self.states.len();
        self.states.extend_from_slice(state);
        self.stored.insert(key, at);
        reducer.further_keys(state, &mut |k| {
            self.stored.entry(k).or_insert(at);
        });
    }

    /// A state whose key was known.
    fn known(&mut self, key: u128, state: &[u64]) {
        self.found.known += 1;
        if !drawn(self.found.known, self.audit.fraction) {
            return;
        }
        let first = self.stored.get(&key).and_then(|&at| self.states.get(at..at + self.width));
        self.found.compared += 1;
        self.found.different += u64::from(!first.is_some_and(|s| self.audit.judge.symmetric(s, state)));
    }
}

/// Whether the n-th is drawn: splitmix64 as a coin.
#[allow(clippy::cast_precision_loss, reason = "a probability")]
fn drawn(n: u64, fraction: f64) -> bool {
    // Multiplication modulo 2^64 is what the generator is made of.
    let mixed = |x: u64, shift: u32, by: u64| (x ^ x >> shift).wrapping_mul(by);
    let x = mixed(n.wrapping_mul(0x9e37_79b9_7f4a_7c15), 30, 0xbf58_476d_1ce4_e5b9);
    let x = mixed(x, 27, 0x94d0_49bb_1331_11eb);
    ((x ^ x >> 31) >> 11) as f64 / 2f64.powi(53) < fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_is_a_tenth() {
        let n = (1..=100_000).filter(|&i| drawn(i, 0.1)).count();
        assert!((9_700..10_300).contains(&n), "{n}");
        assert!((1..1000).all(|i| drawn(i, 1.0) && !drawn(i, 0.0)));
    }

    #[test]
    fn no_failure_among_many_bounds_the_rest() {
        let bound = |known, compared, different| Audited { known, compared, different }.bound();
        assert!(bound(9999, 300, 0).is_some_and(|b| (0.0098..0.0100).contains(&b)));
        assert_eq!(bound(300, 300, 0), Some(0.0));
        assert_eq!((bound(300, 0, 0), bound(300, 100, 1)), (None, None));
    }
}
