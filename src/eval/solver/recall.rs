//! What formulas said when the cells that they read were as they are again.
//!
//! In: a formula without bound variables. Out: what was found of it the last time that each of those cells had the options
//! that it has now. A search comes back to the same options of a few cells again and again, with others changed in between
//! and ways tried and given up; what a formula on sets says depends on the few only. Nothing is kept of formulas that are
//! looked at rarely, or seldom at the same options, nor of points and sums, which are found sooner than remembered.
//! Wide integers change their lists, so what reads them is found anew.

use super::Search;
use super::address::ByAddress;
use super::cells::{CellId, Shape};
use crate::ir::{Expr, ExprKind, Pred, PredKind};
use crate::ops::Op;
use crate::ty::Ty;
use hashbrown::HashMap;
use smallvec::SmallVec;
use std::cell::RefCell;

/// A formula that reads n cells is remembered for many options once it has been looked at so much more often than 2 n
/// times: a search that goes straight to a solution never comes back to the same options.
const OFTEN: usize = 8;

/// After so many looks it shows whether remembering pays.
const TRIAL: usize = 64;

/// One look in so many must find something.
const SHARE: usize = 4;

/// Most cells of one formula.
const CELLS: usize = 64;

/// Most words that all formulas of a search may keep.
pub(super) const ROOM: usize = 1 << 20;

/// About how many words an entry takes by itself.
const ENTRY: usize = 30;

/// A cell with more options has words of its own.
const PACKED: u32 = 16;

/// The options of some cells.
pub(super) type Options = SmallVec<[u64; 4]>;

/// Formulas, by a number of theirs, with what they said; `None` for those of which nothing is kept.
pub(super) type Recalls<T> = RefCell<ByAddress<Option<Recall<T>>>>;

/// What a formula said, for options of the cells that it reads.
pub(super) struct Recall<T> {
    cells: Box<[Place]>,
    said: HashMap<Options, T>,
    looks: usize,
    hits: usize,
}

/// A cell, and how many bits its options take; 0 if they have words of their own.
struct Place {
    cell: CellId,
    bits: u32,
}

impl<T> Recall<T> {
    /// Counts a look; whether it has come to a decision.
    fn look(&mut self) -> bool {
        self.looks += 1;
        self.looks.is_multiple_of(TRIAL)
    }

    /// The looks after which many options are remembered.
    fn begin(&self) -> usize {
        2 * self.cells.len() + OFTEN
    }

    /// Whether many options are remembered.
    fn is_often(&self) -> bool {
        self.looks >= self.begin()
    }

    /// Whether too few looks have found something.
    fn is_in_vain(&self) -> bool {
        let looks = self.looks.saturating_sub(self.begin());
        looks >= TRIAL && self.hits < looks / SHARE
    }
}

impl Search<'_> {
    /// Prepares for remembering, before anything is narrowed.
    pub(super) fn prepare_recall(&mut self) {
        self.listed = self.cells.cells.iter().map(|c| c.wide.is_none()).collect();
    }

    /// The options that decide what a formula says, if that may be remembered; with `often`, only if it is for many
    /// options. `cells` finds the cells that it reads.
    pub(super) fn options_of<T>(
        &self,
        recalls: &Recalls<T>,
        key: usize,
        often: bool,
        cells: impl FnOnce() -> Option<Box<[CellId]>>,
    ) -> Option<Options> {
        if self.listed.is_empty() {
            return None;
        }
        let mut recalls = recalls.borrow_mut();
        let entry = recalls.entry(key).or_insert_with(|| {
            let cells = cells()?.iter().map(|c| self.place_of(*c)).collect();
            Some(Recall { cells, said: HashMap::default(), looks: 0, hits: 0 })
        });
        let recall = entry.as_mut()?;
        if recall.look() && recall.is_in_vain() {
            *entry = None;
            return None;
        }
        (!often || recall.is_often()).then(|| self.options(&recall.cells))
    }

    /// The options that decide what a formula says, which has just been looked at, if it is remembered for many.
    pub(super) fn options_again<T>(&self, recalls: &Recalls<T>, key: usize) -> Option<Options> {
        let recalls = recalls.borrow();
        let recall = recalls.get(&key)?.as_ref()?;
        recall.is_often().then(|| self.options(&recall.cells))
    }

    fn place_of(&self, cell: CellId) -> Place {
        let options = match self.cells.cells[cell].values.len() {
            0 => 2,
            n => n + 1,
        };
        Place { cell, bits: u32::try_from(options).ok().filter(|n| *n <= PACKED).unwrap_or(0) }
    }

    fn options(&self, cells: &[Place]) -> Options {
        let mut words = Options::new();
        let (mut word, mut used) = (0, 0);
        for Place { cell, bits } in cells {
            let alive = &self.cells.cells[*cell].alive;
            if *bits == 0 {
                words.extend_from_slice(alive);
                continue;
            }
            if used + bits > u64::BITS {
                words.push(word);
                (word, used) = (0, 0);
            }
            word |= alive.first().map_or(0, |w| w << used);
            used += bits;
        }
        words.push(word);
        words
    }

    /// What a formula said when its cells had these options.
    pub(super) fn recalled<T: Clone>(&self, recalls: &Recalls<T>, key: usize, at: &Options) -> Option<T> {
        let mut recalls = recalls.borrow_mut();
        let recall = recalls.get_mut(&key)?.as_mut()?;
        if recall.said.is_empty() {
            return None;
        }
        let said = recall.said.get(at)?.clone();
        recall.hits += 1;
        Some(said)
    }

    /// Keeps what a formula says while its cells have these options, if it is looked at often; it takes so many words.
    pub(super) fn keep_said<T>(
        &self,
        recalls: &Recalls<T>,
        key: usize,
        at: &Options,
        words: usize,
        said: impl FnOnce() -> T,
    ) {
        let words = words + at.len() + ENTRY;
        if self.room.get() < words {
            return;
        }
        if let Some(Some(recall)) = recalls.borrow_mut().get_mut(&key)
            && recall.is_often()
        {
            self.room.set(self.room.get() - words);
            recall.said.insert(at.clone(), said());
        }
    }

    /// The cells that a predicate reads, if they are few and it is about sets. Instances of a quantifier share it.
    pub(super) fn cells_of_pred(&self, p: &Pred) -> Option<Box<[CellId]>> {
        let key = std::ptr::from_ref(p).addr();
        if let Some(cells) = self.read.borrow().get(&key) {
            return cells.clone();
        }
        let cells = self.few_cells(|reads| self.pred_reads(p, reads));
        self.read.borrow_mut().insert(key, cells.clone());
        cells
    }

    /// The cells that an expression reads, if they are few and it is about sets.
    pub(super) fn cells_of_expr(&self, e: &Expr) -> Option<Box<[CellId]>> {
        self.few_cells(|reads| self.expr_reads(e, reads))
    }

    fn few_cells(&self, collect: impl FnOnce(&mut Read) -> bool) -> Option<Box<[CellId]>> {
        let mut reads = Read::default();
        if !collect(&mut reads) || !reads.sets {
            return None;
        }
        reads.cells.sort_unstable();
        reads.cells.dedup();
        let fine = reads.cells.len() <= CELLS && reads.cells.iter().all(|c| self.listed[*c]);
        fine.then(|| reads.cells.into())
    }

    /// Collects the cells that a predicate reads; false if something in it binds variables.
    fn pred_reads(&self, p: &Pred, reads: &mut Read) -> bool {
        match &p.kind {
            PredKind::True | PredKind::False => true,
            PredKind::And(ps) | PredKind::Or(ps) => ps.iter().all(|p| self.pred_reads(p, reads)),
            PredKind::Implies(a, b) | PredKind::Iff(a, b) => {
                [a, b].into_iter().all(|p| self.pred_reads(p, reads))
            }
            PredKind::Not(a) => self.pred_reads(a, reads),
            PredKind::Op(_, args) => args.iter().all(|e| self.expr_reads(e, reads)),
            _ => false,
        }
    }

    fn expr_reads(&self, e: &Expr, reads: &mut Read) -> bool {
        if self.known(e) {
            return true;
        }
        if let Some(i) = self.run.problem.unknown_of(e) {
            if let Some(shape) = self.shapes.get(&i) {
                collect_cells(shape, &mut reads.cells);
            } else if let Some((_, definition)) = self.defined.iter().find(|(d, _)| *d == i) {
                // Definitions may lead back to where they began.
                reads.depth += 1;
                return reads.depth < CELLS && self.expr_reads(definition, reads);
            }
            return reads.cells.len() < CELLS * CELLS;
        }
        match &e.kind {
            ExprKind::Op(op, args) => {
                reads.sets |= matches!(e.ty, Ty::Pow(_)) && *op != Op::Apply;
                args.iter().all(|e| self.expr_reads(e, reads))
            }
            ExprKind::SetExt(es) | ExprKind::SeqExt(es) => es.iter().all(|e| self.expr_reads(e, reads)),
            _ => false,
        }
    }
}

/// What a formula reads.
#[derive(Default)]
struct Read {
    cells: Vec<CellId>,
    /// Whether it makes sets.
    sets: bool,
    /// How many definitions it leads to.
    depth: usize,
}

fn collect_cells(shape: &Shape, cells: &mut Vec<CellId>) {
    match shape {
        Shape::Point(id) => cells.push(*id),
        Shape::Fun { parts, .. } => parts.iter().for_each(|p| collect_cells(p, cells)),
        Shape::Set { items, first } => cells.extend(*first..first + items.len()),
    }
}
