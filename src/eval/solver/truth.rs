//! Truth of predicates while unknowns are only partly decided: true, false or not yet known.
//!
//! In: a predicate, the cells as they are. Out: `Some` only if every completion of the cells agrees. A predicate
//! that would fault is not known: the exact test afterwards decides.

use super::Search;
use super::abs::Abs;
use super::cells::Shape;
use super::rows::place;
use crate::eval::Env;
use crate::ir::{Expr, ExprKind, Pred, PredKind};
use crate::ops::Op;
use crate::value::{SetRef, Value};
use std::sync::Arc;

impl Search<'_> {
    /// What is known of a predicate.
    pub(super) fn truth(&self, p: &Pred, env: &mut Env) -> Option<bool> {
        match &p.kind {
            PredKind::True => Some(true),
            PredKind::False => Some(false),
            PredKind::And(ps) => self.all(ps, true, env),
            PredKind::Or(ps) => self.all(ps, false, env).map(|b| !b),
            PredKind::Implies(a, b) => match self.truth(a, env) {
                Some(false) => Some(true),
                Some(true) => self.truth(b, env),
                None => self.truth(b, env).filter(|b| *b),
            },
            PredKind::Iff(a, b) => Some(self.truth(a, env)? == self.truth(b, env)?),
            PredKind::Not(a) => self.truth(a, env).map(|b| !b),
            PredKind::If(c, a, b) => {
                if self.truth(c, env)? {
                    self.truth(a, env)
                } else {
                    self.truth(b, env)
                }
            }
            PredKind::Op(op, args) if args.iter().all(|a| self.known(a)) => {
                let _ = (op, args);
                self.run.ev.pred(p, env).ok()
            }
            PredKind::Op(op, args) => match &args[..] {
                [a, b] => self.compare(*op, a, b, env),
                _ => None,
            },
            PredKind::Forall(s) => self.quantified(&s.binder, &s.body, env),
            PredKind::Exists(binder) => {
                if self.known_pred(&binder.pred) {
                    self.run.ev.pred(p, env).ok()
                } else {
                    self.some_row(binder, env)
                }
            }
            PredKind::Let(id, e, p) => {
                let answers: Vec<Option<bool>> = (self.few(e, env)?.into_iter())
                    .map(|v| {
                        env.set_local(*id, Some(v));
                        self.truth(p, env)
                    })
                    .collect();
                unanimous(&answers)
            }
            PredKind::External(..) => None,
        }
    }

    /// Conjunction (`unit` true) or the negated disjunction (`unit` false) of predicates.
    pub(super) fn all<P: std::borrow::Borrow<Pred>>(
        &self,
        ps: &[P],
        unit: bool,
        env: &mut Env,
    ) -> Option<bool> {
        let mut unknown = false;
        for p in ps {
            match self.truth(p.borrow(), env) {
                Some(b) if b == unit => {}
                Some(_) => return Some(false),
                None => unknown = true,
            }
        }
        (!unknown).then_some(true)
    }

    fn quantified(&self, binder: &crate::ir::Binder, body: &Pred, env: &mut Env) -> Option<bool> {
        let rows = self.rows(binder, env)?;
        let mut unknown = false;
        for row in &rows {
            place(binder, row, env);
            match (row.truth, self.truth(body, env)) {
                (_, Some(true)) => {}
                (Some(true), Some(false)) => return Some(false),
                _ => unknown = true,
            }
        }
        (!unknown).then_some(true)
    }

    fn compare(&self, op: Op, a: &Expr, b: &Expr, env: &mut Env) -> Option<bool> {
        match op {
            Op::Neq => return self.compare(Op::Eq, a, b, env).map(|t| !t),
            Op::NotIn => return self.compare(Op::In, a, b, env).map(|t| !t),
            Op::NotSubset => return self.compare(Op::Subset, a, b, env).map(|t| !t),
            Op::NotStrictSubset => return self.compare(Op::StrictSubset, a, b, env).map(|t| !t),
            Op::Gt => return self.compare(Op::Lt, b, a, env),
            Op::Ge => return self.compare(Op::Le, b, a, env),
            _ => {}
        }
        if self.says_nothing(op, a, b, env) {
            return None;
        }
        let x = self.abs(a, env);
        if op == Op::In {
            return self.member(&x, b, env);
        }
        let y = self.abs(b, env);
        match op {
            Op::Eq => self.equal(&x, &y),
            Op::Subset => {
                let ((must, may), (low, high)) = (self.bounds(&x)?, self.bounds(&y)?);
                if !must.items().iter().all(|v| high.contains(v)) {
                    return Some(false);
                }
                may.items().iter().all(|v| low.contains(v)).then_some(true)
            }
            Op::StrictSubset => {
                let ((must, may), (low, high)) = (self.bounds(&x)?, self.bounds(&y)?);
                let size = |s: &SetRef| s.items().len();
                if size(&must) >= size(&high) || !must.items().iter().all(|v| high.contains(v)) {
                    return Some(false);
                }
                (size(&may) < size(&low) && may.items().iter().all(|v| low.contains(v))).then_some(true)
            }
            Op::Lt | Op::Le => {
                let (i, j) = (x.interval()?, y.interval()?);
                let gap = i128::from(op == Op::Lt);
                if matches!((i.hi(), j.lo()), (Some(h), Some(l)) if h + gap <= l) {
                    return Some(true);
                }
                matches!((i.lo(), j.hi()), (Some(l), Some(h)) if l + gap > h).then_some(false)
            }
            _ => None,
        }
    }

    /// Whether nothing is ever known of a comparison, as one of its sides can be anything whatever is decided. The cells that
    /// the other side would meet are noted.
    fn says_nothing(&self, op: Op, a: &Expr, b: &Expr, env: &mut Env) -> bool {
        match (self.is_open(a), self.is_open(b)) {
            (true, true) => true,
            (true, false) if op == Op::In => self.known(b),
            (true, false) => self.meets(b, env),
            (false, true) => op != Op::In && self.meets(a, env),
            (false, false) => false,
        }
    }

    fn equal(&self, x: &Abs<'_>, y: &Abs<'_>) -> Option<bool> {
        match (x, y) {
            (Abs::Known(a), Abs::Known(b)) => return Some(a == b),
            (Abs::Known(v), Abs::OneOf(vs)) | (Abs::OneOf(vs), Abs::Known(v)) => {
                return if vs.contains(v) { None } else { Some(false) };
            }
            (Abs::Known(v), Abs::Options(cell)) | (Abs::Options(cell), Abs::Known(v)) => {
                return if cell.admits(v) { None } else { Some(false) };
            }
            (Abs::Options(a), Abs::Options(b)) if Arc::ptr_eq(&a.values, &b.values) => {
                return a.equals(b);
            }
            (Abs::Options(cell), Abs::OneOf(vs)) | (Abs::OneOf(vs), Abs::Options(cell)) => {
                return if vs.iter().any(|v| cell.admits(v)) { None } else { Some(false) };
            }
            (Abs::Options(cell), Abs::Int(range)) | (Abs::Int(range), Abs::Options(cell)) => {
                return if cell.reaches(*range) == Some(false) { Some(false) } else { None };
            }
            _ if x.is_many() || y.is_many() => {
                let apart = x.interval().zip(y.interval()).is_some_and(|(i, j)| i.meet(j).is_empty());
                return apart.then_some(false);
            }
            _ => {}
        }
        if let (Abs::Pair(a, b), Abs::Pair(c, d)) = (x, y) {
            return match (self.equal(a, c), self.equal(b, d)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            };
        }
        if let (Some(a), Some(b)) = (x.alternatives(), y.alternatives()) {
            if let ([a], [b]) = (&a[..], &b[..]) {
                return Some(a == b);
            }
            let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
            return if few.iter().any(|v| many.contains(v)) { None } else { Some(false) };
        }
        if let (Some(i), Some(j)) = (x.interval(), y.interval()) {
            return i.meet(j).is_empty().then_some(false);
        }
        let ((must, may), (low, high)) = (self.bounds(x)?, self.bounds(y)?);
        if !must.items().iter().all(|v| high.contains(v)) || !low.items().iter().all(|v| may.contains(v)) {
            return Some(false);
        }
        (must.items().len() == may.items().len() && low.items().len() == high.items().len()).then_some(true)
    }

    fn member<'a>(&'a self, x: &Abs<'a>, set: &Expr, env: &mut Env) -> Option<bool> {
        if self.known(set) {
            if let Abs::Part(shape) = x {
                // Only the whole value tells: one undecided cell is enough to wait for.
                if let Some(cell) = self.undecided(shape) {
                    self.note(cell);
                    return None;
                }
                let v = self.cells.value(shape)?;
                let (s, ty) = (self.run.ev.expr(set, env).ok()?, set.ty.elem()?);
                return self.run.ev.holds(Op::In, &[v, s], ty, set.span).ok();
            }
            let s = self.run.ev.expr(set, env).ok()?;
            let ty = set.ty.elem()?;
            let is = |v: &Value| self.run.ev.holds(Op::In, &[v.clone(), s.clone()], ty, set.span).ok();
            if let Some(vs) = x.alternatives() {
                let answers: Vec<Option<bool>> = vs.iter().map(is).collect();
                return unanimous(&answers);
            }
            return None;
        }
        if let (ExprKind::Op(Op::Dom, args), Abs::Known(x)) = (&set.kind, x)
            && let [f] = &args[..]
            && let Abs::Part(Shape::Fun { keys, parts }) = self.abs(f, env)
        {
            return self.has_value_at(keys, parts, x);
        }
        let s = self.abs(set, env);
        let vs = x.alternatives()?;
        if let (Abs::Part(Shape::Set { items, first }), [v]) = (&s, &vs[..]) {
            let Ok(i) = items.binary_search(v) else { return Some(false) };
            let cell = &self.cells.cells[first + i];
            if cell.left > 1 {
                self.note(first + i);
            }
            return cell.single().map(|o| o == 1);
        }
        if let (Abs::Part(Shape::Fun { keys, parts }), [Value::Pair(p)]) = (&s, &vs[..]) {
            let Ok(i) = keys.binary_search(&p.0) else { return Some(false) };
            if let Shape::Point(id) = &parts[i] {
                let cell = &self.cells.cells[*id];
                if cell.wide.is_some() {
                    self.note(*id);
                    return None;
                }
                let Ok(j) = cell.values.binary_search(&p.1) else { return Some(false) };
                if cell.left > 1 {
                    self.note(*id);
                }
                return if cell.has(j) { (cell.left == 1).then_some(true) } else { Some(false) };
            }
        }
        let (must, may) = self.bounds(&s)?;
        let answers: Vec<Option<bool>> = vs
            .iter()
            .map(|v| if must.contains(v) { Some(true) } else { (!may.contains(v)).then_some(false) })
            .collect();
        unanimous(&answers)
    }

    /// Whether a function has a value at an argument: no other point decides that.
    fn has_value_at(&self, keys: &[Value], parts: &[Shape], x: &Value) -> Option<bool> {
        let Ok(i) = keys.binary_search(x) else { return Some(false) };
        let Some(Shape::Point(id)) = parts.get(i) else { return Some(true) };
        let cell = &self.cells.cells[*id];
        if !cell.has(cell.values.len()) {
            return Some(true);
        }
        if cell.left > 1 {
            self.note(*id);
            return None;
        }
        Some(false)
    }
}

fn unanimous(answers: &[Option<bool>]) -> Option<bool> {
    let first = *answers.first()?;
    if answers.iter().all(|a| *a == first) { first } else { None }
}
