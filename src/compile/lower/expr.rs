//! Expressions that are not sets: numbers of elements, integers, pairs; and the entry for all of them.
//!
//! In: [`Expr`]. Out: [`Val`]. Set-valued operators are in `sets`.

use super::funs::Fun;
use super::shape::{Bits, Range, Shape, Val};
use super::{Lower, Res, no};
use crate::compile::word::{Bin, Block, Checked, Opd, Un};
use crate::ir::{Expr, ExprKind};
use crate::ops::Op;
use crate::ty::Ty;
use crate::value::Value;
use Opd::{K, R};

use super::Env;
use super::free::expr_mentions;
use super::member::bind_tuple;

/// A literal integer.
fn int(n: i64) -> Val {
    Val::Int(K(n.cast_unsigned()), Range(n, n))
}

impl Lower<'_> {
    /// The value of an expression.
    pub(super) fn expr(&mut self, e: &Expr, env: &Env) -> Res<Val> {
        let soft = match e.kind {
            ExprKind::Compr(..)
            | ExprKind::Lambda(..)
            | ExprKind::Image(_)
            | ExprKind::Fold(..)
            | ExprKind::Bool(_)
            | ExprKind::If(..) => None,
            _ => self.soft.clone(),
        };
        self.nest(|s| s.with_soft(soft, |s| s.once(e, env))).map_err(|mut u| {
            u.span.get_or_insert(e.span);
            u
        })
    }

    pub(super) fn expr_kind(&mut self, e: &Expr, env: &Env) -> Res<Val> {
        match &e.kind {
            ExprKind::Lit(v) => self.literal(v, &e.ty),
            ExprKind::Const(c) => match self.src.consts.get(c.0 as usize) {
                Some(Some(v)) => self.literal(v, &e.ty),
                _ => no("constant without value"),
            },
            ExprKind::Local(l) => match env.locals.get(l) {
                Some(v) => Ok(v.clone()),
                None => no("local without value"),
            },
            ExprKind::Var(v) => match env.vars.get(v.0 as usize) {
                Some(Some(v)) => Ok(v.clone()),
                _ => no("variable without dense layout"),
            },
            ExprKind::Old(v) => match env.old.get(v.0 as usize) {
                Some(Some(v)) => Ok(v.clone()),
                _ => no("old value"),
            },
            ExprKind::Given(_) => {
                let Some(shape) = e.ty.elem().and_then(|t| Shape::of(t, self.src.world)) else {
                    return no("given set");
                };
                Self::full(&shape).map(Val::Set)
            }
            ExprKind::Op(op, args) => self.operator(*op, args, e, env),
            ExprKind::Rec(parts) => {
                Ok(Val::Tuple(parts.iter().map(|p| self.expr(p, env)).collect::<Res<_>>()?))
            }
            ExprKind::Field(r, i) => match self.expr(r, env)? {
                Val::Tuple(parts) => parts.into_iter().nth(*i as usize).map_or_else(|| no("field"), Ok),
                _ => no("field"),
            },
            ExprKind::Bool(p) => self.truth(p, env).map(|w| Val::Word(2, w)),
            ExprKind::If(p, a, b) => self.choose(p, a, b, env),
            ExprKind::Let(x, v, body) => {
                let mut env = env.clone();
                let v = self.expr(v, &env)?;
                env.locals.insert(*x, v);
                self.expr(body, &env)
            }
            ExprKind::SetExt(items) => self.set_ext(items, &e.ty, env),
            ExprKind::SeqExt(items) => self.seq_ext(items, env).map(Val::Set),
            ExprKind::Compr(binder, _) => self.comprehension(binder, &e.ty, env),
            ExprKind::Lambda(scoped, _) => self.lambda(scoped, env),
            ExprKind::Image(scoped) => self.image_set(scoped, env),
            ExprKind::Fold(kind, scoped) => self.fold(*kind, scoped, &e.ty, env),
            ExprKind::External(..) | ExprKind::Struct(_) | ExprKind::Construct(..) | ExprKind::FreeSet(_) => {
                no("kind of expression")
            }
        }
    }

    /// A known value.
    pub(super) fn literal(&mut self, v: &Value, ty: &Ty) -> Res<Val> {
        let size = |t: &Ty| Shape::of(t, self.src.world).map_or(0, |s| u32::try_from(s.size()).unwrap_or(0));
        match (v, ty) {
            (Value::Bool(b), _) => Ok(Val::Word(2, K(u64::from(*b)))),
            (Value::Elem(_, i), _) => Ok(Val::Word(size(ty), K(u64::from(*i)))),
            (Value::Int(n), _) => Ok(int(*n)),
            (Value::Pair(p), Ty::Pair(a, b)) => {
                Ok(Val::Tuple(vec![self.literal(&p.0, a)?, self.literal(&p.1, b)?]))
            }
            (Value::Rec(vs), Ty::Rec(fields)) => Ok(Val::Tuple(
                vs.iter().zip(fields.iter()).map(|(v, (_, t))| self.literal(v, t)).collect::<Res<_>>()?,
            )),
            (Value::Set(s), Ty::Pow(t)) => {
                let Some(mut shape) = Shape::of(t, self.src.world) else { return no("set of sets") };
                let mut vals = Vec::new();
                for item in s.items() {
                    let v = self.literal(item, t)?;
                    match v.shape().and_then(|x| shape.join(&x)) {
                        Some(joined) => shape = joined,
                        None => return no("set of sets"),
                    }
                    if shape.words().is_none() {
                        return self.known_fun(s.items(), ty);
                    }
                    vals.push(v);
                }
                let mut out = Self::empty(&shape)?;
                let bail = self.bail;
                for v in vals {
                    let i = self.number(&v, &shape, bail)?;
                    let one = self.single(out.words.len(), i);
                    out.words = self.zip(Bin::Or, &out.words, &one);
                }
                Ok(Val::Set(out))
            }
            _ => no("kind of value"),
        }
    }

    /// An integer expression.
    pub(super) fn int(&mut self, e: &Expr, env: &Env) -> Res<(Opd, Range)> {
        match self.expr(e, env)? {
            Val::Int(w, r) => Ok((w, r)),
            _ => no("integer expected"),
        }
    }

    /// A set expression.
    pub(super) fn set(&mut self, e: &Expr, env: &Env) -> Res<Bits> {
        match self.expr(e, env)? {
            Val::Set(s) => Ok(s),
            Val::Fun(f) => self.spread(&f),
            _ => no("set expected"),
        }
    }

    fn choose(&mut self, p: &crate::ir::Pred, a: &Expr, b: &Expr, env: &Env) -> Res<Val> {
        let (yes, other, join) = (self.b.block(), self.b.block(), self.b.block());
        self.cond(p, env, yes, other)?;
        self.b.at(yes);
        let x = self.expr(a, env)?;
        let mut x_end = self.b.here();
        self.b.at(other);
        let y = self.expr(b, env)?;
        let mut y_end = self.b.here();
        let v = self.merge(&x, &mut x_end, &y, &mut y_end)?;
        self.b.at(x_end);
        self.b.jump(join);
        self.b.at(y_end);
        self.b.jump(join);
        self.b.at(join);
        Ok(v)
    }

    /// A value that is `x` if control comes from `x_end` and `y` if from `y_end`. Appends to both blocks, which
    /// may become others.
    pub(super) fn merge(&mut self, x: &Val, x_end: &mut Block, y: &Val, y_end: &mut Block) -> Res<Val> {
        if x == y {
            return Ok(x.clone());
        }
        match (x, y) {
            (Val::Word(n, a), Val::Word(m, b)) => {
                Ok(Val::Word((*n).max(*m), self.phi(*a, *x_end, *b, *y_end)))
            }
            (Val::Int(a, Range(l, h)), Val::Int(b, Range(m, i))) => {
                Ok(Val::Int(self.phi(*a, *x_end, *b, *y_end), Range((*l).min(*m), (*h).max(*i))))
            }
            (Val::Tuple(a), Val::Tuple(b)) if a.len() == b.len() => Ok(Val::Tuple(
                a.iter().zip(b).map(|(a, b)| self.merge(a, x_end, b, y_end)).collect::<Res<_>>()?,
            )),
            (Val::Set(a), Val::Set(b)) => {
                let Some(shape) = a.elem.join(&b.elem) else { return no("sets of different kinds") };
                let bail = self.bail;
                self.b.at(*x_end);
                let a = self.reshape(a, &shape, bail)?;
                *x_end = self.b.here();
                self.b.at(*y_end);
                let b = self.reshape(b, &shape, bail)?;
                *y_end = self.b.here();
                let words =
                    a.words.iter().zip(&b.words).map(|(a, b)| self.phi(*a, *x_end, *b, *y_end)).collect();
                Ok(Val::Set(Bits { elem: shape, words }))
            }
            (Val::Array(a), Val::Array(b)) => Ok(Val::Array(self.merge_arrays(a, *x_end, b, *y_end)?)),
            (Val::Fun(_), Val::Fun(_) | Val::Set(_)) | (Val::Set(_), Val::Fun(_)) => {
                let (Some(Shape::Set(p)), Some(Shape::Set(q))) = (x.shape(), y.shape()) else {
                    return no("branches of different kinds");
                };
                let shape = p.join(&q);
                let Some((left, Shape::Set(item))) = shape.as_ref().and_then(Shape::sides) else {
                    return no("branches of different kinds");
                };
                let bail = self.bail;
                self.b.at(*x_end);
                let a = self.refit(x, left, item, bail)?;
                *x_end = self.b.here();
                self.b.at(*y_end);
                let b = self.refit(y, left, item, bail)?;
                *y_end = self.b.here();
                let both = a.bits.words.iter().zip(&b.bits.words);
                let words = both.map(|(a, b)| self.phi(*a, *x_end, *b, *y_end)).collect();
                Ok(Val::Fun(Fun { item: a.item, bits: Bits { elem: a.bits.elem, words } }))
            }
            _ => no("branches of different kinds"),
        }
    }

    pub(super) fn phi(&mut self, a: Opd, a_end: Block, b: Opd, b_end: Block) -> Opd {
        if a == b {
            return a;
        }
        let r = self.b.reg();
        self.b.at(a_end);
        self.b.set(r, a);
        self.b.at(b_end);
        self.b.set(r, b);
        R(r)
    }

    fn operator(&mut self, op: Op, args: &[Expr], e: &Expr, env: &Env) -> Res<Val> {
        if let Some(v) = self.array_operator(op, args, env)? {
            return Ok(v);
        }
        if let Some(v) = self.fun_operator(op, args, e, env)? {
            return Ok(v);
        }
        match (op, args) {
            (Op::TrueValue, []) => Ok(Val::Word(2, K(1))),
            (Op::FalseValue, []) => Ok(Val::Word(2, K(0))),
            (Op::Maxint, []) => Ok(int(self.src.world.maxint)),
            (Op::Minint, []) => Ok(int(self.src.world.minint)),
            (Op::Maplet, [a, b]) => Ok(Val::Tuple(vec![self.expr(a, env)?, self.expr(b, env)?])),
            (Op::First1 | Op::Second2, [p]) => match self.expr(p, env)? {
                Val::Tuple(parts) if parts.len() == 2 => {
                    parts.into_iter().nth(usize::from(op == Op::Second2)).map_or_else(|| no("pair"), Ok)
                }
                _ => no("pair"),
            },
            (Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Neg, _) if e.ty == Ty::Int => {
                self.arith(op, args, env)
            }
            (Op::Power, [a, b]) if e.ty == Ty::Int => self.power(a, b, env),
            (Op::Card, [s]) => {
                let s = self.set(s, env)?;
                let n = self.population(&s.words);
                Ok(Val::Int(n, Range(0, i64::try_from(s.elem.size()).unwrap_or(i64::MAX))))
            }
            (Op::Min | Op::Max, [s]) if e.ty == Ty::Int => {
                let s = self.set(s, env)?;
                self.extreme(&s, op == Op::Max)
            }
            (Op::Apply, [f, x]) => {
                let soft = self.soft.as_ref().filter(|(ids, _)| expr_mentions(e, ids)).map(|(_, out)| *out);
                self.apply(f, x, soft, env)
            }
            (Op::Size | Op::First | Op::Last, [s]) => {
                let s = self.set(s, env)?;
                self.of_sequence(op, &s)
            }
            _ => self.set_operator(op, args, e, env).map(Val::Set),
        }
    }

    fn arith(&mut self, op: Op, args: &[Expr], env: &Env) -> Res<Val> {
        let (a, Range(al, ah), b, Range(bl, bh)) = match args {
            [x] => {
                let (b, r) = self.int(x, env)?;
                (K(0), Range(0, 0), b, r)
            }
            [x, y] => {
                let (a, r) = self.int(x, env)?;
                let (b, s) = self.int(y, env)?;
                (a, r, b, s)
            }
            _ => return no("arithmetic"),
        };
        let corners = |f: fn(i64, i64) -> Option<i64>| {
            let all = [f(al, bl), f(al, bh), f(ah, bl), f(ah, bh)].into_iter().collect::<Option<Vec<_>>>()?;
            Some(Range(*all.iter().min()?, *all.iter().max()?))
        };
        let (checked, plain, range) = match op {
            Op::Add => (Checked::Add, Some(Bin::Add), corners(i64::checked_add)),
            Op::Sub | Op::Neg => (Checked::Sub, Some(Bin::Sub), corners(i64::checked_sub)),
            Op::Mul => (Checked::Mul, Some(Bin::Mul), corners(i64::checked_mul)),
            Op::Div if bl > 0 => (Checked::Div, None, corners(i64::checked_div)),
            Op::Div => (Checked::Div, None, None),
            _ => {
                let fits = al >= 0 && bl > 0;
                (Checked::Mod, fits.then_some(Bin::Rem), (bh > 0).then(|| Range(0, bh - 1)))
            }
        };
        let v = match plain {
            Some(p) if range.is_some() => self.bin(p, a, b),
            _ => self.b.checked(checked, a, b),
        };
        Ok(Val::Int(v, range.unwrap_or(Range::ALL)))
    }

    /// `a ** b` by repeated multiplication; bails on a negative or large exponent.
    fn power(&mut self, a: &Expr, b: &Expr, env: &Env) -> Res<Val> {
        let (a, _) = self.int(a, env)?;
        let (b, _) = self.int(b, env)?;
        let bail = self.bail;
        let fine = self.bin(Bin::Ult, b, K(64));
        self.require(fine, bail);
        let product = self.b.var(K(1));
        self.count(K(0), b, &mut |g, _| {
            let next = g.b.checked(Checked::Mul, R(product), a);
            g.b.set(product, next);
            Ok(())
        })?;
        Ok(Val::Int(R(product), Range::ALL))
    }

    /// min or max of a set of integers.
    fn extreme(&mut self, s: &Bits, max: bool) -> Res<Val> {
        let Shape::Int(lo, hi) = s.elem else { return no("set of integers expected") };
        let any = self.any(&s.words);
        let bail = self.bail;
        self.require(any, bail);
        let Some(i) = self.end_bit(&s.words, max) else { return no("empty interval") };
        Ok(Val::Int(self.bin(Bin::Add, i, K(lo.cast_unsigned())), Range(lo, hi)))
    }

    /// The number of the lowest or highest bit of words that are not all 0.
    pub(super) fn end_bit(&mut self, words: &[Opd], high: bool) -> Option<Opd> {
        let un = if high { Un::High } else { Un::Low };
        if let [w] = words {
            return Some(self.un(un, *w));
        }
        // From the far end to the near one, so that the last one that counts wins.
        let order: Vec<usize> =
            if high { (0..words.len()).collect() } else { (0..words.len()).rev().collect() };
        let found = self.b.var(K(0));
        for j in order {
            let (here, next) = (self.b.block(), self.b.block());
            self.b.branch(words[j], here, next);
            self.b.at(here);
            let i = self.un(un, words[j]);
            let i = self.bin(Bin::Add, i, K(64 * j as u64));
            self.b.set(found, i);
            self.b.jump(next);
            self.b.at(next);
        }
        (!words.is_empty()).then_some(R(found))
    }

    fn apply(&mut self, f: &Expr, x: &Expr, soft: Option<Block>, env: &Env) -> Res<Val> {
        if let ExprKind::Op(op @ (Op::Succ | Op::Pred), _) = &f.kind {
            let (a, Range(lo, hi)) = self.int(x, env)?;
            let by = if *op == Op::Succ { 1i64 } else { -1 };
            return Ok(match (lo.checked_add(by), hi.checked_add(by)) {
                (Some(l), Some(h)) => Val::Int(self.bin(Bin::Add, a, K(by.cast_unsigned())), Range(l, h)),
                _ => Val::Int(self.b.checked(Checked::Add, a, K(by.cast_unsigned())), Range::ALL),
            });
        }
        let bail = self.bail;
        if let ExprKind::Op(op @ (Op::Prj1 | Op::Prj2), sets) = &f.kind {
            return self.projection(*op == Op::Prj2, sets, x, soft.unwrap_or(bail), env);
        }
        if let ExprKind::Lambda(s, _) = &f.kind {
            let x = self.expr(x, env)?;
            let mut env = env.clone();
            bind_tuple(&s.binder.vars, x, &mut env)?;
            return self.with_soft(None, |g| {
                g.demand(&s.binder.pred, &env, soft.unwrap_or(bail))?;
                g.expr(&s.body, &env)
            });
        }
        if let Some(v) = self.apply_formula(f, x, soft.unwrap_or(bail), env)? {
            return Ok(v);
        }
        if let Some(v) = self.apply_table(f, x, soft.unwrap_or(bail), env)? {
            return Ok(v);
        }
        let f = self.expr(f, env)?;
        let x = self.expr(x, env)?;
        match f {
            Val::Set(f) => self.apply_to(&f, &x, soft.unwrap_or(bail)),
            Val::Fun(f) => self.apply_fun(&f, &x, soft.unwrap_or(bail)),
            Val::Array(f) => self.apply_array(&f, &x, soft.unwrap_or(bail)),
            _ => no("function expected"),
        }
    }

    /// `prj1(S,T)(x)` or `prj2(S,T)(x)`; goes to `out` if the pair is not of the sets.
    fn projection(&mut self, second: bool, sets: &[Expr], x: &Expr, out: Block, env: &Env) -> Res<Val> {
        let Val::Tuple(pair) = self.expr(x, env)? else { return no("pair") };
        if pair.len() != sets.len() {
            return no("projection");
        }
        for (part, set) in pair.iter().zip(sets) {
            let on = self.b.block();
            self.touch(set, env)?;
            self.member(part, set, env, on, out)?;
            self.b.at(on);
        }
        pair.into_iter().nth(usize::from(second)).map_or_else(|| no("pair"), Ok)
    }

    /// `f(x)`; goes to `out` if there is no value, bails if there are several.
    pub(super) fn apply_to(&mut self, f: &Bits, x: &Val, out: Block) -> Res<Val> {
        let Some((a, b)) = f.elem.sides() else { return no("function expected") };
        let bail = self.bail;
        let i = self.number(x, a, out)?;
        let row = self.row(f, i)?;
        if out != bail {
            let any = self.any(&row);
            self.require(any, out);
        }
        let n = self.population(&row);
        let one = self.bin(Bin::Eq, n, K(1));
        self.require(one, bail);
        let Some(j) = self.end_bit(&row, false) else { return no("empty range") };
        Ok(self.value_at(j, &b.clone()))
    }
}
