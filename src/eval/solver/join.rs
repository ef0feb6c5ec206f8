//! Truth tables joined before anything is decided.
//!
//! In: the tables of a search after the first propagation. Out: tables over the cells that are still open, each with what
//! others say of some of its cells: what follows from two together is then seen by looking at one.

use super::bools::{Bools, CELLS, COLUMNS};
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
        let left: SmallVec<[CellId; 4]> = self.cells.iter().filter(open).copied().collect();
        let one = |id: &CellId| left.iter().position(|c| c == id).ok_or(cells.cells[*id].single() == Some(1));
        let places: SmallVec<[Result<usize, bool>; CELLS]> = self.cells.iter().map(one).collect();
        let rows = self.spread(&places, left.len());
        Self { cells: left, rows }
    }

    /// The rows of a table of so many cells that agree with a row of this one, whose cells are at these places of
    /// the other, or decided.
    fn spread(&self, places: &[Result<usize, bool>], n: usize) -> SmallVec<[u64; 1]> {
        let mut rows: SmallVec<[u64; 1]> = SmallVec::from_elem(0, 1 << n.saturating_sub(COLUMNS.len()));
        // Of fewer than six cells the rows of a word repeat.
        for row in 0..rows.len() * 64 {
            let bit = |p: &Result<usize, bool>| p.map_or_else(usize::from, |i| row >> i & 1);
            let own = places.iter().enumerate().fold(0, |own, (i, p)| own | bit(p) << i);
            rows[row / 64] |= (self.rows[own / 64] >> (own % 64) & 1) << (row % 64);
        }
        rows
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
