//! A reducer that measures what its keys cost.
//!
//! In: a reducer. Out: the same keys, and a counter of nanoseconds. One call in eight is measured, so that
//! reading the clock does not become what is measured. For comparisons only.

use super::{Basis, Count, Guarantee, Inside, Reducer, View};
use crate::model::Twins;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// One call in so many is measured.
const SAMPLE: u64 = 8;

/// The name of the counter.
pub const COUNTER: &str = "key_nanoseconds";

/// A reducer with a clock.
pub struct Timed {
    inner: Box<dyn Reducer>,
    calls: AtomicU64,
    nanos: Arc<AtomicU64>,
}

impl Timed {
    /// Measures a reducer.
    #[must_use]
    pub fn new(inner: Box<dyn Reducer>) -> Self {
        Self { inner, calls: AtomicU64::new(0), nanos: Arc::default() }
    }

    fn measure<R>(&self, work: impl FnOnce() -> R) -> R {
        if !self.calls.fetch_add(1, Ordering::Relaxed).is_multiple_of(SAMPLE) {
            return work();
        }
        let start = Instant::now();
        let result = work();
        let nanos = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.nanos.fetch_add(nanos.saturating_mul(SAMPLE), Ordering::Relaxed);
        result
    }
}

impl Reducer for Timed {
    fn key(&self, state: &[u64]) -> u128 {
        self.measure(|| self.inner.key(state))
    }
    fn keys(&self, states: &[u64], width: usize, out: &mut Vec<u128>) {
        self.measure(|| self.inner.keys(states, width, out));
    }
    fn floods(&self) -> bool {
        self.inner.floods()
    }
    fn basis(&self) -> Basis {
        self.inner.basis()
    }
    fn valuation_key(&self, valuation: u32) -> u128 {
        self.inner.valuation_key(valuation)
    }
    fn further_keys(&self, state: &[u64], f: &mut dyn FnMut(u128)) {
        // These are few and slow: each is measured.
        let start = Instant::now();
        self.inner.further_keys(state, f);
        let nanos = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.nanos.fetch_add(nanos, Ordering::Relaxed);
    }
    fn further_valuation_keys(&self, valuation: u32, f: &mut dyn FnMut(u128)) {
        self.inner.further_valuation_keys(valuation, f);
    }
    fn guarantee(&self) -> Guarantee {
        self.inner.guarantee()
    }
    fn orbit_size(&self, state: &[u64]) -> Option<Count> {
        self.inner.orbit_size(state)
    }
    fn settled(&self, valuations: &[u32]) -> Option<Box<dyn Reducer>> {
        let inner = self.inner.settled(valuations)?;
        Some(Box::new(Timed { inner, calls: AtomicU64::new(0), nanos: Arc::clone(&self.nanos) }))
    }
    fn has_codes(&self) -> bool {
        self.inner.has_codes()
    }
    fn every_orbit(&self) -> Option<Count> {
        self.inner.every_orbit()
    }
    fn is_trivial(&self) -> bool {
        self.inner.is_trivial()
    }
    fn looks_inside(&self) -> bool {
        self.inner.looks_inside()
    }
    fn inside(&self, state: &[u64], twins: Option<&mut Twins>, view: &mut View) -> Inside {
        self.inner.inside(state, twins, view)
    }
    fn keys_from(
        &self,
        targets: &[u64],
        width: usize,
        view: &mut View,
        keys: &mut Vec<u128>,
        twins: Option<&Twins>,
    ) {
        self.measure(|| self.inner.keys_from(targets, width, view, keys, twins));
    }
    fn valuation_orbit_size(&self, valuation: u32) -> Option<Count> {
        self.inner.valuation_orbit_size(valuation)
    }
    fn memory(&self) -> Vec<u64> {
        self.inner.memory()
    }

    fn recall(&self, memory: &[u64]) {
        self.inner.recall(memory);
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let mut all = self.inner.counters();
        all.push((COUNTER, self.nanos.load(Ordering::Relaxed)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::Toy;
    use super::super::{STRATEGIES, build};
    use super::*;
    use crate::ty::{SetId, Ty};

    #[test]
    fn a_clock_changes_nothing_but_counters() {
        let toy = Toy::new(&[3], &[], &[Ty::pow(Ty::Given(SetId(0)))], &[]);
        for strategy in STRATEGIES {
            let made = || build(strategy.name, &toy.context).expect("small sets");
            let (plain, timed) = (made(), Timed::new(made()));
            let facts = |r: &dyn Reducer| {
                let stored = [r.floods(), r.looks_inside(), r.is_trivial(), r.settled(&[0]).is_some()];
                (stored, r.guarantee(), r.basis())
            };
            assert_eq!(facts(&*plain), facts(&timed), "{}", strategy.name);
        }
    }
}
