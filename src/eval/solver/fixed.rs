//! Tests with bound variables that read unknowns only in whole or at fixed arguments: `!y.(y : r[{f(a)}] => y /= f(b))`.
//!
//! In: a test, the cells. Out: whether it holds, once the few cells that it reads are decided, by evaluating it: going through
//! its rows with what is known of each expression takes ten times as long. What of it reads one cell only is evaluated once for
//! each option (`hoist`). While one cell is open its options are tried, and for two cells with few options a table is made at
//! once. What cannot be evaluated is left to `judge`.

use super::cells::{CellId, Shape, point};
use super::{Constraint, Search};
use crate::eval::hoist::{self, Hoisted, Part, Site};
use crate::eval::pattern::put;
use crate::eval::{Env, walk};
use crate::ir::{Expr, LocalId, Pred};
use crate::value::{SetRef, Value};
use std::collections::BTreeMap;
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

/// What a test reads at fixed arguments.
pub(super) struct Fixed {
    /// Each cell once, and those of one unknown beside each other.
    reads: Vec<Read>,
    /// The test without its parts; for each of these the number of what it reads, and of its values.
    hoisted: Option<(Arc<Hoisted>, Vec<(usize, usize)>)>,
}

/// What tests read, by number, as far as it has been asked for; `None` for tests that read more.
pub(super) type ByTest = Vec<Option<Option<Arc<Fixed>>>>;

/// Where a predicate reads unknowns.
pub(super) struct Places {
    sites: Vec<Site>,
    hoisted: Option<Arc<Hoisted>>,
}

/// What parts of tests are, by the option of the cell that they read; `None` for what has no value in extension.
#[derive(Default)]
pub(super) struct Values {
    /// By number.
    of: Vec<Vec<Option<Option<Value>>>>,
    /// The number of a part, by address, where the locals that it reads have these values.
    at: BTreeMap<(usize, Vec<Value>), usize>,
}

impl Search<'_> {
    /// Whether a test holds, if the cells that it reads are decided, at most so many, and all that it reads.
    pub(super) fn judge_fixed(&self, c: usize, pred: &Pred, most: usize, env: &mut Env) -> Option<bool> {
        let fixed = self.fixed_reads(c, pred, env)?;
        if fixed.reads.len() > most || fixed.reads.iter().any(|read| self.cells.cells[read.cell].left != 1) {
            return None;
        }
        if let Some(truth) = self.judge_hoisted(&fixed, env) {
            return Some(truth);
        }
        for of_one in fixed.reads.chunk_by(|a, b| a.unknown == b.unknown) {
            self.put_reads(of_one, env)?;
        }
        self.run.ev.pred(pred, env).ok()
    }

    /// The same by what its parts are for the options that are left; `None` if one has no value.
    fn judge_hoisted(&self, fixed: &Fixed, env: &mut Env) -> Option<bool> {
        let (hoisted, at) = fixed.hoisted.as_ref()?;
        for (part, (read, values)) in hoisted.parts.iter().zip(at) {
            let value = self.part_value(&part.expr, &fixed.reads[*read], *values, env)?;
            env.set_local(part.local, Some(value));
        }
        self.run.ev.pred(&hoisted.rest, env).ok()
    }

    /// What a part is for the only option of the cell that it reads, which stands for the same value throughout if all were
    /// listed from the start.
    fn part_value(&self, part: &Expr, read: &Read, values: usize, env: &mut Env) -> Option<Value> {
        let option = self.cells.cells[read.cell].single()?;
        if !self.listed[read.cell] {
            return self.part_anew(part, read, env);
        }
        if let Some(value) = self.hoisted.borrow().of[values].get(option).and_then(Option::as_ref) {
            return value.clone();
        }
        let value = self.part_anew(part, read, env);
        let of = &mut self.hoisted.borrow_mut().of[values];
        if of.len() <= option {
            of.resize(option + 1, None);
        }
        of[option] = Some(value.clone());
        value
    }

    fn part_anew(&self, part: &Expr, read: &Read, env: &mut Env) -> Option<Value> {
        self.put_reads(std::slice::from_ref(read), env)?;
        self.run.ev.settled(part, env).ok().filter(|v| !matches!(v, Value::Lazy(_)))
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
    pub(super) fn is_of_two(&self, p: &Pred, locals: &[(LocalId, Value)], env: &mut Env) -> bool {
        super::expand::place(locals, env);
        let Some(mut reads) = self.places(p, env).and_then(|places| self.reads_at(&places, env)) else {
            return false;
        };
        each_once(&mut reads);
        let cells = || reads.iter().map(|r| &self.cells.cells[r.cell]);
        let combinations = cells().map(|c| c.left as usize).fold(1, usize::saturating_mul);
        reads.len() <= 2 && combinations <= MOST && cells().all(|c| c.wide.is_none())
    }

    /// The cells that a test reads, if they are all that it reads.
    fn fixed_reads(&self, c: usize, pred: &Pred, env: &mut Env) -> Option<Arc<Fixed>> {
        if let Some(Some(fixed)) = self.fixed.borrow().get(c) {
            return fixed.clone();
        }
        // Before all cells have been made there may be more of them.
        if self.listed.is_empty() {
            return None;
        }
        let fixed = self.places(pred, env).and_then(|places| self.fixed_at(&places, env)).map(Arc::new);
        let mut by_test = self.fixed.borrow_mut();
        if by_test.len() <= c {
            by_test.resize(self.constraints.len(), None);
        }
        by_test[c] = Some(fixed.clone());
        fixed
    }

    /// What a predicate reads where its variables have these values.
    fn fixed_at(&self, places: &Places, env: &mut Env) -> Option<Fixed> {
        let mut reads = self.reads_at(places, env)?;
        let cells: Vec<CellId> = reads.iter().map(|r| r.cell).collect();
        each_once(&mut reads);
        let hoisted = places.hoisted.as_ref().and_then(|hoisted| {
            let mut at = Vec::with_capacity(hoisted.parts.len());
            for part in &hoisted.parts {
                let read = reads.iter().position(|r| r.cell == cells[part.site])?;
                at.push((read, self.hoisted.borrow_mut().number(part, env)?));
            }
            Some((hoisted.clone(), at))
        });
        (reads.len() <= CELLS).then_some(Fixed { reads, hoisted })
    }

    /// What a predicate reads at each of its places.
    fn reads_at(&self, places: &Places, env: &mut Env) -> Option<Vec<Read>> {
        places.sites.iter().map(|site| self.site_at(site, env)).collect()
    }

    /// Where a predicate reads unknowns, if it has variables of its own and reads some.
    fn places(&self, pred: &Pred, env: &Env) -> Option<Arc<Places>> {
        let key = std::ptr::from_ref(pred).addr();
        if let Some(places) = self.places.borrow().get(&key) {
            return places.clone();
        }
        let places = self.find_places(pred, env).map(Arc::new);
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
        let hoisted = self.run.ev.hoisted(pred, &bound, &sites, env);
        Some(Places { sites, hoisted })
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

impl Values {
    /// The number of a part with its locals as they are.
    fn number(&mut self, part: &Part, env: &Env) -> Option<usize> {
        let locals: Option<Vec<Value>> = part.locals.iter().map(|id| env.local(*id).cloned()).collect();
        let Self { of, at } = self;
        Some(*at.entry((std::ptr::from_ref(part).addr(), locals?)).or_insert_with(|| {
            of.push(Vec::new());
            of.len() - 1
        }))
    }
}
