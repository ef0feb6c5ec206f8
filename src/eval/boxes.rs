//! Comprehensions whose variables are independent: `{x,y | x : A & y > 0}` is a product of sets.
//!
//! In: a binder with its environment. Out: the product of what each variable may be, if every conjunct is about
//! one variable and says so by form (a membership, a bound). It answers membership, domains and comparisons where
//! the comprehension itself could not be listed.

use super::{Env, Evaluator};
use crate::ir::{Binder, Expr, ExprKind, Local, Pred, PredKind};
use crate::ops::{Numbers, Op, interval_of, whole};
use crate::source::Span;
use crate::ty::Ty;
use crate::value::symbolic::Size;
use crate::value::{SetRef, Value};

impl Evaluator {
    /// The solutions of a binder as a product; `None` if its predicate has another form or a part has no value.
    pub(super) fn boxed(&self, binder: &Binder, env: &mut Env) -> Option<Value> {
        self.product(binder, true, env)
    }

    /// The solutions of a binder whose variables are in several sets each that cannot be listed, if laws say that those have
    /// few members in common: `x : seq(A) & x : seq(B)` with disjoint A and B.
    pub(super) fn few(&self, binder: &Binder, most: u64, env: &mut Env) -> Option<SetRef> {
        if binder.pred.conjuncts().len() <= binder.vars.len() {
            return None;
        }
        let ty = binder.vars.iter().map(|v| v.ty.clone()).reduce(Ty::pair)?;
        let tuples = self.boxed(binder, env)?;
        match crate::ops::size(&tuples, &self.cx(&ty)) {
            Size::Exact(n) if n <= most.into() => self.members(&tuples, &Ty::pow(ty), binder.pred.span).ok(),
            _ => None,
        }
    }

    /// A product that includes all solutions of a binder; `None` if no conjunct is about one variable.
    pub(super) fn around(&self, binder: &Binder, env: &mut Env) -> Option<Value> {
        self.product(binder, false, env)
    }

    fn product(&self, binder: &Binder, exact: bool, env: &mut Env) -> Option<Value> {
        let mut sides: Vec<Option<Value>> = vec![None; binder.vars.len()];
        for c in binder.pred.conjuncts() {
            let Some((var, set)) = self.side(c, &binder.vars, env) else {
                if exact {
                    return None;
                }
                continue;
            };
            let ty = Ty::pow(binder.vars[var].ty.clone());
            sides[var] = Some(match sides[var].take() {
                None => set,
                Some(old) => self.apply(Op::Inter, &[old, set], &ty, c.span).ok()?,
            });
        }
        if !exact && sides.iter().all(Option::is_none) {
            return None;
        }
        let all = |i: usize| whole(&binder.vars[i].ty, &self.world);
        let mut out: Option<(Value, Ty)> = None;
        for (i, side) in sides.into_iter().enumerate() {
            let (set, ty) = (side.unwrap_or_else(|| all(i)), binder.vars[i].ty.clone());
            out = Some(match out {
                None => (set, ty),
                Some((left, t)) => {
                    let ty = Ty::pair(t, ty);
                    let span = Span::default();
                    (self.apply(Op::Product, &[left, set], &Ty::pow(ty.clone()), span).ok()?, ty)
                }
            });
        }
        out.map(|(v, _)| v)
    }

    /// The variable that a conjunct is about, and the set that it gives it.
    fn side(&self, p: &Pred, vars: &[Local], env: &mut Env) -> Option<(usize, Value)> {
        let PredKind::Op(op, args) = &p.kind else { return None };
        let [a, b] = &args[..] else { return None };
        let place = |e: &Expr| match e.kind {
            ExprKind::Local(id) => vars.iter().position(|v| v.id == id),
            _ => None,
        };
        let (var, op, other) = match (place(a), place(b)) {
            (Some(v), None) => (v, *op, b),
            (None, Some(v)) => (v, op.mirrored()?, a),
            _ => return None,
        };
        let mut free = true;
        super::walk::expr(other, &mut |e| free &= place(e).is_none());
        if !free {
            return None;
        }
        let value = self.expr(other, env).ok()?;
        let bound = |up: bool, by: i32| {
            let n = interval_of(&Value::Set(SetRef::from_vec(vec![value.clone()])))?.lo? + by;
            Some(Value::lazy(if up {
                Numbers { lo: None, hi: Some(n) }
            } else {
                Numbers { lo: Some(n), hi: None }
            }))
        };
        let set = match op {
            Op::In => value,
            Op::Eq => Value::Set(SetRef::from_vec(vec![value])),
            Op::Le if vars[var].ty == Ty::Int => bound(true, 0)?,
            Op::Lt if vars[var].ty == Ty::Int => bound(true, -1)?,
            Op::Ge if vars[var].ty == Ty::Int => bound(false, 0)?,
            Op::Gt if vars[var].ty == Ty::Int => bound(false, 1)?,
            _ => return None,
        };
        Some((var, set))
    }
}
