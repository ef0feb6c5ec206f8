//! Backwards: what must go if a predicate is to be true.
//!
//! In: a predicate that is not decided yet, the cells. Out: options to take away ([`Cuts`]), or the news that it
//! cannot be true. Sound: an option goes only if no completion with it makes the predicate true.

use super::Search;
use super::abs::Abs;
use super::cells::{Cell, CellId, Shape, point};
use crate::eval::Env;
use crate::eval::interval::{Interval, Term, endpoint};
use crate::eval::ints::power_of;
use crate::ir::{Expr, ExprKind, Pred, PredKind};
use crate::ops::Op;
use crate::syntax::ast::Fold;
use crate::ty::Ty;
use crate::value::Value;
use smallvec::SmallVec;

/// Of more options than this a range or a list is kept, rather than one option after the other cut.
const MANY: u32 = 64;

/// What to take away.
#[derive(Default)]
pub(super) struct Cuts {
    /// Options of cells.
    pub(super) options: Vec<(CellId, usize)>,
    /// Ranges that integer cells must lie in; "undefined" lies in none.
    pub(super) ranges: Vec<(CellId, Interval)>,
    /// The only values that cells may have; sorted.
    pub(super) lists: Vec<(CellId, Vec<Value>)>,
}

impl Cuts {
    pub(super) fn push(&mut self, cut: (CellId, usize)) {
        self.options.push(cut);
    }

    pub(super) fn extend(&mut self, cuts: impl Iterator<Item = (CellId, usize)>) {
        self.options.extend(cuts);
    }

    /// What goes in any case, of two: this or that.
    pub(super) fn shared(&self, other: &Self) -> Self {
        let mut theirs = other.options.clone();
        theirs.sort_unstable();
        let both = |cut: &&(CellId, usize)| theirs.binary_search(cut).is_ok();
        let mut shared =
            Self { options: self.options.iter().filter(both).copied().collect(), ..Self::default() };
        for (cell, values) in &self.lists {
            if let Some((_, more)) = other.lists.iter().find(|(c, _)| c == cell) {
                let mut all: Vec<Value> = values.iter().chain(more).cloned().collect();
                all.sort_unstable();
                all.dedup();
                shared.lists.push((*cell, all));
            }
        }
        for (cell, range) in &self.ranges {
            if let Some((_, more)) = other.ranges.iter().find(|(c, _)| c == cell) {
                shared.ranges.push((*cell, range.hull(*more)));
            }
        }
        shared
    }

    pub(super) fn is_empty(&self) -> bool {
        self.options.is_empty() && self.ranges.is_empty() && self.lists.is_empty()
    }

    /// About how many words they take.
    pub(super) fn words(&self) -> usize {
        let listed: usize = self.lists.iter().map(|(_, vs)| 2 * vs.len()).sum();
        2 * self.options.len() + 6 * self.ranges.len() + listed
    }

    pub(super) fn append(&mut self, mut other: Self) {
        self.options.append(&mut other.options);
        self.ranges.append(&mut other.ranges);
        self.lists.append(&mut other.lists);
    }

    /// Limits an integer cell.
    pub(super) fn limit(&mut self, cell: CellId, limit: &Limit) {
        match limit {
            Limit::Int(i) => self.ranges.push((cell, *i)),
            Limit::OneOf(vs) => self.lists.push((cell, vs.clone())),
            Limit::Not(_) => {}
        }
    }
}

/// What a value is to be.
pub(super) enum Limit {
    /// One of these; sorted.
    OneOf(Vec<Value>),
    /// An integer within.
    Int(Interval),
    /// Anything but this.
    Not(Value),
}

impl Limit {
    pub(super) fn admits(&self, v: &Value) -> bool {
        match (self, v) {
            (Limit::OneOf(vs), v) => vs.binary_search(v).is_ok(),
            (Limit::Int(i), v) => i.holds(v),
            (Limit::Not(w), v) => v != w,
        }
    }

    /// Whether a listed cell can be such a value.
    fn admits_any(&self, cell: &Cell) -> bool {
        let soon = if let Limit::Int(to) = self { cell.reaches(*to) } else { None };
        soon.unwrap_or_else(|| cell.listed().any(|v| self.admits(v)))
    }

    fn interval(&self) -> Option<Interval> {
        match self {
            Limit::Int(i) => Some(*i),
            Limit::OneOf(vs) => {
                Some(Interval::new(Some(endpoint(vs.first()?)?), Some(endpoint(vs.last()?)?)))
            }
            Limit::Not(_) => None,
        }
    }
}

/// Whether two cells have the same options, none of which is "undefined": equality takes nothing from either.
fn say_the_same(x: &Abs<'_>, y: &Abs<'_>) -> bool {
    let (Abs::Options(a), Abs::Options(b)) = (x, y) else { return false };
    std::sync::Arc::ptr_eq(&a.values, &b.values) && a.alive == b.alive && !a.has(a.values.len())
}

impl Search<'_> {
    /// Cuts what contradicts the truth of `p`; false if everything does.
    pub(super) fn enforce(&self, p: &Pred, env: &mut Env, cuts: &mut Cuts) -> bool {
        match &p.kind {
            PredKind::And(ps) => ps.iter().all(|p| self.enforce(p, env, cuts)),
            PredKind::Not(q) => self.deny(q, env, cuts),
            PredKind::Implies(a, b) => match self.truth(a, env) {
                Some(true) => self.enforce(b, env, cuts),
                Some(false) => true,
                None if self.truth(b, env) == Some(false) => self.deny(a, env, cuts),
                None => true,
            },
            PredKind::Or(ps) => self.only(ps, false, env, cuts),
            PredKind::If(c, a, b) => match self.truth(c, env) {
                Some(true) => self.enforce(a, env, cuts),
                Some(false) => self.enforce(b, env, cuts),
                None => true,
            },
            PredKind::Op(op, args) => match &args[..] {
                [a, b] => self.atom(*op, a, b, env, cuts),
                _ => true,
            },
            PredKind::Exists(binder) => self.enforce_some(binder, env, cuts),
            PredKind::Forall(s) => self.enforce_all(s, env, cuts),
            PredKind::Let(id, e, p) => match self.abs(e, env) {
                Abs::Known(v) => {
                    env.set_local(*id, Some(v));
                    self.enforce(p, env, cuts)
                }
                _ => true,
            },
            _ => true,
        }
    }

    /// Cuts what contradicts the falsity of `p`.
    pub(super) fn deny(&self, p: &Pred, env: &mut Env, cuts: &mut Cuts) -> bool {
        match &p.kind {
            PredKind::Or(ps) => ps.iter().all(|p| self.deny(p, env, cuts)),
            PredKind::And(ps) => self.only(ps, true, env, cuts),
            PredKind::Not(q) => self.enforce(q, env, cuts),
            PredKind::Implies(a, b) => self.enforce(a, env, cuts) && self.deny(b, env, cuts),
            PredKind::Exists(binder) => self.deny_rows(binder, env, cuts),
            PredKind::Forall(s) => self.deny_all(s, env, cuts),
            PredKind::Op(op, args) => match (&args[..], opposite(*op)) {
                ([a, b], Some(op)) => self.atom(op, a, b, env, cuts),
                _ => true,
            },
            _ => true,
        }
    }

    /// If all but one predicate have the truth value `not`, the last one must not have it.
    fn only(&self, ps: &[Pred], not: bool, env: &mut Env, cuts: &mut Cuts) -> bool {
        let mut open = None;
        for p in ps {
            match self.truth(p, env) {
                Some(b) if b == not => {}
                Some(_) => return true,
                None if open.is_some() => return true,
                None => open = Some(p),
            }
        }
        match open {
            None => false,
            Some(p) if not => self.deny(p, env, cuts),
            Some(p) => self.enforce(p, env, cuts),
        }
    }

    fn atom(&self, op: Op, a: &Expr, b: &Expr, env: &mut Env, cuts: &mut Cuts) -> bool {
        match op {
            Op::Eq if matches!(a.ty, Ty::Pow(_)) => self.equate(a, b, env, cuts),
            Op::Eq => {
                let (x, y) = (self.abs(a, env), self.abs(b, env));
                if say_the_same(&x, &y) {
                    return true;
                }
                if let Some(limit) = limit(&y) {
                    self.narrow(a, &limit, env, cuts);
                }
                if let Some(limit) = limit(&x) {
                    self.narrow(b, &limit, env, cuts);
                }
            }
            Op::Neq => {
                if let Abs::Known(v) = self.abs(b, env) {
                    self.narrow(a, &Limit::Not(v), env, cuts);
                }
                if let Abs::Known(v) = self.abs(a, env) {
                    self.narrow(b, &Limit::Not(v), env, cuts);
                }
            }
            Op::Gt => return self.atom(Op::Lt, b, a, env, cuts),
            Op::Ge => return self.atom(Op::Le, b, a, env, cuts),
            Op::Lt | Op::Le => {
                let (Some(i), Some(j)) = (self.abs(a, env).interval(), self.abs(b, env).interval()) else {
                    return true;
                };
                let gap = i128::from(op == Op::Lt);
                let below = Interval::new(None, j.hi().map(|n| n - gap));
                let above = Interval::new(i.lo().map(|n| n + gap), None);
                // What is within its limit has nothing to lose, except being undefined.
                for (e, range, limit) in [(a, i, below), (b, j, above)] {
                    if self.gaps || range.meet(limit) != range {
                        self.narrow(e, &Limit::Int(limit), env, cuts);
                    }
                }
            }
            Op::In => self.enforce_member(a, b, env, cuts),
            Op::NotIn => {
                if let Some([v]) = self.abs(a, env).alternatives().as_deref() {
                    self.prune(b, &|w| w != v, env, cuts);
                } else if let Some((must, _)) = self.bounds(&self.abs(b, env)) {
                    must.items().iter().for_each(|v| self.narrow(a, &Limit::Not(v.clone()), env, cuts));
                }
            }
            Op::Subset => self.include(a, b, env, cuts),
            Op::StrictSubset => {
                self.include(a, b, env, cuts);
                self.exceed(a, b, env, cuts);
            }
            Op::NotSubset => self.poke_out(a, b, env, cuts),
            _ => {}
        }
        true
    }

    fn enforce_member(&self, a: &Expr, b: &Expr, env: &mut Env, cuts: &mut Cuts) {
        let x = self.abs(a, env);
        if let Some([v]) = x.alternatives().as_deref() {
            return self.require(b, v, env, cuts);
        }
        if x.interval().is_some() && matches!(b.kind, ExprKind::Op(Op::Interval, _)) && self.known(b) {
            let ends = self.run.ends(b, self.bound, env);
            return self.narrow(a, &Limit::Int(ends), env, cuts);
        }
        if let Some((_, may)) = self.bounds(&self.abs(b, env)) {
            self.narrow(a, &Limit::OneOf(may.items().to_vec()), env, cuts);
        }
    }

    /// Cuts options of the cells in `e` whose values `limit` does not admit.
    pub(super) fn narrow(&self, e: &Expr, limit: &Limit, env: &mut Env, cuts: &mut Cuts) {
        if self.known(e) {
            return;
        }
        if let Some(Shape::Point(id)) = self.run.problem.unknown_of(e).and_then(|i| self.shapes.get(&i)) {
            return self.narrow_cell(*id, limit, cuts);
        }
        let ExprKind::Op(op, args) = &e.kind else {
            return match (&e.kind, limit.interval()) {
                (ExprKind::Fold(Fold::Sum, s), Some(to)) => self.narrow_fold(s, to, env, cuts),
                (ExprKind::Field(r, i), _) => self.narrow_field(r, *i, limit, env, cuts),
                (ExprKind::Rec(fields), _) => self.narrow_record(fields, limit, env, cuts),
                _ => {}
            };
        };
        match (op, &args[..]) {
            (Op::Apply, [f, x]) => self.narrow_point(f, x, limit, env, cuts),
            (Op::Maplet, [a, b]) => {
                if let Limit::OneOf(pairs) = limit {
                    let side = |left: bool| {
                        let mut vs: Vec<Value> = (pairs.iter())
                            .filter_map(|p| match p {
                                Value::Pair(p) => Some(if left { p.0.clone() } else { p.1.clone() }),
                                _ => None,
                            })
                            .collect();
                        vs.sort_unstable();
                        vs.dedup();
                        Limit::OneOf(vs)
                    };
                    self.narrow(a, &side(true), env, cuts);
                    self.narrow(b, &side(false), env, cuts);
                }
            }
            (Op::Max | Op::Min, [s]) => {
                let Some(to) = limit.interval() else { return };
                let range = match op {
                    Op::Max => Interval::new(None, to.hi()),
                    _ => Interval::new(to.lo(), None),
                };
                let side = Limit::Int(range);
                if let ExprKind::SetExt(items) = &s.kind {
                    for x in items {
                        // What is within has nothing to lose.
                        if self.abs(x, env).interval().is_some_and(|i| range.meet(i) != i) {
                            self.narrow(x, &side, env, cuts);
                        }
                    }
                } else {
                    self.prune(s, &|v| side.admits(v), env, cuts);
                }
                if let Some(n) = to.single() {
                    self.require(s, &Value::double(n), env, cuts);
                }
            }
            (Op::Card, [s]) => self.narrow_size(s, limit, env, cuts),
            (Op::Add | Op::Sub | Op::Neg | Op::Mul | Op::Power, _) => {
                self.narrow_sum(*op, args, limit, env, cuts);
            }
            _ => {}
        }
    }

    /// One cell within a limit. "Undefined" has no value, so it goes too.
    fn narrow_cell(&self, id: CellId, limit: &Limit, cuts: &mut Cuts) {
        let cell = &self.cells.cells[id];
        if cell.wide.is_some() || cell.left > MANY && matches!(limit, Limit::OneOf(_)) {
            return cuts.limit(id, limit);
        }
        if let (Limit::Int(to), Some(range)) = (limit, cell.unbroken())
            && range.meet(*to) == range
            && !cell.has(cell.values.len())
        {
            return;
        }
        if let Limit::Int(to) = limit
            && let Some(bad) = cell.beyond(*to)
        {
            if cell.left > MANY {
                return cuts.limit(id, limit);
            }
            return cuts.extend(bad.map(|i| (id, i)));
        }
        let bad = |i: &usize| !cell.values.get(*i).is_some_and(|v| limit.admits(v));
        cuts.extend(cell.options().filter(bad).map(|i| (id, i)));
    }

    fn narrow_point(&self, f: &Expr, x: &Expr, limit: &Limit, env: &mut Env, cuts: &mut Cuts) {
        let (function, argument) = (self.abs(f, env), self.abs(x, env));
        let Some(xs) = argument.alternatives() else { return };
        match &function {
            Abs::Part(Shape::Fun { keys, parts }) => {
                let point = |x: &Value| point(keys, parts, x);
                if let [x] = &xs[..] {
                    return point(x).into_iter().for_each(|id| self.narrow_cell(id, limit, cuts));
                }
                let able = |x: &Value| {
                    point(x).is_none_or(|id| {
                        let cell = &self.cells.cells[id];
                        match (cell.wide, limit.interval()) {
                            (Some(range), Some(to)) => !range.meet(to).is_empty(),
                            (Some(_), None) => true,
                            _ => limit.admits_any(cell),
                        }
                    })
                };
                let inside = |x: &Value| keys.binary_search(x).is_ok();
                let left: Vec<Value> = xs.iter().filter(|x| inside(x) && able(x)).cloned().collect();
                if left.len() < xs.len() {
                    self.narrow(x, &Limit::OneOf(left), env, cuts);
                }
            }
            Abs::Known(Value::Set(s)) => {
                let able =
                    |x: &Value| s.row(x).iter().any(|v| matches!(v, Value::Pair(p) if limit.admits(&p.1)));
                let left: Vec<Value> = xs.iter().filter(|x| able(x)).cloned().collect();
                if left.len() < xs.len() {
                    self.narrow(x, &Limit::OneOf(left), env, cuts);
                }
            }
            Abs::Part(Shape::Set { items, first }) => {
                if let [x] = &xs[..] {
                    self.narrow_row(x, items, *first, limit, cuts);
                }
            }
            _ => {
                if let (ExprKind::Op(Op::Override, of), [at]) = (&f.kind, &xs[..])
                    && let [f, over] = &of[..]
                    && let Some((must, may)) = self.bounds(&self.abs(over, env))
                {
                    if may.row(at).is_empty() {
                        self.narrow_point(f, x, limit, env, cuts);
                    } else if !must.row(at).is_empty() {
                        self.narrow_point(over, x, limit, env, cuts);
                    }
                }
            }
        }
    }

    /// `r(x)` within a limit, for a relation r whose pairs are solved for: exactly one of those that the limit admits
    /// is in. (Where r is no function at x, the conjunct is false.)
    pub(super) fn narrow_row(
        &self,
        x: &Value,
        items: &[Value],
        first: CellId,
        limit: &Limit,
        cuts: &mut Cuts,
    ) {
        let row = (first..).zip(items).filter_map(|(id, v)| match v {
            Value::Pair(p) if p.0 == *x && self.cells.cells[id].has(1) => Some((id, limit.admits(&p.1))),
            _ => None,
        });
        let row: Vec<(CellId, bool)> = row.collect();
        let sure = row.iter().find(|(id, _)| self.cells.cells[*id].left == 1).map(|(id, _)| *id);
        let left = row.iter().filter(|(_, fits)| *fits).count();
        for (id, fits) in row.iter().filter(|(id, _)| self.cells.cells[*id].left > 1) {
            if !fits || sure.is_some() {
                cuts.push((*id, 1));
            } else if left == 1 {
                cuts.push((*id, 0));
            }
        }
    }

    fn narrow_power(&self, base: &Expr, n: u32, limit: &Limit, env: &mut Env, cuts: &mut Cuts) {
        if let (Some(to), Some(within)) = (limit.interval(), self.abs(base, env).interval()) {
            let mut doms = [within];
            Term::Var(0).power(n).narrow(to, &mut doms);
            self.narrow(base, &Limit::Int(doms[0]), env, cuts);
        }
    }

    fn narrow_sum(&self, op: Op, args: &[Expr], limit: &Limit, env: &mut Env, cuts: &mut Cuts) {
        if let Some((base, n)) = power_of(op, args) {
            return self.narrow_power(base, n, limit, env, cuts);
        }
        let parts: SmallVec<[Abs<'_>; 2]> = args.iter().map(|a| self.abs(a, env)).collect();
        let known = |i: usize| match parts.get(i) {
            Some(Abs::Known(v)) => Some(v),
            _ => None,
        };
        // One side known and a few values admitted: exact.
        if let (Limit::OneOf(_) | Limit::Not(_), Op::Add | Op::Sub, [a, b]) = (limit, op, args) {
            let shifted = |back: Op, k: &Value, flip: bool| {
                let one = |v: &Value| {
                    let args = if flip { [k.clone(), v.clone()] } else { [v.clone(), k.clone()] };
                    self.run.ev.apply(back, &args, &a.ty, a.span).ok()
                };
                Some(match limit {
                    Limit::OneOf(vs) => {
                        let mut vs = vs.iter().map(one).collect::<Option<Vec<Value>>>()?;
                        vs.sort_unstable();
                        Limit::OneOf(vs)
                    }
                    Limit::Not(v) => Limit::Not(one(v)?),
                    Limit::Int(i) => Limit::Int(*i),
                })
            };
            let back = if op == Op::Add { Op::Sub } else { Op::Add };
            if let Some(k) = known(1) {
                if let Some(limit) = shifted(back, k, false) {
                    self.narrow(a, &limit, env, cuts);
                }
                return;
            }
            if let Some(k) = known(0) {
                if let Some(limit) = shifted(Op::Sub, k, op == Op::Sub) {
                    self.narrow(b, &limit, env, cuts);
                }
                return;
            }
        }
        let Some(to) = limit.interval() else { return };
        let ranges: Option<Vec<Interval>> = parts.iter().map(Abs::interval).collect();
        let Some(mut doms) = ranges else { return };
        let var = |i: usize| Box::new(Term::Var(i));
        let term = match (op, args.len()) {
            (Op::Neg, 1) => Term::Neg(var(0)),
            (Op::Add, 2) => Term::Add(vec![Term::Var(0), Term::Var(1)]),
            (Op::Sub, 2) => Term::Add(vec![Term::Var(0), Term::Neg(var(1))]),
            (Op::Mul, 2) => Term::Mul(var(0), var(1)),
            _ => return,
        };
        term.narrow(to, &mut doms);
        for (a, d) in args.iter().zip(doms) {
            self.narrow(a, &Limit::Int(d), env, cuts);
        }
    }

    /// `card(s)` within a limit: when the limit is reached, all undecided members are in or out.
    fn narrow_size(&self, s: &Expr, limit: &Limit, env: &mut Env, cuts: &mut Cuts) {
        let Some(to) = limit.interval() else { return };
        if let ExprKind::Compr(..) = &s.kind {
            return self.narrow_count(s, to, env, cuts);
        }
        // What other operators make is no part of an unknown.
        if matches!(&s.kind, ExprKind::Op(op, _) if *op != Op::Apply) || matches!(s.kind, ExprKind::SetExt(_))
        {
            return;
        }
        let Abs::Part(Shape::Set { items, first }) = self.abs(s, env) else { return };
        let cells = &self.cells.cells[*first..first + items.len()];
        let (mut low, mut high) = (0, 0);
        for c in cells {
            low += i128::from(c.single() == Some(1));
            high += i128::from(c.has(1));
        }
        let cut = if to.hi() == Some(low) {
            1
        } else if to.lo() == Some(high) {
            0
        } else {
            return;
        };
        cuts.extend(cells.iter().enumerate().filter(|(_, c)| c.left > 1).map(|(i, _)| (first + i, cut)));
    }
}

fn limit(a: &Abs<'_>) -> Option<Limit> {
    if let Abs::Options(cell) = a
        && a.is_many()
        && let Some(range) = cell.unbroken()
    {
        return Some(Limit::Int(range));
    }
    if let Some(mut vs) = a.alternatives() {
        vs.sort_unstable();
        return Some(Limit::OneOf(vs));
    }
    a.interval().map(Limit::Int)
}

/// The comparison that holds where another does not.
pub(super) fn opposite(op: Op) -> Option<Op> {
    Some(match op {
        Op::Eq => Op::Neq,
        Op::Neq => Op::Eq,
        Op::Lt => Op::Ge,
        Op::Ge => Op::Lt,
        Op::Gt => Op::Le,
        Op::Le => Op::Gt,
        Op::In => Op::NotIn,
        Op::NotIn => Op::In,
        Op::NotSubset => Op::Subset,
        _ => return None,
    })
}
