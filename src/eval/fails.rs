//! Which conjunct says no most often, for whoever waits for a search.
//!
//! In: conjuncts that were false, one by one, of searches for choices (constants, ANY, `:()`). Out: where a limit stops such a
//! search, the place of the one that was false most often, as the place of the fault. The outermost search tells.

use super::Flow;
use super::bind::Run;
use super::ints::is_range;
use crate::diagnostic::Code;
use crate::ir::PredKind;
use crate::ops::Op;
use std::cell::RefCell;
use std::cmp::Reverse;

/// How often each conjunct of a problem was false.
#[derive(Debug, Default)]
pub(super) struct Fails(RefCell<Vec<u64>>);

impl Fails {
    fn note(&self, conjunct: usize) {
        let mut counts = self.0.borrow_mut();
        if counts.len() <= conjunct {
            counts.resize(conjunct + 1, 0);
        }
        if let Some(count) = counts.get_mut(conjunct) {
            *count += 1;
        }
    }

    /// The one that was false most often; of several the heaviest, then the first.
    fn most(&self, weight: impl Fn(usize) -> u32) -> Option<usize> {
        let counts = self.0.borrow();
        let failed = counts.iter().enumerate().filter(|(_, n)| **n > 0);
        failed.max_by_key(|(c, n)| (**n, weight(*c), Reverse(*c))).map(|(c, _)| c)
    }
}

impl Run<'_> {
    /// Notes that a conjunct was false.
    pub(super) fn failed(&self, conjunct: usize) {
        if self.mode.choices {
            self.fails.note(conjunct);
        }
    }

    /// Notes that conjuncts leave no value for integers: those that do not only say in which interval one is. Which of them
    /// it is shows when it is among them time and again.
    pub(super) fn failed_ranges(&self, conjuncts: &[usize]) {
        let typing = |c: &&usize| {
            let PredKind::Op(Op::In, args) = &self.problem.conjs[**c].pred.kind else { return false };
            args.get(1).is_some_and(is_range)
        };
        if self.mode.choices {
            conjuncts.iter().filter(|c| !typing(c)).for_each(|c| self.failed(*c));
        }
    }

    /// The end of the search: where it was interrupted, the fault is at the conjunct that was false most often.
    pub(super) fn told_where(&self, flow: Flow) -> Flow {
        let conjs = &self.problem.conjs;
        let weight = |c: usize| conjs.get(c).map_or(0, |c| c.weight);
        flow.map_err(|mut fault| {
            if fault.0.code == Code::Interrupted
                && let Some(conj) = self.fails.most(weight).and_then(|c| conjs.get(c))
            {
                fault.0.span = Some(conj.pred.span);
                fault.0.fails_most = true;
            }
            fault
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_those_that_fail_most() {
        let fails = Fails::default();
        assert_eq!(fails.most(|_| 0), None);
        [3, 1, 4, 1, 5, 3].into_iter().for_each(|c| fails.note(c));
        assert_eq!(fails.most(|_| 0), Some(1));
        assert_eq!(fails.most(|c| u32::from(c == 3)), Some(3));
    }
}
