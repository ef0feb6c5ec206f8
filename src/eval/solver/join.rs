//! Truth tables joined before anything is decided.
//!
//! In: the tables of a search after the first propagation. Out: tables over the cells that are still open, each with what
//! others say of some of its cells: what follows from two together is then seen by looking at one.

use super::bools::{Bools, CELLS, COLUMNS, column};
use super::cells::{CellId, Cells};
use super::{Constraint, Search};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// Most rows that are gone through to join tables.
const WORK: usize = 1 << 22;

impl Bools {
    /// The same over the undecided cells alone.
    pub(super) fn shrunk(&self, cells: &Cells) -> Self {
        let open = |id: &&CellId| cells.cells[**id].left > 1;
        if self.cells.iter().all(|id| open(&id)) {
            return Self { cells: self.cells.clone(), rows: self.rows.clone() };
        }
        let left: SmallVec<[CellId; 4]> = self.cells.iter().filter(open).copied().collect();
        let one = |id: &CellId| left.iter().position(|c| c == id).ok_or(cells.cells[*id].single() == Some(1));
        let places: SmallVec<[Result<usize, bool>; CELLS]> = self.cells.iter().map(one).collect();
        let rows = self.spread(&places, left.len());
        Self { cells: left, rows }
    }

    /// The rows of a table of so many cells that agree with a row of this one, whose cells are at these places of
    /// the other, or decided. Rows that differ in the first cell are put together by the column of that cell, then those that
    /// differ in the second, and so on.
    fn spread(&self, places: &[Result<usize, bool>], n: usize) -> SmallVec<[u64; 1]> {
        let words = 1 << n.saturating_sub(COLUMNS.len());
        let mut parts: SmallVec<[u64; 64]> = SmallVec::new();
        let one = |w: usize| {
            let bit = |row: usize| (self.rows[row / 64] >> (row % 64) & 1).wrapping_neg();
            parts.clear();
            parts.extend((0..1 << places.len()).map(bit));
            for (i, place) in places.iter().enumerate() {
                let second = place.map_or_else(|b| u64::from(b).wrapping_neg(), |at| column(at, w));
                for row in 0..parts.len() >> (i + 1) {
                    parts[row] = parts[2 * row] & !second | parts[2 * row + 1] & second;
                }
            }
            parts[0]
        };
        (0..words).map(one).collect()
    }

    /// Drops the rows that another table does not have, all of whose cells are among those of this one; whether
    /// there were any.
    pub(super) fn meet(&mut self, other: &Self) -> bool {
        let place = |id: &CellId| self.cells.iter().position(|c| c == id);
        let Some(places) = other.cells.iter().map(place).map(|p| p.map(Ok)).collect::<Option<Vec<_>>>()
        else {
            return false;
        };
        let before = self.rows.clone();
        let also = other.spread(&places, self.cells.len());
        self.rows.iter_mut().zip(also).for_each(|(w, o)| *w &= o);
        self.rows != before
    }
}

impl Search<'_> {
    /// Before anything is decided: takes the cells that are decided out of the tables, and adds to each table what
    /// others say of some of its cells. Which tables say more than before.
    pub(super) fn join_tables(&mut self) -> Vec<usize> {
        let mut small: Vec<(usize, Bools)> = Vec::new();
        for (c, constraint) in self.constraints.iter().enumerate() {
            if let (Constraint::Bools(table), false) = (constraint, self.settled[c]) {
                small.push((c, table.shrunk(&self.cells)));
            }
        }
        // By the first of their cells: one that lies within another shares that.
        let mut by_first: BTreeMap<CellId, Vec<usize>> = BTreeMap::new();
        for (i, (_, table)) in small.iter().enumerate() {
            if let Some(first) = table.cells.iter().min() {
                by_first.entry(*first).or_default().push(i);
            }
        }
        let mut work = 0usize;
        let mut more = Vec::new();
        for (i, (c, table)) in small.iter().enumerate() {
            let mut joined = Bools { cells: table.cells.clone(), rows: table.rows.clone() };
            let mut changed = false;
            for j in table.cells.iter().filter_map(|id| by_first.get(id)).flatten().filter(|j| **j != i) {
                work = work.saturating_add(1 << table.cells.len());
                if work > WORK {
                    break;
                }
                changed |= joined.meet(&small[*j].1);
            }
            if changed {
                more.push(*c);
            }
            self.constraints[*c] = Constraint::Bools(joined);
        }
        more
    }
}
