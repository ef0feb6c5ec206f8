//! Constraints that bounds say nothing about: they are evaluated as soon as all values that they read are whole.
//!
//! In: a constraint that has met no undecided cell and is not known to hold. Out: false if it does not hold; else
//! it waits for one undecided cell of the values that it reads.

use super::cells::{CellId, Shape};
use super::{Constraint, Search, wake::Waits};
use crate::eval::Env;
use crate::eval::bits::Bits;
use crate::eval::pattern::put;

impl Search<'_> {
    /// Evaluates a constraint if everything that it reads is decided; false if it does not hold.
    pub(super) fn exactly(&mut self, c: usize, env: &mut Env) -> bool {
        let Constraint::Test { pred, locals } = &self.constraints[c] else { return true };
        let pred = pred.clone();
        super::expand::place(locals, env);
        let mut reads = Bits::default();
        self.nature(&pred).reads.iter().for_each(|i| reads.insert(*i));
        // Definitions read more.
        let mut order: Vec<usize> = Vec::new();
        let mut todo: Vec<usize> = reads.iter().collect();
        while let Some(i) = todo.pop() {
            let Some((_, e)) = self.defined.iter().find(|(d, _)| *d == i && !self.shapes.contains_key(&i))
            else {
                continue;
            };
            order.push(i);
            for j in self.run.problem.reads(e).iter().filter(|j| !self.bound.contains(*j)) {
                if !reads.contains(j) {
                    reads.insert(j);
                    todo.push(j);
                }
            }
        }
        // Chains of definitions are left to the test after the search.
        if order.iter().any(|i| {
            let e = self.defined.iter().find(|(d, _)| d == i);
            e.is_some_and(|(_, e)| self.run.problem.reads(e).iter().any(|j| order.contains(&j)))
        }) {
            return true;
        }
        for i in reads.iter().filter(|i| !order.contains(i)) {
            let Some(shape) = self.shapes.get(&i) else { return true };
            if let Some(cell) = self.undecided(shape) {
                self.wait(c, cell);
                return true;
            }
            let Some(v) = self.cells.value(shape) else { return true };
            put(env, self.run.problem.unknowns[i].slot, v);
        }
        for i in order {
            let Some((_, e)) = self.defined.iter().find(|(d, _)| *d == i) else { return true };
            let Ok(v) = self.run.ev.settled(e, env) else { return true };
            put(env, self.run.problem.unknowns[i].slot, v);
        }
        let truth = self.run.ev.pred(&pred, env).ok();
        if truth.is_some() {
            self.settle_by_value(c);
        }
        truth.unwrap_or(true)
    }

    fn wait(&mut self, c: usize, cell: CellId) {
        if self.waits[c] == Waits::Unseen {
            self.waits[c] = Waits::Whole;
        }
        self.wake_by(cell, c);
    }

    /// The first undecided cell of a value.
    pub(super) fn undecided(&self, shape: &Shape) -> Option<CellId> {
        let open = |id: &CellId| self.cells.cells[*id].left > 1;
        match shape {
            Shape::Point(id) => Some(*id).filter(open),
            Shape::Fun { parts, .. } => parts.iter().find_map(|p| self.undecided(p)),
            Shape::Set { items, first } => (*first..first + items.len()).find(open),
        }
    }
}
