//! Cells decided on trial: to see what a test says for some of their options.
//!
//! In: what is decided, what is to be found. Out: what was found; the cells are as they were. Siblings: `table`, `sift` and `formed`,
//! which try options; `rows`, which remembers what holds before any decision.

use super::Search;
use super::cells::Cells;

impl Search<'_> {
    /// What is found with some cells decided on trial; they are as they were again. What is remembered as holding of the cells
    /// before any decision must not be found meanwhile.
    pub(super) fn on_trial<T>(
        &mut self,
        decide: impl FnOnce(&mut Cells),
        find: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let early = std::mem::replace(&mut self.early, false);
        let mark = self.cells.mark();
        decide(&mut self.cells);
        let found = find(self);
        self.cells.back_to(mark);
        self.early = early;
        found
    }
}
