//! Functions to sets, a row for each argument: the value itself is in the row, so that any number of members will do.
//!
//! In: expressions whose value is held so (a variable laid out so, or what is made of it). Out: [`Fun`]. What has no
//! rule here becomes a bit set of pairs if there are few enough sets, and is refused otherwise.

use super::rel::sides;
use super::shape::{Bits, Shape, Val};
use super::{Env, Lower, Res, no};
use crate::compile::word::{Bin, Block, Opd};
use crate::ir::{Expr, ExprKind};
use crate::ops::Op;
use crate::ty::Ty;
use crate::value::Value;
use Opd::K;

/// A function to sets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fun {
    /// Numbering of the possible members of values.
    pub(crate) item: Shape,
    /// Rows by argument: bit 0 is 1 where there is a value, the value's bits follow. Rows without value are 0.
    pub(crate) bits: Bits,
}

impl Fun {
    /// The numbering of the arguments.
    pub(crate) fn left(&self) -> Shape {
        self.bits.elem.sides().map_or(Shape::Word(0), |(a, _)| a.clone())
    }

    /// The numbering of the pairs that the function consists of.
    pub(crate) fn pairs(&self) -> Shape {
        Shape::pair(&self.left(), &Shape::Set(Box::new(self.item.clone())))
    }
}

/// Whether a type is that of relations to sets.
fn to_sets(ty: &Ty) -> bool {
    ty.sides().is_some_and(|(_, b)| matches!(b, Ty::Pow(_)))
}

/// The numbering of rows.
fn rows(left: &Shape, item: &Shape) -> Res<Shape> {
    match u32::try_from(item.size()) {
        Ok(n) if n < u32::MAX => Ok(Shape::pair(left, &Shape::Word(n + 1))),
        _ => no("function to sets over too many values"),
    }
}

impl Lower<'_> {
    /// Whether an expression's value is held row by row.
    pub(super) fn is_fun(&self, e: &Expr, env: &Env) -> bool {
        if !to_sets(&e.ty) {
            return false;
        }
        let held = |v: Option<&Val>| matches!(v, Some(Val::Fun(_)));
        match &e.kind {
            ExprKind::Var(v) => held(env.vars.get(v.0 as usize).and_then(Option::as_ref)),
            ExprKind::Old(v) => held(env.old.get(v.0 as usize).and_then(Option::as_ref)),
            ExprKind::Local(l) => held(env.locals.get(l)),
            ExprKind::Const(_) | ExprKind::Lit(_) | ExprKind::SetExt(_) | ExprKind::Op(Op::Product, _) => {
                self.wide(&e.ty)
            }
            ExprKind::If(_, a, b) => self.is_fun(a, env) || self.is_fun(b, env),
            ExprKind::Op(Op::Override | Op::Union, args) => args.iter().any(|a| self.is_fun(a, env)),
            ExprKind::Op(Op::DomRes | Op::DomSub, args) => args.last().is_some_and(|a| self.is_fun(a, env)),
            _ => false,
        }
    }

    /// Whether relations of a type have too many possible pairs for a bit each.
    fn wide(&self, ty: &Ty) -> bool {
        to_sets(ty) && self.pairs_of(ty).is_some_and(|s| s.words().is_none())
    }

    fn pairs_of(&self, ty: &Ty) -> Option<Shape> {
        Shape::of(ty.elem()?, self.src.world)
    }

    /// The function without arguments.
    fn nowhere(left: &Shape, item: &Shape) -> Res<Fun> {
        Ok(Fun { item: item.clone(), bits: Self::empty(&rows(left, item)?)? })
    }

    /// An expression's value, held row by row; bails if it is no function.
    pub(super) fn fun(&mut self, e: &Expr, env: &Env) -> Res<Fun> {
        let v = self.expr(e, env)?;
        self.as_fun(&v)
    }

    fn as_fun(&mut self, v: &Val) -> Res<Fun> {
        let s = match v {
            Val::Fun(f) => return Ok(f.clone()),
            Val::Set(s) => s,
            _ => return no("function expected"),
        };
        let (left, right) = sides(s)?;
        let item = match right {
            Shape::Set(item) => *item,
            // The empty set of nobody knows what.
            Shape::Word(0) => Shape::Word(0),
            _ => return no("function to sets expected"),
        };
        let start = Self::nowhere(&left, &item)?;
        if s.words.iter().all(|w| *w == K(0)) {
            return Ok(start);
        }
        let cell = Fun { bits: self.cell(&start.bits), item: start.item };
        self.each_bit(&s.words, &mut |g, i| {
            let v = g.value_at(i, &s.elem);
            g.add_row(&cell, &v)
        })?;
        Ok(cell)
    }

    /// Adds a pair to a function held in registers; bails if there is another value or no room.
    pub(super) fn add_row(&mut self, cell: &Fun, pair: &Val) -> Res<()> {
        let sum = self.with_row(cell, pair, false)?;
        self.put(&cell.bits, &sum);
        Ok(())
    }

    /// The words of a function with one more pair; bails if there is another value (unless it is known that there is
    /// none) or no room.
    fn with_row(&mut self, f: &Fun, pair: &Val, fresh: bool) -> Res<Vec<Opd>> {
        let (Val::Tuple(parts), bail) = (pair, self.bail) else { return no("pair expected") };
        let [x, y] = parts.as_slice() else { return no("pair expected") };
        let i = self.number(x, &f.left(), bail)?;
        let row = self.row_with(f, y, bail)?;
        if !fresh && !f.bits.words.is_empty() {
            let now = self.row(&f.bits, i)?;
            let diff = self.zip(Bin::Xor, &now, &row);
            let diff = self.any(&diff);
            let free = self.any(&now);
            let free = self.bin(Bin::Eq, free, K(0));
            let same = self.bin(Bin::Eq, diff, K(0));
            let fine = self.bin(Bin::Or, free, same);
            self.require(fine, bail);
        }
        let placed = self.at_row(&f.bits, &row, i)?;
        Ok(self.zip(Bin::Or, &f.bits.words, &placed))
    }

    /// The row that holds a value; goes to `out` if there is no room for it.
    fn row_with(&mut self, f: &Fun, y: &Val, out: Block) -> Res<Vec<Opd>> {
        let y = match y {
            Val::Set(s) => self.reshape(s, &f.item, out)?,
            Val::Fun(g) => {
                let s = self.spread(g)?;
                self.reshape(&s, &f.item, out)?
            }
            _ => return no("set expected"),
        };
        let n = usize::try_from((f.item.size() + 1).div_ceil(64)).unwrap_or(0);
        let mut row = self.up(&y.words, 1, n);
        if let Some(w) = row.first_mut() {
            *w = self.b.bin(Bin::Or, *w, K(1));
        }
        Ok(row)
    }

    /// The value in a row.
    fn row_value(&mut self, f: &Fun, row: &[Opd]) -> Res<Val> {
        let n = Self::empty(&f.item)?.words.len();
        Ok(Val::Set(Bits { elem: f.item.clone(), words: self.down(row, 1, n) }))
    }

    /// `f(x)`; goes to `out` if there is no value.
    pub(super) fn apply_fun(&mut self, f: &Fun, x: &Val, out: Block) -> Res<Val> {
        if f.bits.words.is_empty() {
            self.require(K(0), out);
            return Ok(Val::Set(Self::empty(&f.item)?));
        }
        let i = self.number(x, &f.left(), out)?;
        let row = self.row(&f.bits, i)?;
        let Some(first) = row.first() else { return no("function without arguments") };
        let has = self.bin(Bin::And, *first, K(1));
        self.require(has, out);
        self.row_value(f, &row)
    }

    /// `f <+ {x |-> y}`. The result has the room that `f` has; bails if that does not do.
    pub(super) fn update_fun(&mut self, f: &Fun, x: &Val, y: &Val) -> Res<Fun> {
        let bail = self.bail;
        let f = if f.bits.words.iter().all(|w| *w == K(0)) {
            // Nothing is known yet: as much room as is needed.
            let (Some(a), Some(Shape::Set(b))) = (x.shape(), y.shape()) else {
                return no("function of sets");
            };
            match (f.left().join(&a), f.item.join(&b)) {
                (Some(left), Some(item)) => Self::nowhere(&left, &item)?,
                _ => return no("function of sets"),
            }
        } else {
            f.clone()
        };
        let i = self.number(x, &f.left(), bail)?;
        let row = self.row_with(&f, y, bail)?;
        let (_, width) = sides(&f.bits)?;
        let all = Self::full(&width)?;
        let gone = self.at_row(&f.bits, &all.words, i)?;
        let kept = self.zip(Bin::AndNot, &f.bits.words, &gone);
        let placed = self.at_row(&f.bits, &row, i)?;
        let words = self.zip(Bin::Or, &kept, &placed);
        Ok(Fun { bits: Bits { words, elem: f.bits.elem }, item: f.item })
    }

    /// A loop over the pairs.
    pub(super) fn each_row(&mut self, f: &Fun, each: &mut dyn FnMut(&mut Self, Val) -> Res<()>) -> Res<()> {
        let left = f.left();
        if f.bits.words.is_empty() {
            return Ok(());
        }
        self.count(K(0), K(left.size()), &mut |g, i| {
            let row = g.row(&f.bits, i)?;
            let (Some(first), fail) = (row.first().copied(), g.fail) else { return Ok(()) };
            let has = g.bin(Bin::And, first, K(1));
            g.require(has, fail);
            let x = g.value_at(i, &left);
            let y = g.row_value(f, &row)?;
            each(g, Val::Tuple(vec![x, y]))
        })
    }

    /// The same function over other numberings; goes to `out` if there is no room.
    pub(super) fn refit(&mut self, v: &Val, left: &Shape, item: &Shape, out: Block) -> Res<Fun> {
        let target = Self::nowhere(left, item)?;
        if let Val::Fun(f) = v
            && f.bits.elem == target.bits.elem
            && f.item == *item
        {
            return Ok(f.clone());
        }
        let cell = Fun { bits: self.cell(&target.bits), item: target.item };
        let f = self.as_fun(v)?;
        let bail = std::mem::replace(&mut self.bail, out);
        let done = self.each_row(&f, &mut |g, pair| g.add_row(&cell, &pair));
        self.bail = bail;
        done.map(|()| cell)
    }

    /// Two values over common numberings.
    pub(super) fn align_funs(&mut self, a: &Val, b: &Val) -> Res<(Fun, Fun)> {
        let (a, b) = (self.as_fun(a)?, self.as_fun(b)?);
        let (Some(left), Some(item)) = (a.left().join(&b.left()), a.item.join(&b.item)) else {
            return no("functions of different kinds");
        };
        let bail = self.bail;
        Ok((self.refit(&Val::Fun(a), &left, &item, bail)?, self.refit(&Val::Fun(b), &left, &item, bail)?))
    }

    /// The function as a set of pairs, where there are few sets.
    pub(super) fn spread(&mut self, f: &Fun) -> Res<Bits> {
        let start = Self::empty(&f.pairs())?;
        let cell = self.cell(&start);
        let bail = self.bail;
        self.each_row(f, &mut |g, pair| {
            let i = g.number(&pair, &start.elem, bail)?;
            g.include(&cell, i);
            Ok(())
        })?;
        Ok(cell)
    }

    /// dom(f).
    pub(super) fn dom_fun(&mut self, f: &Fun) -> Res<Bits> {
        let (left, width) = sides(&f.bits)?;
        let cell = self.cell(&Self::empty(&left)?);
        let mut starts = vec![0u64; f.bits.words.len()];
        for i in 0..left.size() {
            let at = i * width.size();
            if let Some(w) = usize::try_from(at / 64).ok().and_then(|w| starts.get_mut(w)) {
                *w |= 1 << (at % 64);
            }
        }
        let starts: Vec<Opd> = starts.into_iter().map(K).collect();
        let present = self.zip(Bin::And, &f.bits.words, &starts);
        self.each_bit(&present, &mut |g, at| {
            let (_, i) = g.divide(at, width.size());
            g.include(&cell, i);
            Ok(())
        })?;
        Ok(cell)
    }

    /// union(ran(f)), or union(f[s]).
    fn union_of(&mut self, f: &Fun, only: Option<&Bits>) -> Res<Bits> {
        let cell = self.cell(&Self::empty(&f.item)?);
        let mut add = |g: &mut Self, i: Opd| {
            let row = g.row(&f.bits, i)?;
            let Val::Set(v) = g.row_value(f, &row)? else { return no("set expected") };
            let sum = g.zip(Bin::Or, &cell.words, &v.words);
            g.put(&cell, &sum);
            Ok(())
        };
        match only {
            Some(s) => self.each_bit(&s.words, &mut add)?,
            None if f.bits.words.is_empty() => {}
            None => self.count(K(0), K(f.left().size()), &mut add)?,
        }
        Ok(cell)
    }

    /// Operators that have a rule for functions held row by row.
    pub(super) fn fun_operator(&mut self, op: Op, args: &[Expr], e: &Expr, env: &Env) -> Res<Option<Val>> {
        Ok(Some(match (op, args) {
            (Op::Override | Op::Union | Op::DomRes | Op::DomSub, _) if self.is_fun(e, env) => {
                Val::Fun(self.combined(op, args, env)?)
            }
            (Op::Product, [s, t]) if self.is_fun(e, env) => match &t.kind {
                ExprKind::SetExt(items) if items.len() == 1 => {
                    Val::Fun(self.same_everywhere(s, &items[0], env)?)
                }
                ExprKind::Lit(Value::Set(items)) if items.len() == 1 => {
                    let v = match (items.items().first(), t.ty.elem()) {
                        (Some(v), Some(ty)) => self.literal(v, ty)?,
                        _ => return Ok(None),
                    };
                    Val::Fun(self.constant(s, &v, env)?)
                }
                _ => return Ok(None),
            },
            (Op::Dom, [f]) if self.is_fun(f, env) => {
                let f = self.fun(f, env)?;
                Val::Set(self.dom_fun(&f)?)
            }
            (Op::Card, [f]) if self.is_fun(f, env) => {
                let f = self.fun(f, env)?;
                let d = self.dom_fun(&f)?;
                let most = i64::try_from(d.elem.size()).unwrap_or(i64::MAX);
                Val::Int(self.population(&d.words), super::shape::Range(0, most))
            }
            (Op::BigUnion, [r]) => match &r.kind {
                ExprKind::Op(Op::Ran, args) if self.is_fun(&args[0], env) => {
                    let f = self.fun(&args[0], env)?;
                    Val::Set(self.union_of(&f, None)?)
                }
                ExprKind::Op(Op::Image, args) if self.is_fun(&args[0], env) => {
                    let f = self.fun(&args[0], env)?;
                    let s = self.set(&args[1], env)?;
                    let s = self.cut_to(&s, &f.left())?;
                    Val::Set(self.union_of(&f, Some(&s))?)
                }
                _ => return Ok(None),
            },
            _ => return Ok(None),
        }))
    }

    fn same_everywhere(&mut self, s: &Expr, y: &Expr, env: &Env) -> Res<Fun> {
        let y = self.expr(y, env)?;
        self.constant(s, &y, env)
    }

    /// `s * {y}`.
    fn constant(&mut self, s: &Expr, y: &Val, env: &Env) -> Res<Fun> {
        let s = self.set(s, env)?;
        let Some(Shape::Set(item)) = y.shape() else { return no("function of sets") };
        let f = Self::nowhere(&s.elem, &item)?;
        let bail = self.bail;
        let row = self.row_with(&f, y, bail)?;
        Ok(Fun { bits: self.row_at_all(&s, &row, &f.bits)?, item: f.item })
    }

    fn combined(&mut self, op: Op, args: &[Expr], env: &Env) -> Res<Fun> {
        let [a, b] = args else { return no("operator") };
        if matches!(op, Op::DomRes | Op::DomSub) {
            let (s, f) = (self.set(a, env)?, self.fun(b, env)?);
            let s = self.cut_to(&s, &f.left())?;
            let rows = self.rows_of(&s, &f.bits)?;
            let op = if op == Op::DomRes { Bin::And } else { Bin::AndNot };
            let words = self.zip(op, &f.bits.words, &rows);
            return Ok(Fun { bits: Bits { words, elem: f.bits.elem }, item: f.item });
        }
        if op == Op::Override
            && let ExprKind::SetExt(items) = &b.kind
            && let [m] = items.as_slice()
        {
            let f = self.fun(a, env)?;
            let Val::Tuple(parts) = self.expr(m, env)? else { return no("pair expected") };
            let [x, y] = parts.as_slice() else { return no("pair expected") };
            return self.update_fun(&f, x, y);
        }
        let (f, g) = (self.expr(a, env)?, self.expr(b, env)?);
        if let (Val::Fun(f), Val::Set(s)) = (&f, &g)
            && s.words.iter().all(|w| *w == K(0))
        {
            return Ok(f.clone());
        }
        let (f, g) = self.align_funs(&f, &g)?;
        let d = self.dom_fun(&g)?;
        let rows = self.rows_of(&d, &f.bits)?;
        let under = self.zip(Bin::And, &f.bits.words, &rows);
        if op == Op::Union {
            // Where both have a value it must be one, else the union is no function.
            let e = self.dom_fun(&f)?;
            let rows = self.rows_of(&e, &g.bits)?;
            let over = self.zip(Bin::And, &g.bits.words, &rows);
            let diff = self.zip(Bin::Xor, &under, &over);
            let diff = self.any(&diff);
            let same = self.bin(Bin::Eq, diff, K(0));
            let bail = self.bail;
            self.require(same, bail);
        }
        let kept = self.zip(Bin::AndNot, &f.bits.words, &under);
        let words = self.zip(Bin::Or, &kept, &g.bits.words);
        Ok(Fun { bits: Bits { words, elem: f.bits.elem }, item: f.item })
    }

    /// The function of some pairs; `fresh` if their left sides are known to differ.
    pub(super) fn fun_ext(&mut self, vals: &[Val], ty: &Ty, fresh: bool) -> Res<Val> {
        let Some(mut shape) = self.pairs_of(ty) else { return no("set of sets") };
        for v in vals {
            match v.shape().and_then(|x| shape.join(&x)) {
                Some(joined) => shape = joined,
                None => return no("set of sets"),
            }
        }
        let Some((left, Shape::Set(item))) = shape.sides() else { return no("function of sets") };
        let mut f = Self::nowhere(left, item)?;
        for (n, v) in vals.iter().enumerate() {
            f.bits.words = self.with_row(&f, v, fresh || n == 0)?;
        }
        Ok(Val::Fun(f))
    }

    /// Registers to accumulate a function in, by the numbering of its pairs.
    pub(super) fn fun_cell(&mut self, pairs: &Shape) -> Res<Fun> {
        let Some((left, Shape::Set(item))) = pairs.sides() else { return no("set over too many values") };
        let f = Self::nowhere(left, item)?;
        Ok(Fun { bits: self.cell(&f.bits), item: f.item })
    }

    /// A known function to sets.
    pub(super) fn known_fun(&mut self, items: &[Value], ty: &Ty) -> Res<Val> {
        let Some(elem) = ty.elem().filter(|_| to_sets(ty)) else { return no("set of sets") };
        if has_twins(items) {
            return no("set of sets");
        }
        let vals = items.iter().map(|v| self.literal(v, elem)).collect::<Res<Vec<_>>>()?;
        self.fun_ext(&vals, ty, true)
    }
}

/// Whether two pairs, in order, have the same left side: such are neighbours.
pub(super) fn has_twins(pairs: &[Value]) -> bool {
    fn left(v: &Value) -> Option<&Value> {
        if let Value::Pair(p) = v { Some(&p.0) } else { None }
    }
    pairs.windows(2).any(|w| left(&w[0]) == left(&w[1]))
}
