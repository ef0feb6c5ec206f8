//! What stays the same while one test is looked at.
//!
//! In: the test that is looked at, an expression in it, a binder in it. Out: what the expression can be and the rows of the
//! binder, found once as long as the cells stay the same, if they read no variable that is bound within the test: a test stands
//! for one value of each variable of the quantifiers around it.

use super::Search;
use super::abs::Abs;
use super::rows::Row;
use crate::eval::walk::{self, Reads};
use crate::eval::{Env, walk::bound_in};
use crate::ir::{Binder, Expr, ExprKind, LocalId, Pred, PredKind};
use std::sync::Arc;

/// The test that is looked at.
#[derive(Clone)]
pub(super) struct Turn {
    test: usize,
    steady: Steady,
}

/// The variables that have one value in a test; all do if nothing in it binds any.
#[derive(Clone)]
pub(super) enum Steady {
    All,
    Some(Arc<[LocalId]>),
}

impl Search<'_> {
    /// Notes which test is looked at from now on.
    pub(super) fn begin_turn(&self, test: usize, pred: &Pred) {
        let steady = if self.keeps_locals(pred) { Steady::All } else { self.steady_locals(pred) };
        self.turn.replace(Some(Turn { test, steady }));
    }

    /// Notes that no test is looked at.
    pub(super) fn end_turn(&self) {
        self.turn.replace(None);
    }

    /// The test that is looked at, if something that reads these locals stays the same in it.
    fn turn_of(&self, key: usize, reads: impl FnOnce() -> Reads) -> Option<usize> {
        let turn = self.turn.borrow();
        let Turn { test, steady } = turn.as_ref()?;
        let Steady::Some(locals) = steady else { return Some(*test) };
        // The same expression may be in several tests, as what is defined is.
        let of = locals.as_ptr().addr();
        let mut known = self.steady.borrow_mut();
        let (at, is_steady) = known.entry(key).or_insert((0, false));
        if *at != of {
            (*at, *is_steady) = (of, among(&reads(), steady));
        }
        is_steady.then_some(*test)
    }

    /// What an expression can be, found once while a test is looked at and the cells stay the same.
    pub(super) fn in_turn<'a>(
        &'a self,
        e: &Expr,
        env: &mut Env,
        find: impl FnOnce(&mut Env) -> Abs<'a>,
    ) -> Abs<'a> {
        let key = std::ptr::from_ref(e).addr();
        let Some(test) = self.turn_of(key, || Reads::of(e)) else { return find(env) };
        let at = (self.cells.version, test);
        if let Some(value) = self.again(self.lately.borrow().get(&key), &at) {
            return value;
        }
        let before = self.touched.borrow().len();
        let value = find(env);
        if let Some(lasting) = value.lasting() {
            self.lately.borrow_mut().insert(key, self.kept(lasting, before, at));
        }
        value
    }

    /// The rows of a binder that reads variables bound outside, likewise.
    pub(super) fn rows_in_turn(
        &self,
        binder: &Binder,
        env: &mut Env,
        find: impl FnOnce(&mut Env) -> Option<Vec<Row>>,
    ) -> Option<Vec<Row>> {
        let key = std::ptr::from_ref(binder).addr();
        let reads = || {
            let mut reads = Reads::of_pred(&binder.pred);
            reads.bind(binder.vars.iter().map(|v| v.id));
            reads
        };
        let Some(test) = self.turn_of(key, reads) else { return find(env) };
        let at = (self.cells.version, test);
        if let Some(rows) = self.again(self.rowed_lately.borrow().get(&key), &at) {
            return Some(rows);
        }
        let before = self.touched.borrow().len();
        let rows = find(env)?;
        self.rowed_lately.borrow_mut().insert(key, self.kept(rows.clone(), before, at));
        Some(rows)
    }

    /// The variables that a test and what is defined read, but not those that something in them binds.
    fn steady_locals(&self, p: &Pred) -> Steady {
        let key = std::ptr::from_ref(p).addr();
        if let Some(locals) = self.steady_in.borrow().get(&key) {
            return Steady::Some(locals.clone());
        }
        let (mut read, mut bound) = (Vec::new(), Vec::new());
        let mut note = |e: &Expr| {
            if let ExprKind::Local(id) = e.kind {
                read.push(id);
            }
        };
        walk::pred(p, &mut note);
        self.defined.iter().for_each(|(_, e)| walk::expr(e, &mut note));
        bound_in(p, &mut bound);
        self.defined.iter().for_each(|(_, e)| walk::bound_in_expr(e, &mut bound));
        read.retain(|id| !bound.contains(id));
        read.sort_unstable();
        read.dedup();
        let locals: Arc<[LocalId]> = read.into();
        self.steady_in.borrow_mut().insert(key, locals.clone());
        Steady::Some(locals)
    }

    /// Whether nothing in a predicate, nor in what is defined, gives a quantified variable another value.
    pub(super) fn keeps_locals(&self, p: &Pred) -> bool {
        let key = std::ptr::from_ref(p).addr();
        if let Some(flat) = self.flat.borrow().get(&key) {
            return *flat;
        }
        let flat = keeps_locals(p) && self.defined.iter().all(|(_, e)| is_without_binders(e));
        self.flat.borrow_mut().insert(key, flat);
        flat
    }
}

/// Whether all that is read has one value.
fn among(reads: &Reads, steady: &Steady) -> bool {
    let Steady::Some(locals) = steady else { return true };
    reads.free().all(|id| locals.binary_search(&id).is_ok())
}

fn keeps_locals(p: &Pred) -> bool {
    match &p.kind {
        PredKind::True | PredKind::False => true,
        PredKind::And(ps) | PredKind::Or(ps) => ps.iter().all(keeps_locals),
        PredKind::Implies(a, b) | PredKind::Iff(a, b) => keeps_locals(a) && keeps_locals(b),
        PredKind::Not(a) => keeps_locals(a),
        PredKind::Op(_, args) => args.iter().all(is_without_binders),
        _ => false,
    }
}

/// Whether an expression has neither binders nor predicates in it.
fn is_without_binders(e: &Expr) -> bool {
    let mut without = true;
    walk::expr(e, &mut |e| {
        without &= e.binder().is_none()
            && !matches!(e.kind, ExprKind::Bool(_) | ExprKind::If(..) | ExprKind::Let(..));
    });
    without
}
