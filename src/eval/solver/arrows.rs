//! Memberships in spaces of functions: `s <| f : s >->> 1..9`, `L(i) : 1..n >->> 1..n`, `%i.(i : S | g(i)) : S >-> T`.
//!
//! In: a membership whose left side is made of points of unknown functions, or is an unknown relation. Out: that cells differ or
//! take all values, as typing says it of unknowns (`domain`); for a relation how many pairs each row and each column has.

use super::cells::{CellId, Shape, point};
use super::{Constraint, Search};
use crate::eval::problem::{Problem, Unknown};
use crate::eval::solve::CLOSED;
use crate::eval::{Env, walk};
use crate::ir::{Binder, Expr, ExprKind, Local, Pred, PredKind};
use crate::ops::{Arrow, Op};
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use std::ops::ControlFlow::Continue;

/// Most rows, and columns, of a relation for which tests are made.
const ROWS: usize = 64;

/// Arguments with the cells of their values.
type Points = Vec<(Value, CellId)>;

/// A membership in a space of functions.
pub(super) struct Membership<'e> {
    of: &'e Expr,
    arrow: Arrow,
    from: SetRef,
    to: SetRef,
}

impl Search<'_> {
    /// A membership in a space of functions between known sets.
    pub(super) fn in_arrow<'e>(&self, p: &'e Pred, env: &mut Env) -> Option<Membership<'e>> {
        let PredKind::Op(Op::In, args) = &p.kind else { return None };
        let [of, space] = &args[..] else { return None };
        let ExprKind::Op(op, sides) = &space.kind else { return None };
        let ([a, b], Some(arrow)) = (&sides[..], op.arrow().filter(|a| a.functional)) else { return None };
        if self.known(of) || !self.known(a) || !self.known(b) {
            return None;
        }
        Some(Membership { of, arrow, from: self.finite(a, env)?, to: self.finite(b, env)? })
    }

    /// What such a membership says of the cells that the function is made of, if it is made of cells.
    pub(super) fn of_points(&self, m: &Membership<'_>, env: &mut Env) -> Option<Vec<Constraint>> {
        let points = self.points(m.of, env)?;
        let cells: Vec<CellId> = points.iter().map(|(_, id)| *id).collect();
        let mut distinct = cells.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let values = &self.cells.cells[*cells.first()?].values;
        // They have values, all of one list.
        let alike = |id: &CellId| {
            let cell = &self.cells.cells[*id];
            cell.wide.is_none() && !cell.has(cell.values.len()) && cell.values == *values
        };
        let placed = points.iter().all(|(x, _)| m.from.contains(x))
            && (!m.arrow.total || points.len() == m.from.len());
        let inside = values.iter().all(|v| m.to.contains(v));
        if distinct.len() < cells.len() || !cells.iter().all(alike) || !placed || !inside {
            return None;
        }
        if m.arrow.onto && values.len() < m.to.len() {
            return None;
        }
        let values = values.len();
        let mut out = Vec::new();
        if m.arrow.injective || m.arrow.onto && cells.len() == values {
            out.push(Constraint::AllDifferent { cells: cells.clone(), values });
        }
        if m.arrow.onto {
            out.push(Constraint::Onto { cells, values });
        }
        Some(out)
    }

    /// What such a membership says of each row and each column, if it is about an unknown relation.
    pub(super) fn of_rows(&self, m: &Membership<'_>) -> Vec<Pred> {
        let of = match &m.of.kind {
            ExprKind::Op(Op::Inverse, args) => args.first().unwrap_or(m.of),
            _ => m.of,
        };
        let relation = self.run.problem.unknown_of(of).and_then(|i| self.shapes.get(&i));
        let nested = matches!(&of.kind, ExprKind::Op(Op::Apply, _));
        if !(nested || matches!(relation, Some(Shape::Set { .. }))) || m.from.len().max(m.to.len()) > ROWS {
            return Vec::new();
        }
        let row = |v: &Value| size_of_row(m.of, v);
        let mut out: Vec<Pred> = Vec::new();
        for v in m.from.items() {
            out.push(size_is(row(v), if m.arrow.total { Op::Eq } else { Op::Le }));
        }
        let column = match (m.arrow.injective, m.arrow.onto) {
            (true, true) => Op::Eq,
            (true, false) => Op::Le,
            (false, true) => Op::Ge,
            (false, false) => return out,
        };
        let Some((a, b)) = m.of.ty.sides() else { return out };
        let ty = Ty::pow(Ty::pair(b.clone(), a.clone()));
        let inverse = Expr::op(Op::Inverse, vec![m.of.clone()], ty, m.of.span);
        out.extend(m.to.items().iter().map(|v| size_is(size_of_row(&inverse, v), column)));
        out
    }

    /// The cells that a function is made of, by argument.
    fn points(&self, e: &Expr, env: &mut Env) -> Option<Points> {
        if let Some(shape) = self.shape_of(e, env) {
            return all_points(shape);
        }
        match &e.kind {
            ExprKind::Op(op @ (Op::DomRes | Op::DomSub), args) => {
                let [s, f] = &args[..] else { return None };
                let mut points = all_points(self.shape_of(f, env)?)?;
                if !self.known(s) {
                    return None;
                }
                let s = self.finite(s, env)?;
                points.retain(|(x, _)| s.contains(x) == (*op == Op::DomRes));
                Some(points)
            }
            ExprKind::Lambda(s, _) => {
                let vars: Vec<&Local> = s.binder.vars.iter().collect();
                self.row_points(&vars, &s.binder.pred.conjuncts(), &s.body, env)
            }
            ExprKind::Compr(binder, _) => {
                let (vars, conjuncts, body) = graph(binder)?;
                self.row_points(&vars, &conjuncts, body, env)
            }
            _ => None,
        }
    }

    /// The cells of a point for all values of variables.
    fn row_points(&self, vars: &[&Local], preds: &[&Pred], body: &Expr, env: &mut Env) -> Option<Points> {
        if !preds.iter().all(|p| self.reads_nothing(p)) {
            return None;
        }
        let owned: Vec<Local> = vars.iter().map(|v| (*v).clone()).collect();
        let mut rows: Vec<Vec<Value>> = Vec::new();
        // All rows, or none: what a window leaves of them is no list.
        let problem = Problem::new(owned.iter().map(Unknown::local).collect(), preds, self.run.ev);
        let _ = (self.run.ev)
            .run(&problem, CLOSED, env, &mut |_, env| {
                rows.push(vars.iter().filter_map(|v| env.local(v.id).cloned()).collect());
                Ok(Continue(()))
            })
            .ok()?;
        let mut points = Vec::with_capacity(rows.len());
        for row in rows {
            env.bind(&owned, &row);
            let cell = self.point_of(body, env)?;
            let key = row.into_iter().reduce(Value::pair)?;
            points.push((key, cell));
        }
        Some(points)
    }

    /// The cell whose value an expression has.
    fn point_of(&self, e: &Expr, env: &mut Env) -> Option<CellId> {
        match self.shape_of(e, env)? {
            Shape::Point(id) => Some(*id),
            _ => None,
        }
    }

    /// The unknown, or the part of one at known arguments, that an expression is.
    pub(super) fn shape_of(&self, e: &Expr, env: &mut Env) -> Option<&Shape> {
        if let Some(i) = self.run.problem.unknown_of(e) {
            return self.shapes.get(&i);
        }
        let ExprKind::Op(Op::Apply, args) = &e.kind else { return None };
        let [f, x] = &args[..] else { return None };
        let Shape::Fun { keys, parts } = self.shape_of(f, env)? else { return None };
        if !self.known(x) {
            return None;
        }
        let x = self.run.ev.settled(x, env).ok()?;
        parts.get(keys.binary_search(&x).ok()?)
    }
}

/// The points of a function all of whose values are cells.
fn all_points(shape: &Shape) -> Option<Points> {
    let Shape::Fun { keys, parts } = shape else { return None };
    keys.iter().map(|x| Some((x.clone(), point(keys, parts, x)?))).collect()
}

/// `{x, y | P & y = e}` as x, P and e.
fn graph(binder: &Binder) -> Option<(Vec<&Local>, Vec<&Pred>, &Expr)> {
    let (last, vars) = binder.vars.split_last()?;
    let mut conjuncts = binder.pred.conjuncts();
    let is_last = |e: &Expr| matches!(e.kind, ExprKind::Local(id) if id == last.id);
    let at = conjuncts
        .iter()
        .position(|c| matches!(&c.kind, PredKind::Op(Op::Eq, sides) if sides.iter().any(is_last)))?;
    let PredKind::Op(_, sides) = &conjuncts.remove(at).kind else { return None };
    let [a, b] = &sides[..] else { return None };
    let body = if is_last(a) { b } else { a };
    let mut again = walk::mentions(body, last.id);
    conjuncts.iter().for_each(|c| walk::pred(c, &mut |e| again |= is_last(e)));
    (!again && !vars.is_empty()).then(|| (vars.iter().collect(), conjuncts, body))
}

/// `card(r[{v}])`.
fn size_of_row(r: &Expr, v: &Value) -> Expr {
    let span = r.span;
    let (a, b) = r.ty.sides().map_or((Ty::Any, Ty::Any), |(a, b)| (a.clone(), b.clone()));
    let value = Expr { kind: ExprKind::Lit(v.clone()), ty: a.clone(), span };
    let one = Expr { kind: ExprKind::SetExt(vec![value]), ty: Ty::pow(a), span };
    Expr::op(Op::Card, vec![Expr::op(Op::Image, vec![r.clone(), one], Ty::pow(b), span)], Ty::Int, span)
}

/// `size = 1`, `size <= 1` or `size >= 1`.
fn size_is(size: Expr, how: Op) -> Pred {
    let span = size.span;
    Pred { kind: PredKind::Op(how, vec![size, Expr::int(1, span)]), span }
}
