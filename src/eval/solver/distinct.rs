//! Cells of which no two take the same value, or that take every value: injections and surjections.
//!
//! In: cells whose first options are the same values, the option after them being "undefined". Out: which options are
//! left, and the cells that lost some; false if that cannot be. Nothing is assumed of who said so.

use super::Constraint;
use super::cells::{CellId, Cells};

/// Whether there are more arguments than values for an injection, or fewer for a surjection.
pub(super) fn is_impossible(cells: &Cells, constraint: &Constraint) -> bool {
    match constraint {
        Constraint::AllDifferent { cells: ids, values } => crowded(cells, ids, *values),
        Constraint::Onto { cells: ids, values } => ids.len() < *values,
        _ => false,
    }
}

/// Takes the values of decided cells from the others; false if a cell is left without any.
pub(super) fn different(cells: &mut Cells, ids: &[CellId], values: usize, changed: &mut Vec<CellId>) -> bool {
    if crowded(cells, ids, values) {
        return false;
    }
    let mut todo: Vec<CellId> = ids.iter().copied().filter(|c| cells.cells[*c].left == 1).collect();
    while let Some(c) = todo.pop() {
        let Some(i) = cells.cells[c].single().filter(|i| *i < values) else { continue };
        for other in ids.iter().copied().filter(|o| *o != c) {
            if cells.cells[other].has(i) {
                if !cells.remove(other, i) {
                    return false;
                }
                changed.push(other);
                if cells.cells[other].left == 1 {
                    todo.push(other);
                }
            }
        }
    }
    true
}

/// Whether cells that must have values are more than all values left for them.
fn crowded(cells: &Cells, ids: &[CellId], values: usize) -> bool {
    let mut alive = vec![0u64; values.div_ceil(64)];
    let mut forced = 0;
    for id in ids {
        let cell = &cells.cells[*id];
        // The option after the values is "undefined": it takes none.
        forced += usize::from(!cell.has(values));
        cell.alive.iter().zip(alive.iter_mut()).for_each(|(w, a)| *a |= w);
    }
    if !values.is_multiple_of(64)
        && let Some(last) = alive.last_mut()
    {
        *last &= (1 << (values % 64)) - 1;
    }
    let left: u32 = alive.iter().map(|w| w.count_ones()).sum();
    forced > left as usize
}

/// Every value needs a cell; the only cell that can take a value takes it.
pub(super) fn onto(cells: &mut Cells, ids: &[CellId], values: usize, changed: &mut Vec<CellId>) -> bool {
    for i in 0..values {
        let mut able = ids.iter().copied().filter(|c| cells.cells[*c].has(i));
        let Some(first) = able.next() else { return false };
        if able.next().is_none() && cells.cells[first].left > 1 {
            cells.keep(first, i);
            changed.push(first);
        }
    }
    true
}
