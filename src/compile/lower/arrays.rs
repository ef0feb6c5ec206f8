//! Functions with many possible pairs, a lane for each argument: what is applied is one lane, what is overridden few.
//!
//! In: expressions whose value is held so: variables laid out so, and what overriding makes of them. Out: [`Array`]: lanes
//! of the state that the run began with, and what has been written since, one argument after the other. Nothing is
//! copied before a state is emitted. Absent: arrays that are made anew, images, inverses, compositions; who needs the set of
//! pairs of an array is refused.

use super::shape::{Bits, Range, Shape, Val};
use super::{Env, Lower, Res, no};
use crate::compile::word::{Bin, Block, Ins, Opd, Reg};
use crate::ir::{Expr, ExprKind};
use crate::layout::{Field, Lane, Lanes};
use crate::ops::{Arrow, Op};
use crate::value::Value;
use Opd::{K, R};

/// Most arguments that are written in one run.
const MOST_WRITTEN: usize = 32;

/// The number of no argument.
const NOWHERE: Opd = K(u64::MAX);

/// A function, by its lanes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Array {
    /// Numbering of the possible arguments.
    pub(crate) left: Shape,
    /// Numbering of the possible values.
    pub(crate) right: Shape,
    /// Bits of a lane.
    width: u32,
    /// First word in the state, and how many.
    base: u32,
    words: u32,
    /// Numbers of arguments, and what has been written there, in order: 0 is no value, else the value's number plus one.
    written: Vec<(Opd, Opd)>,
}

impl Array {
    /// The array in a field.
    pub(super) fn of(f: &Field, lanes: &Lanes) -> Array {
        let right = match &lanes.right {
            Lane::Dense(d) => Shape::of_dense(d),
            Lane::Span(lo, hi) => Shape::Int(*lo, *hi),
        };
        let (width, words) = (lanes.width(), lanes.words());
        Array { left: Shape::of_dense(&lanes.left), right, width, base: f.word, words, written: Vec::new() }
    }

    /// The operands that are no literals, to be held in other registers.
    pub(super) fn each_operand(&mut self, f: &mut dyn FnMut(Opd) -> Opd) {
        for (i, x) in &mut self.written {
            (*i, *x) = (f(*i), f(*x));
        }
    }

    /// Whether another array has the same lanes, wherever they are.
    fn is_like(&self, other: &Array) -> bool {
        (&self.left, &self.right, self.width) == (&other.left, &other.right, other.width)
    }

    fn per_word(&self) -> u64 {
        u64::from(u64::BITS / self.width)
    }

    fn mask(&self) -> u64 {
        super::bits::ones(u64::from(self.width))
    }

    /// A word with a 1 in each lane, the first of them only.
    fn ones(&self, lanes: u64) -> u64 {
        (0..lanes).fold(0, |w, i| w | 1 << (i * u64::from(self.width)))
    }
}

impl Lower<'_> {
    /// Whether an expression's value is held lane by lane.
    pub(super) fn is_array(e: &Expr, env: &Env) -> bool {
        let held = |v: Option<&Val>| matches!(v, Some(Val::Array(_)));
        match &e.kind {
            ExprKind::Var(v) => held(env.vars.get(v.0 as usize).and_then(Option::as_ref)),
            ExprKind::Old(v) => held(env.old.get(v.0 as usize).and_then(Option::as_ref)),
            ExprKind::Local(l) => held(env.locals.get(l)),
            ExprKind::If(_, a, b) => Self::is_array(a, env) || Self::is_array(b, env),
            ExprKind::Op(Op::Override | Op::Union, args) => {
                args.first().is_some_and(|a| Self::is_array(a, env))
            }
            ExprKind::Op(Op::DomSub, args) => args.last().is_some_and(|a| Self::is_array(a, env)),
            _ => false,
        }
    }

    fn array(&mut self, e: &Expr, env: &Env) -> Res<Array> {
        match self.expr(e, env)? {
            Val::Array(f) => Ok(f),
            _ => no("array expected"),
        }
    }

    /// Word and shift of a lane.
    fn lane_place(&mut self, f: &Array, i: Opd) -> (Opd, Opd) {
        let per = f.per_word();
        let word = self.bin(Bin::Shr, i, K(u64::from(per.trailing_zeros())));
        let within = self.bin(Bin::And, i, K(per - 1));
        (word, self.bin(Bin::Shl, within, K(u64::from(f.width.trailing_zeros()))))
    }

    fn word_of(&mut self, f: &Array, index: Opd) -> Opd {
        let dst: Reg = self.b.reg();
        self.emit(Ins::At { dst, base: f.base, len: f.words, index });
        R(dst)
    }

    /// What is in the lane of an argument, by its number.
    fn lane(&mut self, f: &Array, i: Opd) -> Opd {
        let (word, shift) = self.lane_place(f, i);
        let word = self.word_of(f, word);
        let word = self.bin(Bin::Shr, word, shift);
        let start = self.bin(Bin::And, word, K(f.mask()));
        f.written.iter().fold(start, |now, (at, x)| {
            let here = self.bin(Bin::Eq, *at, i);
            self.either(here, *x, now)
        })
    }

    /// `x` if a flag is 1, `y` if it is 0.
    fn either(&mut self, flag: Opd, x: Opd, y: Opd) -> Opd {
        let diff = self.bin(Bin::Xor, x, y);
        let diff = self.bin(Bin::Mul, diff, flag);
        self.bin(Bin::Xor, y, diff)
    }

    /// The value that is in a lane which is not 0.
    fn lane_value(&mut self, f: &Array, lane: Opd) -> Val {
        let n = self.bin(Bin::Sub, lane, K(1));
        self.value_at(n, &f.right)
    }

    /// `f(x)`; goes to `out` if there is no value.
    pub(super) fn apply_array(&mut self, f: &Array, x: &Val, out: Block) -> Res<Val> {
        let i = self.number(x, &f.left, out)?;
        let lane = self.lane(f, i);
        self.require(lane, out);
        Ok(self.lane_value(f, lane))
    }

    /// Number of argument and lane of a pair; bails if there is no room.
    fn lane_of(&mut self, f: &Array, x: &Val, y: &Val) -> Res<(Opd, Opd)> {
        let bail = self.bail;
        let i = self.number(x, &f.left, bail)?;
        let n = self.number(y, &f.right, bail)?;
        Ok((i, self.bin(Bin::Add, n, K(1))))
    }

    fn write_lane(f: &mut Array, i: Opd, lane: Opd) -> Res<()> {
        if f.written.len() >= MOST_WRITTEN {
            return no("many changes of one array");
        }
        f.written.push((i, lane));
        Ok(())
    }

    /// `f <+ {x |-> y}`; bails if there is no room.
    pub(super) fn update_array(&mut self, f: &Array, x: &Val, y: &Val) -> Res<Array> {
        let mut f = f.clone();
        let (i, lane) = self.lane_of(&f, x, y)?;
        Self::write_lane(&mut f, i, lane)?;
        Ok(f)
    }

    /// The values of the listed members of a set; `None` if they are not listed.
    fn listed(&mut self, e: &Expr, env: &Env) -> Res<Option<Vec<Val>>> {
        Ok(match (&e.kind, e.ty.elem()) {
            (ExprKind::SetExt(items), _) if items.len() <= MOST_WRITTEN => {
                Some(items.iter().map(|e| self.expr(e, env)).collect::<Res<_>>()?)
            }
            (ExprKind::Lit(Value::Set(s)), Some(ty)) if s.len() <= MOST_WRITTEN => {
                Some(s.items().iter().map(|v| self.literal(v, ty)).collect::<Res<_>>()?)
            }
            _ => None,
        })
    }

    /// Operators that have a rule for arrays.
    pub(super) fn array_operator(&mut self, op: Op, args: &[Expr], env: &Env) -> Res<Option<Val>> {
        Ok(Some(match (op, args) {
            (Op::Override | Op::Union, [f, s]) if Self::is_array(f, env) => {
                let f = self.array(f, env)?;
                let Some(pairs) = self.listed(s, env)? else {
                    return no("array with a set that is not listed");
                };
                Val::Array(self.with_pairs(&f, &pairs, op == Op::Union)?)
            }
            (Op::DomSub, [s, f]) if Self::is_array(f, env) => {
                let Some(gone) = self.listed(s, env)? else {
                    return no("array without a set that is not listed");
                };
                let mut f = self.array(f, env)?;
                let bail = self.bail;
                for x in &gone {
                    let i = self.number(x, &f.left, bail)?;
                    Self::write_lane(&mut f, i, K(0))?;
                }
                Val::Array(f)
            }
            (Op::Dom, [f]) if Self::is_array(f, env) => {
                let f = self.array(f, env)?;
                Val::Set(self.dom_array(&f)?)
            }
            (Op::Ran, [f]) if Self::is_array(f, env) => {
                let f = self.array(f, env)?;
                let cell = self.cell(&Self::empty(&f.right)?);
                self.each_lane(&f, &mut |g, _, lane| {
                    let n = g.bin(Bin::Sub, lane, K(1));
                    g.include(&cell, n);
                    Ok(())
                })?;
                Val::Set(cell)
            }
            (Op::Card, [f]) if Self::is_array(f, env) => {
                let f = self.array(f, env)?;
                let sum = self.b.var(K(0));
                self.each_lane(&f, &mut |g, _, _| {
                    let more = g.bin(Bin::Add, R(sum), K(1));
                    g.b.set(sum, more);
                    Ok(())
                })?;
                Val::Int(R(sum), Range(0, i64::try_from(f.left.size()).unwrap_or(i64::MAX)))
            }
            _ => return Ok(None),
        }))
    }

    /// An array with pairs of which no two may disagree; `fresh` if they may not disagree with the array either. Bails
    /// where the result is no function.
    fn with_pairs(&mut self, f: &Array, pairs: &[Val], fresh: bool) -> Res<Array> {
        let (mut f, bail) = (f.clone(), self.bail);
        let mut all: Vec<(Opd, Opd)> = Vec::new();
        for p in pairs {
            let Val::Tuple(parts) = p else { return no("pair expected") };
            let [x, y] = parts.as_slice() else { return no("pair expected") };
            let (i, lane) = self.lane_of(&f, x, y)?;
            if fresh {
                let now = self.lane(&f, i);
                let (none, same) = (self.bin(Bin::Eq, now, K(0)), self.bin(Bin::Eq, now, lane));
                let fine = self.bin(Bin::Or, none, same);
                self.require(fine, bail);
            }
            for (j, other) in &all {
                let (differ, same) = (self.bin(Bin::Xor, *j, i), self.bin(Bin::Eq, *other, lane));
                let fine = self.bin(Bin::Or, differ, same);
                self.require(fine, bail);
            }
            all.push((i, lane));
        }
        for (i, lane) in all {
            Self::write_lane(&mut f, i, lane)?;
        }
        Ok(f)
    }

    /// A loop over the arguments that have a value: their numbers, and what is in their lanes.
    fn each_lane(&mut self, f: &Array, each: &mut dyn FnMut(&mut Self, Opd, Opd) -> Res<()>) -> Res<()> {
        self.count(K(0), K(f.left.size()), &mut |g, i| {
            let (lane, fail) = (g.lane(f, i), g.fail);
            g.require(lane, fail);
            each(g, i, lane)
        })
    }

    /// A loop over the pairs.
    pub(super) fn each_pair(
        &mut self,
        f: &Array,
        each: &mut dyn FnMut(&mut Self, Val) -> Res<()>,
    ) -> Res<()> {
        self.each_lane(f, &mut |g, i, lane| {
            let (x, y) = (g.value_at(i, &f.left), g.lane_value(f, lane));
            each(g, Val::Tuple(vec![x, y]))
        })
    }

    /// dom(f). Most arrays are total: that takes one look at each word.
    fn dom_array(&mut self, f: &Array) -> Res<Bits> {
        let full = Self::full(&f.left)?;
        let cell = self.cell(&full);
        let (gaps, done) = (self.b.block(), self.b.block());
        self.gaps_to(f, gaps);
        self.b.jump(done);
        self.b.at(gaps);
        for (w, word) in (0u64..).zip(&cell.words) {
            let R(word) = *word else { continue };
            self.b.set(word, K(0));
            let (from, to) = (64 * w, (64 * w + 64).min(f.left.size()));
            let base = Array { written: Vec::new(), ..f.clone() };
            self.count(K(from), K(to), &mut |g, i| {
                let lane = g.lane(&base, i);
                let none = g.bin(Bin::Eq, lane, K(0));
                let (some, at) = (g.bin(Bin::Xor, none, K(1)), g.bin(Bin::And, i, K(63)));
                let bit = g.bin(Bin::Shl, some, at);
                let sum = g.bin(Bin::Or, R(word), bit);
                g.b.set(word, sum);
                Ok(())
            })?;
        }
        self.b.jump(done);
        self.b.at(done);
        let mut words = cell.words.clone();
        for (i, lane) in &f.written {
            let inside = self.bin(Bin::Ult, *i, K(f.left.size()));
            let at = self.bin(Bin::Mul, *i, inside);
            let bit = self.place(words.len(), inside, at);
            let none = self.bin(Bin::Eq, *lane, K(0));
            let some = self.bin(Bin::Xor, none, K(1));
            let fresh: Vec<Opd> = bit.iter().map(|b| self.b.bin(Bin::Mul, *b, some)).collect();
            let kept = self.zip(Bin::AndNot, &words, &bit);
            words = self.zip(Bin::Or, &kept, &fresh);
        }
        Ok(Bits { elem: cell.elem, words })
    }

    /// Goes on if all lanes had a value when the run began, else to a block.
    fn gaps_to(&mut self, f: &Array, gaps: Block) {
        let (per, size) = (f.per_word(), f.left.size());
        let low = f.ones(per);
        let high = low << (f.width - 1);
        let look = |g: &mut Self, word: Opd| {
            let less = g.bin(Bin::Sub, word, K(low));
            let zero = g.bin(Bin::AndNot, less, word);
            let zero = g.bin(Bin::And, zero, K(high));
            let none = g.bin(Bin::Eq, zero, K(0));
            g.require(none, gaps);
        };
        // A loop that nothing is refused in.
        let _fine = self.count(K(0), K(size / per), &mut |g, j| {
            let word = g.word_of(f, j);
            look(g, word);
            Ok(())
        });
        if size % per > 0 {
            let word = self.word_of(f, K(size / per));
            let unused = low & !f.ones(size % per);
            let word = self.bin(Bin::Or, word, K(unused));
            look(self, word);
        }
    }

    /// Branches on `x |-> y : f`.
    pub(super) fn member_array(&mut self, v: &Val, f: &Array, yes: Block, other: Block) -> Res<()> {
        let Val::Tuple(parts) = v else { return no("pair expected") };
        let [x, y] = parts.as_slice() else { return no("pair expected") };
        let i = self.number(x, &f.left, other)?;
        let n = self.number(y, &f.right, other)?;
        let (now, lane) = (self.lane(f, i), self.bin(Bin::Add, n, K(1)));
        let same = self.bin(Bin::Eq, now, lane);
        self.b.branch(same, yes, other);
        Ok(())
    }

    /// Branches on `v : dom(f)` or `v : ran(f)`.
    pub(super) fn member_lanes(
        &mut self,
        v: &Val,
        f: &Expr,
        env: &Env,
        dom: bool,
        to: (Block, Block),
    ) -> Res<()> {
        let (yes, other) = to;
        let f = self.array(f, env)?;
        if dom {
            let i = self.number(v, &f.left, other)?;
            let lane = self.lane(&f, i);
            self.b.branch(lane, yes, other);
            return Ok(());
        }
        let n = self.number(v, &f.right, other)?;
        let sought = self.bin(Bin::Add, n, K(1));
        self.each_lane(&f, &mut |g, _, lane| {
            let (same, next) = (g.bin(Bin::Eq, lane, sought), g.b.block());
            g.b.branch(same, yes, next);
            g.b.at(next);
            Ok(())
        })?;
        self.b.jump(other);
        Ok(())
    }

    /// Branches on `f : a --> b` and the like.
    pub(super) fn array_arrow(
        &mut self,
        f: &Array,
        kind: Arrow,
        [a, b]: [&Expr; 2],
        env: &Env,
        (yes, other): (Block, Block),
    ) -> Res<()> {
        if kind.onto {
            return no("surjection held as an array");
        }
        let seen = if kind.injective { Some(self.cell(&Self::empty(&f.right)?)) } else { None };
        self.require_side(kind.total, a, env, other, |g| g.dom_array(f))?;
        let fits = self.holds_all(b, &f.right, env)?;
        if !fits || seen.is_some() {
            self.each_lane(f, &mut |g, _, lane| {
                if let Some(seen) = &seen {
                    let n = g.bin(Bin::Sub, lane, K(1));
                    let twice = g.test(&seen.words, n);
                    let fine = g.bin(Bin::Xor, twice, K(1));
                    g.require(fine, other);
                    g.include(seen, n);
                }
                if !fits {
                    let (y, on) = (g.lane_value(f, lane), g.b.block());
                    g.member(&y, b, env, on, other)?;
                    g.b.at(on);
                }
                Ok(())
            })?;
        }
        self.b.jump(yes);
        Ok(())
    }

    /// Whether a set certainly has all values of a shape.
    fn holds_all(&mut self, s: &Expr, shape: &Shape, env: &Env) -> Res<bool> {
        Ok(match (&s.kind, shape) {
            (ExprKind::Given(_) | ExprKind::Op(Op::BoolSet | Op::Integer, _), _) => true,
            (ExprKind::Op(Op::Natural, _), Shape::Int(lo, _)) => *lo >= 0,
            (ExprKind::Op(Op::Natural1, _), Shape::Int(lo, _)) => *lo >= 1,
            (ExprKind::Op(Op::Interval, args), Shape::Int(lo, hi)) => match args.as_slice() {
                [a, b] => match (self.int(a, env)?, self.int(b, env)?) {
                    ((K(a), _), (K(b), _)) => a.cast_signed() <= *lo && b.cast_signed() >= *hi,
                    _ => false,
                },
                _ => false,
            },
            _ => false,
        })
    }

    /// A value that is `x` if control comes from `x_end` and `y` if from `y_end`: what only one way writes is written
    /// nowhere on the other.
    pub(super) fn merge_arrays(&mut self, x: &Array, x_end: Block, y: &Array, y_end: Block) -> Res<Array> {
        if !x.is_like(y) || x.base != y.base {
            return no("branches with different arrays");
        }
        let common = x.written.iter().zip(&y.written).take_while(|(a, b)| a == b).count();
        let mut out = Array { written: x.written[..common].to_vec(), ..x.clone() };
        for (i, lane) in &x.written[common..] {
            let i = self.phi(*i, x_end, NOWHERE, y_end);
            let lane = self.phi(*lane, x_end, K(0), y_end);
            Self::write_lane(&mut out, i, lane)?;
        }
        for (i, lane) in &y.written[common..] {
            let i = self.phi(NOWHERE, x_end, *i, y_end);
            let lane = self.phi(K(0), x_end, *lane, y_end);
            Self::write_lane(&mut out, i, lane)?;
        }
        Ok(out)
    }

    /// Writes an array into the words of a state's field; what is written at arguments that a run computes, is written once
    /// the state is there.
    pub(super) fn put_array(
        &mut self,
        f: &Array,
        field: &Field,
        lanes: &Lanes,
        words: &mut [Opd],
        patches: &mut Vec<Ins>,
    ) -> Res<()> {
        let home = Array::of(field, lanes);
        if !home.is_like(f) {
            return no("array of another kind");
        }
        let at = field.word as usize;
        let back = u32::try_from(words.len() - at).unwrap_or(0);
        if f.base != home.base {
            for (from, word) in (f.base as usize..).zip(&mut words[at..at + f.words as usize]) {
                *word = self.load(from);
            }
        }
        for (i, lane) in &f.written {
            let (index, shift) = self.lane_place(f, *i);
            let mask = self.bin(Bin::Shl, K(f.mask()), shift);
            let value = self.bin(Bin::Shl, *lane, shift);
            patches.push(Ins::Patch { back, len: f.words, index, mask, value });
        }
        Ok(())
    }
}
