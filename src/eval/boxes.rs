//! Comprehensions whose members are given variable by variable: `{x,y | x : A & y > 0}` is a product of sets,
//! `{x | x /: {4,5} or x = 4}` all integers but 5.
//!
//! In: a binder with its environment. Out: a union of products of what each variable may be, if the predicate is made of
//! conditions that are about one variable and say so by form (a membership, a comparison). It answers membership, domains and
//! comparisons where the comprehension itself could not be listed.

use super::{Env, Evaluator};
use crate::ir::{Binder, Expr, ExprKind, Local, LocalId, Pred, PredKind};
use crate::ops::{Numbers, Op, interval_of, whole};
use crate::source::Span;
use crate::ty::Ty;
use crate::value::symbolic::Size;
use crate::value::{SetRef, Value};

/// Most products in a union: more are not compared in bearable time.
const PRODUCTS: usize = 64;

/// What each variable may be; nothing is said of one without a set.
type Sides = Vec<Option<Value>>;

impl Evaluator {
    /// The solutions of a binder as a union of products; `None` if its predicate has another form or a part has no value.
    pub(super) fn boxed(&self, binder: &Binder, env: &mut Env) -> Option<Value> {
        let mut all = self.alternatives(&binder.pred, true, &binder.vars, env)?;
        if let [var] = &binder.vars[..] {
            let ty = Ty::pow(var.ty.clone());
            let sets = all.into_iter().map(|mut sides| sides.pop().flatten());
            let sets: Vec<Value> = sets.map(|s| s.unwrap_or_else(|| whole(&var.ty, &self.world))).collect();
            return self.united(sets, &ty);
        }
        if all.is_empty() {
            return Some(Value::empty());
        }
        let ty = Ty::pow(binder.vars.iter().map(|v| v.ty.clone()).reduce(Ty::pair)?);
        let products: Option<Vec<Value>> = all.drain(..).map(|s| self.product(s, &binder.vars)).collect();
        self.united(products?, &ty)
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
        let sides = self.sides(&binder.pred, true, &binder.vars, env);
        if sides.iter().all(Option::is_none) {
            return None;
        }
        self.product(sides, &binder.vars)
    }

    /// Sets that include what variables may be where a predicate holds, or does not hold.
    pub(super) fn sides(&self, p: &Pred, holds: bool, vars: &[Local], env: &mut Env) -> Sides {
        let mut sides: Sides = vec![None; vars.len()];
        let parts = if holds { p.conjuncts() } else { vec![p] };
        for c in parts {
            // One alternative only: what holds in all of them.
            let Some(all) = self.alternatives(c, holds, vars, env) else { continue };
            if let [only] = &all[..] {
                sides = self.met(sides.clone(), only, vars).unwrap_or(sides);
            } else if let [_] = vars {
                let ty = Ty::pow(vars[0].ty.clone());
                let sets: Option<Vec<Value>> =
                    all.into_iter().map(|s| s.into_iter().next().flatten()).collect();
                if let Some(set) = sets.and_then(|sets| self.united(sets, &ty)) {
                    sides = self.met(sides.clone(), &vec![Some(set)], vars).unwrap_or(sides);
                }
            }
        }
        sides
    }

    fn united(&self, sets: Vec<Value>, ty: &Ty) -> Option<Value> {
        let mut sets = sets.into_iter();
        let Some(mut out) = sets.next() else { return Some(Value::empty()) };
        for s in sets {
            out = self.apply(Op::Union, &[out, s], ty, Span::default()).ok()?;
        }
        Some(out)
    }

    /// The product of what variables may be.
    fn product(&self, sides: Sides, vars: &[Local]) -> Option<Value> {
        let mut out: Option<(Value, Ty)> = None;
        for (var, side) in vars.iter().zip(sides) {
            let set = side.unwrap_or_else(|| whole(&var.ty, &self.world));
            out = Some(match out {
                None => (set, var.ty.clone()),
                Some((left, t)) => {
                    let ty = Ty::pair(t, var.ty.clone());
                    let span = Span::default();
                    (self.apply(Op::Product, &[left, set], &Ty::pow(ty.clone()), span).ok()?, ty)
                }
            });
        }
        out.map(|(v, _)| v)
    }

    /// The alternatives of a predicate, or of its negation: a tuple is a solution if it is in one of them.
    fn alternatives(&self, p: &Pred, holds: bool, vars: &[Local], env: &mut Env) -> Option<Vec<Sides>> {
        let none = || vec![None; vars.len()];
        match (&p.kind, holds) {
            (PredKind::True, true) | (PredKind::False, false) => Some(vec![none()]),
            (PredKind::True, false) | (PredKind::False, true) => Some(Vec::new()),
            (PredKind::And(ps), true) | (PredKind::Or(ps), false) => {
                let mut all = vec![none()];
                for q in ps {
                    let more = self.alternatives(q, holds, vars, env)?;
                    all = self.crossed(&all, &more, vars)?;
                }
                Some(all)
            }
            (PredKind::And(ps), false) | (PredKind::Or(ps), true) => {
                let mut all = Vec::new();
                for q in ps {
                    all.extend(self.alternatives(q, holds, vars, env)?);
                }
                (all.len() <= PRODUCTS).then_some(all)
            }
            (PredKind::Implies(a, b), true) => {
                let mut all = self.alternatives(a, false, vars, env)?;
                all.extend(self.alternatives(b, true, vars, env)?);
                (all.len() <= PRODUCTS).then_some(all)
            }
            (PredKind::Implies(a, b), false) => {
                let (a, b) =
                    (self.alternatives(a, true, vars, env)?, self.alternatives(b, false, vars, env)?);
                self.crossed(&a, &b, vars)
            }
            (PredKind::Not(q), _) => self.alternatives(q, !holds, vars, env),
            _ => {
                let (var, set) = self.side(p, holds, vars, env)?;
                let mut sides = none();
                *sides.get_mut(var)? = Some(set);
                Some(vec![sides])
            }
        }
    }

    fn crossed(&self, a: &[Sides], b: &[Sides], vars: &[Local]) -> Option<Vec<Sides>> {
        if a.len().saturating_mul(b.len()) > PRODUCTS {
            return None;
        }
        a.iter()
            .flat_map(|x| b.iter().map(move |y| (x, y)))
            .map(|(x, y)| self.met(x.clone(), y, vars))
            .collect()
    }

    /// What both allow.
    fn met(&self, sides: Sides, with: &Sides, vars: &[Local]) -> Option<Sides> {
        let both = |((a, b), var): ((Option<Value>, &Option<Value>), &Local)| {
            Some(match (a, b) {
                (Some(a), Some(b)) => {
                    let ty = Ty::pow(var.ty.clone());
                    Some(self.apply(Op::Inter, &[a, b.clone()], &ty, Span::default()).ok()?)
                }
                (a, b) => a.or_else(|| b.clone()),
            })
        };
        sides.into_iter().zip(with).zip(vars).map(both).collect()
    }

    /// The variable that a condition, or its negation, is about, and the set that it gives it.
    fn side(&self, p: &Pred, holds: bool, vars: &[Local], env: &mut Env) -> Option<(usize, Value)> {
        let PredKind::Op(op, args) = &p.kind else { return None };
        let [a, b] = &args[..] else { return None };
        let (op, holds) = match op {
            Op::Neq => (Op::Eq, !holds),
            Op::NotIn => (Op::In, !holds),
            Op::NotSubset => (Op::Subset, !holds),
            _ => (*op, holds),
        };
        let place = |e: &Expr| place(e, vars);
        let (var, op, other) = match (place(a), place(b)) {
            (Some(v), None) => (v, op, b),
            (None, Some(v)) => (v, op.mirrored()?, a),
            _ => return None,
        };
        let mut free = true;
        super::walk::expr(other, &mut |e| free &= place(e).is_none());
        if !free {
            return None;
        }
        let value = self.expr(other, env).ok()?;
        let ty = &vars.get(var)?.ty;
        let set = of_comparison(op, value, ty)?;
        let set = match (op, set) {
            (Op::Subset, set) => self.apply(Op::Pow, &[set], &Ty::pow(ty.clone()), Span::default()).ok()?,
            (_, set) => set,
        };
        if holds {
            return Some((var, set));
        }
        let rest = [whole(ty, &self.world), set];
        Some((var, self.apply(Op::Diff, &rest, &Ty::pow(ty.clone()), Span::default()).ok()?))
    }
}

fn place(e: &Expr, vars: &[Local]) -> Option<usize> {
    let at = |id: LocalId| vars.iter().position(|v| v.id == id);
    match e.kind {
        ExprKind::Local(id) => at(id),
        _ => None,
    }
}

/// What a variable of a type may be by a comparison with a value; of `<:` the set whose subsets it may be.
fn of_comparison(op: Op, value: Value, ty: &Ty) -> Option<Value> {
    let bound = |up: bool, by: i32| {
        let n = interval_of(&Value::Set(SetRef::from_vec(vec![value.clone()])))?.lo? + by;
        Some(Value::lazy(if up {
            Numbers { lo: None, hi: Some(n) }
        } else {
            Numbers { lo: Some(n), hi: None }
        }))
    };
    Some(match op {
        Op::In | Op::Subset => value,
        Op::Eq => Value::Set(SetRef::from_vec(vec![value])),
        Op::Le if *ty == Ty::Int => bound(true, 0)?,
        Op::Lt if *ty == Ty::Int => bound(true, -1)?,
        Op::Ge if *ty == Ty::Int => bound(false, 0)?,
        Op::Gt if *ty == Ty::Int => bound(false, 1)?,
        _ => return None,
    })
}
