//! Solutions tested again, as a whole: a net below the solver.
//!
//! In: the end of a plan, with values for all that it binds. Out: a fault that says so if a conjunct is false for them, which is
//! an error of the solver. The first solutions of each problem and one in so many later are tested; in debug builds all. To test
//! all in release builds would cost more than half. Absent: conjuncts without a value, which are reported elsewhere, and
//! solutions that are not found: only another way to find them shows those (`enumerate`).

use super::bind::Run;
use super::budget::Budget;
use super::plan::Node;
use super::{Env, solve};
use crate::diagnostic::Code;
use crate::ops::Fault;
use std::sync::atomic::{AtomicU32, Ordering};

/// So many solutions of each problem are tested: those of a machine's PROPERTIES, or of the guard of an operation in its first
/// states.
const FIRST: u32 = 32;

/// One in so many of the others.
const LATER: u32 = 1024;

/// Most steps of one test; debug builds take those of a list that is long.
const STEPS: u64 = if cfg!(debug_assertions) { 1 << 16 } else { 1000 };

/// How many solutions of a problem there have been.
#[derive(Debug, Default)]
pub(super) struct Solutions(AtomicU32);

impl Solutions {
    /// Counts one more; whether it is to be tested. Threads may count at once: which ones are tested does not matter.
    fn is_due(&self) -> bool {
        let n = self.0.load(Ordering::Relaxed);
        self.0.store(n.wrapping_add(1), Ordering::Relaxed);
        n < FIRST || n.is_multiple_of(LATER) || cfg!(debug_assertions)
    }
}

impl Run<'_> {
    /// A fault if what has been found to be a solution, and is due to be tested, is none; false if what makes it none is a conjunct
    /// that was left open, which has been noted.
    pub(super) fn confirm(&self, node: &Node, env: &mut Env) -> Result<bool, Fault> {
        let open = self.open.borrow();
        if open.is_empty() && !self.problem.solutions.is_due() {
            return Ok(true);
        }
        let denied = solve::uncounted(|| {
            let _budget = Budget::of(STEPS.min(super::budget::left()));
            self.denied(node, env)
        });
        if denied.is_some_and(|c| open.contains(c)) {
            return Ok(false);
        }
        debug_assert_eq!(denied, None, "a conjunct that is false for a solution");
        let Some(c) = denied.and_then(|c| self.problem.conjs.get(c)) else { return Ok(true) };
        let text = "an error of bsym: this is false for values that were found to make it true";
        Err(Fault::new(Code::Disproved, text).at(c.pred.span))
    }

    /// Of what has been found to be a solution, a conjunct that is false. Not inlined: a profile then shows what it costs.
    #[inline(never)]
    fn denied(&self, node: &Node, env: &mut Env) -> Option<usize> {
        let conjs = self.problem.conjs.iter().enumerate().take(self.problem.active);
        let mut known = conjs.filter(|(_, c)| c.reads.is_subset(&node.bound)).map(|(i, _)| i);
        known.find(|c| matches!(self.test(*c, env), Ok(false)))
    }
}
