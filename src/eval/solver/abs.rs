//! Values of expressions while unknowns are only partly decided.
//!
//! In: an expression, the cells as they are. Out: an [`Abs`]: what its value can be. Sound: the value under any
//! completion of the cells is covered. Every undecided cell that was looked at is noted, so that the search knows
//! when to look again.

use super::Search;
use super::alternatives::{applied_each, one_of, small};
use super::bounds::antitone;
use super::cells::{Cell, Shape};
use crate::eval::Env;
use crate::eval::interval::{Interval, endpoint};
use crate::eval::ints::power_of;
use crate::ir::{Expr, ExprKind};
use crate::ops::Op;
use crate::syntax::ast::Fold;
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use smallvec::SmallVec;
use std::sync::Arc;

/// Most alternatives that are kept apart.
pub(super) const ALTERNATIVES: usize = 64;

/// What a value can be.
#[derive(Clone, Debug)]
pub(super) enum Abs<'s> {
    /// This.
    Known(Value),
    /// One of these; sorted.
    OneOf(Vec<Value>),
    /// One of the options of a cell: these are not copied before they are asked for.
    Options(&'s Cell),
    /// An integer in a range.
    Int(Interval),
    /// A set- or function-valued unknown, or a part of one.
    Part(&'s Shape),
    /// A set between two sets.
    Between(SetRef, SetRef),
    /// A pair.
    Pair(Box<Abs<'s>>, Box<Abs<'s>>),
    /// Anything, or nothing.
    Top,
}

impl Abs<'_> {
    /// The range of an integer.
    pub(super) fn interval(&self) -> Option<Interval> {
        match self {
            Abs::Known(n) => endpoint(n).map(Interval::one),
            Abs::OneOf(vs) => Some(Interval::new(Some(endpoint(vs.first()?)?), Some(endpoint(vs.last()?)?))),
            Abs::Options(cell) => cell.ends(),
            Abs::Int(i) => Some(*i),
            _ => None,
        }
    }

    /// Whether it can be so many values that they are listed only where that is of use.
    pub(super) fn is_many(&self) -> bool {
        matches!(self, Abs::Options(cell) if cell.left as usize > ALTERNATIVES && cell.ends().is_some())
    }

    /// The range of an integer that can be anything in it, or too many values to list them.
    fn range(&self) -> Option<Interval> {
        match self {
            Abs::Int(i) => Some(*i),
            Abs::Options(cell) if self.is_many() => cell.unbroken(),
            _ => None,
        }
    }

    /// All values it can be, if they are few.
    pub(super) fn alternatives(&self) -> Option<Vec<Value>> {
        match self {
            Abs::Known(v) => Some(vec![v.clone()]),
            Abs::OneOf(vs) => Some(vs.clone()),
            Abs::Options(cell) => Some(cell.listed().cloned().collect()),
            Abs::Pair(a, b) => {
                let (a, b) = (a.alternatives()?, b.alternatives()?);
                if a.len() * b.len() > ALTERNATIVES {
                    return None;
                }
                Some(a.iter().flat_map(|x| b.iter().map(|y| Value::pair(x.clone(), y.clone()))).collect())
            }
            _ => None,
        }
    }
}

impl Search<'_> {
    /// What an expression can be.
    pub(super) fn abs<'a>(&'a self, e: &Expr, env: &mut Env) -> Abs<'a> {
        if let Some(v) = self.at_hand(e, env) {
            return Abs::Known(v.clone());
        }
        // A point of an unknown needs no asking whether it is known.
        let unbound = |e: &Expr| self.open_unknown(e).is_some();
        let point = matches!(&e.kind, ExprKind::Op(Op::Apply, args) if args.first().is_some_and(unbound));
        if !point && !unbound(e) && self.known(e) {
            return self.value_of(e, env);
        }
        if let Some(i) = self.run.problem.unknown_of(e) {
            return match self.shapes.get(&i) {
                Some(shape) => self.part(shape),
                None => match self.defined.iter().find(|(d, _)| *d == i) {
                    Some((_, definition)) => self.abs(definition, env),
                    None => Abs::Top,
                },
            };
        }
        match &e.kind {
            ExprKind::Op(Op::Maplet, args) => {
                let [a, b] = &args[..] else { return Abs::Top };
                match (self.abs(a, env), self.abs(b, env)) {
                    (Abs::Known(a), Abs::Known(b)) => Abs::Known(Value::pair(a, b)),
                    (a, b) => Abs::Pair(Box::new(a), Box::new(b)),
                }
            }
            ExprKind::Op(Op::Apply, args) => {
                let [f, x] = &args[..] else { return Abs::Top };
                if let ExprKind::Op(Op::Inverse, inner) = &f.kind
                    && let [g] = &inner[..]
                    && let Abs::Part(Shape::Fun { keys, parts }) = self.abs(g, env)
                    && let Some(keys) = self.backwards(keys, parts, x, env)
                {
                    return one_of(keys);
                }
                if self.at_hand(x, env).is_some() {
                    return self.point_at(f, x, env);
                }
                self.in_turn(e, env, |env| self.point_at(f, x, env))
            }
            ExprKind::Op(
                op @ (Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Power | Op::Neg),
                args,
            ) => self.in_turn(e, env, |env| self.arithmetic(*op, args, e, env)),
            ExprKind::Op(Op::Card, args) if args.len() == 1 => {
                self.in_turn(e, env, |env| self.size_of(&args[0], env))
            }
            ExprKind::Op(op @ (Op::Max | Op::Min), args) if args.len() == 1 => {
                self.extreme(*op == Op::Max, &args[0], env)
            }
            ExprKind::Op(op, args) => self.once(e, env, |env| self.set_operator(*op, args, e, env)),
            ExprKind::SetExt(items) => self.listed(items, env),
            ExprKind::Compr(..) | ExprKind::Image(_) | ExprKind::Lambda(..) => {
                self.once(e, env, |env| self.gathered(e, env))
            }
            ExprKind::Field(r, i) => self.in_turn(e, env, |env| self.field(r, *i, env)),
            ExprKind::Rec(fields) => self.record(fields, env),
            ExprKind::Fold(Fold::Sum, s) => self.once(e, env, |env| self.sum(s, env)),
            ExprKind::If(p, a, b) => match self.truth(p, env) {
                Some(true) => self.abs(a, env),
                Some(false) => self.abs(b, env),
                None => either(&self.abs(a, env), &self.abs(b, env)),
            },
            ExprKind::Let(id, e, body) => {
                let Some(values) = self.few(e, env) else { return Abs::Top };
                let of = |v: Value, env: &mut Env| {
                    env.set_local(*id, Some(v));
                    self.abs(body, env)
                };
                let mut values = values.into_iter();
                let Some(first) = values.next() else { return Abs::Top };
                let first = of(first, env);
                values.fold(first, |all, v| either(&all, &of(v, env)))
            }
            _ => Abs::Top,
        }
    }

    /// The values that an expression can have, if they are few.
    pub(super) fn few(&self, e: &Expr, env: &mut Env) -> Option<Vec<Value>> {
        let value = self.abs(e, env);
        if value.is_many() {
            return None;
        }
        value.alternatives().filter(|vs| vs.len() <= ALTERNATIVES)
    }

    /// Whether an expression can be anything whatever is decided: an unknown that the search has no cells for, or what an
    /// operator makes of one.
    pub(super) fn is_open(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Op(op, args) => match &args[..] {
                [a] => antitone(*op).is_some() && self.is_open(a),
                _ => false,
            },
            _ => self.run.problem.unknown_of(e).is_some_and(|i| {
                let given = self.bound.contains(i) || self.shapes.contains_key(&i);
                !given && self.defined.iter().all(|(d, _)| *d != i)
            }),
        }
    }

    /// Notes the undecided cells that a set expression meets, without finding what it can be; false, and nothing is noted,
    /// if that takes more than a look at its form.
    pub(super) fn meets(&self, e: &Expr, env: &mut Env) -> bool {
        let before = self.touched.borrow().len();
        let fine = self.meets_all(e, env);
        if !fine {
            self.touched.borrow_mut().truncate(before);
        }
        fine
    }

    fn meets_all(&self, e: &Expr, env: &mut Env) -> bool {
        match &e.kind {
            ExprKind::Op(Op::Union | Op::Inter | Op::Diff, args) => {
                args.iter().all(|a| self.meets_all(a, env))
            }
            ExprKind::SetExt(items) => items.iter().all(|x| self.is_at_hand(x)),
            // What these can be has been found for others.
            _ => self.run.problem.unknown_of(e).is_some() && self.bounds(&self.abs(e, env)).is_some(),
        }
    }

    /// Whether an expression has a value whatever is decided: it is made of literals and quantified variables.
    fn is_at_hand(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Op(Op::Maplet, sides) => sides.iter().all(|e| self.is_at_hand(e)),
            ExprKind::Lit(_) => true,
            ExprKind::Local(_) => self.run.problem.unknown_of(e).is_none(),
            _ => false,
        }
    }

    fn point_at<'a>(&'a self, f: &Expr, x: &Expr, env: &mut Env) -> Abs<'a> {
        let (function, x) = (self.abs(f, env), self.abs(x, env));
        match function {
            Abs::Top => self.applied_unlisted(f, &x),
            function => self.applied(&function, &x),
        }
    }

    /// The value of a literal or a quantified variable: nothing needs to be looked up for it.
    fn at_hand<'e>(&self, e: &'e Expr, env: &'e Env) -> Option<&'e Value> {
        let v = match &e.kind {
            ExprKind::Lit(v) => v,
            ExprKind::Local(id) if self.run.problem.unknown_of(e).is_none() => env.local(*id)?,
            _ => return None,
        };
        v.is_extension().then_some(v)
    }

    /// The value of an expression without undecided unknowns. Sets of sets stay unlisted, and count as anything.
    fn value_of<'a>(&'a self, e: &Expr, env: &mut Env) -> Abs<'a> {
        let key = std::ptr::from_ref(e).addr();
        let listed =
            |v: Option<Value>| v.filter(|v| !matches!(v, Value::Lazy(_))).map_or(Abs::Top, Abs::Known);
        if let Some(v) = self.values.borrow().get(&key) {
            return listed(v.clone());
        }
        let ev = self.run.ev;
        let space = matches!(e.ty.elem(), Some(Ty::Pow(_))) && matches!(e.kind, ExprKind::Op(..));
        let v = ev.expr(e, env).and_then(|v| if space { Ok(v) } else { ev.settle(v, &e.ty) }).ok();
        if self.closed(e) {
            self.values.borrow_mut().insert(key, v.clone());
        }
        listed(v)
    }

    /// The value of an expression that reads nothing but constants, if it has been found to be a set that is not listed.
    pub(super) fn unlisted(&self, e: &Expr) -> Option<Value> {
        let key = std::ptr::from_ref(e).addr();
        self.values.borrow().get(&key).cloned().flatten().filter(|v| matches!(v, Value::Lazy(_)))
    }

    /// A part as a value if it is a point, else as itself.
    fn part<'a>(&'a self, shape: &'a Shape) -> Abs<'a> {
        let Shape::Point(id) = shape else { return Abs::Part(shape) };
        let cell = &self.cells.cells[*id];
        if let Some(range) = cell.wide {
            self.note(*id);
            return Abs::Int(range);
        }
        if let Some(i) = cell.single() {
            return cell.values.get(i).map_or(Abs::Top, |v| Abs::Known(v.clone()));
        }
        self.note(*id);
        if cell.has(cell.values.len()) && cell.left <= 1 {
            return Abs::Top;
        }
        Abs::Options(cell)
    }

    /// `f(x)`.
    fn applied<'a>(&'a self, f: &Abs<'a>, x: &Abs<'a>) -> Abs<'a> {
        if let (Abs::Part(Shape::Fun { keys, parts }), Abs::Known(x)) = (f, x) {
            return keys.binary_search(x).map_or(Abs::Top, |i| self.part(&parts[i]));
        }
        let Some(xs) = x.alternatives() else { return Abs::Top };
        match f {
            Abs::Part(Shape::Fun { keys, parts }) => {
                let mut all = Vec::new();
                let mut range: Option<Interval> = None;
                for x in &xs {
                    let Ok(i) = keys.binary_search(x) else { continue };
                    let part = self.part(&parts[i]);
                    match part.range() {
                        Some(i) => range = Some(range.map_or(i, |r| r.hull(i))),
                        None => match part.alternatives() {
                            Some(vs) => all.extend(vs),
                            None => return Abs::Top,
                        },
                    }
                }
                let Some(range) = range else { return one_of(all) };
                let listed = if all.is_empty() { Some(range) } else { one_of(all).interval() };
                listed.map_or(Abs::Top, |i| Abs::Int(i.hull(range)))
            }
            Abs::Known(f @ Value::Set(_)) => applied_each(std::slice::from_ref(f), &xs),
            Abs::OneOf(fs) if fs.len() * xs.len() <= ALTERNATIVES => applied_each(fs, &xs),
            Abs::Options(cell) if cell.listed().count() * xs.len() <= ALTERNATIVES => {
                applied_each(&cell.listed().cloned().collect::<Vec<Value>>(), &xs)
            }
            Abs::Part(shape) => {
                let (must, may) = match self.bounds(&Abs::Part(shape)) {
                    Some(b) => b,
                    None => return Abs::Top,
                };
                if let ([x], 1) = (&xs[..], xs.len())
                    && let [Value::Pair(p)] = must.row(x)
                {
                    return Abs::Known(p.1.clone());
                }
                one_of(xs.iter().flat_map(|x| may.row(x)).filter_map(right).collect())
            }
            Abs::Between(_, may) => one_of(xs.iter().flat_map(|x| may.row(x)).filter_map(right).collect()),
            _ => Abs::Top,
        }
    }

    /// The arguments at which a function may have the value of an expression, if that is known.
    fn backwards(&self, keys: &[Value], parts: &[Shape], y: &Expr, env: &mut Env) -> Option<Vec<Value>> {
        let Abs::Known(y) = self.abs(y, env) else { return None };
        let mut able = Vec::new();
        // Points mostly share their list of values.
        let mut last: Option<(&Arc<Vec<Value>>, Option<usize>)> = None;
        for (key, part) in keys.iter().zip(parts) {
            let Shape::Point(id) = part else { return None };
            let cell = &self.cells.cells[*id];
            if cell.wide.is_some() {
                return None;
            }
            let i = match last {
                Some((values, i)) if Arc::ptr_eq(values, &cell.values) => i,
                _ => cell.values.binary_search(&y).ok(),
            };
            last = Some((&cell.values, i));
            if i.is_some_and(|i| cell.has(i)) {
                if cell.left > 1 {
                    self.note(*id);
                }
                able.push(key.clone());
            }
        }
        Some(able)
    }

    fn arithmetic<'a>(&'a self, op: Op, args: &[Expr], e: &Expr, env: &mut Env) -> Abs<'a> {
        let parts: SmallVec<[Abs<'a>; 2]> = args.iter().map(|a| self.abs(a, env)).collect();
        if let [Abs::Known(a), Abs::Known(b)] = &parts[..]
            && let Some(n) = small(op, a, b)
        {
            return Abs::Known(n);
        }
        if let Some(values) = parts.iter().map(known).collect::<Option<Vec<Value>>>() {
            return self.run.ev.apply(op, &values, &e.ty, e.span).map_or(Abs::Top, Abs::Known);
        }
        let Some(ranges) = parts.iter().map(Abs::interval).collect::<Option<Vec<Interval>>>() else {
            return Abs::Top;
        };
        if let (Some((_, n)), [a, b]) = (power_of(op, args), &ranges[..]) {
            let base = if op == Op::Power { a } else { b };
            return Abs::Int(base.power(n));
        }
        let whole = match (op, &ranges[..]) {
            (Op::Neg, [a]) => a.neg(),
            (Op::Add, [a, b]) => a.plus(*b),
            (Op::Sub, [a, b]) => a.plus(b.neg()),
            (Op::Mul, [a, b]) => a.times(*b),
            (Op::Div, [a, b]) => a.over(*b),
            (Op::Mod, [a, b]) => a.remainder(*b),
            _ => return Abs::Top,
        };
        if let (Op::Add | Op::Sub, [a, b]) = (op, &parts[..])
            && !(a.is_many() || b.is_many())
            && let (Some(a), Some(b)) = (a.alternatives(), b.alternatives())
            && a.len() * b.len() <= ALTERNATIVES
        {
            let mut all = Vec::with_capacity(a.len() * b.len());
            for x in &a {
                for y in &b {
                    if let Some(n) = small(op, x, y) {
                        all.push(n);
                        continue;
                    }
                    match self.run.ev.apply(op, &[x.clone(), y.clone()], &e.ty, e.span) {
                        Ok(v) => all.push(v),
                        Err(_) => return Abs::Top,
                    }
                }
            }
            return one_of(all);
        }
        Abs::Int(whole)
    }

    fn size_of<'a>(&'a self, set: &Expr, env: &mut Env) -> Abs<'a> {
        let quick = match &set.kind {
            ExprKind::Op(Op::Image, args) => match &args[..] {
                [f, points] => self.image_size(f, points, env),
                _ => None,
            },
            _ => self.count(set, env),
        };
        if let Some((low, high)) = quick {
            return exactly(low, high);
        }
        let s = self.abs(set, env);
        self.cardinality(&s)
    }

    fn cardinality<'a>(&'a self, s: &Abs<'a>) -> Abs<'a> {
        if let Abs::Part(Shape::Fun { parts, .. }) = s {
            let (mut low, mut high) = (0, 0);
            for p in parts {
                let Shape::Point(id) = p else {
                    low += 1;
                    high += 1;
                    continue;
                };
                let cell = &self.cells.cells[*id];
                let may_miss = cell.has(cell.values.len());
                if may_miss && cell.left > 1 {
                    self.note(*id);
                }
                low += i128::from(!may_miss);
                high += i128::from(!(may_miss && cell.left == 1));
            }
            return exactly(low, high);
        }
        match self.bounds(s) {
            Some((must, may)) => exactly(must.items().len() as i128, may.items().len() as i128),
            None => Abs::Int(Interval::new(Some(0), None)),
        }
    }

    /// `max(s)` and `min(s)`.
    fn extreme<'a>(&'a self, greatest: bool, set: &Expr, env: &mut Env) -> Abs<'a> {
        let best = |a: i128, b: i128| if greatest { a.max(b) } else { a.min(b) };
        if let ExprKind::SetExt(items) = &set.kind {
            let mut ranges = items.iter().map(|x| self.abs(x, env).interval());
            let Some(Some(mut total)) = ranges.next() else { return Abs::Top };
            for r in ranges {
                let Some(r) = r else { return Abs::Top };
                total = if greatest { highest(total, r) } else { highest(total.neg(), r.neg()).neg() };
            }
            return exactly_range(total);
        }
        let value = self.abs(set, env);
        let Some((must, may)) = self.bounds(&value) else { return Abs::Top };
        let sure = must.items().iter().filter_map(endpoint).reduce(best);
        let (low, high) = (may.items().first().and_then(endpoint), may.items().last().and_then(endpoint));
        exactly_range(if greatest {
            Interval::new(sure.or(low), high)
        } else {
            Interval::new(low, sure.or(high))
        })
    }
}

/// One or the other.
fn either<'s>(a: &Abs<'_>, b: &Abs<'_>) -> Abs<'s> {
    if !(a.is_many() || b.is_many())
        && let (Some(mut all), Some(more)) = (a.alternatives(), b.alternatives())
    {
        all.extend(more);
        return one_of(all);
    }
    match (a.interval(), b.interval()) {
        (Some(i), Some(j)) => Abs::Int(i.hull(j)),
        _ => Abs::Top,
    }
}

fn known(a: &Abs<'_>) -> Option<Value> {
    match a {
        Abs::Known(v) => Some(v.clone()),
        _ => None,
    }
}

pub(super) fn right(v: &Value) -> Option<Value> {
    match v {
        Value::Pair(p) => Some(p.1.clone()),
        _ => None,
    }
}

/// The greatest of a number in one range and one in another.
fn highest(a: Interval, b: Interval) -> Interval {
    let lo = match (a.lo(), b.lo()) {
        (Some(x), Some(y)) => Some(x.max(y)),
        (x, y) => x.or(y),
    };
    Interval::new(lo, a.hi().zip(b.hi()).map(|(x, y)| x.max(y)))
}

fn exactly_range<'s>(i: Interval) -> Abs<'s> {
    match i.single().and_then(|n| i64::try_from(n).ok()) {
        Some(n) => Abs::Known(Value::Int(n)),
        None => Abs::Int(i),
    }
}

fn exactly<'s>(low: i128, high: i128) -> Abs<'s> {
    exactly_range(Interval::new(Some(low), Some(high)))
}
