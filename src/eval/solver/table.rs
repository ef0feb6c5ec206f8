//! Constraints between two cells as tables: `f(x) |-> g(y) : r` under known `x`, `y` and `r`, or its negation.
//!
//! In: a predicate under values of quantified variables, of which everything but one such membership is decided.
//! Out: for each option of one cell the options of the other that go with it, as bits, and what is left of both
//! cells once each option has a partner. Instances that ask for the same relation share one table. Cells that may
//! have no value are left to the general test.

use super::cells::{CellId, Cells, Shape, point};
use super::wake::Waits;
use super::{Constraint, Search};
use crate::eval::Env;
use crate::ir::{Expr, ExprKind, Pred, PredKind};
use crate::ops::Op;
use crate::value::{SetRef, Value};
use smallvec::SmallVec;
use std::sync::Arc;

/// Most options of a cell in a table.
const OPTIONS: usize = 1024;

/// Most tables of one search.
const TABLES: usize = 32;

/// Most combinations of options that are tried to make a table of a test.
const COMBINATIONS: usize = 2048;

/// A test that has been made for a share of all combinations had better become a table.
const SHARE: usize = 8;

/// A row of bits.
type Row = SmallVec<[u64; 2]>;

/// Which options of two cells go together.
#[derive(Debug)]
pub(super) struct Table {
    /// For each option of the first cell those of the second.
    rows: Vec<Row>,
    /// For each option of the second cell those of the first.
    columns: Vec<Row>,
    /// Whether it was evaluated for each combination that is possible.
    by_value: bool,
}

/// A table with what it was made from (kept, so that no other value can be at the same place).
pub(super) struct Made {
    relation: SetRef,
    inside: bool,
    left: Arc<Vec<Value>>,
    right: Arc<Vec<Value>>,
    table: Arc<Table>,
}

impl Table {
    fn new(relation: &SetRef, inside: bool, left: &[Value], right: &[Value]) -> Self {
        let blank = |n: usize, other: usize| {
            let mut row = Row::from_elem(if inside { 0 } else { u64::MAX }, other.div_ceil(64));
            if let (false, false, Some(last)) = (inside, other.is_multiple_of(64), row.last_mut()) {
                *last = (1 << (other % 64)) - 1;
            }
            vec![row; n]
        };
        let (mut rows, mut columns) = (blank(left.len(), right.len()), blank(right.len(), left.len()));
        for v in relation.items() {
            let Value::Pair(p) = v else { continue };
            if let (Ok(i), Ok(j)) = (left.binary_search(&p.0), right.binary_search(&p.1)) {
                rows[i][j / 64] ^= 1 << (j % 64);
                columns[j][i / 64] ^= 1 << (i % 64);
            }
        }
        Self { rows, columns, by_value: false }
    }
}

impl Search<'_> {
    /// A predicate as a table, if it is one; no constraint if it is about one cell, whose other options go at once.
    pub(super) fn table(&mut self, p: &Pred, env: &mut Env) -> Option<Option<Constraint>> {
        let (a, b, relation, inside) = self.pairing(p, true, env)?;
        let values = |c: CellId| {
            let cell = &self.cells.cells[c];
            let plain = cell.wide.is_none() && !cell.has(cell.values.len()) && cell.values.len() <= OPTIONS;
            (plain && !cell.values.is_empty()).then(|| cell.values.clone())
        };
        let (left, right) = (values(a)?, values(b)?);
        if a == b {
            let goes = |v: &Value| relation.contains(&Value::pair(v.clone(), v.clone())) == inside;
            for (i, _) in left.iter().enumerate().filter(|(_, v)| !goes(v)) {
                self.cells.drop_option(a, i);
            }
            return Some(None);
        }
        let same = |m: &&Made| {
            m.inside == inside
                && m.relation.is(&relation)
                && Arc::ptr_eq(&m.left, &left)
                && Arc::ptr_eq(&m.right, &right)
        };
        if let Some(made) = self.tables.iter().find(same) {
            return Some(Some(Constraint::Table { cells: [a, b], table: made.table.clone() }));
        }
        if self.tables.len() >= TABLES {
            return None;
        }
        let table = Arc::new(Table::new(&relation, inside, &left, &right));
        self.tables.push(Made { relation, inside, left, right, table: table.clone() });
        Some(Some(Constraint::Table { cells: [a, b], table }))
    }

    /// Makes a table of a test that has been looked at often and meets two cells; whether that was possible. What
    /// counts is what the cells may be before anything is decided, so the table lasts.
    pub(super) fn tabulate(&mut self, c: usize, env: &mut Env) -> bool {
        let Some(Some((cells, table))) = self.at_root(|s| s.tried(c, env)) else { return false };
        self.becomes_table(c, cells, table);
        true
    }

    /// The same for a test of which it is known that two cells decide it.
    pub(super) fn tabulate_fixed(&mut self, c: usize, cells: [CellId; 2], env: &mut Env) -> bool {
        let table = if self.early {
            self.all_tried(c, cells, env)
        } else {
            self.at_root(|s| s.all_tried(c, cells, env)).flatten()
        };
        let made = table.is_some();
        if let Some(table) = table {
            self.becomes_table(c, cells, table);
        }
        made
    }

    fn becomes_table(&mut self, c: usize, cells: [CellId; 2], table: Table) {
        self.constraints[c] = Constraint::Table { cells, table: Arc::new(table) };
        self.patient[c] = false;
        self.waits[c] = Waits::Any;
        for cell in cells {
            self.wake_by(cell, c);
        }
    }

    /// What is found with the cells as they were before anything was decided.
    pub(super) fn at_root<T>(&mut self, find: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let mut root = self.root.take()?;
        // What is remembered of one of the two must not be taken for what holds of the other.
        root.version = self.cells.version + 1;
        std::mem::swap(&mut root, &mut self.cells);
        let found = find(self);
        std::mem::swap(&mut root, &mut self.cells);
        self.cells.version = root.version + 1;
        self.root = Some(root);
        Some(found)
    }

    /// The table of a test: its truth for all combinations, if they are few and all are decided by two cells.
    fn tried(&mut self, c: usize, env: &mut Env) -> Option<([CellId; 2], Table)> {
        if self.judge(c, env).is_some() {
            return None;
        }
        let mut touched = self.touched.take();
        touched.sort_unstable();
        touched.dedup();
        let [a, b] = touched[..] else { return None };
        let options = |id: CellId| self.cells.cells[id].left as usize;
        let combinations = options(a).saturating_mul(options(b));
        let listed = [a, b].iter().all(|id| self.cells.cells[*id].wide.is_none());
        if !listed || combinations > COMBINATIONS {
            self.looks[c] = usize::MAX;
            return None;
        }
        if self.looks[c] < combinations / SHARE {
            return None;
        }
        let table = self.all_tried(c, [a, b], env);
        if table.is_none() {
            self.looks[c] = usize::MAX;
        }
        Some(([a, b], table?))
    }

    /// The truth of a test for all options of two listed cells, which decide it; `None` if something else does.
    fn all_tried(&mut self, c: usize, [a, b]: [CellId; 2], env: &mut Env) -> Option<Table> {
        // Integers that are listed by now may have been without a list at the root.
        if [a, b].iter().any(|id| self.cells.cells[*id].wide.is_some()) {
            return None;
        }
        let options = |id: CellId| self.cells.cells[id].options().collect::<Vec<usize>>();
        let (left, right) = (options(a), options(b));
        let words = |id: CellId| self.cells.cells[id].alive.len();
        let rows_of = |some: &[usize], other: CellId| {
            let n = some.iter().max().map_or(0, |last| last + 1);
            vec![Row::from_elem(0, words(other)); n]
        };
        let (mut rows, mut columns) = (rows_of(&left, b), rows_of(&right, a));
        let mut by_value = true;
        for (i, j) in left.iter().flat_map(|i| right.iter().map(move |j| (*i, *j))) {
            let both = |cells: &mut Cells| {
                cells.keep(a, i);
                cells.keep(b, j);
            };
            if self.on_trial(both, |s| s.judge(c, env))? {
                rows[i][j / 64] |= 1 << (j % 64);
                columns[j][i / 64] |= 1 << (i % 64);
                by_value &= self.by_value.get();
            }
        }
        Some(Table { rows, columns, by_value })
    }

    /// The membership that a predicate comes to once everything else in it is decided.
    fn pairing(&self, p: &Pred, holds: bool, env: &mut Env) -> Option<(CellId, CellId, SetRef, bool)> {
        match &p.kind {
            PredKind::Not(a) => self.pairing(a, !holds, env),
            PredKind::Iff(a, b) => match (self.truth(a, env), self.truth(b, env)) {
                (Some(t), None) => self.pairing(b, holds == t, env),
                (None, Some(t)) => self.pairing(a, holds == t, env),
                _ => None,
            },
            PredKind::Implies(a, b) if holds && self.truth(a, env) == Some(true) => {
                self.pairing(b, true, env)
            }
            PredKind::Op(op @ (Op::In | Op::NotIn), args) => {
                let [pair, set] = &args[..] else { return None };
                let ExprKind::Op(Op::Maplet, sides) = &pair.kind else { return None };
                let [x, y] = &sides[..] else { return None };
                let (a, b) = (self.cell_of(x, env)?, self.cell_of(y, env)?);
                if !self.known(set) {
                    return None;
                }
                match self.abs(set, env) {
                    super::abs::Abs::Known(Value::Set(s)) if s.is_extension() => {
                        Some((a, b, s, holds == (*op == Op::In)))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The cell that an expression is the value of: an unknown of one cell, or a function at a known argument.
    pub(super) fn cell_of(&self, e: &Expr, env: &mut Env) -> Option<CellId> {
        let shape = |e: &Expr| self.run.problem.unknown_of(e).and_then(|i| self.shapes.get(&i));
        if let Some(Shape::Point(id)) = shape(e) {
            return Some(*id);
        }
        let ExprKind::Op(Op::Apply, args) = &e.kind else { return None };
        let [f, x] = &args[..] else { return None };
        let Some(Shape::Fun { keys, parts }) = shape(f) else { return None };
        if !self.known(x) {
            return None;
        }
        point(keys, parts, &self.run.ev.settled(x, env).ok()?)
    }

    /// Takes away options without a partner; false if a cell is left without any.
    pub(super) fn pair_up(&mut self, c: usize, changed: &mut Vec<CellId>) -> bool {
        let Constraint::Table { cells: [a, b], table } = &self.constraints[c] else { return true };
        let (a, b, table) = (*a, *b, table.clone());
        let fine = supported(&mut self.cells, (a, b), &table.rows, changed)
            && supported(&mut self.cells, (b, a), &table.columns, changed);
        let other = &self.cells.cells[b];
        if fine && self.cells.cells[a].options().all(|i| covers(&table.rows[i], &other.alive)) {
            self.settle_as(c, table.by_value);
        }
        fine
    }
}

/// Keeps the options of a cell that some option of the other goes with.
fn supported(
    cells: &mut Cells,
    (cell, other): (CellId, CellId),
    rows: &[Row],
    changed: &mut Vec<CellId>,
) -> bool {
    let alive = &cells.cells[other].alive;
    let lonely = |i: usize| rows[i].iter().zip(alive).all(|(r, w)| r & w == 0);
    let lost = cells.cells[cell].options_where(lonely);
    if lost.iter().all(|w| *w == 0) {
        return true;
    }
    changed.push(cell);
    cells.remove_all(cell, &lost)
}

/// Whether all alive options are in a row.
fn covers(row: &Row, alive: &[u64]) -> bool {
    row.iter().zip(alive).all(|(r, w)| w & !r == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::solver::cells::Cell;

    fn ints(n: i64) -> Arc<Vec<Value>> {
        Arc::new((0..n).map(Value::Int).collect())
    }

    #[test]
    fn options_without_a_partner_go() {
        // Successors, and everything but successors, among seventy numbers.
        let next = |n: i64| Value::pair(Value::Int(n), Value::Int(n + 1));
        let relation = SetRef::from_vec((0..100).map(next).collect());
        for inside in [true, false] {
            let values = ints(70);
            let table = Table::new(&relation, inside, &values, &values);
            for (i, j) in (0..70).flat_map(|i| (0..70).map(move |j| (i, j))) {
                let goes = table.rows[i][j / 64] >> (j % 64) & 1 == 1;
                assert_eq!(goes, table.columns[j][i / 64] >> (i % 64) & 1 == 1);
                assert_eq!(goes, (j == i + 1) == inside, "{i} {j}");
            }
            let mut cells = Cells::default();
            let (a, b) = (cells.add(Cell::new(values.clone(), 70)), cells.add(Cell::new(values, 70)));
            let mut changed = Vec::new();
            assert!(supported(&mut cells, (a, b), &table.rows, &mut changed));
            // 69 has no successor here.
            assert_eq!(cells.cells[a].left, if inside { 69 } else { 70 });
            cells.keep(b, 0);
            // No number has the successor 0, and all have others.
            assert_eq!(supported(&mut cells, (a, b), &table.rows, &mut changed), !inside);
            assert!(cells.cells[a].options().all(|i| covers(&table.rows[i], &cells.cells[b].alive)));
        }
    }
}
