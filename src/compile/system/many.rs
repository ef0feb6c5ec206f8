//! Edges of many states from compiled code.
//!
//! In: states, one after the other. Out: the edges of each, by all operations in one run where that is possible, by one
//! operation after the other where it is not: the same edges in the same order.

use super::{Compiled, CompiledOp, CompiledSystem, Offered, Scratch};
use crate::model::{Plain, Steps, System};

impl<P: Plain> CompiledSystem<P> {
    /// Adds the edges of states; calls `each` after each state.
    pub(super) fn edges_of(
        &self,
        states: &[u64],
        s: &mut Scratch,
        out: &mut Steps,
        each: &mut dyn FnMut(&mut Steps),
    ) {
        let width = self.width();
        let mut rest = states;
        while let Some(valuation) = rest.first() {
            let own = rest.chunks(width).take_while(|s| s.first() == Some(valuation)).count();
            let (these, others) = rest.split_at_checked(own * width).unwrap_or((rest, &[]));
            let c = self.compiled(these);
            self.of_one_valuation(c, these, s, out, each);
            rest = others;
        }
    }

    fn of_one_valuation(
        &self,
        c: Option<&Compiled>,
        states: &[u64],
        s: &mut Scratch,
        out: &mut Steps,
        each: &mut dyn FnMut(&mut Steps),
    ) {
        let width = self.width();
        let offered = c.map(|c| self.offered(c, None));
        let ops = offered.map_or(&[] as &[_], |o| &o.codes);
        let one = |state: &[u64], s: &mut Scratch, out: &mut Steps| {
            for number in 0..self.plain.offered().len() {
                self.edges(state, ops, number, s, out);
            }
        };
        let mut rest = states;
        while let Some(done) = offered.and_then(|o| self.together(o, rest, s, out)) {
            for ends in s.ends.chunks(ops.len().max(1)) {
                out.pushed_all(ends);
                each(out);
            }
            rest = rest.get(done * width..).unwrap_or(&[]);
            let Some((state, others)) = rest.split_at_checked(width) else { return };
            one(state, s, out);
            each(out);
            rest = others;
        }
        for state in rest.chunks(width) {
            one(state, s, out);
            each(out);
        }
    }

    /// Runs all operations on states until one gives up: how many states are done, their targets in `out` and the numbers of
    /// these in `s.ends`. `None` if they are to be run one by one.
    fn together(&self, offered: &Offered, states: &[u64], s: &mut Scratch, out: &mut Steps) -> Option<usize> {
        s.ends.clear();
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
