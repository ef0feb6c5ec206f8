//! The end of a way: all cells are decided.
//!
//! In: the cells, the constraints that are known to hold. Out: the values of the unknowns, and which conjuncts need not be
//! tested again since constraints said all of them, or since they have been evaluated already.

use super::Search;
use crate::diagnostic::Code;
use crate::eval::pattern::put;
use crate::eval::{Env, Flow, Sink, solve};
use crate::ops::Fault;
use std::ops::ControlFlow::Continue;
use std::ops::Range;

/// Values of so many cells are large.
const LARGE: usize = 64;

impl Search<'_> {
    /// Whether nothing is left to be found out, and there are more solutions than are of use.
    pub(super) fn has_too_many(&self) -> bool {
        let most = self.run.mode.most;
        if most == u64::MAX || self.run.sieve.is_some() || !self.settled.iter().all(|s| *s) {
            return false;
        }
        // Every choice of options is another solution.
        self.says_all() && self.cells.cells.iter().fold(1, |n: u64, c| n.saturating_mul(c.left.into())) > most
    }

    /// Whether nothing remains to be tested or given a value where all constraints hold.
    pub(super) fn says_all(&self) -> bool {
        let given = |i: usize| self.bound.contains(i) || self.shapes.contains_key(&i);
        let said =
            |c: &usize| self.exact.iter().any(|(conj, made)| conj == c && self.doubted_of(made).is_empty());
        self.scope.iter().all(given) && self.rest.iter().all(said)
    }

    /// Those of some constraints that may have no value.
    fn doubted_of(&self, made: &Range<usize>) -> &[usize] {
        let at = |c: usize| self.doubted.partition_point(|d| *d < c);
        &self.doubted[at(made.start)..at(made.end)]
    }

    pub(super) fn leaf(&mut self, env: &mut Env, f: Sink<'_>) -> Flow {
        let run = self.run;
        let n = self.cells.cells.len();
        if n >= LARGE && solve::cells(n) > run.mode.cells {
            return Err(Fault::new(Code::TooLarge, "too many large values to be put in extension"));
        }
        for (var, shape) in &self.shapes {
            let Some(v) = self.pairs.get_mut().value(&self.cells, shape) else { return Ok(Continue(())) };
            put(env, run.problem.unknowns[*var].slot, v);
        }
        let before = run.proved.borrow().clone();
        for (conj, made) in &self.exact {
            if self.settled[made.clone()].iter().all(|s| *s)
                && self.doubted_of(made).iter().all(|c| self.evaluated[*c])
            {
                run.proved.borrow_mut().insert(*conj);
            }
        }
        let flow = f(run.ev, env);
        run.proved.replace(before);
        flow
    }
}
