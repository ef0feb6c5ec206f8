//! A bound on the steps of one evaluation, for those who have another way to go.
//!
//! In: a number of steps. Out: while the [`Budget`] lives, evaluation by this thread that takes more of them ends like one
//! that is interrupted: nothing in between takes that for a property of a formula, and nothing is remembered of it.

use super::Evaluator;
use crate::diagnostic::Code;
use crate::ops::Fault;
use std::cell::Cell;

thread_local! {
    /// Steps left; all of them if nobody counts.
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// Bounds what this thread evaluates as long as it lives.
#[derive(Debug)]
pub struct Budget {
    around: u64,
}

impl Budget {
    /// A budget of so many steps; without bound for `u64::MAX`.
    #[must_use]
    pub fn of(steps: u64) -> Self {
        Self { around: LEFT.replace(steps) }
    }

    /// Counts what is no step of an evaluation.
    pub fn spend(&self, steps: u64) {
        if LEFT.get() != u64::MAX {
            LEFT.set(LEFT.get().saturating_sub(steps));
        }
    }

    /// Whether evaluation may have been cut off.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        LEFT.get() == 0
    }
}

impl Drop for Budget {
    fn drop(&mut self) {
        LEFT.set(self.around);
    }
}

/// Takes one step of the budget; false if none is left.
fn spend() -> bool {
    match LEFT.get() {
        u64::MAX => true,
        0 => false,
        n => {
            LEFT.set(n - 1);
            true
        }
    }
}

/// The fault that says that evaluation is to stop.
pub(super) fn stopped() -> Fault {
    Fault::new(Code::Interrupted, "evaluation was stopped")
}

/// How many steps of the budget are left.
pub(super) fn left() -> u64 {
    LEFT.get()
}

impl Evaluator {
    /// Counts steps that were taken already, no more than are left.
    pub(crate) fn went_on(&self, steps: u64) {
        if LEFT.get() != u64::MAX {
            LEFT.set(LEFT.get().saturating_sub(steps));
        }
    }

    /// What is found in so many steps, at most, of those that are left, and how many it took, which this thread has taken then.
    pub(super) fn in_steps<T>(&self, most: u64, find: impl FnOnce() -> T) -> (T, u64) {
        let most = most.min(left());
        let budget = Budget::of(most);
        let found = find();
        let took = most - left();
        drop(budget);
        self.went_on(took);
        (found, took)
    }

    /// Whether evaluation by this thread is to stop: then what was found may not be all there is.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.world.interrupt.raised() || LEFT.get() == 0
    }

    /// Counts a step of an evaluation that may take many.
    ///
    /// # Errors
    /// The fault that says that evaluation is to stop.
    pub(crate) fn go_on(&self) -> Result<(), Fault> {
        if self.world.interrupt.raised() || !spend() {
            return Err(stopped());
        }
        Ok(())
    }
}
