//! Functions that equations give point by point, each from points given before: `f : 1..n --> seq(INTEGER) & f(n) = s &
//! !i.(i : 1..n-1 => size(f(i)) = m(i) & !j.(j : 1..m(i) => f(i)(j) = g(f(i+1)(j))))`.
//!
//! In: a membership `f : A --> B` whose set cannot be listed, the conjuncts that must hold. Out: the only function that it can be,
//! if equations give all points. A right side is evaluated with the points known so far, where it reads f by
//! applying it only: it has its value as soon as those points are known, whatever the others are. The function found is one
//! candidate, tested as any other.

use super::Env;
use super::bind::Run;
use super::pattern::{get, put};
use super::plan::Source;
use super::problem::Slot;
use super::solve::CLOSED;
use super::walk;
use crate::diagnostic::Code;
use crate::ir::{Expr, ExprKind, LocalId, Pred, PredKind};
use crate::ops::{Fault, Op};
use crate::value::{SetRef, Value};
use std::collections::BTreeMap;
use std::ops::ControlFlow::{Break, Continue};

/// Most equations for single points.
const MOST: usize = 1 << 16;

/// Most points of the function.
const POINTS: usize = 1 << 12;

/// So many equations in a row that cannot be evaluated yet: those at the other end are looked at next.
const VAIN: usize = 16;

/// The equations of a function.
struct Equations<'p> {
    /// The function.
    f: usize,
    found: Vec<Equation<'p>>,
    /// Whether a side may be evaluated with some points only, by its address: the same ones come with each row of a quantifier.
    plain: BTreeMap<usize, bool>,
}

/// What an equation gives.
enum Target {
    /// `f(x)`.
    Point(Value),
    /// `f(x)(y)`.
    Entry(Value, Value),
    /// `size(f(x))`.
    Size(Value),
}

/// An equation for what belongs to one point, under values of quantified variables.
struct Equation<'p> {
    target: Target,
    value: &'p Expr,
    locals: Vec<(LocalId, Option<Value>)>,
}

/// What is known of a point.
#[derive(Default)]
struct Point {
    whole: Option<Value>,
    size: Option<Value>,
    entries: BTreeMap<Value, Value>,
}

impl Point {
    /// The value, once nothing is missing.
    fn value(&self) -> Option<Value> {
        if let Some(v) = &self.whole {
            return Some(v.clone());
        }
        let Some(Value::Int(n)) = self.size else { return None };
        let is_list = i64::try_from(self.entries.len()) == Ok(n)
            && (1..).zip(self.entries.keys()).all(|(i, k): (i64, _)| *k == Value::Int(i));
        let pair = |(k, v): (&Value, &Value)| Value::pair(k.clone(), v.clone());
        is_list.then(|| Value::Set(SetRef::from_vec(self.entries.iter().map(pair).collect())))
    }

    /// Takes note of what an equation gives; what was known before is not overruled.
    fn note(&mut self, target: &Target, v: Value) {
        match target {
            Target::Point(_) => self.whole.get_or_insert(v),
            Target::Size(_) => self.size.get_or_insert(v),
            Target::Entry(_, y) => self.entries.entry(y.clone()).or_insert(v),
        };
    }
}

impl Run<'_> {
    /// The function that equations give, as the only candidate of `f : A --> B`.
    pub(super) fn recurrence(
        &self,
        source: &Source,
        set: &Expr,
        env: &mut Env,
    ) -> Result<Option<SetRef>, Fault> {
        let Some((f, domain)) = self.total(source, set) else { return Ok(None) };
        let slot = self.problem.unknowns[f].slot;
        if get(env, slot).is_some() {
            return Ok(None);
        }
        let Ok(Value::Set(keys)) = self.ev.settled(domain, env) else { return Ok(None) };
        if keys.len() > POINTS {
            return Ok(None);
        }
        let mut out = Equations { f, found: Vec::new(), plain: BTreeMap::new() };
        let mut names = Vec::new();
        for c in &self.problem.conjs[..self.problem.active] {
            if c.reads.contains(f) {
                self.equations(&c.pred, &mut names, env, &mut out)?;
            }
        }
        let value = self.grown(&keys, slot, out.found, env);
        match slot {
            Slot::Local(id) => env.set_local(id, None),
            Slot::Const(id) => env.set_const(id, None),
        }
        let Some(value) = value? else { return Ok(None) };
        let space = self.ev.expr(set, env)?;
        let fits = self.ev.holds(Op::In, &[value.clone(), space], &set.ty, set.span)?;
        Ok(Some(SetRef::from_vec(if fits { vec![value] } else { Vec::new() })))
    }

    /// The unknown of a membership in a set of total functions, and their domain.
    fn total<'e>(&self, source: &Source, set: &'e Expr) -> Option<(usize, &'e Expr)> {
        let ExprKind::Op(op, sides) = &set.kind else { return None };
        let PredKind::Op(Op::In, args) = &self.problem.conjs[source.conj].pred.kind else { return None };
        let f = self.problem.unknown_of(args.first()?)?;
        let total = op.arrow().is_some_and(|a| a.functional && a.total);
        if total { Some((f, sides.first()?)) } else { None }
    }

    /// The equations for points of f that a conjunct comes to.
    fn equations<'p>(
        &self,
        p: &'p Pred,
        names: &mut Vec<LocalId>,
        env: &mut Env,
        out: &mut Equations<'p>,
    ) -> Result<(), Fault> {
        let f = out.f;
        match &p.kind {
            PredKind::And(ps) => ps.iter().try_for_each(|p| self.equations(p, names, env, out)),
            PredKind::Op(Op::Eq, sides) => {
                let [a, b] = &sides[..] else { return Ok(()) };
                for (point, value) in [(a, b), (b, a)] {
                    let place = std::ptr::from_ref(value).addr();
                    if out.found.len() < MOST
                        && *out.plain.entry(place).or_insert_with(|| self.is_plain(value, f))
                        && let Some(target) = self.target(point, f, env)
                    {
                        let locals = names.iter().map(|id| (*id, env.local(*id).cloned())).collect();
                        out.found.push(Equation { target, value, locals });
                    }
                }
                Ok(())
            }
            PredKind::Forall(s) => {
                let mut mentions = false;
                walk::pred(&s.binder.pred, &mut |e| mentions |= self.problem.unknown_of(e) == Some(f));
                if mentions {
                    return Ok(());
                }
                let mut rows = Vec::new();
                let done = self.ev.binder_solutions(&s.binder, CLOSED, env, &mut |_, env| {
                    rows.push(s.binder.vars.iter().map(|v| env.local(v.id).cloned()).collect::<Vec<_>>());
                    Ok(if rows.len() > MOST { Break(()) } else { Continue(()) })
                });
                match done {
                    Err(f) if f.0.code == Code::Interrupted => return Err(f),
                    Err(_) => return Ok(()),
                    Ok(_) => {}
                }
                let mark = names.len();
                names.extend(s.binder.vars.iter().map(|v| v.id));
                for row in rows {
                    for (v, value) in s.binder.vars.iter().zip(row) {
                        env.set_local(v.id, value);
                    }
                    self.equations(&s.body, names, env, out)?;
                }
                names.truncate(mark);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// What an expression says of f, if it is about one point that is known.
    fn target(&self, e: &Expr, f: usize, env: &mut Env) -> Option<Target> {
        let is_f = |e: &Expr| self.problem.unknown_of(e) == Some(f);
        let mut known = |e: &Expr| {
            if self.problem.reads(e).contains(f) { None } else { self.ev.settled(e, env).ok() }
        };
        let ExprKind::Op(op, args) = &e.kind else { return None };
        match (op, &args[..]) {
            (Op::Apply, [g, x]) if is_f(g) => Some(Target::Point(known(x)?)),
            (Op::Size, [g]) => Some(Target::Size(known(point(g, &is_f)?)?)),
            (Op::Apply, [g, y]) => {
                let x = point(g, &is_f)?;
                Some(Target::Entry(known(x)?, known(y)?))
            }
            _ => None,
        }
    }

    /// Whether an expression reads f by applying it only, and in any case.
    fn is_plain(&self, e: &Expr, f: usize) -> bool {
        match &e.kind {
            ExprKind::Op(Op::Apply, args) => match &args[..] {
                [g, x] => {
                    (self.problem.unknown_of(g) == Some(f) || self.is_plain(g, f)) && self.is_plain(x, f)
                }
                _ => false,
            },
            ExprKind::Op(_, args) | ExprKind::SetExt(args) | ExprKind::SeqExt(args) => {
                args.iter().all(|e| self.is_plain(e, f))
            }
            _ => !self.problem.reads(e).contains(f),
        }
    }

    /// All points, each from those known before it; `None` if some are missing in the end.
    fn grown(
        &self,
        keys: &SetRef,
        slot: Slot,
        mut open: Vec<Equation<'_>>,
        env: &mut Env,
    ) -> Result<Option<Value>, Fault> {
        let mut points: BTreeMap<Value, Point> = BTreeMap::new();
        let mut known: BTreeMap<Value, Value> = BTreeMap::new();
        put(env, slot, Value::empty());
        let mut patience = VAIN;
        loop {
            let before = open.len();
            let mut left = Vec::new();
            let mut vain = 0;
            let mut rest = open.into_iter();
            while vain < patience
                && let Some(eq) = rest.next()
            {
                for (id, v) in &eq.locals {
                    env.set_local(*id, v.clone());
                }
                let v = match self.ev.settled(eq.value, env) {
                    Ok(v) => v,
                    Err(f) if f.0.code == Code::Interrupted => return Err(f),
                    Err(_) => {
                        left.push(eq);
                        vain += 1;
                        continue;
                    }
                };
                vain = 0;
                let (Target::Point(x) | Target::Entry(x, _) | Target::Size(x)) = &eq.target;
                let point = points.entry(x.clone()).or_default();
                point.note(&eq.target, v);
                if !known.contains_key(x)
                    && let Some(v) = point.value()
                {
                    known.insert(x.clone(), v);
                    put(env, slot, function(&known));
                }
            }
            let all = rest.len() == 0;
            left.extend(rest);
            if left.is_empty() || all && left.len() == before {
                break;
            }
            // Where neither end has one that can be evaluated, all are looked at.
            patience = if left.len() == before { usize::MAX } else { VAIN };
            // Where points hang on later ones, this way round is the fast one; where on earlier ones, the other.
            left.reverse();
            open = left;
        }
        let all = known.len() == keys.len() && keys.items().iter().all(|x| known.contains_key(x));
        Ok(all.then(|| function(&known)))
    }
}

/// The `x` of `f(x)`.
fn point<'e>(e: &'e Expr, is_f: &dyn Fn(&Expr) -> bool) -> Option<&'e Expr> {
    match &e.kind {
        ExprKind::Op(Op::Apply, args) => match &args[..] {
            [g, x] if is_f(g) => Some(x),
            _ => None,
        },
        _ => None,
    }
}

fn function(points: &BTreeMap<Value, Value>) -> Value {
    let pairs = points.iter().map(|(x, y)| Value::pair(x.clone(), y.clone()));
    Value::Set(SetRef::from_sorted(pairs.collect()))
}
