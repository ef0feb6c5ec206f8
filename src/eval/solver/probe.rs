//! Disjunctions by their parts: what can make one true is tried, and what leads to a contradiction at once cannot.
//!
//! In: constraints that are disjunctions: existential quantifiers, negated universal ones, `or`. Out: false if none of a
//! constraint's ways to be true is left; the consequences of the last one that is; options of single values that go
//! since they leave no way. At two ways that are possible the look at a constraint ends, so where nothing is to
//! be found it is short; how much all looks may cost depends on what they have found.

use super::cells::{CellId, Shape};
use super::enforce::Cuts;
use super::rows::{Row, place};
use super::{Constraint, Search};
use crate::eval::Env;
use crate::ir::PredKind;

/// Most constraints that are looked at so.
const CHOICES: usize = 16;

/// Most ways of one constraint.
const WAYS: usize = 16;

/// Most options of a single value that are tried before the search.
const OPTIONS: u32 = 16;

/// Most single values whose options are tried.
const SINGLES: usize = 8;

/// Constraints that may be looked at before anything has been found.
const START: usize = 2000;

/// How many looks elsewhere pay for one of these.
const SHARE: usize = 8;

/// How many looks what was found pays for, for each that it took.
const REWARD: usize = 8;

/// The constraints that are disjunctions, and how many looks they may still cost.
#[derive(Default)]
pub(super) struct Choices {
    constraints: Vec<usize>,
    credit: usize,
    /// Whether looks are under way.
    busy: bool,
}

impl Choices {
    /// Whether a constraint is among them.
    pub(super) fn has(&self, c: usize) -> bool {
        self.constraints.contains(&c)
    }
}

/// One way to make a constraint true.
enum Way {
    /// A row of its quantifier.
    Row(Row),
    /// A part of it.
    Part(usize),
}

impl Search<'_> {
    /// Finds the disjunctions.
    pub(super) fn find_choices(&mut self) {
        let one = |c: &Constraint| match c {
            Constraint::Test { pred, .. } => match &pred.kind {
                PredKind::Exists(_) | PredKind::Or(_) => true,
                PredKind::Not(p) => matches!(p.kind, PredKind::Forall(_)),
                _ => false,
            },
            _ => false,
        };
        let all = self.constraints.iter().enumerate().filter(|(_, c)| one(c));
        self.choices.constraints = all.map(|(i, _)| i).take(CHOICES).collect();
        self.choices.credit = START;
    }

    /// Looks at the disjunctions, if that has not cost too much; false if one cannot hold.
    pub(super) fn probe(&mut self, env: &mut Env) -> bool {
        if self.choices.busy || self.choices.constraints.is_empty() || self.choices.credit == 0 {
            return true;
        }
        self.choices.busy = true;
        let early = std::mem::replace(&mut self.early, false);
        let before = self.effort;
        let mut found = false;
        let constraints = self.choices.constraints.clone();
        let fine = constraints.into_iter().all(|c| self.settled[c] || self.one_way(c, &mut found, env));
        let cost = self.effort - before;
        self.effort = before;
        self.choices.busy = false;
        self.early = early;
        let credit = &mut self.choices.credit;
        *credit = if found { *credit + REWARD * cost } else { credit.saturating_sub(cost + 1) };
        fine
    }

    /// What constraints are looked at elsewhere pays for more looks.
    pub(super) fn earn(&mut self, looks: usize) {
        if !self.choices.busy {
            self.choices.credit += looks / SHARE;
        }
    }

    /// Tries the ways of a constraint until two are possible.
    fn one_way(&mut self, c: usize, found: &mut bool, env: &mut Env) -> bool {
        let Some(ways) = self.ways(c, env) else { return true };
        self.effort += ways.len();
        if ways.len() > WAYS {
            return true;
        }
        let mut able = None;
        for (i, way) in ways.iter().enumerate() {
            let mark = self.mark();
            let fine = self.take_way(c, way, env);
            self.back_to(mark);
            if fine && able.replace(i).is_some() {
                return true;
            }
        }
        *found = true;
        able.is_some_and(|i| self.take_way(c, &ways[i], env))
    }

    /// The ways to make a constraint true; `None` if they cannot be listed.
    fn ways(&self, c: usize, env: &mut Env) -> Option<Vec<Way>> {
        let Constraint::Test { pred, locals } = &self.constraints[c] else { return None };
        super::expand::place(locals, env);
        self.touched.borrow_mut().clear();
        let ways: Vec<Way> = match &pred.kind {
            PredKind::Exists(binder) => self.rows(binder, env)?.into_iter().map(Way::Row).collect(),
            PredKind::Not(p) => {
                let PredKind::Forall(s) = &p.kind else { return None };
                self.counterexamples(s, env)?.into_iter().map(Way::Row).collect()
            }
            PredKind::Or(ps) => {
                let able = |i: &usize, env: &mut Env| self.truth(&ps[*i], env) != Some(false);
                (0..ps.len()).filter(|i| able(i, env)).map(Way::Part).collect()
            }
            _ => return None,
        };
        Some(ways)
    }

    /// Makes a constraint true in one way; false if that leads to a contradiction.
    fn take_way(&mut self, c: usize, way: &Way, env: &mut Env) -> bool {
        let Constraint::Test { pred, locals } = &self.constraints[c] else { return true };
        super::expand::place(locals, env);
        let mut cuts = Cuts::default();
        let fine = match (&pred.kind, way) {
            (PredKind::Exists(binder), Way::Row(row)) => {
                place(binder, row, env);
                self.make_true(&binder.pred, env, &mut cuts)
            }
            (PredKind::Not(p), Way::Row(row)) => match &p.kind {
                PredKind::Forall(s) => {
                    place(&s.binder, row, env);
                    let fine = self.make_true(&s.binder.pred, env, &mut cuts);
                    place(&s.binder, row, env);
                    fine && self.deny(&s.body, env, &mut cuts)
                }
                _ => true,
            },
            (PredKind::Or(ps), Way::Part(i)) => self.make_true(&ps[*i], env, &mut cuts),
            _ => true,
        };
        let mut changed = Vec::new();
        if !fine || !self.apply(&cuts, &mut changed) {
            return false;
        }
        let queue = changed.into_iter().flat_map(|cell| self.woken(cell)).collect();
        self.propagate(queue, env)
    }

    /// Tries the options of single values, of which other values often depend; false if one has none left.
    pub(super) fn try_singles(&mut self, env: &mut Env) -> bool {
        let plain = |id: &CellId| (2..=OPTIONS).contains(&self.cells.cells[*id].left);
        let point = |s: &Shape| if let Shape::Point(id) = s { Some(*id) } else { None };
        let singles: Vec<CellId> =
            self.shapes.values().filter_map(point).filter(plain).take(SINGLES).collect();
        if self.choices.constraints.is_empty() {
            return true;
        }
        let start = self.effort;
        for id in singles {
            if self.effort - start > START {
                return true;
            }
            let options: Vec<usize> = self.cells.cells[id].options().collect();
            let before = self.cells.cells[id].left;
            for i in options {
                let mark = self.mark();
                self.cells.keep(id, i);
                let queue = self.woken(id);
                let fine = self.propagate(queue, env) && self.probe(env);
                self.back_to(mark);
                if !fine && !self.cells.remove(id, i) {
                    return false;
                }
            }
            if self.cells.cells[id].left < before {
                let queue = self.woken(id);
                if !self.propagate(queue, env) {
                    return false;
                }
            }
        }
        true
    }
}
