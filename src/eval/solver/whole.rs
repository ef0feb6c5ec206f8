//! Tests with bound variables once everything that they read is decided: evaluated, not judged row by row.
//!
//! In: a test, the cells. Out: whether it holds, if all values that it reads are whole, and evaluating it ends without a
//! fault. What it cannot say is left to `judge`, which is sound whatever is decided.

use super::Search;
use super::cells::Shape;
use crate::eval::pattern::put;
use crate::eval::{Env, walk};
use crate::ir::Pred;
use std::sync::Arc;

/// Most cells of the values that one test reads: making large values costs more than looking at the few cells that decide.
const CELLS: usize = 64;

/// What tests read, by number, as far as it has been asked for; `None` for tests that are not evaluated early.
pub(super) struct Reads<T>(Vec<Option<Option<Arc<[T]>>>>);

impl<T> Default for Reads<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Reads<T> {
    /// What has been found of a test.
    pub(super) fn of(&self, test: usize) -> Option<&Option<Arc<[T]>>> {
        self.0.get(test)?.as_ref()
    }

    pub(super) fn keep(&mut self, test: usize, reads: &Option<Arc<[T]>>) {
        if self.0.len() <= test {
            self.0.resize(test + 1, None);
        }
        self.0[test] = Some(reads.clone());
    }
}

impl Search<'_> {
    /// Whether a test holds, if everything that it reads is decided.
    pub(super) fn judge_whole(&self, c: usize, pred: &Pred, env: &mut Env) -> Option<bool> {
        let reads = self.whole_reads(c, pred)?;
        let shapes = || reads.iter().filter_map(|i| Some((*i, self.shapes.get(i)?)));
        if shapes().any(|(_, shape)| self.undecided(shape).is_some()) {
            return None;
        }
        for (i, shape) in shapes() {
            let v = self.pairs.borrow_mut().value(&self.cells, shape)?;
            put(env, self.run.problem.unknowns[i].slot, v);
        }
        self.run.ev.pred(pred, env).ok()
    }

    /// What a test reads, if it is one to be evaluated.
    fn whole_reads(&self, c: usize, pred: &Pred) -> Option<Arc<[usize]>> {
        if let Some(reads) = self.whole.borrow().of(c) {
            return reads.clone();
        }
        let reads = self.reads_of(pred);
        self.whole.borrow_mut().keep(c, &reads);
        reads
    }

    fn reads_of(&self, pred: &Pred) -> Option<Arc<[usize]>> {
        if self.keeps_locals(pred) {
            return None;
        }
        let mut reads = Vec::new();
        let mut cells = 0;
        let mut fine = true;
        walk::pred(pred, &mut |e| {
            let Some(i) = self.run.problem.unknown_of(e).filter(|i| !self.bound.contains(*i)) else { return };
            if reads.contains(&i) {
                return;
            }
            match self.shapes.get(&i) {
                Some(shape) => cells += size(shape),
                None => fine = false,
            }
            reads.push(i);
        });
        (fine && cells <= CELLS).then(|| reads.into())
    }
}

/// How many cells make up a value.
fn size(shape: &Shape) -> usize {
    match shape {
        Shape::Point(_) => 1,
        Shape::Fun { parts, .. } => parts.iter().map(size).sum(),
        Shape::Set { items, .. } => items.len(),
    }
}
