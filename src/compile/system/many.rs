//! Edges of many states from compiled code.
//!
//! In: states, one after the other. Out: the edges of each, by all operations in one run where that is possible, by one
//! operation after the other where it is not: the same edges in the same order.

use super::sieve::Sieve;
use super::{Compiled, CompiledOp, CompiledSystem, Offered, Scratch, codes};
use crate::model::{Plain, Steps, System};

impl<P: Plain> CompiledSystem<P> {
    /// Adds the edges of states, and closes each.
    pub(super) fn edges_of(&self, states: &[u64], s: &mut Scratch, out: &mut Steps) {
        let width = self.width();
        let mut rest = states;
        while let Some(valuation) = rest.first() {
            let own = rest.chunks(width).take_while(|s| s.first() == Some(valuation)).count();
            let (these, others) = rest.split_at_checked(own * width).unwrap_or((rest, &[]));
            self.of_one_valuation(self.compiled(these), these, s, out);
            rest = others;
        }
    }

    fn of_one_valuation(&self, c: Option<&Compiled>, states: &[u64], s: &mut Scratch, out: &mut Steps) {
        let width = self.width();
        let offered = c.map(|c| self.offered(c, None));
        let mut rest = states;
        while let Some(done) = offered.and_then(|o| self.together(o, rest, s, out)) {
            out.close_all(&s.ends, self.plain.offered().len());
            rest = rest.get(done * width..).unwrap_or(&[]);
            let Some((state, others)) = rest.split_at_checked(width) else { return };
            self.one_by_one(offered, state, s, out);
            out.close();
            rest = others;
        }
        for state in rest.chunks(width) {
            self.one_by_one(offered, state, s, out);
            out.close();
        }
    }

    /// Adds the edges of a state.
    pub(super) fn edges_of_one(&self, state: &[u64], s: &mut Scratch, out: &mut Steps) {
        let offered = self.compiled(state).map(|c| self.offered(c, None));
        if offered.and_then(|o| self.together(o, state, s, out)) == Some(1) {
            out.pushed_all(&s.ends);
        } else {
            self.one_by_one(offered, state, s, out);
        }
    }

    /// Adds the edges of a state, one operation after the other.
    fn one_by_one(&self, offered: Option<&Offered>, state: &[u64], s: &mut Scratch, out: &mut Steps) {
        let ops = codes(offered);
        let mut open = std::mem::take(&mut s.open);
        self.each_open(offered, state, &mut open, |number| self.edges(state, ops, number, s, out));
        s.open = open;
    }

    /// Runs all operations on states until one gives up: how many states are done, their targets in `out` and the numbers of
    /// these in `s.ends`. `None` if they are to be run one by one.
    fn together(&self, offered: &Offered, states: &[u64], s: &mut Scratch, out: &mut Steps) -> Option<usize> {
        s.ends.clear();
        if offered.sieve.as_ref().is_some_and(Sieve::is_sharp) {
            return None;
        }
        // Tries that are left out would be made together all the same.
        if !self.native || offered.codes.iter().flatten().any(|op| op.outgrown()) {
            return None;
        }
        let in_order = |op: &CompiledOp| op.order.is_none();
        let programs = || {
            let all =
                offered.codes.iter().map(|op| op.as_deref().filter(|op| in_order(op)).map(|op| &op.exec));
            all.collect::<Option<Vec<_>>>().filter(|all| !all.is_empty())
        };
        offered.together.run(programs, self.width(), states, &mut out.targets, &mut s.ends)
    }
}
