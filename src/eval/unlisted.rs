//! Members of infinite sets of integers, for `x :: S` and `ANY x WHERE x : S`.
//!
//! In: the set, as an expression. Out: some of its members, in order: all of its finite parts, and of the infinite ones those in a
//! window that begins or ends where the part does. What else there is is noted as left out.

use super::bind::Run;
use super::bits::Bits;
use super::{Env, Evaluator};
use crate::ir::{Expr, ExprKind, PredKind};
use crate::ops::{Cut, Fault, Op, interval_of};
use crate::source::Span;
use crate::ty::Ty;
use crate::value::Value;
use std::collections::BTreeSet;
use std::ops::ControlFlow::Continue;
use std::sync::Arc;

/// Of a finite part with more members only the ends are tried.
const WIDE: i64 = 1 << 16;

impl Evaluator {
    /// Some members of an infinite set of integers; that something, named where it stands, is tried with no others is noted.
    pub(crate) fn some_integers(
        &self,
        set: &Expr,
        (what, at): (Arc<str>, Span),
        env: &mut Env,
    ) -> Result<BTreeSet<i64>, Fault> {
        let some = self.members_in_parts(set, env)?;
        let range = some.first().copied().zip(some.last().copied());
        self.left_out(&Cut { what, at, range, of: None });
        Ok(some)
    }

    /// All members of the finite parts of a set of integers, and some of the others.
    pub(super) fn members_in_parts(&self, set: &Expr, env: &mut Env) -> Result<BTreeSet<i64>, Fault> {
        let whole = self.expr(set, env)?;
        let mut some = BTreeSet::new();
        self.add_some(set, &mut some, env)?;
        let mut wrong = Vec::new();
        for n in &some {
            if !self.holds(Op::In, &[Value::Int(*n), whole.clone()], &Ty::Int, set.span)? {
                wrong.push(*n);
            }
        }
        wrong.iter().for_each(|n| _ = some.remove(n));
        Ok(some)
    }

    /// Adds integers of which those in the set are members to be tried.
    fn add_some(&self, set: &Expr, some: &mut BTreeSet<i64>, env: &mut Env) -> Result<(), Fault> {
        match &set.kind {
            ExprKind::Op(Op::Union | Op::Inter, sides) => {
                return sides.iter().try_for_each(|s| self.add_some(s, some, env));
            }
            ExprKind::Op(Op::Diff, sides) => {
                if let [a, b] = &sides[..] {
                    // The nearest ones beyond what is taken away.
                    self.add_some(b, some, env)?;
                    let near: Vec<i64> =
                        some.iter().flat_map(|n| [n.saturating_sub(1), n.saturating_add(1)]).collect();
                    some.extend(near);
                    return self.add_some(a, some, env);
                }
            }
            ExprKind::Compr(binder, _) if binder.vars.len() == 1 => {
                let id = binder.vars[0].id;
                let _all = self.solutions(binder, env, &mut |_, env| {
                    if let Some(Value::Int(n)) = env.local(id) {
                        some.insert(*n);
                    }
                    Ok(Continue(()))
                })?;
                return Ok(());
            }
            _ => {}
        }
        let v = self.expr(set, env)?;
        let (min, max) = self.world.window().into_inner();
        match (&v, interval_of(&v)) {
            (Value::Set(s), _) => some.extend(s.items().iter().filter_map(|v| match v {
                Value::Int(n) => Some(*n),
                _ => None,
            })),
            (_, Some(n)) => {
                let end = |n: &num_bigint::BigInt| i64::try_from(n).ok();
                let (lo, hi) = (n.lo.as_ref().and_then(end), n.hi.as_ref().and_then(end));
                let from = lo.unwrap_or_else(|| hi.map_or(min, |h| min.min(h)));
                let to = hi.unwrap_or_else(|| lo.map_or(max, |l| max.max(l)));
                match to.checked_sub(from) {
                    Some(width) if width < WIDE => some.extend(from..=to),
                    _ => some.extend([from, to]),
                }
            }
            _ => some.extend(min..=max),
        }
        Ok(())
    }
}

impl Run<'_> {
    /// The set with finite parts, perhaps, that an unknown integer is a member of, if that is known.
    pub(super) fn mixture_over(&self, var: usize, rest: &[usize], bound: &Bits) -> Option<&Expr> {
        let u = self.problem.unknowns.get(var).filter(|u| u.ty == Ty::Int)?;
        rest.iter().find_map(|c| {
            let PredKind::Op(Op::In, sides) = &self.problem.conjs.get(*c)?.pred.kind else { return None };
            let [x, set] = &sides[..] else { return None };
            let mixed = matches!(set.kind, ExprKind::Op(Op::Union | Op::Inter | Op::Diff, _));
            (mixed && u.is(x) && self.is_known(set, bound)).then_some(set)
        })
    }
}
