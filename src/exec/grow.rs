//! Assignments that change a set or a function where it stands, inside loops with one outcome.
//!
//! In: a place of an environment of the loop's own, its new value as an expression over the old one. Out: the new
//! value. `x := x \/ S`, `x := x - S` with a small S, and `f(x) := E` copy the old value only if somebody else
//! holds it too: a loop that gathers n members copies once, not n times. Everything else is left to `direct`.

use crate::eval::{Env, Evaluator};
use crate::ir::{Access, Expr, ExprKind, Place, Target};
use crate::ops::{Fault, Op};
use crate::value::{SetRef, Value};

/// How many times larger the old value must be for changing it to beat walking both sets.
const SKEW: usize = 8;

impl Evaluator {
    /// The value of `e` as the new value of a place, if it is the old one with a few members more or less.
    pub(super) fn grown(&self, place: Place, e: &Expr, env: &mut Env) -> Result<Option<Value>, Fault> {
        let ExprKind::Op(op @ (Op::Union | Op::Diff), args) = &e.kind else { return Ok(None) };
        let [a, b] = args.as_slice() else { return Ok(None) };
        if !names(a, place) || large(env, place) == 0 {
            return Ok(None);
        }
        // Short enough that nothing is lost if it is evaluated again.
        let ExprKind::SetExt(_) = &b.kind else { return Ok(None) };
        let Value::Set(few) = self.expr(b, env)? else { return Ok(None) };
        if !few.is_extension() || few.len().saturating_mul(SKEW) > large(env, place) {
            return Ok(None);
        }
        let Some(Value::Set(s)) = env.take(place) else { return Ok(None) };
        let grown = few.items().iter().fold(s, |s, v| match op {
            Op::Union => s.with(v.clone()),
            _ => s.without(v),
        });
        Ok(Some(Value::Set(grown)))
    }

    /// The value of a place after an assignment to a part of it.
    pub(super) fn write_part(&self, t: &Target, v: Value, env: &mut Env) -> Result<Value, Fault> {
        let [Access::At(x)] = t.path.as_slice() else { return Ok(self.write(t, v, env)?.value) };
        if large(env, t.place) == 0 {
            return Ok(self.write(t, v, env)?.value);
        }
        let x = self.settled(x, env)?;
        let v = self.storable(v, &crate::ty::Ty::Any, t)?;
        let old = match env.take(t.place) {
            Some(Value::Set(s)) => s,
            // Not so, by the test above.
            _ => SetRef::empty(),
        };
        Ok(Value::Set(old.overridden(x, v)))
    }
}

fn names(e: &Expr, place: Place) -> bool {
    match (&e.kind, place) {
        (ExprKind::Var(v), Place::Var(p)) => *v == p,
        (ExprKind::Local(l), Place::Local(p)) => *l == p,
        _ => false,
    }
}

/// The number of members of a set in extension, else 0.
fn large(env: &Env, place: Place) -> usize {
    let v = match place {
        Place::Var(id) => env.var(id),
        Place::Local(id) => env.local(id),
    };
    match v {
        Some(Value::Set(s)) if s.is_extension() => s.len(),
        _ => 0,
    }
}
