//! A bound on the work of one run.
//!
//! In: loops as they nest. Out: a counter of rounds in those that could run long, which voids the run when it is used
//! up: this code cannot be interrupted, but the plain evaluator, which takes over then, can. Nests of loops that
//! are short whatever the state is count nothing. What is tried first has a short counter: where loops try everything, the
//! plain evaluator may find the few solutions at once, or it may not, so it is asked before the long counter.

use super::{Lower, Res};
use crate::compile::word::{Bin, Ins, Opd, Reg};

/// Rounds of a whole nest that need no counting.
const FREE: u64 = 1 << 22;
/// Rounds that are counted before the run is void: some tenths of a second in native code.
const FULL: u64 = 1 << 26;
/// The same for a run that is a try: few milliseconds.
const SHORT: u64 = 1 << 20;

/// The loops around what is being compiled.
#[derive(Debug)]
pub(super) struct Fuel {
    /// The most rounds that they run together.
    rounds: u64,
    /// What is left, if anything counts.
    left: Option<Reg>,
    /// Whether runs are tries.
    short: bool,
    /// Whether loops run that do not look for anything (WHILE): nobody else has fewer rounds to go.
    bound_to: bool,
}

impl Default for Fuel {
    fn default() -> Self {
        Self { rounds: 1, left: None, short: false, bound_to: false }
    }
}

impl Fuel {
    /// The register that counts, if anything does yet.
    pub(super) fn counter(&self) -> Option<Reg> {
        self.left
    }

    /// Counts in another register, or in none yet.
    pub(super) fn count_in(&mut self, counter: Option<Reg>) {
        self.left = counter;
    }
}

impl Lower<'_> {
    /// Emits the body of a loop of at most so many rounds.
    pub(super) fn round<T>(&mut self, most: u64, f: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let around = self.fuel.rounds;
        self.fuel.rounds = around.saturating_mul(most.max(1));
        if self.fuel.rounds > FREE {
            self.burn();
        }
        let r = self.nest(f);
        self.fuel.rounds = around;
        r
    }

    /// Makes the runs tries.
    pub(crate) fn try_shortly(&mut self) {
        self.fuel.short = true;
    }

    /// Emits the body of a WHILE loop.
    pub(super) fn round_of_while<T>(&mut self, f: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        self.fuel.bound_to = true;
        self.round(u64::MAX, f)
    }

    /// Whether a run may be void only for having been a try.
    pub(crate) fn is_try(&self) -> bool {
        self.fuel.short && self.fuel.left.is_some() && !self.fuel.bound_to
    }

    /// Whether what is emitted now may run more than once.
    pub(super) fn in_loop(&self) -> bool {
        self.fuel.rounds > 1
    }

    fn burn(&mut self) {
        let left = match self.fuel.left {
            Some(r) => r,
            None => *self.fuel.left.insert(self.b.reg()),
        };
        let less = self.bin(Bin::Sub, Opd::R(left), Opd::K(1));
        self.b.set(left, less);
        let bail = self.bail;
        self.require(Opd::R(left), bail);
    }

    /// Fills the counter, if there is one, before anything else runs.
    pub(super) fn fill(&mut self) {
        let most = if self.is_try() { SHORT } else { FULL };
        if let Some(left) = self.fuel.left {
            self.b.first(Ins::Copy(left, Opd::K(most)));
        }
    }
}
