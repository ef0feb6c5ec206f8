//! Relations of which the constraints of a search say that they are functions: for all that some unknowns can be, the others
//! have just one value, found cell by cell.
//!
//! In: a search before anything is decided, the unknown that is to follow from the others. Out: how many values the others can
//! have together. One cell after the other is taken that some constraints tie to cells known before it: if all options of those
//! leave it just one that these constraints hold for, it follows. Where this ends before everything has been said nothing is
//! known: a relation may be a function for reasons that no single cell shows.

use super::cells::CellId;
use super::{Constraint, Search};
use crate::eval::Env;

/// Most combinations of options that are tried.
const COMBINATIONS: usize = 1 << 16;

/// The constraints that tie one cell to others.
struct Tie {
    cell: CellId,
    constraints: Vec<usize>,
    others: Vec<CellId>,
}

impl Search<'_> {
    /// How many values the unknowns but `last` can have together, if each time there is just one solution.
    pub(in crate::eval) fn determines(mut self, last: usize, env: &mut Env) -> Option<u64> {
        let all = (0..self.constraints.len()).collect();
        if !self.defined.is_empty() || !self.says_all() || !self.consistent(all, env).ok()? {
            return None;
        }
        self.early = false;
        let shape = self.shapes.get(&last)?;
        let follows: Vec<bool> = (0..self.cells.cells.len()).map(|id| shape.has_cell(id)).collect();
        let mut known: Vec<bool> =
            self.cells.cells.iter().zip(&follows).map(|(cell, follows)| cell.left == 1 || !follows).collect();
        let mut open = self.open_constraints(env)?;
        let mut tries = COMBINATIONS;
        while let Some(tie) = next_tie(&open, &known) {
            if !self.leaves_one(&tie, &mut tries, env)? {
                return None;
            }
            known[tie.cell] = true;
            open.retain(|(c, _)| !tie.constraints.contains(c));
        }
        if !open.is_empty() || known.contains(&false) {
            return None;
        }
        let free = self.cells.cells.iter().zip(&follows).filter(|(_, follows)| !**follows);
        free.map(|(cell, _)| u64::from(cell.left)).try_fold(1, u64::checked_mul)
    }

    /// The constraints that may still be false, with the undecided cells that they are about. `None` if that is not plain.
    fn open_constraints(&mut self, env: &mut Env) -> Option<Vec<(usize, Vec<CellId>)>> {
        let mut open = Vec::new();
        for c in (0..self.constraints.len()).filter(|c| !self.settled[*c]).collect::<Vec<usize>>() {
            let mut cells = match &self.constraints[c] {
                Constraint::Test { .. } if self.judge(c, env) == Some(true) => continue,
                Constraint::Test { .. } => self.touched.take(),
                other => other.cells(),
            };
            cells.retain(|id| self.cells.cells[*id].left > 1);
            cells.sort_unstable();
            cells.dedup();
            if cells.is_empty() || cells.iter().any(|id| self.cells.cells[*id].wide.is_some()) {
                return None;
            }
            open.push((c, cells));
        }
        Some(open)
    }

    /// Whether every combination of options of the other cells leaves the cell of a tie just one.
    fn leaves_one(&mut self, tie: &Tie, tries: &mut usize, env: &mut Env) -> Option<bool> {
        let options = |id: &CellId| self.cells.cells[*id].options().collect::<Vec<usize>>();
        let lists: Vec<Vec<usize>> = tie.others.iter().map(options).collect();
        let own = options(&tie.cell);
        let combinations = lists.iter().try_fold(own.len(), |n, list| n.checked_mul(list.len()))?;
        *tries = tries.checked_sub(combinations)?;
        for number in 0..combinations / own.len() {
            let mark = self.mark();
            let mut left = number;
            for (id, list) in tie.others.iter().zip(&lists) {
                self.cells.keep(*id, list[left % list.len()]);
                left /= list.len();
            }
            let mut fine = 0;
            for i in &own {
                let mark = self.mark();
                self.cells.keep(tie.cell, *i);
                let holds = self.all_hold(&tie.constraints, env);
                self.back_to(mark);
                fine += usize::from(holds?);
            }
            self.back_to(mark);
            if fine != 1 {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Whether all of some constraints hold, whose cells are decided; `None` if one does not say.
    fn all_hold(&mut self, constraints: &[usize], env: &mut Env) -> Option<bool> {
        for c in constraints.iter().copied() {
            let holds = match &self.constraints[c] {
                Constraint::Test { .. } => self.judge(c, env)?,
                _ => self.look(c, env, &mut Vec::new()) && (self.settled[c].then_some(true)?),
            };
            if !holds {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// The next cell that constraints tie to known cells alone, with all such constraints.
fn next_tie(open: &[(usize, Vec<CellId>)], known: &[bool]) -> Option<Tie> {
    let unknown = |cells: &[CellId]| {
        let mut left = cells.iter().copied().filter(|id| !known[*id]);
        left.next().filter(|_| left.next().is_none())
    };
    let cell = open.iter().find_map(|(_, cells)| unknown(cells))?;
    let mine = || open.iter().filter(|(_, cells)| unknown(cells) == Some(cell));
    let mut others: Vec<CellId> =
        mine().flat_map(|(_, cells)| cells.iter().copied()).filter(|id| *id != cell).collect();
    others.sort_unstable();
    others.dedup();
    Some(Tie { cell, constraints: mine().map(|(c, _)| *c).collect(), others })
}
