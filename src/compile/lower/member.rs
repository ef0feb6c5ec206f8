//! Membership and inclusion without building the set on the right.
//!
//! In: a value, a set expression. Out: branches. `f : A --> B`, `x : NATURAL`, `s : POW(T)`, `q : seq(T)`
//! are tests on bits.

use super::rel::sides;
use super::shape::{Bits, Range, Shape, Val};
use super::{Env, Lower, Res, no};
use crate::compile::word::{Bin, Block, Opd};
use crate::ir::{Expr, ExprKind, Local};
use crate::ops::{Arrow, Op};
use crate::ty::Ty;
use crate::value::Value;
use Opd::K;

impl Lower<'_> {
    /// Whether a set expression is better looked at than built: it has, or may have, no bits.
    pub(super) fn symbolic(e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Op(op, args) => match op {
                Op::Integer
                | Op::Natural
                | Op::Natural1
                | Op::Int
                | Op::Nat
                | Op::Nat1
                | Op::Interval
                | Op::StringSet => true,
                Op::Product | Op::Union | Op::Inter | Op::Diff => args.iter().any(Self::symbolic),
                _ => op.is_power() || op.is_sequences() || op.arrow().is_some(),
            },
            ExprKind::Struct(_) => true,
            ExprKind::SetExt(_) => e.ty.elem().is_some_and(|t| matches!(t, Ty::Pow(_))),
            _ => false,
        }
    }

    /// `x : s`.
    pub(super) fn member_expr(&mut self, x: &Expr, s: &Expr, env: &Env, yes: Block, other: Block) -> Res<()> {
        // Nothing is a member of the empty set, whether it has a value or not.
        if matches!(&s.kind, ExprKind::SetExt(items) if items.is_empty())
            || matches!(&s.kind, ExprKind::Lit(Value::Set(s)) if s.is_empty())
        {
            self.b.jump(other);
            return Ok(());
        }
        let v = self.expr(x, env)?;
        if let ExprKind::Compr(b, _) = &s.kind {
            let mut env = env.clone();
            bind_tuple(&b.vars, v, &mut env)?;
            return self.with_soft(None, |g| g.cond(&b.pred, &env, yes, other));
        }
        if self.member_formula(&v, s, yes, other)? {
            return Ok(());
        }
        self.touch(s, env)?;
        self.member(&v, s, env, yes, other)
    }

    /// Branches on `v : s`.
    pub(super) fn member(&mut self, v: &Val, s: &Expr, env: &Env, yes: Block, other: Block) -> Res<()> {
        match &s.kind {
            ExprKind::Given(_) => {
                self.b.jump(yes);
                return Ok(());
            }
            ExprKind::Op(op, args) if self.member_op(v, *op, args, env, yes, other)? => return Ok(()),
            ExprKind::Struct(sets) => {
                let Val::Tuple(parts) = v else { return no("record expected") };
                return self.each_member(parts, sets, env, yes, other);
            }
            ExprKind::SetExt(items) => {
                for e in items {
                    let w = self.expr(e, env)?;
                    let next = self.b.block();
                    let same = self.same(v, &w)?;
                    self.b.branch(same, yes, next);
                    self.b.at(next);
                }
                self.b.jump(other);
                return Ok(());
            }
            _ => {}
        }
        let s = match self.expr(s, env)? {
            Val::Set(s) => s,
            Val::Fun(f) => return self.member_fun(v, &f, yes, other),
            Val::Array(f) => return self.member_array(v, &f, yes, other),
            _ => return no("set expected"),
        };
        let i = self.number(v, &s.elem, other)?;
        let has = self.test(&s.words, i);
        self.b.branch(has, yes, other);
        Ok(())
    }

    fn each_member(&mut self, vs: &[Val], sets: &[Expr], env: &Env, yes: Block, other: Block) -> Res<()> {
        for (v, s) in vs.iter().zip(sets) {
            let on = self.b.block();
            self.member(v, s, env, on, other)?;
            self.b.at(on);
        }
        self.b.jump(yes);
        Ok(())
    }

    /// Membership where the operator tells; false if it has to be built.
    fn member_op(
        &mut self,
        v: &Val,
        op: Op,
        args: &[Expr],
        env: &Env,
        yes: Block,
        other: Block,
    ) -> Res<bool> {
        let bounds = |lo: i64, hi: Option<i64>| (Some(lo), hi);
        let (max, min) = (self.src.world.maxint, self.src.world.minint);
        let within = match op {
            Op::Integer => Some((None, None)),
            Op::Natural => Some(bounds(0, None)),
            Op::Natural1 => Some(bounds(1, None)),
            Op::Nat => Some(bounds(0, Some(max))),
            Op::Nat1 => Some(bounds(1, Some(max))),
            Op::Int => Some(bounds(min, Some(max))),
            _ => None,
        };
        if let Some((lo, hi)) = within {
            let Val::Int(w, Range(a, b)) = v else { return no("integer expected") };
            if let Some(lo) = lo.filter(|lo| a < lo) {
                let c = self.bin(Bin::Sle, K(lo.cast_unsigned()), *w);
                self.require(c, other);
            }
            if let Some(hi) = hi.filter(|hi| b > hi) {
                let c = self.bin(Bin::Sle, *w, K(hi.cast_unsigned()));
                self.require(c, other);
            }
            self.b.jump(yes);
            return Ok(true);
        }
        match (op, args) {
            (Op::BoolSet, _) => self.b.jump(yes),
            (Op::Interval, [a, b]) => {
                let Val::Int(w, _) = v else { return no("integer expected") };
                let (lo, _) = self.int(a, env)?;
                let (hi, _) = self.int(b, env)?;
                let c = self.bin(Bin::Sle, lo, *w);
                let d = self.bin(Bin::Sle, *w, hi);
                let c = self.bin(Bin::And, c, d);
                self.b.branch(c, yes, other);
            }
            (Op::Pow | Op::Fin, [t]) => self.subset(v, t, env, yes, other)?,
            (Op::Pow1 | Op::Fin1, [t]) => {
                let Val::Set(s) = v else { return no("set expected") };
                let any = self.any(&s.words);
                self.require(any, other);
                self.subset(v, t, env, yes, other)?;
            }
            (Op::Product, [_, _]) => {
                let Val::Tuple(parts) = v else { return no("pair expected") };
                self.each_member(parts, args, env, yes, other)?;
            }
            (Op::Union, [a, b]) => {
                let next = self.b.block();
                self.member(v, a, env, yes, next)?;
                self.b.at(next);
                self.member(v, b, env, yes, other)?;
            }
            (Op::Inter, [a, b]) => {
                let next = self.b.block();
                self.member(v, a, env, next, other)?;
                self.b.at(next);
                self.member(v, b, env, yes, other)?;
            }
            (Op::Diff, [a, b]) => {
                let next = self.b.block();
                self.member(v, a, env, next, other)?;
                self.b.at(next);
                self.member(v, b, env, other, yes)?;
            }
            (Op::Dom | Op::Ran, [r]) if Self::is_array(r, env) => {
                self.member_lanes(v, r, env, op == Op::Dom, (yes, other))?;
            }
            (Op::Dom | Op::Ran, [r]) if self.is_fun(r, env) => {
                let f = self.fun(r, env)?;
                self.member_side(v, &f, op == Op::Dom, yes, other)?;
            }
            (Op::Dom, [r]) => {
                // x : dom(r): a row that is not empty.
                let r = self.set(r, env)?;
                let (a, _) = sides(&r)?;
                let i = self.number(v, &a, other)?;
                let row = self.row(&r, i)?;
                let any = self.any(&row);
                self.b.branch(any, yes, other);
            }
            (op, [t]) if op.is_sequences() => {
                self.member_seq(v, op, t, env, yes, other)?;
            }
            _ => {
                let (Some(kind), [a, b]) = (op.arrow(), args) else { return Ok(false) };
                if let Val::Fun(f) = v {
                    self.fun_arrow(f, kind, a, b, env, yes, other)?;
                    return Ok(true);
                }
                if let Val::Array(f) = v {
                    self.array_arrow(f, kind, [a, b], env, (yes, other))?;
                    return Ok(true);
                }
                let Val::Set(r) = v else { return no("relation expected") };
                self.member_arrow(r, kind, a, b, env, yes, other)?;
            }
        }
        Ok(true)
    }

    /// Branches on `v <: t`, where t may have no value.
    pub(super) fn subset_expr(&mut self, v: &Val, t: &Expr, env: &Env, yes: Block, other: Block) -> Res<()> {
        self.touch(t, env)?;
        self.subset(v, t, env, yes, other)
    }

    /// Branches on `v <: t`.
    fn subset(&mut self, v: &Val, t: &Expr, env: &Env, yes: Block, other: Block) -> Res<()> {
        let Val::Set(s) = v else { return no("set expected") };
        if matches!(t.kind, ExprKind::Given(_) | ExprKind::Op(Op::BoolSet | Op::Integer, _)) {
            self.b.jump(yes);
            return Ok(());
        }
        if self.covers(t, &s.elem, env)?.is_some() {
            self.b.jump(yes);
            return Ok(());
        }
        if Self::symbolic(t) {
            self.each_bit(&s.words, &mut |g, i| {
                let x = g.value_at(i, &s.elem);
                let on = g.b.block();
                g.member(&x, t, env, on, other)?;
                g.b.at(on);
                Ok(())
            })?;
            self.b.jump(yes);
            return Ok(());
        }
        let t = self.set(t, env)?;
        let s = self.reshape(s, &t.elem, other)?;
        let out = self.zip(Bin::AndNot, &s.words, &t.words);
        let out = self.any(&out);
        self.b.branch(out, other, yes);
        Ok(())
    }

    /// Goes on only if `v <: t`.
    fn require_subset(&mut self, v: Bits, t: &Expr, env: &Env, other: Block) -> Res<()> {
        let on = self.b.block();
        self.subset(&Val::Set(v), t, env, on, other)?;
        self.b.at(on);
        Ok(())
    }

    /// Goes on only if a set equals an expression's.
    fn require_equal(&mut self, v: &Bits, t: &Expr, env: &Env, other: Block) -> Res<()> {
        if let Some((lo, hi)) = self.wide_interval(t, env)? {
            let same = self.equals_interval(v, lo, hi)?;
            self.require(same, other);
            return Ok(());
        }
        let t = self.set(t, env)?;
        let same = self.same(&Val::Set(v.clone()), &Val::Set(t))?;
        self.require(same, other);
        Ok(())
    }

    /// Goes on only if a side of a relation, made when it is asked for, equals an expression's set (if it is to be
    /// `whole`) or is part of it.
    pub(super) fn require_side(
        &mut self,
        whole: bool,
        t: &Expr,
        env: &Env,
        other: Block,
        side: impl FnOnce(&mut Self) -> Res<Bits>,
    ) -> Res<()> {
        if whole {
            let side = side(self)?;
            return self.require_equal(&side, t, env, other);
        }
        if matches!(t.kind, ExprKind::Given(_)) {
            return Ok(());
        }
        let side = side(self)?;
        self.require_subset(side, t, env, other)
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one membership")]
    fn member_arrow(
        &mut self,
        r: &Bits,
        kind: Arrow,
        a: &Expr,
        b: &Expr,
        env: &Env,
        yes: Block,
        other: Block,
    ) -> Res<()> {
        if kind.functional {
            let c = self.functional(r)?;
            self.require(c, other);
        }
        if kind.injective {
            let c = self.injective(r)?;
            self.require(c, other);
        }
        let (left, right) = sides(r)?;
        let all_of_left = self.covers(a, &left, env)?;
        match self.total(r)?.filter(|_| kind.total && all_of_left == Some(true)) {
            Some(c) => self.require(c, other),
            None if !kind.total && all_of_left.is_some() => {}
            None => self.require_side(kind.total, a, env, other, |g| g.dom(r))?,
        }
        if kind.onto || self.covers(b, &right, env)?.is_none() {
            self.require_side(kind.onto, b, env, other, |g| g.ran(r))?;
        }
        self.b.jump(yes);
        Ok(())
    }

    /// Whether all values of a shape are certainly members of a set, and if so, whether these are all.
    fn covers(&mut self, set: &Expr, shape: &Shape, env: &Env) -> Res<Option<bool>> {
        match (&set.kind, shape) {
            (ExprKind::Given(_) | ExprKind::Op(Op::BoolSet, _), Shape::Word(_)) => Ok(Some(true)),
            (ExprKind::Op(Op::Integer, _), Shape::Int(..)) => Ok(Some(false)),
            (ExprKind::Op(Op::Natural, _), Shape::Int(lo, _)) => Ok((*lo >= 0).then_some(false)),
            (ExprKind::Op(Op::Natural1, _), Shape::Int(lo, _)) => Ok((*lo >= 1).then_some(false)),
            (ExprKind::Op(Op::Interval, bounds), Shape::Int(lo, hi)) => {
                let [a, b] = bounds.as_slice() else { return Ok(None) };
                let (Range(least, most_low), Range(least_high, most)) =
                    (self.int(a, env)?.1, self.int(b, env)?.1);
                let inside = most_low <= *lo && *hi <= least_high;
                Ok(inside.then_some(least == *lo && *hi == most))
            }
            _ => Ok(None),
        }
    }

    fn member_seq(&mut self, v: &Val, op: Op, t: &Expr, env: &Env, yes: Block, other: Block) -> Res<()> {
        let Val::Set(s) = v else { return no("sequence expected") };
        let bail = std::mem::replace(&mut self.bail, other);
        let made = self.sequence_items(s);
        self.bail = bail;
        let (q, len) = made?;
        if matches!(op, Op::Seq1 | Op::Iseq1) {
            self.require(len, other);
        }
        if matches!(op, Op::Iseq | Op::Iseq1 | Op::Perm) {
            let c = self.injective(&q)?;
            self.require(c, other);
        }
        let r = self.ran(&q)?;
        if op == Op::Perm {
            self.require_equal(&r, t, env, other)?;
        } else if !matches!(t.kind, ExprKind::Given(_)) {
            self.require_subset(r, t, env, other)?;
        }
        self.b.jump(yes);
        Ok(())
    }
}

/// Binds variables to the parts of a left-nested tuple.
pub(super) fn bind_tuple(vars: &[Local], v: Val, env: &mut Env) -> Res<()> {
    match (vars, v) {
        ([x], v) => {
            env.locals.insert(x.id, v);
            Ok(())
        }
        ([firsts @ .., last], Val::Tuple(parts)) => match <[Val; 2]>::try_from(parts) {
            Ok([left, right]) => {
                env.locals.insert(last.id, right);
                bind_tuple(firsts, left, env)
            }
            Err(_) => no("tuple"),
        },
        _ => no("tuple"),
    }
}
