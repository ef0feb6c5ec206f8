//! One test: whether it holds, and what must go if it is to.
//!
//! In: a constraint that is a predicate, the cells. Out: false if it cannot hold; cells narrowed to what does not contradict
//! it; whether it holds whatever becomes of the undecided cells. The other kinds of constraints have files of their own.

use super::cells::CellId;
use super::enforce::Cuts;
use super::once::Met;
use super::wake::Waits;
use super::{Constraint, Search};
use crate::eval::Env;
use crate::ir::{Pred, PredKind};
use std::sync::Arc;

/// A test that was looked at so often, or twice, four times as often and so on, may become a table.
const OFTEN: usize = 8;

/// A test that reads so many cells is evaluated at once when they are decided.
const SOON: usize = 2;

/// So many options of one cell are many.
const MANY: u32 = 32;

/// Cuts of one test are tried so often before they are held against it.
const TRIAL: u32 = 64;

/// One of so many must take something away.
const SHARE: u32 = 32;

/// One of so many is tried all the same.
const AGAIN: u32 = 16;

/// How often cuts of a test were tried, and how often one took something away.
#[derive(Clone, Copy, Default)]
pub(super) struct Paid {
    tried: u32,
    paid: u32,
}

/// What a test said.
#[derive(Clone)]
pub(super) struct Said {
    truth: Option<bool>,
    /// Whether it was evaluated.
    by_value: bool,
    /// Whether two sides are open, so that nothing follows for either.
    idle: bool,
    /// The undecided cells that it met.
    met: Met,
    /// What must go if it is to hold, once somebody has asked; `None` in there if it cannot.
    cuts: Option<Arc<Option<Cuts>>>,
}

impl Search<'_> {
    /// Looks at one predicate.
    pub(super) fn test(&mut self, c: usize, env: &mut Env, changed: &mut Vec<CellId>) -> bool {
        let Constraint::Test { pred, .. } = &self.constraints[c] else { return true };
        self.begin_turn(c, pred);
        let fine = self.look_at(c, env, changed);
        self.end_turn();
        fine
    }

    /// If a single undecided cell is left in a predicate, options that make it false go.
    fn look_at(&mut self, c: usize, env: &mut Env, changed: &mut Vec<CellId>) -> bool {
        if self.waits[c] == Waits::Whole {
            return self.exactly(c, env);
        }
        if let Some(fine) = self.look_at_fixed(c, env, changed) {
            return fine;
        }
        if let Some(ok) = self.judge(c, env) {
            self.settle_as_judged(c);
            return ok;
        }
        // Read at once: making a table judges the constraint with other cells.
        let idle = self.idle.get();
        let touched = self.met_since(0);
        self.touched.borrow_mut().clear();
        if touched.is_empty() {
            return self.exactly(c, env);
        }
        self.watch(c, &touched);
        self.looks[c] = self.looks[c].saturating_add(1);
        if self.looks[c].is_power_of_two() && self.looks[c] >= OFTEN && self.tabulate(c, env) {
            return self.pair_up(c, changed);
        }
        if touched.len() > 1 || touched.iter().any(|c| self.cells.cells[*c].wide.is_some()) {
            return idle || self.cut_if_it_pays(c, env, changed);
        }
        let [cell] = touched[..] else { return true };
        // Many options are not tried one by one before what is plain has gone.
        if self.cells.cells[cell].left > MANY {
            if !self.cut(c, env, changed) {
                return false;
            }
            // What has changed is looked at again.
            if !changed.is_empty() && self.waits[c] == Waits::Any {
                return true;
            }
        }
        let Some(always) = self.sift(c, cell, env, changed) else { return false };
        if always {
            self.settle_as_judged(c);
        }
        always || !self.gaps || self.cut(c, env, changed)
    }

    /// The same while several cells are undecided, unless it has taken away nothing nearly every time.
    fn cut_if_it_pays(&mut self, c: usize, env: &mut Env, changed: &mut Vec<CellId>) -> bool {
        let Paid { tried, paid } = &mut self.paid[c];
        *tried += 1;
        if *tried > TRIAL && *paid < *tried / SHARE && !tried.is_multiple_of(AGAIN) {
            return true;
        }
        let fine = self.cut(c, env, changed);
        self.paid[c].paid += u32::from(!fine || !changed.is_empty());
        fine
    }

    /// Takes away what contradicts the predicate, which has been judged with the cells as they are.
    pub(super) fn cut(&mut self, c: usize, env: &mut Env, changed: &mut Vec<CellId>) -> bool {
        let Constraint::Test { pred, .. } = &self.constraints[c] else { return true };
        let options = self.options_again(&self.judged, c);
        let said = options.as_ref().and_then(|at| self.recalled(&self.judged, c, at));
        let recalled = said.as_ref().and_then(|said| said.cuts.clone());
        let cuts = recalled.unwrap_or_else(|| {
            let mut cuts = Cuts::default();
            let fine = self.make_true(pred, env, &mut cuts);
            let cuts = Arc::new(fine.then_some(cuts));
            if let (Some(at), Some(said)) = (options, said) {
                let words = (*cuts).as_ref().map_or(0, Cuts::words);
                let said = Said { cuts: Some(cuts.clone()), ..said };
                self.keep_said(&self.judged, c, &at, words, || said);
            }
            cuts
        });
        (*cuts).as_ref().is_some_and(|cuts| self.apply(cuts, changed))
    }

    /// Cuts what contradicts that a predicate has a value, and is true; false if everything does.
    pub(super) fn make_true(&self, p: &Pred, env: &mut Env, cuts: &mut Cuts) -> bool {
        if !self.enforce(p, env, cuts) {
            return false;
        }
        if self.gaps {
            self.define(p, env, cuts);
        }
        true
    }

    /// Takes away what is cut; false if a cell is left with nothing.
    pub(super) fn apply(&mut self, cuts: &Cuts, changed: &mut Vec<CellId>) -> bool {
        for (cell, values) in &cuts.lists {
            if self.cells.cells[*cell].wide.is_some() {
                self.cells.list(*cell, values);
                changed.push(*cell);
            } else if self.cells.keep_all(*cell, values) {
                changed.push(*cell);
            }
        }
        for (cell, range) in cuts.ranges.iter().copied() {
            if self.cells.cells[cell].wide.is_none() {
                if self.cells.confine(cell, range) {
                    changed.push(cell);
                }
                continue;
            }
            // Bounds may creep towards each other without end.
            if self.patience > 0 && self.cells.meet(cell, range) {
                self.patience -= 1;
                changed.push(cell);
            }
        }
        for (cell, i) in cuts.options.iter().copied() {
            if self.cells.cells[cell].has(i) {
                if !self.cells.remove(cell, i) {
                    return false;
                }
                // Many options of one cell often go one after the other.
                if changed.last() != Some(&cell) {
                    changed.push(cell);
                }
            }
        }
        changed.iter().all(|c| {
            let cell = &self.cells.cells[*c];
            cell.left > 0 && cell.wide.is_none_or(|r| !r.is_empty())
        })
    }

    pub(super) fn judge(&self, c: usize, env: &mut Env) -> Option<bool> {
        self.by_value.set(false);
        let (pred, locals) = match &self.constraints[c] {
            Constraint::Test { pred, locals } => (pred, locals),
            Constraint::Formed(formed) => return formed.holds(&self.cells),
            _ => return None,
        };
        super::expand::place(locals, env);
        self.touched.borrow_mut().clear();
        self.idle.set(false);
        // Evaluating a test of few cells takes no longer than remembering what it said.
        if let Some(truth) = self.judge_fixed(c, pred, SOON, env) {
            self.by_value.set(true);
            return Some(truth);
        }
        let options = self.options_of(&self.judged, c, true, || self.cells_of_pred(pred));
        if let Some(said) = options.as_ref().and_then(|at| self.recalled(&self.judged, c, at)) {
            self.touched.borrow_mut().extend(&said.met);
            self.idle.set(said.idle);
            self.by_value.set(said.by_value);
            return said.truth;
        }
        let value = self.judge_whole(pred, env).or_else(|| self.judge_fixed(c, pred, usize::MAX, env));
        self.by_value.set(value.is_some());
        let truth = value.or_else(|| self.truth_of_test(pred, env));
        if let Some(at) = options {
            let met = self.met_since(0);
            let words = met.len();
            let said =
                || Said { truth, by_value: self.by_value.get(), idle: self.idle.get(), met, cuts: None };
            self.keep_said(&self.judged, c, &at, words, said);
        }
        truth
    }

    fn truth_of_test(&self, pred: &Pred, env: &mut Env) -> Option<bool> {
        match &pred.kind {
            PredKind::Implies(a, b) => {
                let left = self.truth(a, env);
                if left == Some(false) {
                    return Some(true);
                }
                let right = self.truth(b, env);
                self.idle.set(left.is_none() && right.is_none());
                if left.is_some() { right } else { right.filter(|b| *b) }
            }
            PredKind::Or(ps) => {
                let mut open = 0;
                for p in ps {
                    match self.truth(p, env) {
                        Some(true) => return Some(true),
                        Some(false) => {}
                        None => open += 1,
                    }
                }
                self.idle.set(open > 1);
                if open == 0 { Some(false) } else { None }
            }
            _ => self.truth(pred, env),
        }
    }
}
