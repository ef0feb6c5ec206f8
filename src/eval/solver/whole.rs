//! Tests with bound variables once everything that they read is decided: evaluated, not judged row by row.
//!
//! In: a test, the cells. Out: whether it holds, if all values that it reads are whole, and evaluating it ends without a
//! fault. What it cannot say is left to `judge`, which is sound whatever is decided.

use super::Search;
use crate::eval::Env;
use crate::eval::pattern::put;
use crate::ir::Pred;

/// Most cells of the values that one test reads: making large values costs more than looking at the few cells that decide.
const CELLS: usize = 64;

impl Search<'_> {
    /// Whether a test holds, if everything that it reads is decided.
    pub(super) fn judge_whole(&self, pred: &Pred, env: &mut Env) -> Option<bool> {
        if self.keeps_locals(pred) {
            return None;
        }
        let nature = self.nature(pred);
        if nature.cells.is_none_or(|n| n > CELLS) {
            return None;
        }
        for i in &nature.reads {
            if self.undecided(self.shapes.get(i)?).is_some() {
                return None;
            }
        }
        for i in &nature.reads {
            let v = self.pairs.borrow_mut().value(&self.cells, self.shapes.get(i)?)?;
            put(env, self.run.problem.unknowns[*i].slot, v);
        }
        self.run.ev.pred(pred, env).ok()
    }
}
