//! What must be defined: an application of a relation that is solved for has no value where the relation is no function
//! (b-language.md 4.6), and what has no value is not true.
//!
//! In: a constraint. Out: cuts, where the constraint evaluates an application whatever the undecided cells are; and
//! whether a binder's predicate may lack a value. A conjunct without a value is as good as a false one. What it is
//! part of may be true all the same: a disjunction by its other side, a quantifier or a comprehension since a row
//! without a value is just not there.

use super::abs::Abs;
use super::cells::{CellId, Shape, point};
use super::enforce::{Cuts, Limit};
use super::{Constraint, Search};
use crate::eval::Env;
use crate::eval::interval::ALL;
use crate::eval::pointwise::same;
use crate::eval::walk;
use crate::ir::{Binder, Expr, ExprKind, Pred, PredKind};
use crate::ops::Op;
use crate::value::Value;
use std::sync::Arc;

/// The conjuncts of a binder's predicate, and those of them that say where functions have values.
pub(super) struct Doubts<'b> {
    conjuncts: Vec<&'b Pred>,
    /// Functions and arguments.
    guards: Vec<[&'b Expr; 2]>,
}

impl Doubts<'_> {
    /// Leaves conjuncts out that are known to hold.
    pub(super) fn without(&mut self, met: &[bool]) {
        let mut met = met.iter();
        self.conjuncts.retain(|_| met.next() != Some(&true));
    }
}

/// Constraints that come from typing stand before all others: where they are looked for.
const TYPINGS: usize = 1000;

impl Search<'_> {
    /// Makes the applications defined that `p`, which is to be true, evaluates in any case.
    pub(super) fn define(&self, p: &Pred, env: &mut Env, cuts: &mut Cuts) {
        match &p.kind {
            PredKind::And(ps) => ps.iter().for_each(|p| self.define(p, env, cuts)),
            PredKind::Not(q) if matches!(q.kind, PredKind::Op(..)) => self.define(q, env, cuts),
            PredKind::Op(Op::Eq | Op::Neq | Op::Lt | Op::Le | Op::Gt | Op::Ge, args) => {
                args.iter().for_each(|e| self.define_points(e, env, cuts));
            }
            _ => {}
        }
    }

    fn define_points(&self, e: &Expr, env: &mut Env, cuts: &mut Cuts) {
        let ExprKind::Op(op, args) = &e.kind else { return };
        if !matches!(op, Op::Apply | Op::Maplet | Op::Add | Op::Sub | Op::Mul | Op::Neg) {
            return;
        }
        args.iter().for_each(|e| self.define_points(e, env, cuts));
        let (Op::Apply, [f, x]) = (op, &args[..]) else { return };
        let Some(xs) = self.abs(x, env).alternatives() else { return };
        let [x] = &xs[..] else { return };
        match self.abs(f, env) {
            Abs::Part(Shape::Set { items, first }) => {
                self.narrow_row(x, items, *first, &Limit::Int(ALL), cuts);
            }
            Abs::Part(Shape::Fun { keys, parts }) => {
                if let Some(id) = point(keys, parts, x) {
                    let cell = &self.cells.cells[id];
                    let nothing = cell.values.len();
                    if cell.wide.is_none() && cell.has(nothing) && cell.left > 1 {
                        cuts.push((id, nothing));
                    }
                }
            }
            _ => {}
        }
    }

    /// What of a binder's predicate may have no value; `None` if nothing is applied there.
    pub(super) fn doubts<'b>(&self, binder: &'b Binder) -> Option<Doubts<'b>> {
        if !self.nature(&binder.pred).applies {
            return None;
        }
        let conjuncts = binder.pred.conjuncts();
        let guards = conjuncts.iter().filter_map(|p| guard(p)).collect();
        Some(Doubts { conjuncts, guards })
    }

    /// Whether a binder's predicate may have no value, with its variables as they are in the environment.
    pub(super) fn may_lack(&self, doubts: &Doubts<'_>, env: &mut Env) -> bool {
        doubts.conjuncts.iter().any(|p| self.pred_lacks(p, &doubts.guards, env))
    }

    /// Whether some part of a predicate may have no value.
    pub(super) fn lacks_part(&self, p: &Pred, env: &mut Env) -> bool {
        self.nature(p).applies && self.pred_lacks(p, &[], env)
    }

    fn pred_lacks(&self, p: &Pred, guards: &[[&Expr; 2]], env: &mut Env) -> bool {
        match &p.kind {
            PredKind::And(ps) | PredKind::Or(ps) => ps.iter().any(|p| self.pred_lacks(p, guards, env)),
            // What follows from what is false is not looked at.
            PredKind::Implies(a, b) => {
                self.pred_lacks(a, guards, env)
                    || self.pred_lacks(b, guards, env) && self.truth(a, env) != Some(false)
            }
            PredKind::Iff(a, b) => [a, b].into_iter().any(|p| self.pred_lacks(p, guards, env)),
            PredKind::Not(a) => self.pred_lacks(a, guards, env),
            PredKind::Op(_, args) => args.iter().any(|e| self.expr_lacks(e, guards, env)),
            PredKind::True | PredKind::False => false,
            // A row without a value is just not there, but one with several values is an error.
            PredKind::Exists(_) => self.gaps && self.nature(p).applies,
            PredKind::If(..) | PredKind::Forall(_) | PredKind::External(..) | PredKind::Let(..) => {
                self.nature(p).applies
            }
        }
    }

    fn expr_lacks(&self, e: &Expr, guards: &[[&Expr; 2]], env: &mut Env) -> bool {
        match &e.kind {
            ExprKind::Op(op, args) => {
                let itself = match (op, &args[..]) {
                    (Op::Apply, [f, x]) => {
                        let guarded = guards.iter().any(|[g, y]| same(f, g) && same(x, y));
                        self.lacks(e, f, x, guarded, env)
                    }
                    _ => false,
                };
                itself || args.iter().any(|e| self.expr_lacks(e, guards, env))
            }
            ExprKind::SetExt(es) | ExprKind::Rec(es) => es.iter().any(|e| self.expr_lacks(e, guards, env)),
            ExprKind::Field(r, _) => self.expr_lacks(r, guards, env),
            _ => {
                let mut applies = false;
                walk::expr(e, &mut |e| applies |= is_application(e));
                applies && (self.gaps || !matches!(e.kind, ExprKind::Compr(..)))
            }
        }
    }

    /// Whether `f(x)`, which is `e`, may have no value; `guarded` says that there is a pair.
    fn lacks(&self, e: &Expr, f: &Expr, x: &Expr, guarded: bool, env: &mut Env) -> bool {
        if self.known(e) {
            return matches!(self.abs(e, env), Abs::Top);
        }
        let none = |id: usize| {
            let cell = &self.cells.cells[id];
            cell.wide.is_none() && cell.has(cell.values.len())
        };
        if let ExprKind::Op(Op::Inverse, of) = &f.kind
            && let ([g], Some(ys)) = (&of[..], self.abs(x, env).alternatives())
            && self.takes_each_once(g, &ys, env)
        {
            return false;
        }
        match (self.abs(f, env), self.abs(x, env).alternatives()) {
            // At most one pair for each argument.
            (Abs::Part(Shape::Fun { .. }), _) if guarded => false,
            (Abs::Part(Shape::Fun { keys, parts }), Some(xs)) => {
                xs.iter().any(|x| point(keys, parts, x).is_none_or(none))
            }
            (Abs::Known(Value::Set(f)), Some(xs)) => xs.iter().any(|x| f.row(x).len() != 1),
            (f, Some(xs)) => {
                let Some((must, may)) = self.bounds(&f) else { return true };
                xs.iter().any(|x| must.row(x).len() != 1 || may.row(x).len() != 1)
            }
            _ => true,
        }
    }

    /// Whether a function that is solved for takes each of some values at just one argument.
    fn takes_each_once(&self, g: &Expr, ys: &[Value], env: &mut Env) -> bool {
        let Abs::Part(Shape::Fun { parts, .. }) = self.abs(g, env) else { return false };
        let key = parts.as_ptr().addr();
        let found = self.onto.borrow().get(&key).cloned();
        let values = found.unwrap_or_else(|| {
            let values = self.taken_once(parts);
            // Where something is tried, cells may be decided that will be undecided again.
            if self.root.is_some() || self.early {
                self.onto.borrow_mut().insert(key, values.clone());
            }
            values
        });
        values.is_some_and(|values| ys.iter().all(|y| values.binary_search(y).is_ok()))
    }

    /// The values of a function if it takes each just once, whatever is decided: it has a value at all arguments, all
    /// differ, and there are no more values than arguments.
    fn taken_once(&self, parts: &[Shape]) -> Option<Arc<Vec<Value>>> {
        let cells = &self.root.as_ref().unwrap_or(&self.cells).cells;
        let id = |p: &Shape| if let Shape::Point(id) = p { Some(*id) } else { None };
        let ids = parts.iter().map(id).collect::<Option<Vec<CellId>>>()?;
        let values = &cells[*ids.first()?].values;
        let total = |id: &CellId| {
            let cell = &cells[*id];
            cell.wide.is_none() && !cell.has(cell.values.len()) && Arc::ptr_eq(&cell.values, values)
        };
        let differ = |c: &Constraint| matches!(c, Constraint::AllDifferent { cells, .. } if *cells == ids);
        let each = values.len() == ids.len() && ids.iter().all(total);
        (each && self.constraints.iter().take(TYPINGS).any(differ)).then(|| values.clone())
    }

    /// Whether some unknown may have no value, or several, at some argument.
    pub(super) fn has_gaps(&self) -> bool {
        self.shapes.values().any(|s| match s {
            Shape::Set { items, .. } => matches!(items.first(), Some(crate::value::Value::Pair(_))),
            Shape::Fun { parts, .. } => parts.iter().any(|p| match p {
                Shape::Point(id) => self.cells.cells[*id].has(self.cells.cells[*id].values.len()),
                _ => false,
            }),
            Shape::Point(_) => false,
        })
    }
}

/// `x : dom(f)` or `x |-> y : f`, as `f` and `x`: where this holds, `f(x)` is not without a pair.
fn guard(p: &Pred) -> Option<[&Expr; 2]> {
    let PredKind::Op(Op::In, args) = &p.kind else { return None };
    let [x, set] = &args[..] else { return None };
    match (&x.kind, &set.kind) {
        (_, ExprKind::Op(Op::Dom, of)) => Some([of.first()?, x]),
        (ExprKind::Op(Op::Maplet, pair), _) => Some([set, pair.first()?]),
        _ => None,
    }
}

fn is_application(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Op(Op::Apply, _))
}
