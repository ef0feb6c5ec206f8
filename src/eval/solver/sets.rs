//! Backwards through set operators: what must go from the cells if a set is to have a member, or to have only
//! members of some kind.
//!
//! In: a set expression, a member or a test. Out: cuts. Dropping a demand is always sound, so an operator without
//! a rule here is left to the forward look.

use super::Search;
use super::abs::Abs;
use super::cells::Shape;
use super::enforce::{Cuts, Limit};
use crate::eval::Env;
use crate::ir::{Expr, ExprKind};
use crate::ops::Op;
use crate::value::Value;

/// Which values may stay.
pub(super) type Allowed<'a> = &'a dyn Fn(&Value) -> bool;

impl Search<'_> {
    /// Keeps a set's members among those allowed.
    pub(super) fn prune(&self, set: &Expr, allowed: Allowed<'_>, env: &mut Env, cuts: &mut Cuts) {
        if self.known(set) {
            return;
        }
        let ExprKind::Op(op, args) = &set.kind else {
            return match &set.kind {
                ExprKind::Compr(..) | ExprKind::Image(_) | ExprKind::Lambda(..) => {
                    self.prune_rows(set, allowed, env, cuts);
                }
                ExprKind::SetExt(items) => {
                    items.iter().for_each(|x| self.keep_allowed(x, allowed, env, cuts));
                }
                _ => self.prune_cells(set, allowed, env, cuts),
            };
        };
        match (op, &args[..]) {
            (Op::Union, _) => args.iter().for_each(|a| self.prune(a, allowed, env, cuts)),
            (Op::Inter, [a, b]) => {
                for (one, other) in [(a, b), (b, a)] {
                    if let Some((must, _)) = self.bounds(&self.abs(one, env)) {
                        self.prune(other, &|v| allowed(v) || !must.contains(v), env, cuts);
                    }
                }
            }
            (Op::Diff, [a, b]) => {
                if let Some((_, may)) = self.bounds(&self.abs(b, env)) {
                    self.prune(a, &|v| allowed(v) || may.contains(v), env, cuts);
                }
                if let Some((must, _)) = self.bounds(&self.abs(a, env)) {
                    for v in must.items().iter().filter(|v| !allowed(v)) {
                        self.require(b, v, env, cuts);
                    }
                }
            }
            (Op::Dom, [r]) => self.prune(r, &|v| side(v, true).is_none_or(allowed), env, cuts),
            (Op::Ran, [r]) => self.prune(r, &|v| side(v, false).is_none_or(allowed), env, cuts),
            (Op::Inverse, [r]) => self.prune(r, &|v| swapped(v).is_none_or(|w| allowed(&w)), env, cuts),
            (Op::Image, [r, s]) => self.prune_image(r, s, allowed, env, cuts),
            (Op::DomRes, [s, r]) => {
                if let Some((must, _)) = self.bounds(&self.abs(s, env)) {
                    let outside = |v: &Value| side(v, true).is_none_or(|x| !must.contains(x));
                    self.prune(r, &|v| outside(v) || allowed(v), env, cuts);
                }
            }
            (Op::RanRes, [r, s]) => {
                if let Some((must, _)) = self.bounds(&self.abs(s, env)) {
                    let outside = |v: &Value| side(v, false).is_none_or(|x| !must.contains(x));
                    self.prune(r, &|v| outside(v) || allowed(v), env, cuts);
                }
            }
            (Op::DomSub, [s, r]) => {
                if let Some((_, may)) = self.bounds(&self.abs(s, env)) {
                    let gone = |v: &Value| side(v, true).is_some_and(|x| may.contains(x));
                    self.prune(r, &|v| gone(v) || allowed(v), env, cuts);
                }
            }
            _ => self.prune_cells(set, allowed, env, cuts),
        }
    }

    /// A member of a listed set must be allowed.
    fn keep_allowed(&self, x: &Expr, allowed: Allowed<'_>, env: &mut Env, cuts: &mut Cuts) {
        if let Some(vs) = self.abs(x, env).alternatives() {
            let left: Vec<Value> = vs.iter().filter(|v| allowed(v)).cloned().collect();
            if left.len() < vs.len() {
                self.narrow(x, &Limit::OneOf(left), env, cuts);
            }
        }
    }

    fn prune_cells(&self, set: &Expr, allowed: Allowed<'_>, env: &mut Env, cuts: &mut Cuts) {
        match self.abs(set, env) {
            Abs::Part(Shape::Set { items, first }) => {
                for (i, v) in items.iter().enumerate() {
                    if self.cells.cells[first + i].has(1) && !allowed(v) {
                        cuts.push((first + i, 1));
                    }
                }
            }
            Abs::Part(Shape::Fun { keys, parts }) => {
                for (k, part) in keys.iter().zip(parts) {
                    let Shape::Point(id) = part else { continue };
                    let cell = &self.cells.cells[*id];
                    for (j, v) in cell.options().filter_map(|j| Some((j, cell.values.get(j)?))) {
                        if !allowed(&Value::pair(k.clone(), v.clone())) {
                            cuts.push((*id, j));
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// Puts a value into a set.
    pub(super) fn require(&self, set: &Expr, v: &Value, env: &mut Env, cuts: &mut Cuts) {
        if self.known(set) {
            return;
        }
        let ExprKind::Op(op, args) = &set.kind else {
            return match &set.kind {
                ExprKind::Compr(..) | ExprKind::Image(_) | ExprKind::Lambda(..) => {
                    self.require_row(set, v, env, cuts);
                }
                ExprKind::SetExt(items) => self.require_item(items, v, env, cuts),
                _ => self.require_cell(set, v, env, cuts),
            };
        };
        match (op, &args[..]) {
            (Op::Union, _) => {
                let able = |e: &&Expr, env: &mut Env| {
                    self.bounds(&self.abs(e, env)).is_none_or(|(_, may)| may.contains(v))
                };
                let mut left = args.iter().filter(|e| able(e, env)).collect::<Vec<_>>();
                if let (Some(only), true) = (left.pop(), left.is_empty()) {
                    self.require(only, v, env, cuts);
                }
            }
            (Op::Inter, _) => args.iter().for_each(|a| self.require(a, v, env, cuts)),
            (Op::Diff, [a, b]) => {
                self.require(a, v, env, cuts);
                self.prune(b, &|w| w != v, env, cuts);
            }
            (Op::Dom, [r]) => self.require_pair(r, &|p| side(p, true) == Some(v), env, cuts),
            (Op::Ran, [r]) => self.require_pair(r, &|p| side(p, false) == Some(v), env, cuts),
            (Op::Image, [r, s]) => self.require_image(r, s, v, env, cuts),
            (Op::Inverse, [r]) => {
                if let Some(w) = swapped(v) {
                    self.require(r, &w, env, cuts);
                }
            }
            (Op::DomRes, [s, r]) => {
                self.require(r, v, env, cuts);
                if let Some(x) = side(v, true) {
                    self.require(s, x, env, cuts);
                }
            }
            (Op::RanRes, [r, s]) => {
                self.require(r, v, env, cuts);
                if let Some(y) = side(v, false) {
                    self.require(s, y, env, cuts);
                }
            }
            (Op::DomSub, [_, r]) | (Op::RanSub, [r, _]) => self.require(r, v, env, cuts),
            _ => self.require_cell(set, v, env, cuts),
        }
    }

    /// The only pair of a relation that fits must be in it.
    pub(super) fn require_pair(&self, r: &Expr, fits: Allowed<'_>, env: &mut Env, cuts: &mut Cuts) {
        let Some((_, may)) = self.bounds(&self.abs(r, env)) else { return };
        let mut able = may.items().iter().filter(|p| fits(p));
        if let (Some(only), None) = (able.next(), able.next()) {
            self.require(r, only, env, cuts);
        }
    }

    /// The only item that can be the value must be it.
    fn require_item(&self, items: &[Expr], v: &Value, env: &mut Env, cuts: &mut Cuts) {
        let able = |e: &&Expr, env: &mut Env| self.abs(e, env).alternatives().is_none_or(|vs| vs.contains(v));
        let mut left = items.iter().filter(|e| able(e, env)).collect::<Vec<_>>();
        if let (Some(only), true) = (left.pop(), left.is_empty()) {
            self.narrow(only, &Limit::OneOf(vec![v.clone()]), env, cuts);
        }
    }

    fn require_cell(&self, set: &Expr, v: &Value, env: &mut Env, cuts: &mut Cuts) {
        match (self.abs(set, env), v) {
            (Abs::Part(Shape::Set { items, first }), v) => {
                if let Ok(i) = items.binary_search(v)
                    && self.cells.cells[first + i].left > 1
                {
                    cuts.push((first + i, 0));
                }
            }
            (Abs::Part(Shape::Fun { keys, parts }), Value::Pair(p)) => {
                if let Ok(i) = keys.binary_search(&p.0)
                    && let Shape::Point(id) = &parts[i]
                {
                    let cell = &self.cells.cells[*id];
                    if cell.wide.is_some() {
                        return cuts.limit(*id, &Limit::OneOf(vec![p.1.clone()]));
                    }
                    let other = |j: &usize| cell.values.get(*j) != Some(&p.1);
                    cuts.extend(cell.options().filter(other).map(|j| (*id, j)));
                }
            }
            _ => {}
        }
    }

    /// Makes two sets equal, as far as their bounds tell.
    pub(super) fn equate(&self, a: &Expr, b: &Expr, env: &mut Env, cuts: &mut Cuts) {
        if self.is_open(a) || self.is_open(b) {
            return;
        }
        self.include(a, b, env, cuts);
        self.include(b, a, env, cuts);
    }

    /// Makes one set part of another.
    pub(super) fn include(&self, a: &Expr, b: &Expr, env: &mut Env, cuts: &mut Cuts) {
        if let Some((_, may)) = self.bounds(&self.abs(b, env)) {
            self.prune(a, &|v| may.contains(v), env, cuts);
        }
        if !self.known(b)
            && let Some((must, _)) = self.bounds(&self.abs(a, env))
        {
            must.items().iter().for_each(|v| self.require(b, v, env, cuts));
        }
    }

    /// Makes one set, which is part of another, smaller than that: if only one more member can be there, it is in
    /// the other set only.
    pub(super) fn exceed(&self, a: &Expr, b: &Expr, env: &mut Env, cuts: &mut Cuts) {
        let Some((must, _)) = self.bounds(&self.abs(a, env)) else { return };
        let Some((_, high)) = self.bounds(&self.abs(b, env)) else { return };
        if must.items().len() + 1 == high.items().len() && must.items().iter().all(|v| high.contains(v)) {
            self.prune(a, &|v| must.contains(v), env, cuts);
            high.items().iter().for_each(|v| self.require(b, v, env, cuts));
        }
    }

    /// Makes one set no part of another: if only one member can be the one outside, it is.
    pub(super) fn poke_out(&self, a: &Expr, b: &Expr, env: &mut Env, cuts: &mut Cuts) {
        let Some((_, may)) = self.bounds(&self.abs(a, env)) else { return };
        let Some((low, _)) = self.bounds(&self.abs(b, env)) else { return };
        let mut able = may.items().iter().filter(|v| !low.contains(v));
        if let (Some(only), None) = (able.next(), able.next()) {
            self.require(a, only, env, cuts);
            self.prune(b, &|w| w != only, env, cuts);
        }
    }
}

/// One side of a pair.
pub(super) fn side(v: &Value, left: bool) -> Option<&Value> {
    match v {
        Value::Pair(p) => Some(if left { &p.0 } else { &p.1 }),
        _ => None,
    }
}

pub(super) fn swapped(v: &Value) -> Option<Value> {
    match v {
        Value::Pair(p) => Some(Value::pair(p.1.clone(), p.0.clone())),
        _ => None,
    }
}
