//! How long a search goes on before something else is tried.
//!
//! In: decisions, one by one. Out: whether to give up. What else is tried is up to whoever started the search; here is
//! only when: after a few decisions, then again after many times as many, so that it costs a part of the search at most.

use super::bind::Run;
use super::budget::stopped;
use super::meanwhile::DECISION;
use crate::diagnostic::Code;
use crate::ops::Fault;
use std::cell::Cell;

/// Decisions before something else is tried first, and how many times as many before it is tried again.
const FIRST: u64 = 32;
const AGAIN: u64 = 16;

/// The patience of one search.
pub(super) struct Patience<'a> {
    decisions: Cell<u64>,
    until: Cell<u64>,
    /// Tries something else, given how many decisions have been taken.
    otherwise: &'a dyn Fn(u64) -> Otherwise,
}

/// What came of trying something else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Otherwise {
    /// The search is not needed any more.
    Settled,
    /// It took too long, for now.
    Later,
    /// It is of no use.
    Never,
}

impl<'a> Patience<'a> {
    pub(super) fn new(otherwise: &'a dyn Fn(u64) -> Otherwise) -> Self {
        Self { decisions: Cell::new(0), until: Cell::new(FIRST), otherwise }
    }

    /// Counts a decision; whether the search is to be given up.
    pub(super) fn is_over(&self) -> bool {
        let decisions = self.decisions.get() + 1;
        self.decisions.set(decisions);
        if decisions < self.until.get() {
            return false;
        }
        let came = (self.otherwise)(decisions);
        // What is given up counts no more decisions.
        self.until.set(match came {
            Otherwise::Settled => 0,
            Otherwise::Later => decisions.saturating_mul(AGAIN),
            Otherwise::Never => u64::MAX,
        });
        came == Otherwise::Settled
    }
}

impl Run<'_> {
    /// Counts a decision of a search; a fault, as if evaluation were interrupted, if there is no need to go on.
    pub(super) fn decide(&self) -> Result<(), Fault> {
        if self.patience.is_some_and(Patience::is_over) {
            return Err(stopped());
        }
        if self.mode.hasty && super::solve::step() > self.mode.until {
            return Err(Fault::new(Code::TooLarge, "this takes too many decisions"));
        }
        self.follow(DECISION)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn tries_seldom_and_never_again_once_it_is_of_no_use() {
        for (end, last) in [(Otherwise::Settled, 512), (Otherwise::Never, 512)] {
            let asked = RefCell::new(Vec::new());
            let otherwise = |n| {
                asked.borrow_mut().push(n);
                if n < 500 { Otherwise::Later } else { end }
            };
            let patience = Patience::new(&otherwise);
            let over = (0..100_000).position(|_| patience.is_over());
            assert_eq!(over, (end == Otherwise::Settled).then_some(last - 1));
            assert_eq!(*asked.borrow(), [FIRST, FIRST * AGAIN]);
        }
    }
}
