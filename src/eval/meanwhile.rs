//! Word from a long search: whoever wants its solutions is asked now and then whether to go on.
//!
//! In: steps of one search, by their number, so that what comes of it depends on nothing else. Out: calls of a function, the
//! first after some milliseconds, each after several times as many steps as the one before.

use super::bind::Run;
use super::budget::stopped;
use crate::ops::Fault;
use std::cell::Cell;

/// Steps before the first question, and how many times as many before the next.
const FIRST: u64 = 1 << 12;
const AGAIN: u64 = 4;

/// What a decision of a search counts, after which constraints are looked at.
pub(super) const DECISION: u64 = 16;

/// Asks during one search.
pub(super) struct Meanwhile<'a> {
    steps: Cell<u64>,
    until: Cell<u64>,
    /// Whether to go on.
    ask: &'a dyn Fn() -> bool,
}

impl<'a> Meanwhile<'a> {
    pub(super) fn new(ask: &'a dyn Fn() -> bool) -> Self {
        Self { steps: Cell::new(0), until: Cell::new(FIRST), ask }
    }

    /// Counts steps; whether to go on.
    fn count(&self, steps: u64) -> bool {
        let steps = self.steps.get().saturating_add(steps);
        self.steps.set(steps);
        if steps < self.until.get() {
            return true;
        }
        let on = (self.ask)();
        // Whoever wants no more is not asked again.
        self.until.set(if on { steps.saturating_mul(AGAIN) } else { 0 });
        on
    }
}

impl Run<'_> {
    /// Counts steps of a search that its caller follows; a fault, as if evaluation were interrupted, if there is no need to go
    /// on.
    pub(super) fn follow(&self, steps: u64) -> Result<(), Fault> {
        if self.meanwhile.is_some_and(|m| !m.count(steps)) {
            return Err(stopped());
        }
        self.take_turn(steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asks_more_and_more_seldom() {
        let asked = Cell::new(0);
        let ask = || {
            asked.set(asked.get() + 1);
            asked.get() < 4
        };
        let meanwhile = Meanwhile::new(&ask);
        let end = (1..=FIRST * AGAIN.pow(4)).find(|_| !meanwhile.count(1));
        assert_eq!(end, Some(FIRST * AGAIN.pow(3)));
        assert!(!meanwhile.count(1));
    }
}
