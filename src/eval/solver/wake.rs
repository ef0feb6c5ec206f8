//! Which constraints are looked at again when a cell changes.
//!
//! In: the undecided cells that a look at a constraint has met. Out: for each cell the constraints that wait for
//! it. A constraint that says nothing while two of its cells are undecided waits for two of them only: whenever one
//! is decided, it looks for another. Going back leaves both undecided, so nothing has to be restored. The [`Agenda`]
//! holds those that are to be looked at.

use super::cells::CellId;
use super::{Constraint, Search};
use crate::eval::interval::Rel;
use crate::eval::walk;
use crate::ir::{Expr, ExprKind, Pred, PredKind};
use crate::ops::Op;
use crate::ty::Ty;
use std::collections::VecDeque;

/// What a constraint waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Waits {
    /// It has not been looked at.
    Unseen,
    /// Any of the cells that it has met.
    Any,
    /// Whole values: bounds have said nothing at the first look.
    Whole,
    /// One of these.
    Two([CellId; 2]),
}

/// Constraints to look at. Cheap ones go first; else first come, first served, so that a long chain of consequences
/// does not keep a contradiction waiting.
#[derive(Default)]
pub(super) struct Agenda {
    cheap: VecDeque<usize>,
    others: VecDeque<usize>,
    /// Which are queued.
    waiting: Vec<bool>,
}

impl Agenda {
    /// Queues a constraint.
    pub(super) fn add(&mut self, c: usize, cheap: bool) {
        if c >= self.waiting.len() {
            self.waiting.resize(c + 1, false);
        }
        self.waiting[c] = true;
        let queue = if cheap { &mut self.cheap } else { &mut self.others };
        queue.push_back(c);
    }

    /// The constraint to look at next.
    pub(super) fn next(&mut self) -> Option<usize> {
        let c = self.cheap.pop_front().or_else(|| self.others.pop_front())?;
        self.waiting[c] = false;
        Some(c)
    }

    pub(super) fn clear(&mut self) {
        while self.next().is_some() {}
    }
}

impl Search<'_> {
    /// Notes which undecided cells a constraint has met.
    pub(super) fn watch(&mut self, c: usize, touched: &[CellId]) {
        if self.waits[c] == Waits::Unseen {
            let copies = self.constraints[c].copies();
            touched.iter().for_each(|t| self.degree[*t] += copies);
            let listed = touched.iter().all(|t| self.cells.cells[*t].wide.is_none());
            self.waits[c] = match touched {
                [a, b, ..] if listed && self.patient[c] && self.is_flat(c) => Waits::Two([*a, *b]),
                _ => Waits::Any,
            };
        } else if let (Waits::Two(_), [a, b, ..]) = (self.waits[c], touched) {
            self.waits[c] = Waits::Two([*a, *b]);
        }
        let two: &[CellId] = match self.waits[c] {
            // With a single cell left, its options have been looked at, and going back undecides the two.
            Waits::Two(_) if touched.len() < 2 => &[],
            Waits::Two(_) => &touched[..2],
            _ => touched,
        };
        if self.waits[c] != Waits::Any || !touched.is_sorted() {
            for cell in two {
                self.wake_by(*cell, c);
            }
            return;
        }
        // Who waits for any of its cells goes on doing so.
        let known = &self.watched[c][..];
        let (mut fresh, mut i) = (Vec::new(), 0);
        for cell in touched {
            while known.get(i).is_some_and(|k| k < cell) {
                i += 1;
            }
            if known.get(i) != Some(cell) {
                fresh.push(*cell);
            }
        }
        if fresh.is_empty() {
            return;
        }
        for cell in &fresh {
            self.wake_by(*cell, c);
        }
        self.watched[c].append(&mut fresh);
        self.watched[c].sort_unstable();
    }

    /// Has a constraint looked at when a cell changes; if it is patient, when the cell is decided.
    pub(super) fn wake_by(&mut self, cell: CellId, c: usize) {
        let lists = if self.patient[c] { &mut self.resting } else { &mut self.watchers };
        let list = &mut lists[cell];
        if !list.contains(&c) {
            list.push(c);
        }
    }

    /// The constraints to look at after a cell has changed.
    pub(super) fn woken(&mut self, cell: CellId) -> Vec<usize> {
        let mut woken = Vec::new();
        self.wake(cell, |_, c| woken.push(c));
        woken
    }

    /// Calls `f` with each constraint to look at after a cell has changed.
    #[inline]
    fn wake(&mut self, cell: CellId, mut f: impl FnMut(&[Constraint], usize)) {
        let decided = self.cells.cells[cell].left == 1;
        let Self { watchers, resting, waits, settled, constraints, .. } = self;
        for list in [&mut watchers[cell], &mut resting[cell]].into_iter().take(1 + usize::from(decided)) {
            let left = |w: usize| matches!(waits[w], Waits::Two(two) if !two.contains(&cell));
            let mut all_stay = true;
            for w in list.iter().copied() {
                if left(w) {
                    all_stay = false;
                } else if !settled[w] {
                    f(constraints, w);
                }
            }
            // Most lists stay as they are.
            if !all_stay {
                list.retain(|w| !left(*w));
            }
        }
    }

    /// Queues the constraints to look at after a look at one has changed cells. A truth table that has taken away what it could
    /// has nothing more to say of that, and no more has a relation.
    pub(super) fn queue_woken(&mut self, by: usize, changed: &[CellId], agenda: &mut Agenda) {
        let once = matches!(self.constraints[by], Constraint::Bools(_) | Constraint::Relation(_));
        let idle = once.then_some(by);
        for cell in changed {
            self.wake(*cell, |constraints, c| {
                if Some(c) != idle && !agenda.waiting.get(c).is_some_and(|w| *w) {
                    agenda.add(c, is_cheap(&constraints[c]));
                }
            });
        }
    }

    /// Whether a constraint always reads the same cells: points of functions with known arguments.
    fn is_flat(&self, c: usize) -> bool {
        let Constraint::Test { pred, .. } = &self.constraints[c] else { return true };
        let mut flat = true;
        walk::pred(pred, &mut |e| {
            if let ExprKind::Op(Op::Apply, args) = &e.kind {
                flat &= args.get(1).is_some_and(|x| self.run.problem.reads(x).is_subset(self.bound));
            }
        });
        flat && only_sums(pred)
    }
}

/// Whether a look at a constraint is short.
#[inline]
pub(super) fn is_cheap(c: &Constraint) -> bool {
    !matches!(c, Constraint::Test { .. })
}

/// Whether a comparison is one of points, sums of them and pairs of those.
fn only_sums(p: &Pred) -> bool {
    fn plain(e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Op(Op::Add | Op::Sub | Op::Neg | Op::Mul | Op::Maplet, args) => args.iter().all(plain),
            ExprKind::Op(Op::Apply, args) => args.first().is_some_and(is_name),
            _ => is_name(e),
        }
    }
    fn is_name(e: &Expr) -> bool {
        matches!(e.kind, ExprKind::Lit(_) | ExprKind::Local(_) | ExprKind::Const(_))
    }
    matches!(&p.kind, PredKind::Op(_, args) if args.iter().all(plain))
}

/// Whether a constraint says nothing before all but one of its cells are decided: two numbers or elements that
/// differ.
pub(super) fn is_patient(c: &Constraint) -> bool {
    fn scalar(ty: &Ty) -> bool {
        match ty {
            Ty::Int | Ty::Given(_) | Ty::Bool => true,
            Ty::Pair(a, b) => scalar(a) && scalar(b),
            _ => false,
        }
    }
    let pred = match c {
        Constraint::Test { pred, .. } => pred,
        Constraint::Linear(sum) => return sum.rel == Rel::Neq,
        Constraint::Differ(_) => return true,
        _ => return false,
    };
    matches!(&pred.kind, PredKind::Op(Op::Neq, args) if args.iter().all(|a| scalar(&a.ty)))
}
