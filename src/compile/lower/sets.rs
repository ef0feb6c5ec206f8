//! Set-valued expressions.
//!
//! In: operators with their arguments. Out: [`Bits`]. Infinite sets have no bits: they are met only in
//! `member` and `bind`, which look at the expression.

use super::rel::sides;
use super::shape::{Bits, MOST, Range, Shape, Val};
use super::{Env, Lower, Res, no};
use crate::compile::word::{Bin, Opd};
use crate::ir::{Expr, ExprKind};
use crate::ops::Op;
use crate::ty::Ty;
use Opd::K;

impl Lower<'_> {
    /// `{a, b}`.
    pub(super) fn set_ext(&mut self, items: &[Expr], ty: &Ty, env: &Env) -> Res<Val> {
        let Some(mut shape) = ty.elem().and_then(|t| Shape::of(t, self.src.world)) else {
            return no("set of sets");
        };
        let mut vals = Vec::new();
        for e in items {
            let v = self.expr(e, env)?;
            match v.shape().and_then(|x| shape.join(&x)) {
                Some(joined) => shape = joined,
                None => return no("set of sets"),
            }
            vals.push(v);
        }
        if shape.words().is_none() {
            return self.fun_ext(&vals, ty, false);
        }
        self.set_of(&vals, &shape).map(Val::Set)
    }

    /// The set of some values.
    fn set_of(&mut self, vals: &[Val], shape: &Shape) -> Res<Bits> {
        let mut out = Self::empty(shape)?;
        let bail = self.bail;
        for v in vals {
            let i = self.number(v, shape, bail)?;
            let one = self.single(out.words.len(), i);
            out.words = self.zip(Bin::Or, &out.words, &one);
        }
        Ok(out)
    }

    /// `[a, b]`.
    pub(super) fn seq_ext(&mut self, items: &[Expr], env: &Env) -> Res<Bits> {
        let mut vals = Vec::new();
        let mut shape = Shape::Tuple(vec![Shape::Int(0, -1), Shape::Word(0)]);
        for (n, e) in (1i64..).zip(items) {
            let v = Val::Tuple(vec![Val::Int(K(n.cast_unsigned()), Range(n, n)), self.expr(e, env)?]);
            match v.shape().and_then(|x| shape.join(&x)) {
                Some(joined) => shape = joined,
                None => return no("sequence of sets"),
            }
            vals.push(v);
        }
        self.set_of(&vals, &shape)
    }

    pub(super) fn set_operator(&mut self, op: Op, args: &[Expr], e: &Expr, env: &Env) -> Res<Bits> {
        match (op, args) {
            (Op::BoolSet, []) => Self::full(&Shape::Word(2)),
            (Op::Nat, []) => Self::interval_const(0, self.src.world.maxint),
            (Op::Nat1, []) => Self::interval_const(1, self.src.world.maxint),
            (Op::Int, []) => Self::interval_const(self.src.world.minint, self.src.world.maxint),
            (Op::Interval, [a, b]) => self.interval(a, b, env),
            (Op::Pow | Op::Fin, [s]) => {
                let s = self.set(s, env)?;
                self.power_set(&s)
            }
            (Op::Union | Op::Inter | Op::Diff, [a, b]) => {
                let a = self.set(a, env)?;
                self.combine(op, &a, b, env)
            }
            (Op::Product, [a, b]) => {
                let (a, b) = (self.set(a, env)?, self.set(b, env)?);
                self.product(&a, &b)
            }
            (Op::Dom, [r]) => {
                let r = self.set(r, env)?;
                self.dom(&r)
            }
            (Op::Ran, [r]) => {
                let r = self.set(r, env)?;
                self.ran(&r)
            }
            (Op::Inverse, [r]) => {
                let r = self.set(r, env)?;
                self.inverse(&r)
            }
            (Op::Image, [Expr { kind: ExprKind::Op(Op::Inverse, of), .. }, s]) if of.len() == 1 => {
                let (r, s) = (self.set(&of[0], env)?, self.set(s, env)?);
                let s = self.cut_to(&s, &sides(&r)?.1)?;
                self.preimage(&r, &s)
            }
            (Op::Image, [r, s]) => {
                let r = self.set(r, env)?;
                self.image_of(&r, s, env)
            }
            (Op::DomRes | Op::DomSub, [s, r]) => {
                let (s, r) = (self.set(s, env)?, self.set(r, env)?);
                let s = self.cut_to(&s, &sides(&r)?.0)?;
                let rows = self.rows_of(&s, &r)?;
                let op = if op == Op::DomRes { Bin::And } else { Bin::AndNot };
                Ok(Bits { words: self.zip(op, &r.words, &rows), elem: r.elem })
            }
            (Op::RanRes | Op::RanSub, [r, s]) => {
                let (r, s) = (self.set(r, env)?, self.set(s, env)?);
                let s = self.cut_to(&s, &sides(&r)?.1)?;
                let rows = self.in_all_rows(&s, &r)?;
                let op = if op == Op::RanRes { Bin::And } else { Bin::AndNot };
                Ok(Bits { words: self.zip(op, &r.words, &rows), elem: r.elem })
            }
            (Op::Override, [r, s]) => self.overriding(r, s, env),
            (Op::Comp, [r, s]) | (Op::BackComp, [s, r]) => {
                let (r, s) = (self.set(r, env)?, self.set(s, env)?);
                let ((a, b), (c, d)) = (sides(&r)?, sides(&s)?);
                let Some(mid) = b.join(&c) else { return no("composition") };
                let bail = self.bail;
                let r = self.reshape(&r, &Shape::pair(&a, &mid), bail)?;
                let s = self.reshape(&s, &Shape::pair(&mid, &d), bail)?;
                self.compose(&r, &s)
            }
            (Op::Closure1, [r]) => {
                let r = self.square(r, env)?;
                self.closure1(&r)
            }
            (Op::Closure, [r]) if e.ty.sides().is_some_and(|(a, _)| *a != Ty::Int) => {
                let r = self.square(r, env)?;
                let plus = self.closure1(&r)?;
                let all = Self::full(&sides(&r)?.0)?;
                let id = self.identity(&all)?;
                Ok(Bits { words: self.zip(Bin::Or, &plus.words, &id.words), elem: plus.elem })
            }
            (Op::Id, [s]) => {
                let s = self.set(s, env)?;
                self.identity(&s)
            }
            (Op::BigUnion | Op::BigInter, [s]) => {
                let s = self.set(s, env)?;
                self.generalised(&s, op == Op::BigInter)
            }
            (Op::DirectProduct | Op::ParProduct, [r, s]) => {
                let (r, s) = (self.set(r, env)?, self.set(s, env)?);
                self.pairwise(op == Op::ParProduct, &r, &s)
            }
            _ => self.seq_operator(op, args, env),
        }
    }

    /// union(s) or inter(s).
    fn generalised(&mut self, s: &Bits, inter: bool) -> Res<Bits> {
        let Shape::Set(elem) = &s.elem else { return no("set of sets expected") };
        if inter {
            let any = self.any(&s.words);
            let bail = self.bail;
            self.require(any, bail);
        }
        let start = if inter { Self::full(elem)? } else { Self::empty(elem)? };
        let cell = self.cell(&start);
        let op = if inter { Bin::And } else { Bin::Or };
        self.each_bit(&s.words, &mut |g, i| {
            let next = cell.words.first().map(|w| g.bin(op, *w, i));
            g.put(&cell, next.as_slice());
            Ok(())
        })?;
        Ok(cell)
    }

    /// `r >< s`, or `(r || s)`.
    fn pairwise(&mut self, parallel: bool, r: &Bits, s: &Bits) -> Res<Bits> {
        let ((a, b), (c, d)) = (sides(r)?, sides(s)?);
        let left = if parallel { Shape::pair(&a, &c) } else { a };
        let shape = Shape::pair(&left, &Shape::pair(&b, &d));
        let cell = self.cell(&Self::empty(&shape)?);
        self.each_bit(&r.words, &mut |g, i| {
            let Val::Tuple(p) = g.value_at(i, &r.elem) else { return no("pair expected") };
            g.each_bit(&s.words, &mut |g, j| {
                let Val::Tuple(q) = g.value_at(j, &s.elem) else { return no("pair expected") };
                let (fail, bail) = (g.fail, g.bail);
                let left = if parallel {
                    Val::Tuple(vec![p[0].clone(), q[0].clone()])
                } else {
                    let same = g.same(&p[0], &q[0])?;
                    g.require(same, fail);
                    p[0].clone()
                };
                let v = Val::Tuple(vec![left, Val::Tuple(vec![p[1].clone(), q[1].clone()])]);
                let k = g.number(&v, &shape, bail)?;
                g.include(&cell, k);
                Ok(())
            })
        })?;
        Ok(cell)
    }

    /// The members that `lo..hi` has in a shape, and whether it has others (not 0 if so).
    pub(super) fn interval_in(&mut self, lo: Opd, hi: Opd, shape: &Shape) -> Res<(Bits, Opd)> {
        let Shape::Int(a, b) = *shape else { return no("set of integers expected") };
        let some = self.bin(Bin::Sle, lo, hi);
        let (below, above) =
            (self.bin(Bin::Slt, lo, K(a.cast_unsigned())), self.bin(Bin::Slt, K(b.cast_unsigned()), hi));
        let outside = self.bin(Bin::Or, below, above);
        let lost = self.bin(Bin::And, some, outside);
        let cell = self.cell(&Self::empty(shape)?);
        if a > b {
            return Ok((cell, some));
        }
        self.count(K(a.cast_unsigned()), K(b.wrapping_add(1).cast_unsigned()), &mut |g, i| {
            let (c, d) = (g.bin(Bin::Sle, lo, i), g.bin(Bin::Sle, i, hi));
            let fail = g.fail;
            let inside = g.bin(Bin::And, c, d);
            g.require(inside, fail);
            let k = g.bin(Bin::Sub, i, K(a.cast_unsigned()));
            g.include(&cell, k);
            Ok(())
        })?;
        Ok((cell, lost))
    }

    /// The bounds of an interval whose size is not known well enough to build it.
    pub(super) fn wide_interval(&mut self, e: &Expr, env: &Env) -> Res<Option<(Opd, Opd)>> {
        let ExprKind::Op(Op::Interval, args) = &e.kind else { return Ok(None) };
        let [a, b] = args.as_slice() else { return Ok(None) };
        let (lo, Range(al, _)) = self.int(a, env)?;
        let (hi, Range(_, bh)) = self.int(b, env)?;
        Ok((Shape::Int(al, bh).size() > MOST).then_some((lo, hi)))
    }

    /// A relation with one shape on both sides.
    fn square(&mut self, r: &Expr, env: &Env) -> Res<Bits> {
        let r = self.set(r, env)?;
        let (a, b) = sides(&r)?;
        let Some(s) = a.join(&b) else { return no("closure") };
        let bail = self.bail;
        self.reshape(&r, &Shape::pair(&s, &s), bail)
    }

    /// `a op b` where `b` may have no bits: then every bit of `a` is tested for membership.
    fn combine(&mut self, op: Op, a: &Bits, b: &Expr, env: &Env) -> Res<Bits> {
        if op != Op::Union && Self::symbolic(b) {
            self.touch(b, env)?;
            let cell = self.cell(&Self::empty(&a.elem)?);
            self.each_bit(&a.words, &mut |g, i| {
                let v = g.value_at(i, &a.elem);
                let (yes, other) = (g.b.block(), g.fail);
                if op == Op::Inter {
                    g.member(&v, b, env, yes, other)?;
                } else {
                    g.member(&v, b, env, other, yes)?;
                }
                g.b.at(yes);
                g.include(&cell, i);
                Ok(())
            })?;
            return Ok(cell);
        }
        let b = self.set(b, env)?;
        // A member outside the left set's interval cannot be in an intersection, nor be taken away.
        let (a, b) = if op == Op::Union {
            self.align(a, &b)?
        } else {
            let b = self.cut_to(&b, &a.elem)?;
            (a.clone(), b)
        };
        let bin = match op {
            Op::Union => Bin::Or,
            Op::Inter => Bin::And,
            _ => Bin::AndNot,
        };
        Ok(Bits { words: self.zip(bin, &a.words, &b.words), elem: a.elem })
    }

    /// The members of `s` that a shape has, over that shape.
    pub(super) fn cut_to(&mut self, s: &Bits, to: &Shape) -> Res<Bits> {
        if s.elem == *to {
            return Ok(s.clone());
        }
        let cell = self.cell(&Self::empty(to)?);
        if s.elem.size() == 0 || to.size() == 0 {
            return Self::empty(to);
        }
        self.each_bit(&s.words, &mut |g, i| {
            let v = g.value_at(i, &s.elem);
            let fail = g.fail;
            let k = g.number(&v, to, fail)?;
            g.include(&cell, k);
            Ok(())
        })?;
        Ok(cell)
    }

    fn interval_const(lo: i64, hi: i64) -> Res<Bits> {
        Self::full(&Shape::Int(lo, hi))
    }

    fn interval(&mut self, a: &Expr, b: &Expr, env: &Env) -> Res<Bits> {
        let (lo, Range(al, _)) = self.int(a, env)?;
        let (hi, Range(_, bh)) = self.int(b, env)?;
        let shape = Shape::Int(al, bh);
        if shape.size() > MOST {
            return no("interval without known bounds");
        }
        if let (K(lo), K(hi)) = (lo, hi)
            && lo.cast_signed() <= hi.cast_signed()
        {
            return Self::interval_const(lo.cast_signed(), hi.cast_signed());
        }
        let base = K(al.cast_unsigned());
        let (from, to) = (self.bin(Bin::Sub, lo, base), self.bin(Bin::Sub, hi, base));
        let to = self.bin(Bin::Add, to, K(1));
        let mut set = Self::empty(&shape)?;
        let n = set.words.len();
        let (before, through) = (self.below(from, n), self.below(to, n));
        set.words = self.zip(Bin::AndNot, &through, &before);
        Ok(set)
    }

    /// `a * b`.
    pub(super) fn product(&mut self, a: &Bits, b: &Bits) -> Res<Bits> {
        let shape = Shape::pair(&a.elem, &b.elem);
        let cell = self.cell(&Self::empty(&shape)?);
        self.each_bit(&a.words, &mut |g, i| {
            let placed = g.at_row(&cell, &b.words, i)?;
            let sum = g.zip(Bin::Or, &cell.words, &placed);
            g.put(&cell, &sum);
            Ok(())
        })?;
        Ok(cell)
    }

    /// `r[s]`; for `s = {x}` the row of x.
    fn image_of(&mut self, r: &Bits, s: &Expr, env: &Env) -> Res<Bits> {
        let (a, b) = sides(r)?;
        if let ExprKind::SetExt(items) = &s.kind
            && let [x] = items.as_slice()
            && a.size() > 0
        {
            let v = self.expr(x, env)?;
            let (Some(inside), join) = (a.join(&v.shape().unwrap_or(Shape::Word(0))), self.b.block()) else {
                return no("image");
            };
            if inside == a {
                self.b.jump(join);
                self.b.at(join);
                let i = self.number(&v, &a, join)?;
                let words = self.row(r, i)?;
                return Ok(Bits { elem: b, words });
            }
            let cell = self.cell(&Self::empty(&b)?);
            let i = self.number(&v, &a, join)?;
            let row = self.row(r, i)?;
            self.put(&cell, &row);
            self.b.jump(join);
            self.b.at(join);
            return Ok(cell);
        }
        let s = self.set(s, env)?;
        let s = self.cut_to(&s, &a)?;
        self.image(r, &s)
    }

    /// `r <+ s`, quick for `s = {x |-> y}`.
    fn overriding(&mut self, r: &Expr, s: &Expr, env: &Env) -> Res<Bits> {
        let r = self.set(r, env)?;
        if let ExprKind::SetExt(items) = &s.kind
            && let [m] = items.as_slice()
        {
            let m = self.expr(m, env)?;
            return self.update(&r, &m, None);
        }
        let s = self.set(s, env)?;
        let (r, s) = self.align(&r, &s)?;
        self.override_with(&r, &s)
    }

    /// `r <+ {m}` for a pair m; if there is a home, the result is a set over it or the run is void.
    pub(super) fn update(&mut self, r: &Bits, m: &Val, home: Option<&Shape>) -> Res<Bits> {
        let (Val::Tuple(parts), bail) = (m, self.bail) else { return no("pair expected") };
        let [x, y] = parts.as_slice() else { return no("pair expected") };
        let shape = match home {
            Some(s) => Some(s.clone()),
            None => m.shape().and_then(|s| r.elem.join(&s)),
        };
        let Some(shape) = shape else { return no("function of sets") };
        if shape.words().is_none() {
            // An integer of unknown size: it must lie in the interval the relation has, or the run is void.
            let (a, b) = sides(r)?;
            let (x, y) = (self.number(x, &a, bail)?, self.number(y, &b, bail)?);
            return self.override_at(r, x, y);
        }
        let r = self.reshape(r, &shape, bail)?;
        let (a, b) = sides(&r)?;
        let (x, y) = (self.number(x, &a, bail)?, self.number(y, &b, bail)?);
        self.override_at(&r, x, y)
    }
}
