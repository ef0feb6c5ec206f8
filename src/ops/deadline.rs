//! A bound on the time of one evaluation, for those who go on without its result.
//!
//! In: a duration. Out: while the [`TimeBudget`] lives, evaluation by this thread that goes on longer ends like one that is
//! interrupted. The clock is looked at now and then, where evaluation asks whether it is to stop, so that it costs next to nothing.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// Questions between two looks at the clock.
const SELDOM: u32 = 64;

thread_local! {
    /// When time is up, if anybody has said so.
    static UNTIL: Cell<Option<Instant>> = const { Cell::new(None) };
    static PASSED: Cell<bool> = const { Cell::new(false) };
    static ASKED: Cell<u32> = const { Cell::new(0) };
}

/// Bounds the time of what this thread evaluates as long as it lives.
#[derive(Debug)]
pub struct TimeBudget {
    around: (Option<Instant>, bool),
}

impl TimeBudget {
    /// A budget of so much time from now on, and no more than there is around it.
    #[must_use]
    pub fn of(time: Duration) -> Self {
        let around = (UNTIL.get(), PASSED.get());
        let until = Instant::now().checked_add(time);
        UNTIL.set(around.0.into_iter().chain(until).min());
        Self { around }
    }

    /// Whether evaluation may have been cut off.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        PASSED.get()
    }
}

impl Drop for TimeBudget {
    fn drop(&mut self) {
        UNTIL.set(self.around.0);
        PASSED.set(self.around.1);
    }
}

/// Whether the time of this thread is up. Once it is, it stays so until the budget is gone.
pub(super) fn passed() -> bool {
    UNTIL.get().is_some_and(|until| PASSED.get() || look(until))
}

#[cold]
fn look(until: Instant) -> bool {
    let asked = ASKED.get().wrapping_add(1);
    ASKED.set(asked);
    let passed = asked.is_multiple_of(SELDOM) && Instant::now() >= until;
    PASSED.set(passed);
    passed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_up_until_the_budget_is_gone() {
        let asks = || (0..2 * SELDOM).any(|_| passed());
        assert!(!asks());
        {
            let outer = TimeBudget::of(Duration::from_hours(1));
            assert!(!asks());
            {
                let inner = TimeBudget::of(Duration::ZERO);
                assert!(asks() && passed() && inner.is_spent());
            }
            assert!(!asks() && !outer.is_spent());
        }
        let _none = TimeBudget::of(Duration::ZERO);
        let more = TimeBudget::of(Duration::from_hours(1));
        assert!(asks() && more.is_spent());
    }
}
