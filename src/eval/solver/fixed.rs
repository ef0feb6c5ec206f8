//! Tests with bound variables that read unknowns only in whole or at fixed arguments: `!y.(y : r[{f(a)}] => y /= f(b))`.
//!
//! In: a test, the cells. Out: whether it holds, once the few cells that it reads are decided, by evaluating it: going through
//! its rows with what is known of each expression takes ten times as long. What of it reads one cell only is evaluated once for
//! each option (`hoist`), and the rest once for each choice of such values (`evaluated`). While one cell is open its options are
//! tried, and for two cells with few options a table is made at once. What cannot be evaluated is left to `judge`.

use super::cells::{CellId, Shape, point};
use super::{Constraint, Search};
use crate::eval::evaluated::{Evaluated, Point};
use crate::eval::hoist::{self, Hoisted, Site, locked};
use crate::eval::pattern::put;
use crate::eval::{Env, walk};
use crate::ir::{Expr, LocalId, Pred};
use crate::value::{SetRef, Value};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

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

/// What a test reads at fixed arguments.
pub(super) struct Fixed {
    /// Each cell once, and those of one unknown beside each other.
    reads: Vec<Read>,
    hoisted: Option<Apart>,
}

/// A test taken apart.
struct Apart {
    places: Rc<Places>,
    /// The row of the rest (`evaluated`).
    rest: u32,
    /// For each part the number of what it reads, and its row.
    parts: Vec<(usize, u32)>,
}

/// What tests read, by number, as far as it has been asked for; `None` for tests that read more.
pub(super) type ByTest = Vec<Option<Option<Rc<Fixed>>>>;

/// What was found of a predicate, by address, that may become a test: with these locals.
pub(super) type Lately = Option<(usize, Vec<(LocalId, Value)>, Rc<Fixed>)>;

/// Where a predicate reads unknowns.
pub(super) struct Places {
    sites: Vec<Site>,
    hoisted: Option<(Arc<Hoisted>, Arc<Mutex<Evaluated>>)>,
    /// The points of its parts (`evaluated`), by row and the option of the cell that is read; `None` where a part has no value
    /// in extension.
    points: RefCell<Vec<Vec<Option<Option<u32>>>>>,
}

impl Search<'_> {
    /// Whether a test holds, if the cells that it reads are decided, at most so many, and all that it reads.
    pub(super) fn judge_fixed(&self, c: usize, pred: &Pred, most: usize, env: &mut Env) -> Option<bool> {
        let fixed = self.fixed_reads(c, pred, env)?;
        if fixed.reads.len() > most || fixed.reads.iter().any(|read| self.cells.cells[read.cell].left != 1) {
            return None;
        }
        if let Some(truth) = self.judge_apart(&fixed, env) {
            return Some(truth);
        }
        for of_one in fixed.reads.chunk_by(|a, b| a.unknown == b.unknown) {
            self.put_reads(of_one, env)?;
        }
        self.run.ev.pred(pred, env).ok()
    }

    /// The same by what its parts are for the options that are left; `None` if one has no value.
    fn judge_apart(&self, fixed: &Fixed, env: &mut Env) -> Option<bool> {
        let Apart { places, rest, parts } = fixed.hoisted.as_ref()?;
        let (hoisted, evaluated) = places.hoisted.as_ref()?;
        let mut at = Point::from_slice(&[*rest]);
        for (part, (read, row)) in hoisted.parts.iter().zip(parts) {
            at.push(self.point(places, &part.expr, &fixed.reads[*read], *row, env)?);
        }
        let known = locked(evaluated);
        if let Some(truth) = known.truth(&at) {
            return Some(truth);
        }
        for (part, point) in hoisted.parts.iter().zip(&at[1..]) {
            env.set_local(part.local, known.value(*point).cloned());
        }
        // Evaluation may come here again.
        drop(known);
        let truth = self.run.ev.pred(&hoisted.rest, env).ok()?;
        locked(evaluated).keep_truth(at, truth);
        Some(truth)
    }

    /// The point of a part for the only option of the cell that it reads, which stands for the same value throughout if all
    /// were listed from the start.
    fn point(&self, places: &Places, part: &Expr, read: &Read, row: u32, env: &mut Env) -> Option<u32> {
        let option = self.cells.cells[read.cell].single()?;
        if self.listed.get(read.cell) != Some(&true) {
            return self.point_anew(places, part, read, row, env);
        }
        let row_at = row as usize;
        if let Some(point) =
            places.points.borrow().get(row_at).and_then(|of| of.get(option).copied().flatten())
        {
            return point;
        }
        let point = self.point_anew(places, part, read, row, env);
        let mut points = places.points.borrow_mut();
        if points.len() <= row_at {
            points.resize(row_at + 1, Vec::new());
        }
        let of = &mut points[row_at];
        if of.len() <= option {
            of.resize(option + 1, None);
        }
        of[option] = Some(point);
        point
    }

    fn point_anew(&self, places: &Places, part: &Expr, read: &Read, row: u32, env: &mut Env) -> Option<u32> {
        let (_, evaluated) = places.hoisted.as_ref()?;
        let cell = &self.cells.cells[read.cell];
        if cell.wide.is_some() {
            return None;
        }
        let option = cell.values.get(cell.single()?);
        let known = locked(evaluated).point(row, option);
        if known.is_some() {
            return known;
        }
        self.put_reads(std::slice::from_ref(read), env)?;
        let value = self.run.ev.settled(part, env).ok().filter(Value::is_extension)?;
        locked(evaluated).keep(row, option, value)
    }

    /// Gives an unknown no more points than are read.
    fn put_reads(&self, reads: &[Read], env: &mut Env) -> Option<()> {
        put(env, self.run.problem.unknowns[reads.first()?.unknown].slot, self.as_read(reads)?);
        Some(())
    }

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
        let fixed = self.fixed_reads(c, pred, env)?;
        let mut open: Vec<CellId> = fixed.reads.iter().map(|r| r.cell).collect();
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
                    self.settle_as_judged(c);
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
    pub(super) fn is_of_two(&mut self, p: &Pred, locals: &[(LocalId, Value)], env: &mut Env) -> bool {
        super::expand::place(locals, env);
        let Some(fixed) = self.places(p, env).and_then(|places| self.fixed_at(&places, env)) else {
            return false;
        };
        let cells = || fixed.reads.iter().map(|r| &self.cells.cells[r.cell]);
        let combinations = cells().map(|c| c.left as usize).fold(1, usize::saturating_mul);
        let is_of_two = fixed.reads.len() <= 2 && combinations <= MOST && cells().all(|c| c.wide.is_none());
        self.fixed_lately = Some((std::ptr::from_ref(p).addr(), locals.to_vec(), Rc::new(fixed)));
        is_of_two
    }

    /// Takes note of what the next constraint reads, if it is a test of a predicate that was looked at last.
    pub(super) fn note_fixed(&mut self, p: &Pred, locals: &[(LocalId, Value)]) {
        let Some((of, with, fixed)) = self.fixed_lately.take() else { return };
        if of == std::ptr::from_ref(p).addr() && with == locals {
            let by_test = self.fixed.get_mut();
            by_test.resize(self.constraints.len(), None);
            by_test.push(Some(Some(fixed)));
        }
    }

    /// The cells that a test reads, if they are all that it reads.
    fn fixed_reads(&self, c: usize, pred: &Pred, env: &mut Env) -> Option<Rc<Fixed>> {
        if let Some(Some(fixed)) = self.fixed.borrow().get(c) {
            return fixed.clone();
        }
        // Before all cells have been made there may be more of them.
        if self.listed.is_empty() {
            return None;
        }
        let fixed = self.places(pred, env).and_then(|places| self.fixed_at(&places, env)).map(Rc::new);
        let mut by_test = self.fixed.borrow_mut();
        if by_test.len() <= c {
            by_test.resize(self.constraints.len(), None);
        }
        by_test[c] = Some(fixed.clone());
        fixed
    }

    /// What a predicate reads where its variables have these values.
    fn fixed_at(&self, places: &Rc<Places>, env: &mut Env) -> Option<Fixed> {
        let mut reads = self.reads_at(places, env)?;
        let cells: SmallVec<[CellId; 8]> = reads.iter().map(|r| r.cell).collect();
        each_once(&mut reads);
        let hoisted = places.hoisted.as_ref().and_then(|(hoisted, evaluated)| {
            let mut known = locked(evaluated);
            let rest = known.row(hoisted.parts.len(), &hoisted.locals, env)?;
            let mut parts = Vec::with_capacity(hoisted.parts.len());
            for (i, part) in hoisted.parts.iter().enumerate() {
                let read = reads.iter().position(|r| r.cell == cells[part.site])?;
                parts.push((read, known.row(i, &part.locals, env)?));
            }
            Some(Apart { places: places.clone(), rest, parts })
        });
        (reads.len() <= CELLS).then_some(Fixed { reads, hoisted })
    }

    /// What a predicate reads at each of its places.
    fn reads_at(&self, places: &Places, env: &mut Env) -> Option<Vec<Read>> {
        places.sites.iter().map(|site| self.site_at(site, env)).collect()
    }

    /// Where a predicate reads unknowns, if it has variables of its own and reads some.
    fn places(&self, pred: &Pred, env: &Env) -> Option<Rc<Places>> {
        let key = std::ptr::from_ref(pred).addr();
        if let Some(places) = self.places.borrow().get(&key) {
            return places.clone();
        }
        let places = self.find_places(pred, env).map(Rc::new);
        self.places.borrow_mut().insert(key, places.clone());
        places
    }

    fn find_places(&self, pred: &Pred, env: &Env) -> Option<Places> {
        if self.keeps_locals(pred) {
            return None;
        }
        let mut bound = Vec::new();
        walk::bound_in(pred, &mut bound);
        let open = |e: &Expr| self.open_unknown(e).is_some();
        let sites = hoist::sites(pred, &bound, &open, &|e| self.known(e));
        if sites.is_empty() {
            return None;
        }
        let ev = self.run.ev;
        let hoisted = ev.hoisted(pred, &bound, &sites, env).map(|hoisted| {
            let evaluated = hoisted.evaluated(&env.consts, &ev.world);
            (hoisted, evaluated)
        });
        Some(Places { sites, hoisted, points: RefCell::default() })
    }

    /// The cell that is read at a place.
    fn site_at(&self, site: &Site, env: &mut Env) -> Option<Read> {
        let unknown = self.run.problem.index.get(site.slot)?;
        match (self.shapes.get(&unknown)?, &site.argument) {
            (Shape::Point(cell), None) => Some(Read { unknown, argument: None, cell: *cell }),
            (Shape::Fun { keys, parts }, Some(x)) => {
                let argument = self.run.ev.settled(x, env).ok()?;
                let cell = point(keys, parts, &argument)?;
                Some(Read { unknown, argument: Some(argument), cell })
            }
            _ => None,
        }
    }
}

/// Each cell once, and those of one unknown beside each other.
fn each_once(reads: &mut Vec<Read>) {
    reads.sort_by_key(|r| (r.unknown, r.cell));
    reads.dedup_by_key(|r| r.cell);
}
