//! Constants that formulas give: `half = %n.(n : INTEGER | n / 2)`, `even = {n | n : INTEGER & n mod 2 = 0}`.
//!
//! In: a constant whose value has no extension, an argument. Out: the body or the predicate, compiled for the argument.
//! The formula has a frame of its own: its locals have nothing to do with those around. Absent: recursive functions,
//! and formulas that read more than constants.

use super::member::bind_tuple;
use super::shape::Val;
use super::{Env, Lower, Res, no};
use crate::compile::word::Block;
use crate::eval::{Formula, formula};
use crate::ir::{ConstId, Expr, ExprKind};
use crate::value::Value;

impl Lower<'_> {
    /// The formula that gives a constant, if that is what an expression is.
    fn formula(&self, e: &Expr) -> Option<(ConstId, Formula)> {
        let ExprKind::Const(c) = e.kind else { return None };
        let v @ Value::Lazy(_) = self.src.consts.get(c.0 as usize)?.as_ref()? else { return None };
        Some((c, formula(v)?))
    }

    /// Whether an expression is a constant whose members are not listed: it gives no candidates.
    pub(super) fn is_unlisted(&self, e: &Expr) -> bool {
        let ExprKind::Const(c) = e.kind else { return false };
        matches!(self.src.consts.get(c.0 as usize), Some(Some(Value::Lazy(_))))
    }

    /// Emits what `f` emits for the formula of a constant, with a frame of its own.
    fn inlined<T>(&mut self, c: ConstId, f: impl FnOnce(&mut Self, Env) -> Res<T>) -> Res<T> {
        if self.inlined.contains(&c) {
            return no("recursive function");
        }
        self.inlined.push(c);
        // No argument of the operation is among the locals, so none is left to be tried.
        let own = Env { tried: usize::MAX, ..Env::default() };
        let done = self.with_soft(None, |g| f(g, own));
        self.inlined.pop();
        done
    }

    /// `c(x)` for a constant that is a lambda; goes to `out` where it has no value. `None` if it is none.
    pub(super) fn apply_formula(&mut self, f: &Expr, x: &Expr, out: Block, env: &Env) -> Res<Option<Val>> {
        let Some((c, Formula::Lambda(s))) = self.formula(f) else { return Ok(None) };
        let x = self.expr(x, env)?;
        let value = self.inlined(c, |g, mut own| {
            bind_tuple(&s.binder.vars, x, &mut own)?;
            g.demand(&s.binder.pred, &own, out)?;
            g.expr(&s.body, &own)
        });
        value.map(Some)
    }

    /// Branches on `v : c` for a constant that is a comprehension; false if it is none.
    pub(super) fn member_formula(&mut self, v: &Val, s: &Expr, yes: Block, other: Block) -> Res<bool> {
        let Some((c, Formula::Members(b))) = self.formula(s) else { return Ok(false) };
        self.inlined(c, |g, mut own| {
            bind_tuple(&b.vars, v.clone(), &mut own)?;
            g.cond(&b.pred, &own, yes, other)
        })?;
        Ok(true)
    }
}
