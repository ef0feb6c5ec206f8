//! Tests with bound variables that read unknowns only in whole or at fixed arguments: `!y.(y : r[{f(a)}] => y /= f(b))`.
//!
//! In: a test, the cells. Out: whether it holds, once the few cells that it reads are decided, by evaluating it: going through
//! its rows with what is known of each expression takes ten times as long. While one cell is open its options are tried, and
//! for two cells with few options a table is made at once. What cannot be evaluated is left to `judge`.

use super::cells::{CellId, Shape, point};
use super::{Constraint, Search};
use crate::eval::pattern::put;
use crate::eval::{Env, walk};
use crate::ir::{Expr, ExprKind, LocalId, Pred};
use crate::ops::Op;
use crate::value::{SetRef, Value};
use std::sync::Arc;

/// Most cells of one test.
const CELLS: usize = 16;

/// So many combinations of options are tried for each time that a test has been looked at.
const FEW: usize = 16;

/// Most combinations.
const MOST: usize = 1024;

/// A cell that a test reads.
pub(super) struct Read {
    unknown: usize,
    /// The argument, if the unknown is a function.
    argument: Option<Value>,
    cell: CellId,
}

impl Search<'_> {
    /// Whether a test holds, if the cells that it reads are decided and are all that it reads.
    pub(super) fn judge_fixed(&self, c: usize, pred: &Pred, env: &mut Env) -> Option<bool> {
        let reads = self.fixed_reads(c, pred, env)?;
        for of_one in reads.chunk_by(|a, b| a.unknown == b.unknown) {
            let slot = self.run.problem.unknowns[of_one.first()?.unknown].slot;
            put(env, slot, self.as_read(of_one)?);
        }
        self.run.ev.pred(pred, env).ok()
    }

    /// An unknown with no more points than are read.
    fn as_read(&self, reads: &[Read]) -> Option<Value> {
        let mut pairs = Vec::with_capacity(reads.len());
        for read in reads {
            let cell = &self.cells.cells[read.cell];
            if cell.wide.is_some() {
                return None;
            }
            // The option after the last value is "undefined": such an application has no value, with fewer points or more.
            let value = cell.values.get(cell.single()?);
            match (&read.argument, value) {
                (None, value) => return value.cloned(),
                (Some(x), Some(y)) => pairs.push(Value::pair(x.clone(), y.clone())),
                (Some(_), None) => {}
            }
        }
        Some(Value::Set(SetRef::from_vec(pairs)))
    }

    /// Looks at a test of which one or two cells are open; `None` if that says nothing yet.
    pub(super) fn look_at_fixed(
        &mut self,
        c: usize,
        env: &mut Env,
        changed: &mut Vec<CellId>,
    ) -> Option<bool> {
        let Constraint::Test { pred, locals } = &self.constraints[c] else { return None };
        super::expand::place(locals, env);
        let reads = self.fixed_reads(c, pred, env)?;
        let mut open: Vec<CellId> = reads.iter().map(|r| r.cell).collect();
        open.retain(|id| self.cells.cells[*id].left > 1);
        open.sort_unstable();
        if open.iter().any(|id| self.cells.cells[*id].wide.is_some()) {
            return None;
        }
        // A test that cannot become a table has been looked at too often.
        let tries = FEW.saturating_mul(self.looks[c].checked_add(1)?).min(MOST);
        let left = |id: &CellId| self.cells.cells[*id].left as usize;
        if open.len() > 2 || open.iter().map(left).fold(1, usize::saturating_mul) > tries {
            return None;
        }
        match open[..] {
            [cell] => {
                self.watch(c, &open);
                let Some(always) = self.sift(c, cell, env, changed) else { return Some(false) };
                if always {
                    self.settle(c);
                }
                Some(always || !self.gaps || self.cut(c, env, changed))
            }
            [a, b] if self.tabulate_fixed(c, [a, b], env) => Some(self.pair_up(c, changed)),
            [_, _] => {
                self.looks[c] = usize::MAX;
                None
            }
            _ => None,
        }
    }

    /// Whether a predicate reads no more than two cells, so that one table may say all of it.
    pub(super) fn is_of_two(&self, p: &Pred, locals: &[(LocalId, Value)], env: &mut Env) -> bool {
        super::expand::place(locals, env);
        self.find_reads(p, env).is_some_and(|reads| reads.len() <= 2)
    }

    /// The cells that a test reads, if they are all that it reads: each once, and those of one unknown beside each other.
    fn fixed_reads(&self, c: usize, pred: &Pred, env: &mut Env) -> Option<Arc<[Read]>> {
        if let Some(reads) = self.fixed.borrow().of(c) {
            return reads.clone();
        }
        // Before all cells have been made there may be more of them.
        if self.listed.is_empty() {
            return None;
        }
        let reads = self.find_reads(pred, env);
        self.fixed.borrow_mut().keep(c, &reads);
        reads
    }

    fn find_reads(&self, pred: &Pred, env: &mut Env) -> Option<Arc<[Read]>> {
        if self.keeps_locals(pred) {
            return None;
        }
        let steady = self.steady_locals(pred);
        let mut reads: Vec<Read> = Vec::new();
        let mut functions: Vec<*const Expr> = Vec::new();
        let mut fine = true;
        walk::pred(pred, &mut |e| {
            if let ExprKind::Op(Op::Apply, args) = &e.kind
                && let [f, x] = &args[..]
                && let Some(unknown) = self.open_unknown(f)
                && self.known(x)
                && Self::is_steady(x, &steady)
            {
                functions.push(f);
                let read = fine.then(|| self.read_at(unknown, x, env)).flatten();
                fine &= read.is_some();
                reads.extend(read);
            } else if let Some(unknown) = self.open_unknown(e)
                && !functions.contains(&std::ptr::from_ref(e))
            {
                match self.shapes.get(&unknown) {
                    Some(Shape::Point(cell)) => reads.push(Read { unknown, argument: None, cell: *cell }),
                    _ => fine = false,
                }
            }
        });
        reads.sort_by_key(|r| (r.unknown, r.cell));
        reads.dedup_by_key(|r| r.cell);
        (fine && !reads.is_empty() && reads.len() <= CELLS).then(|| reads.into())
    }

    /// The unknown that an expression is, if it has no value yet.
    fn open_unknown(&self, e: &Expr) -> Option<usize> {
        self.run.problem.unknown_of(e).filter(|i| !self.bound.contains(*i))
    }

    fn read_at(&self, unknown: usize, x: &Expr, env: &mut Env) -> Option<Read> {
        let Some(Shape::Fun { keys, parts }) = self.shapes.get(&unknown) else { return None };
        let argument = self.run.ev.settled(x, env).ok()?;
        let cell = point(keys, parts, &argument)?;
        Some(Read { unknown, argument: Some(argument), cell })
    }
}
