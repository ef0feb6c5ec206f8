//! Comprehensions, lambdas, images under expressions, and SIGMA, PI, UNION, INTER: loops over solutions.
//!
//! In: binders with bodies. Out: values accumulated in registers. Where integers take part, a first run into
//! a scratch program finds out in which interval the members lie.

use super::bind::has_int;
use super::shape::{Range, Shape, Val};
use super::{Env, Lower, Res, no};
use crate::compile::word::build::Builder;
use crate::compile::word::{Bin, Checked, Opd};
use crate::ir::{Binder, Expr, Scoped};
use crate::syntax::ast::Fold;
use crate::ty::Ty;
use Opd::{K, R};

/// The value to collect at a solution.
type Item<'f, 'a> = &'f dyn Fn(&mut Lower<'a>, &Env) -> Res<Val>;

impl<'a> Lower<'a> {
    /// `{x,y | P}`.
    pub(super) fn comprehension(&mut self, b: &Binder, ty: &Ty, env: &Env) -> Res<Val> {
        let Some(elem) = ty.elem() else { return no("comprehension") };
        self.collect(b, elem, env, &|_, env| tuple(b, env))
    }

    /// `%x.(P|E)`.
    pub(super) fn lambda(&mut self, s: &Scoped<Expr>, env: &Env) -> Res<Val> {
        let mut ty: Option<Ty> = None;
        for v in &s.binder.vars {
            ty = Some(match ty {
                None => v.ty.clone(),
                Some(t) => Ty::pair(t, v.ty.clone()),
            });
        }
        let Some(left) = ty else { return no("lambda") };
        let elem = Ty::pair(left, s.body.ty.clone());
        self.collect(&s.binder, &elem, env, &|g, env| {
            let v = g.expr(&s.body, env)?;
            Ok(Val::Tuple(vec![tuple(&s.binder, env)?, v]))
        })
    }

    /// `{x . P | E}`.
    pub(super) fn image_set(&mut self, s: &Scoped<Expr>, env: &Env) -> Res<Val> {
        self.collect(&s.binder, &s.body.ty, env, &|g, env| g.expr(&s.body, env))
    }

    fn collect(&mut self, b: &Binder, elem: &Ty, env: &Env, item: Item<'_, 'a>) -> Res<Val> {
        let Some(mut shape) = Shape::of(elem, self.src.world) else { return no("set of sets") };
        if has_int(elem) {
            shape = self.discover(b, shape, env, &|g, env| {
                let v = item(g, env)?;
                v.shape().map_or_else(|| no("set of sets"), Ok)
            })?;
        }
        if shape.words().is_none() {
            let cell = self.fun_cell(&shape)?;
            self.solve(&b.vars, &[&b.pred], env, &mut |g, env| {
                let v = item(g, env)?;
                g.add_row(&cell, &v)
            })?;
            return Ok(Val::Fun(cell));
        }
        let cell = self.cell(&Self::empty(&shape)?);
        let bail = self.bail;
        self.solve(&b.vars, &[&b.pred], env, &mut |g, env| {
            let v = item(g, env)?;
            let i = g.number(&v, &cell.elem, bail)?;
            g.include(&cell, i);
            Ok(())
        })?;
        Ok(Val::Set(cell))
    }

    /// The least shape that holds what `shape_of` tells at every solution, found by compiling into nowhere.
    fn discover(
        &mut self,
        b: &Binder,
        start: Shape,
        env: &Env,
        shape_of: &dyn Fn(&mut Lower<'a>, &Env) -> Res<Shape>,
    ) -> Res<Shape> {
        let kept = (std::mem::replace(&mut self.b, Builder::new()), self.fail, self.bail);
        // A register of nowhere is another value's afterwards.
        let counter = self.fuel.counter();
        let mut shape = start;
        let done = self.solve(&b.vars, &[&b.pred], env, &mut |g, env| {
            let found = shape_of(g, env)?;
            match shape.join(&found) {
                Some(s) => shape = s,
                None => return no("members of different kinds"),
            }
            Ok(())
        });
        (self.b, self.fail, self.bail) = kept;
        self.fuel.count_in(counter);
        done?;
        Ok(shape)
    }

    /// SIGMA, PI, UNION, INTER.
    pub(super) fn fold(&mut self, kind: Fold, s: &Scoped<Expr>, ty: &Ty, env: &Env) -> Res<Val> {
        let b = &s.binder;
        match kind {
            Fold::Sum | Fold::Product if *ty == Ty::Int => {
                let (op, unit) = if kind == Fold::Sum { (Checked::Add, 0) } else { (Checked::Mul, 1) };
                let sum = self.b.var(K(unit));
                self.solve(&b.vars, &[&b.pred], env, &mut |g, env| {
                    let (v, _) = g.int(&s.body, env)?;
                    let next = g.b.checked(op, R(sum), v);
                    g.b.set(sum, next);
                    Ok(())
                })?;
                Ok(Val::Int(R(sum), Range::ALL))
            }
            Fold::Union | Fold::Inter => self.fold_sets(kind == Fold::Inter, s, ty, env),
            _ => no("sum or product"),
        }
    }

    fn fold_sets(&mut self, inter: bool, s: &Scoped<Expr>, ty: &Ty, env: &Env) -> Res<Val> {
        let b = &s.binder;
        let Some(elem) = ty.elem() else { return no("set expected") };
        let Some(mut shape) = Shape::of(elem, self.src.world) else { return no("set of sets") };
        if has_int(elem) {
            shape = self.discover(b, shape, env, &|g, env| g.set(&s.body, env).map(|v| v.elem))?;
        }
        let start = if inter { Self::full(&shape)? } else { Self::empty(&shape)? };
        let cell = self.cell(&start);
        let met = self.b.var(K(0));
        let bail = self.bail;
        self.solve(&b.vars, &[&b.pred], env, &mut |g, env| {
            let v = g.set(&s.body, env)?;
            let v = g.reshape(&v, &cell.elem, bail)?;
            let op = if inter { Bin::And } else { Bin::Or };
            let next = g.zip(op, &cell.words, &v.words);
            g.put(&cell, &next);
            g.b.set(met, K(1));
            Ok(())
        })?;
        if inter {
            self.require(R(met), bail);
        }
        Ok(Val::Set(cell))
    }
}

/// The tuple of a binder's variables, pairs nested to the left.
fn tuple(b: &Binder, env: &Env) -> Res<Val> {
    let mut out: Option<Val> = None;
    for v in &b.vars {
        let Some(x) = env.locals.get(&v.id) else { return no("variable without value") };
        out = Some(match out {
            None => x.clone(),
            Some(t) => Val::Tuple(vec![t, x.clone()]),
        });
    }
    out.map_or_else(|| no("comprehension"), Ok)
}
