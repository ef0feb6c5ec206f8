//! Comprehensions and lambdas asked backward: which arguments give a value.
//!
//! In: a set that need not be listed, a value. Out: what its definition says with the value put in, for the solver:
//! `25 : ran(%x.(x : NATURAL | x * x))` is `#x.(x : NATURAL & x * x = 25)`. Absent: what is in no definition, but in values that are known.

use super::closure::{Closure, Shape};
use super::depth::Depth;
use super::outward::REACHES;
use super::solve::{self, CLOSED};
use crate::ir::{Binder, Expr, ExprKind, Pred, PredKind, Scoped};
use crate::ops::{Fault, Op, interval_of};
use crate::ty::Ty;
use crate::value::Value;
use std::sync::Arc;

impl Closure {
    /// The binder, for members where a body has a known value.
    fn giving(&self, s: &Scoped<Expr>, v: &Value) -> Binder {
        let value = self.expr(ExprKind::Lit(v.clone()), s.body.ty.clone());
        self.narrowed(PredKind::Op(Op::Eq, vec![s.body.clone(), value]))
    }

    /// Whether a value is one of a body's values.
    pub(super) fn is_value(&self, s: &Scoped<Expr>, v: &Value) -> Result<bool, Fault> {
        self.exists(Arc::new(self.giving(s, v)))
    }

    /// Whether there is no member.
    pub(super) fn has_none(&self) -> Result<bool, Fault> {
        self.exists(self.binder.clone()).map(|there| !there)
    }

    fn exists(&self, binder: Arc<Binder>) -> Result<bool, Fault> {
        let _depth = Depth::enter(self.span)?;
        let there = Pred { kind: PredKind::Exists(binder), span: self.span };
        self.ev.pred(&there, &mut self.frame())
    }

    /// The left sides of pairs with a right side.
    pub(super) fn left_of(&self, y: &Value) -> Option<Result<Vec<Value>, Fault>> {
        let _depth = Depth::enter(self.span).ok()?;
        let before = solve::steps();
        let found = match &self.shape {
            Shape::Lambda(s) => {
                let found = self.ev.collect(&self.giving(s, y), &Shape::Tuples, CLOSED, &mut self.frame());
                Some(found.map(|s| s.items().to_vec()))
            }
            Shape::Tuples => {
                // A pair that is one variable has no side of its own.
                let [_, .., _] = &self.binder.vars[..] else { return None };
                let mut fixed = vec![None; self.binder.vars.len()];
                *fixed.last_mut()? = Some(y);
                let left = |v: &Value| match v {
                    Value::Pair(p) => Some(p.0.clone()),
                    _ => None,
                };
                Some(self.slice(&fixed)?.map(|s| s.items().iter().filter_map(left).collect()))
            }
            Shape::Image(_) => None,
        };
        self.list_if_it_pays(solve::steps() - before);
        found
    }

    /// The least, or greatest, member of a set of integers that has an end there and none at the other side.
    pub(super) fn member_at_end(&self, low: bool) -> Option<Result<Value, Fault>> {
        let (Shape::Tuples, [x]) = (&self.shape, &self.binder.vars[..]) else { return None };
        let _depth = Depth::enter(self.span).ok()?;
        let around = interval_of(&self.ev.around(&self.binder, &mut self.frame())?)?;
        let end = i64::try_from(if low { around.lo? } else { around.hi? }).ok()?;
        for reach in REACHES {
            let other = if low { end.checked_add(reach)? } else { end.checked_sub(reach)? };
            let ends =
                [end.min(other), end.max(other)].map(|n| self.expr(ExprKind::Lit(Value::Int(n)), Ty::Int));
            let window = self.expr(ExprKind::Op(Op::Interval, ends.into()), Ty::pow(Ty::Int));
            let x = self.expr(ExprKind::Local(x.id), Ty::Int);
            let inside = self.narrowed(PredKind::Op(Op::In, vec![x, window]));
            match self.ev.collect(&inside, &self.shape, CLOSED, &mut self.frame()) {
                Ok(found) => {
                    let items = found.items();
                    if let Some(v) = if low { items.first() } else { items.last() } {
                        return Some(Ok(v.clone()));
                    }
                }
                Err(f) => return Some(Err(f)),
            }
        }
        None
    }

    fn expr(&self, kind: ExprKind, ty: Ty) -> Expr {
        Expr { kind, ty, span: self.span }
    }

    /// The binder with another conjunct.
    fn narrowed(&self, kind: PredKind) -> Binder {
        let Binder { vars, captures, frame, reads_state, pred, .. } = &*self.binder;
        let both = vec![pred.clone(), Pred { kind, span: self.span }];
        Binder {
            vars: vars.clone(),
            pred: Pred { kind: PredKind::And(both), span: pred.span },
            captures: captures.clone(),
            frame: *frame,
            reads_state: *reads_state,
            // Beyond the cache: each is planned by itself.
            id: u32::MAX,
        }
    }
}
