//! Which cell is decided next.
//!
//! In: the cells as they are, constraints that could not hold. Out: the undecided cell with the fewest options, of those
//! the one that the most constraints are about. A truth table counts again each time that it could not hold
//! (dom/wdeg: Boussemart, Hemery, Lecoutre and Sais, ECAI 2004): where a few of them contradict each other, the search soon
//! decides what these are about, instead of everything else first. Other constraints do not count: of a test it is not
//! known which of its many cells made it fail. Whose conjunct fails most is told to whoever waits for the search.

use super::cells::CellId;
use super::{Constraint, Search, Shape};

impl Search<'_> {
    /// The undecided cell with the fewest options; among those the most watched, then the first.
    pub(super) fn choose(&self) -> Option<CellId> {
        let mut best: Option<(u32, i128, usize, CellId)> = None;
        for (i, c) in self.cells.cells.iter().enumerate() {
            // Most cells are decided, or have more options than one before.
            if c.left <= 1 || best.is_some_and(|(least, ..)| c.left > least) {
                continue;
            }
            let this = (c.left, c.breadth(), usize::MAX - self.degree[i], i);
            if best.is_none_or(|best| this < best) {
                best = Some(this);
            }
        }
        best.map(|(.., i)| i)
    }

    /// The unknown that a cell is part of.
    pub(super) fn owner(&self, cell: CellId) -> usize {
        let mine = |(v, s): (&usize, &Shape)| s.has_cell(cell).then_some(*v);
        self.shapes.iter().find_map(mine).unwrap_or(0)
    }

    /// Notes that a constraint could not hold after a decision.
    pub(super) fn blame(&mut self, c: usize) {
        if let Some((_, conjunct)) = self.ends.iter().find(|(end, _)| c < *end) {
            self.run.failed(*conjunct);
        }
        if let (false, Constraint::Bools(table)) = (self.early, &self.constraints[c]) {
            table.cells.iter().for_each(|cell| self.degree[*cell] += 1);
        }
    }
}
