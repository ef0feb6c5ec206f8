//! Solutions of a predicate: loops over candidates that come from the conjuncts, tests as early as possible.
//!
//! In: bound variables, conjuncts. Out: nested loops around what the caller emits for each solution. Each
//! solution is met exactly once, since every loop runs over distinct values of its variable.

use super::free::{expr_mentions, pred_mentions};
use super::isolate::{Limit, Sum, isolate, limits};
use super::pattern::is_pattern;
use super::rel::sides;
use super::shape::{Bits, Range, Shape, Val};
use super::{Env, Lower, Res, no};
use crate::compile::word::{Bin, Checked, Opd, Un};
use crate::ir::{Expr, ExprKind, Local, LocalId, Pred, PredKind};
use crate::ops::Op;
use crate::ty::Ty;
use Opd::{K, R};

/// Most rounds of a loop over integers.
const LONGEST_LOOP: u64 = 1 << 20;
/// Sets with fewer elements have their subsets enumerated.
const LARGEST_POWER: u64 = 17;

/// What to emit for a solution.
pub(crate) type Then<'f, 'a> = &'f mut dyn FnMut(&mut Lower<'a>, &Env) -> Res<()>;

/// Where the candidates of the next variable come from; `usize` is the conjunct used up.
pub(super) enum Source<'p> {
    /// `x = e`
    Is(usize, LocalId, &'p Expr),
    /// `x |-> y = e`, `x |-> y : r`: the pattern (see `pattern`) against each member (or the value itself).
    Matches(usize, &'p Expr, &'p Expr, bool),
    /// `x : s`
    In(usize, LocalId, &'p Expr),
    /// `x <: s`
    Below(usize, LocalId, &'p Expr),
    /// `f(x) = e`: the function, and the value.
    At(usize, LocalId, &'p Expr, &'p Expr),
    /// `x + 1 = e`: the sum, and the value.
    Sum(usize, LocalId, Sum<'p>, &'p Expr),
    /// `x + 1 : s`
    SumIn(usize, LocalId, Sum<'p>, &'p Expr),
    /// Nothing: all values of the type.
    All(LocalId),
}

fn local(e: &Expr) -> Option<LocalId> {
    match e.kind {
        ExprKind::Local(l) => Some(l),
        _ => None,
    }
}

impl<'a> Lower<'a> {
    /// Emits `then` for every solution of the conjunction over the variables.
    pub(crate) fn solve(
        &mut self,
        vars: &[Local],
        preds: &[&Pred],
        env: &Env,
        then: Then<'_, 'a>,
    ) -> Res<()> {
        let conjuncts: Vec<&Pred> = preds.iter().flat_map(|p| p.conjuncts()).collect();
        let all: Vec<LocalId> = vars.iter().map(|v| v.id).collect();
        self.with_soft(None, |g| {
            g.alternative(&mut |g| {
                g.level(&all, &vars.iter().collect::<Vec<_>>(), conjuncts.clone(), env, then)
            })
        })
    }

    /// Tests what can be tested, then binds one more variable.
    pub(super) fn level(
        &mut self,
        all: &[LocalId],
        open: &[&Local],
        conjuncts: Vec<&Pred>,
        env: &Env,
        then: Then<'_, 'a>,
    ) -> Res<()> {
        let env = &self.tried(env)?;
        let ids: Vec<LocalId> = open.iter().map(|l| l.id).collect();
        let (ready, rest): (Vec<&Pred>, Vec<&Pred>) =
            conjuncts.into_iter().partition(|p| !pred_mentions(p, &ids));
        if !ready.is_empty() {
            let (on, fail) = (self.b.block(), self.fail);
            self.with_soft(Some((all.to_vec(), fail)), |g| g.all(&ready, env, on, fail))?;
            self.b.at(on);
        }
        if open.is_empty() {
            return self.nest(|g| then(g, env));
        }
        let source = match choose(open, &ids, &rest, |e| self.is_unlisted(e)) {
            known @ (Source::Is(..) | Source::Sum(..) | Source::Matches(_, _, _, false)) => known,
            listed => self.argument(&ids, &rest, env).unwrap_or(listed),
        };
        if let Some(x) = self.endless(&source, open, &rest, env) {
            return self.nest(|g| g.by_arms(x, all, open, &rest, env, then));
        }
        self.nest(|g| g.enumerate(&source, all, open, &rest, env, then))
    }

    /// The loop over the candidates of a source, the next level inside.
    fn enumerate(
        &mut self,
        source: &Source<'_>,
        all: &[LocalId],
        open: &[&Local],
        rest: &[&Pred],
        env: &Env,
        then: Then<'_, 'a>,
    ) -> Res<()> {
        let without = |used: usize| -> Vec<&Pred> {
            rest.iter().enumerate().filter(|(i, _)| *i != used).map(|(_, p)| *p).collect()
        };
        let still = |bound: &[LocalId]| -> Vec<&Local> {
            open.iter().filter(|l| !bound.contains(&l.id)).copied().collect()
        };
        match source {
            Source::Is(used, x, e) => {
                let soft = Some((all.to_vec(), self.fail));
                let v = self.with_soft(soft, |g| g.expr(e, env))?;
                let mut env = env.clone();
                env.locals.insert(*x, v);
                self.level(all, &still(&[*x]), without(*used), &env, then)
            }
            Source::Matches(used, pattern, e, member) => {
                let ids: Vec<LocalId> = open.iter().map(|l| l.id).collect();
                let soft = Some((all.to_vec(), self.fail));
                let pattern = self.with_soft(soft, |g| g.pattern(pattern, &ids, env))?;
                let mut each = |g: &mut Self, v: &Val| {
                    let (mut env, mut bound) = (env.clone(), Vec::new());
                    g.unify(&pattern, v, all, &mut env, &mut bound)?;
                    if *member {
                        g.looped(all, open, &bound);
                    }
                    g.level(all, &still(&bound), without(*used), &env, then)
                };
                if *member && (self.is_fun(e, env) || Self::is_array(e, env)) {
                    let f =
                        if Self::is_array(e, env) { self.expr(e, env)? } else { Val::Fun(self.fun(e, env)?) };
                    self.matching(pattern.left(), &f, &mut |g, v| each(g, &v))
                } else if *member {
                    let s = self.set(e, env)?;
                    let s = self.candidates(pattern.left(), s)?;
                    self.each_bit(&s.words, &mut |g, i| {
                        let v = g.value_at(i, &s.elem);
                        each(g, &v)
                    })
                } else {
                    let soft = Some((all.to_vec(), self.fail));
                    let v = self.with_soft(soft, |g| g.expr(e, env))?;
                    each(self, &v)
                }
            }
            Source::Sum(used, x, sum, e) => {
                let soft = Some((all.to_vec(), self.fail));
                let (w, r) = self.with_soft(soft, |g| {
                    let v = g.int(e, env)?;
                    g.solved(sum, v, env)
                })?;
                let mut env = env.clone();
                env.locals.insert(*x, Val::Int(w, r));
                self.level(all, &still(&[*x]), without(*used), &env, then)
            }
            Source::SumIn(used, x, sum, s) => {
                if sum.negative {
                    self.disorder();
                }
                self.looped(all, open, &[*x]);
                let soft = Some((all.to_vec(), self.fail));
                let mut each = |g: &mut Self, v: Val| {
                    let Val::Int(w, r) = v else { return no("integer expected") };
                    let (w, r) = g.with_soft(soft.clone(), |g| g.solved(sum, (w, r), env))?;
                    let mut env = env.clone();
                    env.locals.insert(*x, Val::Int(w, r));
                    g.level(all, &still(&[*x]), without(*used), &env, then)
                };
                self.members(None, s, rest, env, &mut each)
            }
            Source::In(used, x, s) => {
                self.looped(all, open, &[*x]);
                let mut each = |g: &mut Self, v: Val| {
                    let mut env = env.clone();
                    env.locals.insert(*x, v);
                    g.level(all, &still(&[*x]), without(*used), &env, then)
                };
                self.members(Some(*x), s, rest, env, &mut each)
            }
            Source::Below(used, x, s) => {
                self.looped(all, open, &[*x]);
                let s = self.set(s, env)?;
                let mut each = |g: &mut Self, v: Val| {
                    let mut env = env.clone();
                    env.locals.insert(*x, v);
                    g.level(all, &still(&[*x]), without(*used), &env, then)
                };
                self.subsets(&s, &mut each)
            }
            Source::At(used, x, f, e) => {
                self.looped(all, open, &[*x]);
                let soft = Some((all.to_vec(), self.fail));
                let y = self.with_soft(soft, |g| g.expr(e, env))?;
                let f = self.set(f, env)?;
                self.each_argument(&f, &y, &mut |g, v| {
                    let mut env = env.clone();
                    env.locals.insert(*x, v);
                    g.level(all, &still(&[*x]), without(*used), &env, then)
                })
            }
            Source::All(x) => {
                self.looped(all, open, &[*x]);
                let Some(l) = open.iter().find(|l| l.id == *x) else { return no("variable") };
                let mut each = |g: &mut Self, v: Val| {
                    let mut env = env.clone();
                    env.locals.insert(*x, v);
                    g.level(all, &still(&[*x]), rest.to_vec(), &env, then)
                };
                match &l.ty {
                    Ty::Int => self.between(Some(*x), None, None, rest, env, &mut each),
                    Ty::Pow(t) => {
                        let Some(shape) = Shape::of(t, self.src.world).filter(|_| !has_int(t)) else {
                            return no("all sets of a type");
                        };
                        let s = Self::full(&shape)?;
                        self.subsets(&s, &mut each)
                    }
                    t if !has_int(t) => {
                        let Some(shape) = Shape::of(t, self.src.world) else {
                            return no("all values of a type");
                        };
                        let n = shape.size();
                        self.count(K(0), K(n), &mut |g, i| {
                            let v = g.value_at(i, &shape);
                            each(g, v)
                        })
                    }
                    _ => no("integers without bounds"),
                }
            }
        }
    }

    /// A conjunct `f(x) = e` about the first open variable (others first would mix up the order), if all values of `f` are
    /// in a word.
    fn argument<'p>(&self, open: &[LocalId], rest: &[&'p Pred], env: &Env) -> Option<Source<'p>> {
        let x = *open.first()?;
        let in_a_word = |f: &Expr| {
            let ExprKind::Var(v) = f.kind else { return false };
            matches!(env.vars.get(v.0 as usize), Some(Some(Val::Set(s))) if s.words.len() == 1)
        };
        rest.iter().enumerate().find_map(|(i, p)| {
            let PredKind::Op(Op::Eq, args) = &p.kind else { return None };
            let [a, b] = args.as_slice() else { return None };
            [(a, b), (b, a)].into_iter().find_map(|(applied, e)| {
                let ExprKind::Op(Op::Apply, parts) = &applied.kind else { return None };
                let [f, at] = parts.as_slice() else { return None };
                let fits = local(at) == Some(x) && in_a_word(f) && !expr_mentions(e, open);
                fits.then_some(Source::At(i, x, f, e))
            })
        })
    }

    /// A loop over the arguments at which a function in one word has a value; void if it is no function.
    fn each_argument(
        &mut self,
        f: &Bits,
        value: &Val,
        each: &mut dyn FnMut(&mut Self, Val) -> Res<()>,
    ) -> Res<()> {
        let (left, right) = sides(f)?;
        let (fine, bail, fail) = (self.functional(f)?, self.bail, self.fail);
        self.require(fine, bail);
        let y = self.number(value, &right, fail)?;
        let column = self.column(f, y)?;
        self.each_bit(&[column], &mut |g, i| {
            let (_, row) = g.divide(i, right.size().max(1));
            let v = g.value_at(row, &left);
            each(g, v)
        })
    }

    /// A loop over the members of a set expression.
    pub(super) fn members(
        &mut self,
        x: Option<LocalId>,
        s: &Expr,
        rest: &[&Pred],
        env: &Env,
        each: &mut dyn FnMut(&mut Self, Val) -> Res<()>,
    ) -> Res<()> {
        if let ExprKind::Op(op, args) = &s.kind {
            match (op, args.as_slice()) {
                (Op::Integer, _) => return self.between(x, None, None, rest, env, each),
                (Op::Natural, _) => return self.between(x, Some(0), None, rest, env, each),
                (Op::Natural1, _) => return self.between(x, Some(1), None, rest, env, each),
                (Op::Interval, [a, b]) => {
                    let (lo, Range(al, _)) = self.int(a, env)?;
                    let (hi, Range(_, bh)) = self.int(b, env)?;
                    let past = self.past(lo, hi);
                    return self.over(lo, past, Range(al, bh), each);
                }
                (Op::Pow | Op::Fin, [t]) => {
                    let t = self.set(t, env)?;
                    return self.subsets(&t, each);
                }
                (Op::Pow1 | Op::Fin1, [t]) => {
                    let t = self.set(t, env)?;
                    return self.subsets(&t, &mut |g, v| {
                        let Val::Set(s) = &v else { return no("set expected") };
                        let (any, fail) = (g.any(&s.words), g.fail);
                        g.require(any, fail);
                        each(g, v)
                    });
                }
                (op, [t]) if op.is_sequences() => {
                    let t = self.set(t, env)?;
                    return self.sequences(*op, x, &t, rest, env, each);
                }
                (op, [a, b]) => {
                    if let Some(kind) = op.arrow() {
                        let (a, b) = (self.set(a, env)?, self.set(b, env)?);
                        if !(kind.functional || kind.total || kind.onto) {
                            let pairs = self.product(&a, &b)?;
                            return self.subsets(&pairs, each);
                        }
                        return self.functions(kind, &a, &b, rest.len() > 1, each);
                    }
                }
                _ => {}
            }
        }
        if let ExprKind::Struct(sets) = &s.kind {
            return self.records(sets, Vec::new(), env, each);
        }
        let s = match self.expr(s, env)? {
            f @ (Val::Fun(_) | Val::Array(_)) => return self.matching(None, &f, each),
            Val::Set(s) => s,
            _ => return no("set expected"),
        };
        self.each_bit(&s.words, &mut |g, i| {
            let v = g.value_at(i, &s.elem);
            each(g, v)
        })
    }

    /// A loop over the records whose first fields are known and whose others are members of sets: a loop for each field.
    fn records(
        &mut self,
        sets: &[Expr],
        fields: Vec<Val>,
        env: &Env,
        each: &mut dyn FnMut(&mut Self, Val) -> Res<()>,
    ) -> Res<()> {
        let Some((first, rest)) = sets.split_first() else {
            return self.nest(|g| each(g, Val::Tuple(fields)));
        };
        self.members(None, first, &[], env, &mut |g, v| {
            let fields = fields.iter().cloned().chain([v]).collect();
            g.records(rest, fields, env, each)
        })
    }

    /// One more than the upper bound of a loop. The run is void if there is no such integer or the loop
    /// would be long: the plain evaluator can be interrupted, this code cannot.
    fn past(&mut self, lo: Opd, hi: Opd) -> Opd {
        let past = self.b.checked(Checked::Add, hi, K(1));
        let limit = self.b.checked(Checked::Add, lo, K(LONGEST_LOOP));
        let fine = self.bin(Bin::Sle, past, limit);
        let bail = self.bail;
        self.require(fine, bail);
        past
    }

    /// A loop over the integers between bounds that the conjuncts give.
    fn between(
        &mut self,
        x: Option<LocalId>,
        lo: Option<i64>,
        hi: Option<i64>,
        rest: &[&Pred],
        env: &Env,
        each: &mut dyn FnMut(&mut Self, Val) -> Res<()>,
    ) -> Res<()> {
        let known = |n: Option<i64>| n.map(|n| (K(n.cast_unsigned()), Range(n, n)));
        let (mut low, mut high) = (known(lo), known(hi));
        for bound in x.into_iter().flat_map(|x| limits(x, rest, env)) {
            let Limit { below, by, sum, other } = bound;
            if below && high.is_some() || !below && low.is_some() {
                continue;
            }
            let solved = self.int(other, env).and_then(|v| self.solved(&sum, v, env));
            let (w, Range(l, h)) = match solved {
                Ok(bound) => bound,
                // Perhaps another conjunct says more.
                Err(_) if !sum.terms.is_empty() => continue,
                Err(u) => return Err(u),
            };
            let r = Range(l.saturating_add(by), h.saturating_add(by));
            let w = self.b.checked(Checked::Add, w, K(by.cast_unsigned()));
            *(if below { &mut high } else { &mut low }) = Some((w, r));
        }
        let (Some((lo, Range(al, _))), Some((hi, Range(_, bh)))) = (low, high) else {
            return no("integers without bounds");
        };
        let past = self.past(lo, hi);
        self.over(lo, past, Range(al, bh), each)
    }

    /// A loop over the integers from `lo` up to but without `past`, all of them in a range.
    fn over(
        &mut self,
        lo: Opd,
        past: Opd,
        Range(l, h): Range,
        each: &mut dyn FnMut(&mut Self, Val) -> Res<()>,
    ) -> Res<()> {
        let range = Range(l, h.max(l));
        let most = h.abs_diff(range.0).saturating_add(1).min(LONGEST_LOOP);
        self.count_most(most, lo, past, &mut |g, i| each(g, Val::Int(i, range)))
    }

    /// The set of the subsets, where there are few possible ones.
    pub(super) fn power_set(&mut self, s: &Bits) -> Res<Bits> {
        let cell = self.cell(&Self::empty(&Shape::Set(Box::new(s.elem.clone())))?);
        let bail = self.bail;
        self.subsets(s, &mut |g, v| {
            let i = g.number(&v, &cell.elem, bail)?;
            g.include(&cell, i);
            Ok(())
        })?;
        Ok(cell)
    }

    /// A loop over the subsets of a set of one word, the empty one first.
    fn subsets(&mut self, s: &Bits, each: &mut dyn FnMut(&mut Self, Val) -> Res<()>) -> Res<()> {
        let all = match s.words[..] {
            [] => K(0),
            [w] => w,
            _ => return no("subsets of a large set"),
        };
        let n = self.un(Un::Count, all);
        let few = self.bin(Bin::Ult, n, K(LARGEST_POWER));
        let bail = self.bail;
        self.require(few, bail);
        let next = self.b.var(K(0));
        let (body, step, exit) = (self.b.block(), self.b.block(), self.b.block());
        self.b.jump(body);
        self.b.at(body);
        let now = R(self.b.var(R(next)));
        let fail = std::mem::replace(&mut self.fail, step);
        let words = if s.words.is_empty() { Vec::new() } else { vec![now] };
        let done =
            self.round(1 << LARGEST_POWER, |g| each(g, Val::Set(Bits { elem: s.elem.clone(), words })));
        self.fail = fail;
        self.b.jump(step);
        self.b.at(step);
        let up = self.bin(Bin::Sub, now, all);
        let up = self.bin(Bin::And, up, all);
        self.b.set(next, up);
        self.b.branch(up, body, exit);
        self.b.at(exit);
        done
    }
}

/// Whether integers (or what else is not dense by itself) occur in a type.
pub(super) fn has_int(t: &Ty) -> bool {
    match t {
        Ty::Bool | Ty::Given(_) => false,
        Ty::Pair(a, b) => has_int(a) || has_int(b),
        Ty::Rec(fields) => fields.iter().any(|(_, t)| has_int(t)),
        Ty::Pow(t) => has_int(t),
        _ => true,
    }
}

/// Whether a set has integers without a least or greatest one.
fn is_unlimited(s: &Expr) -> bool {
    matches!(s.kind, ExprKind::Op(Op::Integer | Op::Natural | Op::Natural1, _))
}

/// A sum with one open variable in it, everything else known.
fn sum<'e>(e: &'e Expr, open: &[LocalId]) -> Option<(LocalId, Sum<'e>)> {
    if !matches!(e.kind, ExprKind::Op(Op::Add | Op::Sub, _)) {
        return None;
    }
    open.iter().find_map(|x| {
        let sum = isolate(e, *x)?;
        sum.terms.iter().all(|(_, t)| !expr_mentions(t, open)).then_some((*x, sum))
    })
}

/// The most promising source: equations, then memberships (small ones first as they come), then types.
fn choose<'p>(
    open: &[&Local],
    ids: &[LocalId],
    rest: &[&'p Pred],
    is_unlisted: impl Fn(&Expr) -> bool,
) -> Source<'p> {
    let mut best: Option<(u8, Source<'p>)> = None;
    let mut offer = |rank: u8, s: Source<'p>| {
        if best.as_ref().is_none_or(|(r, _)| rank < *r) {
            best = Some((rank, s));
        }
    };
    for (i, p) in rest.iter().enumerate() {
        let PredKind::Op(op, args) = &p.kind else { continue };
        let [a, b] = args.as_slice() else { continue };
        let is_open = |e: &Expr| local(e).filter(|l| ids.contains(l));
        match op {
            Op::Eq => {
                for (x, e) in [(a, b), (b, a)] {
                    if expr_mentions(e, ids) {
                        continue;
                    }
                    if let Some(l) = is_open(x) {
                        offer(0, Source::Is(i, l, e));
                    } else if let Some((l, sum)) = sum(x, ids) {
                        offer(1, Source::Sum(i, l, sum, e));
                    } else if is_pattern(x, ids) {
                        offer(1, Source::Matches(i, x, e, false));
                    }
                }
            }
            Op::In if !expr_mentions(b, ids) && !is_unlisted(b) => {
                if let Some(l) = is_open(a) {
                    let rank = match &b.kind {
                        ExprKind::SetExt(_) => 2,
                        // Integers may be bounded by nothing but other conjuncts.
                        ExprKind::Compr(..) if has_int(&a.ty) => 7,
                        ExprKind::Given(_) => 7,
                        _ if is_unlimited(b) => 9,
                        ExprKind::Op(Op::Int | Op::Nat | Op::Nat1 | Op::Interval, _) => 6,
                        ExprKind::Op(Op::Pow | Op::Fin | Op::Pow1 | Op::Fin1, _) => 8,
                        _ => 3,
                    };
                    offer(rank, Source::In(i, l, b));
                } else if let Some((l, sum)) = sum(a, ids) {
                    if !is_unlimited(b) {
                        offer(5, Source::SumIn(i, l, sum, b));
                    }
                } else if is_pattern(a, ids) {
                    let compr = matches!(b.kind, ExprKind::Compr(..)) && has_int(&a.ty);
                    offer(if compr { 7 } else { 4 }, Source::Matches(i, a, b, true));
                }
            }
            Op::Subset | Op::StrictSubset if !expr_mentions(b, ids) => {
                if let Some(l) = is_open(a).filter(|_| !is_unlimited(b)) {
                    // That it is not the whole is tested.
                    let used = if *op == Op::Subset { i } else { rest.len() };
                    offer(8, Source::Below(used, l, b));
                }
            }
            _ => {}
        }
    }
    match (best, open.first()) {
        (Some((_, s)), _) => s,
        (None, first) => Source::All(first.map_or(LocalId(u32::MAX), |l| l.id)),
    }
}
