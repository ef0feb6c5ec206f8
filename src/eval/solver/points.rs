//! Total functions into the integers whose range has an end missing, `f : A --> NATURAL`: what comparisons say of
//! each point, `f(a) = 8`, `!x.(x : A => f(x) < 5)`.
//!
//! In: such a typing and the conjuncts beside it. Out: a shape with one cell per point. The search narrows
//! them further; a point that keeps an open end is cut at MININT or MAXINT like any open integer. Points of
//! injective functions share one list of values, so they are cut at once.

use super::Search;
use super::cells::{Cell, Shape};
use crate::eval::Env;
use crate::eval::interval::Interval;
use crate::ir::{Expr, ExprKind, Pred, PredKind};
use crate::ops::Op;
use crate::ty::Ty;
use crate::value::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Most values of one point.
const WIDEST: i128 = 4096;

impl Search<'_> {
    /// The shape of `var : domain --> range`.
    pub(super) fn open_points(
        &mut self,
        var: usize,
        domain: &Expr,
        range: &Expr,
        injective: bool,
        env: &mut Env,
    ) -> Option<(Arc<Vec<Value>>, Vec<Shape>)> {
        if range.ty.elem() != Some(&Ty::Int) {
            return None;
        }
        let keys = self.finite(domain, env)?.items().to_vec();
        let whole = self.run.ends(range, self.bound, env);
        let mut ranges = vec![whole; keys.len()];
        for &c in self.rest {
            self.point_range(var, &self.run.problem.conjs[c].pred, &keys, &mut ranges, env);
        }
        if !injective {
            let point = |r| Shape::Point(self.cells.add(Cell::integer(r)));
            let parts = ranges.into_iter().map(point).collect();
            return Some((Arc::new(keys), parts));
        }
        let mut closed = Vec::with_capacity(ranges.len());
        for r in ranges {
            let r = if r.lo().is_some() && r.hi().is_some() { r } else { self.run.opened(var, r).ok()? };
            let (lo, hi) = (r.lo()?, r.hi()?);
            if hi - lo > WIDEST {
                return None;
            }
            closed.push((i64::try_from(lo).ok()?, i64::try_from(hi).ok()?));
        }
        let all: BTreeSet<i64> = closed.iter().flat_map(|(lo, hi)| *lo..=*hi).collect();
        let values = Arc::new(all.iter().copied().map(Value::Int).collect::<Vec<_>>());
        let mut parts = Vec::with_capacity(keys.len());
        for (lo, hi) in closed {
            let mut cell = Cell::new(values.clone(), values.len());
            for (i, n) in all.iter().enumerate() {
                if !(lo..=hi).contains(n) {
                    cell.drop_option(i);
                }
            }
            parts.push(Shape::Point(self.cells.add(cell)));
        }
        Some((Arc::new(keys), parts))
    }

    /// Takes what a conjunct says of single points into account.
    fn point_range(&self, var: usize, p: &Pred, keys: &[Value], ranges: &mut [Interval], env: &mut Env) {
        match &p.kind {
            PredKind::And(ps) => ps.iter().for_each(|p| self.point_range(var, p, keys, ranges, env)),
            PredKind::Op(op, sides) => {
                let [a, b] = &sides[..] else { return };
                self.side(var, *op, a, b, keys, ranges, env);
                if let Some(op) = op.mirrored() {
                    self.side(var, op, b, a, keys, ranges, env);
                }
            }
            PredKind::Forall(s) => {
                // Only `!x.(x : S => f(x) op e)`, with S and e known.
                let ([x], PredKind::Op(Op::In, member)) = (&s.binder.vars[..], &s.binder.pred.kind) else {
                    return;
                };
                let (PredKind::Op(op, sides), [y, set]) = (&s.body.kind, &member[..]) else { return };
                let is_x = |e: &Expr| matches!(e.kind, ExprKind::Local(id) if id == x.id);
                let Some(set) = (is_x(y) && self.known(set)).then(|| self.finite(set, env)).flatten() else {
                    return;
                };
                let [a, b] = &sides[..] else { return };
                for (point, e, op) in [(a, b, Some(*op)), (b, a, op.mirrored())] {
                    let (Some(op), Some(arg)) = (op, self.argument(var, point)) else { continue };
                    if !is_x(arg) || crate::eval::walk::mentions(e, x.id) || !self.known(e) {
                        continue;
                    }
                    let Some(r) = self.limit_of(op, e, env) else { continue };
                    for (k, range) in keys.iter().zip(ranges.iter_mut()) {
                        if set.contains(k) {
                            *range = range.meet(r);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// `point op e` with a known argument and a known e.
    fn side(
        &self,
        var: usize,
        op: Op,
        point: &Expr,
        e: &Expr,
        keys: &[Value],
        ranges: &mut [Interval],
        env: &mut Env,
    ) {
        let Some(arg) = self.argument(var, point) else { return };
        if !self.known(arg) || !self.known(e) {
            return;
        }
        let Some(limit) = self.limit_of(op, e, env) else { return };
        let Ok(x) = self.run.ev.settled(arg, env) else { return };
        if let Ok(i) = keys.binary_search(&x)
            && let Some(r) = ranges.get_mut(i)
        {
            *r = r.meet(limit);
        }
    }

    /// The x of `f(x)` for the unknown f.
    fn argument<'e>(&self, var: usize, e: &'e Expr) -> Option<&'e Expr> {
        let ExprKind::Op(Op::Apply, args) = &e.kind else { return None };
        let [f, x] = &args[..] else { return None };
        (self.run.problem.unknown_of(f) == Some(var)).then_some(x)
    }

    /// The integers n with `n op e`.
    pub(super) fn limit_of(&self, op: Op, e: &Expr, env: &mut Env) -> Option<Interval> {
        if op == Op::In {
            return Some(self.run.ends(e, self.bound, env));
        }
        let n = self.run.int(e, env)?;
        Some(match op {
            Op::Eq => Interval::one(n),
            Op::Le => Interval::new(None, Some(n)),
            Op::Lt => Interval::new(None, Some(n - 1)),
            Op::Ge => Interval::new(Some(n), None),
            Op::Gt => Interval::new(Some(n + 1), None),
            _ => return None,
        })
    }
}
