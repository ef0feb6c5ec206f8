//! Memberships as truth tables: when a value is a member of what operators make of sets that cells make up.
//!
//! In: a set, a value. Out: a formula over cells. Relations are taken apart by their possible pairs where these are few.
//! Absent: sets of which it is not known what they are made of.

use super::Search;
use super::abs::Abs;
use super::bools::{Formula, is_plain};
use super::cells::{Shape, point};
use super::sets::{side, swapped};
use crate::eval::Env;
use crate::ir::{Expr, ExprKind};
use crate::ops::Op;
use crate::value::Value;
use smallvec::SmallVec;

/// Most possible pairs of a relation that are gone through for each member of its domain, its range or an image.
const PAIRS: usize = 256;

impl Search<'_> {
    /// When a value is a member of a set.
    pub(super) fn has_member(&self, set: &Expr, v: &Value, env: &mut Env) -> Option<Formula> {
        if !v.is_extension() {
            return None;
        }
        if self.known(set) {
            let (s, ty) = (self.run.ev.expr(set, env).ok()?, set.ty.elem()?);
            let holds = self.run.ev.holds(Op::In, &[v.clone(), s], ty, set.span).ok()?;
            return Some(Formula::Const(holds));
        }
        if let Some(i) = self.run.problem.unknown_of(set)
            && !self.shapes.contains_key(&i)
        {
            let (_, definition) = self.defined.iter().find(|(d, _)| *d == i)?;
            return self.has_member(definition, v, env);
        }
        match &set.kind {
            ExprKind::Op(op, args) => match (op, &args[..]) {
                (Op::Union, [a, b]) => {
                    Some(Formula::some([self.has_member(a, v, env)?, self.has_member(b, v, env)?]))
                }
                (Op::Inter, [a, b]) => {
                    Some(Formula::all(vec![self.has_member(a, v, env)?, self.has_member(b, v, env)?]))
                }
                (Op::Diff, [a, b]) => {
                    Some(Formula::all(vec![self.has_member(a, v, env)?, self.has_member(b, v, env)?.not()]))
                }
                (Op::DomRes | Op::DomSub, [s, r]) => self.restricted(*op == Op::DomRes, s, r, true, v, env),
                (Op::RanRes | Op::RanSub, [r, s]) => self.restricted(*op == Op::RanRes, s, r, false, v, env),
                (Op::Apply, _) => self.in_shape(set, v, env),
                _ if self.run.problem.split => self.in_relation(*op, args, v, env),
                _ => None,
            },
            ExprKind::Compr(binder, _) if self.run.problem.split => {
                if !is_plain(&binder.pred, true) {
                    return None;
                }
                env.bind(&binder.vars, &parts(v, binder.vars.len())?);
                self.formula(&binder.pred, env)
            }
            ExprKind::SetExt(items) => {
                let (parts, ty) = (items.iter(), set.ty.elem()?);
                let parts = parts.map(|x| self.has_value(x, v, ty, env)).collect::<Option<Vec<Formula>>>()?;
                Some(Formula::some(parts))
            }
            _ => self.in_shape(set, v, env),
        }
    }

    /// When a value is a member of what an operator makes of relations.
    fn in_relation(&self, op: Op, args: &[Expr], v: &Value, env: &mut Env) -> Option<Formula> {
        Some(match (op, args) {
            (Op::Id, [s]) => {
                let (x, y) = (side(v, true)?, side(v, false)?);
                if x != y {
                    return Some(Formula::Const(false));
                }
                self.has_member(s, x, env)?
            }
            (Op::Product, [a, b]) => {
                let x = self.has_member(a, side(v, true)?, env)?;
                Formula::all(vec![x, self.has_member(b, side(v, false)?, env)?])
            }
            (Op::Inverse, [r]) => self.has_member(r, &swapped(v)?, env)?,
            (Op::Dom, [r]) => self.some_pair(r, None, v, true, env)?,
            (Op::Ran, [r]) => self.some_pair(r, None, v, false, env)?,
            (Op::Image, [r, s]) => self.some_pair(r, Some(s), v, false, env)?,
            _ => return None,
        })
    }

    /// When a relation has a pair with a value on one side, and its left side is in a set.
    fn some_pair(
        &self,
        r: &Expr,
        of: Option<&Expr>,
        v: &Value,
        left: bool,
        env: &mut Env,
    ) -> Option<Formula> {
        let relation = self.abs(r, env);
        // Points of a function have many options as a rule, and are no cells of two.
        if matches!(relation, Abs::Part(Shape::Fun { .. })) {
            return None;
        }
        let (_, may) = self.bounds(&relation)?;
        if may.len() > PAIRS || !may.is_extension() {
            return None;
        }
        let one = |pair: &Value, env: &mut Env| {
            let there = self.has_member(r, pair, env)?;
            let Some(set) = of else { return Some(there) };
            Some(Formula::all(vec![there, self.has_member(set, side(pair, true)?, env)?]))
        };
        let fits = may.items().iter().filter(|pair| side(pair, left) == Some(v));
        Some(Formula::some(fits.map(|pair| one(pair, env)).collect::<Option<Vec<Formula>>>()?))
    }

    fn restricted(
        &self,
        inside: bool,
        set: &Expr,
        r: &Expr,
        left: bool,
        v: &Value,
        env: &mut Env,
    ) -> Option<Formula> {
        let of = self.has_member(set, side(v, left)?, env)?;
        let of = if inside { of } else { of.not() };
        Some(Formula::all(vec![of, self.has_member(r, v, env)?]))
    }

    /// When a value is a member of what cells make up.
    fn in_shape(&self, set: &Expr, v: &Value, env: &mut Env) -> Option<Formula> {
        match self.abs(set, env) {
            Abs::Known(Value::Set(s)) if s.is_extension() => Some(Formula::Const(s.contains(v))),
            Abs::Part(Shape::Set { items, first }) => {
                let Ok(i) = items.binary_search(v) else { return Some(Formula::Const(false)) };
                let id = first + i;
                Some(match self.cells.cells[id].single() {
                    Some(option) => Formula::Const(option == 1),
                    None => Formula::Cell(id),
                })
            }
            Abs::Part(Shape::Fun { keys, parts }) => {
                let (x, y) = (side(v, true)?, side(v, false)?);
                if keys.binary_search(x).is_err() {
                    return Some(Formula::Const(false));
                }
                self.cell_has(point(keys, parts, x)?, y)
            }
            _ => None,
        }
    }
}

/// The parts of a left-nested tuple of so many.
fn parts(v: &Value, n: usize) -> Option<SmallVec<[Value; 4]>> {
    let mut parts = SmallVec::new();
    let mut v = v;
    for _ in 1..n {
        parts.push(side(v, false)?.clone());
        v = side(v, true)?;
    }
    parts.push(v.clone());
    parts.reverse();
    Some(parts)
}
