//! Integers without a finite source: ranges from all comparisons that mention them.
//!
//! In: a node of a plan. Out: candidates for one integer, the one with the smallest range after propagation.
//! A missing side comes from MININT or MAXINT, or from the known side if that lies beyond (b-language.md 4.7),
//! unless the problem is closed (comprehensions), where it is a fault.

use super::bind::Run;
use super::bits::Bits;
use super::extremes::Known;
use super::interval::{ALL, Comparison, Interval, MOST_FACTORS, Rel, Term, between_roots, end, endpoint};
use super::ledger;
use super::pattern::{get, put};
use super::plan::{Later, Node, Step};
use super::pointwise::same;
use super::pred::fatal;
use super::small::{self, Test};
use super::turns::NARROWED;
use super::{Env, Flow, Sink};
use crate::diagnostic::Code;
use crate::ir::{Expr, ExprKind, Pred, PredKind};
use crate::ops::{Cut, Fault, Op, interval_of};
use crate::ty::Ty;
use crate::value::Value;
use crate::value::symbolic::Size;
use std::ops::ControlFlow::Continue;
use std::ops::RangeInclusive;

/// A range of fewer steps is not worth asking which conjuncts hold for all of it.
const SHORT: i128 = 4;

/// Whether a set of integers is a range by its form.
pub(super) fn is_range(set: &Expr) -> bool {
    matches!(
        set.kind,
        ExprKind::Op(
            Op::Interval | Op::Nat | Op::Nat1 | Op::Int | Op::Natural | Op::Natural1 | Op::Integer,
            _
        )
    )
}

/// Whether an integer passes all tests; `None` where the common way must answer.
fn passes(tests: &[Test], n: i128) -> Option<bool> {
    let n = i64::try_from(n).ok()?;
    for test in tests {
        if !test.holds(&[n])? {
            return Some(false);
        }
    }
    Some(true)
}

impl Run<'_> {
    fn bounds_of_set(&self, e: &Expr, env: &mut Env) -> Option<(Option<i128>, Option<i128>)> {
        let v = self.ev.expr(e, env).ok()?;
        let s = match &v {
            Value::Set(s) => s.clone(),
            Value::Lazy(l) if matches!(l.size(&self.ev.cx(&e.ty)), Size::Exact(_)) => {
                let side = |op| match self.ev.apply(op, std::slice::from_ref(&v), &Ty::Int, e.span) {
                    Ok(n) => endpoint(&n),
                    Err(_) => None,
                };
                return Some((side(Op::Min), side(Op::Max)));
            }
            _ => return None,
        };
        if s.items().is_empty() {
            return Some((Some(1), Some(0)));
        }
        Some((s.items().first().and_then(endpoint), s.items().last().and_then(endpoint)))
    }

    /// The step [`super::plan::Step::Ints`].
    pub(super) fn ints(
        &self,
        node: &Node,
        vars: &[usize],
        next: &[Later],
        alt: Option<&Later>,
        pending: Option<&Fault>,
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        if let ([var], [c]) = (vars, &node.rest[..])
            && let Some((lo, hi)) = self.interval_for(*c, *var, &node.bound, env)
        {
            // Nothing else bounds the integer.
            return self.between(node, (*var, &next[0]), lo..=hi, pending, env, f);
        }
        self.take_turn(node.rest.len() as u64 / NARROWED)?;
        let Some(ranges) = self.ranges(&node.rest, &node.bound, env) else {
            self.failed_ranges(&node.rest);
            return Ok(Continue(()));
        };
        let doms = &ranges.doms;
        let mut beyond = Vec::new();
        let (at, range) = match self.smallest(vars, doms) {
            Some(found) => found,
            None if let Some(alt) = alt => {
                let planner = self.planner();
                let alt = alt.get_or_init(|| planner.without(node, planner.open_ints()));
                return self.node(alt, pending, env, f);
            }
            None if let Some((conj, fault)) = self.end_without_value(node, vars, env) => {
                let var = vars.first().copied().unwrap_or(0);
                if !self.mode.open {
                    return Err(fault);
                }
                if self.mode.choices && self.problem.conjs[conj].excuses(&fault) {
                    return Ok(Continue(()));
                }
                // Whatever the integer, the conjunct has no value: any will do to see whether another one is false.
                let range = self.opened(var, doms[var])?;
                let (Some(lo), Some(hi)) = (range.lo(), range.hi()) else { return Ok(Continue(())) };
                let new = !self.proved.borrow().contains(conj);
                self.proved.borrow_mut().insert(conj);
                let flow = self.between(node, (var, &next[0]), lo..=hi, pending.or(Some(&fault)), env, f);
                if new {
                    self.proved.borrow_mut().remove(conj);
                }
                return flow;
            }
            None => {
                let var = vars.first().copied().unwrap_or(0);
                let range = self.around_holes(var, doms[var], self.opened(var, doms[var])?, node, env);
                beyond = self.beyond(var, range, node, env)?;
                (0, range)
            }
        };
        let (Some(lo), Some(hi)) = (range.lo(), range.hi()) else { return Ok(Continue(())) };
        let mut one = |env: &mut Env| self.between(node, (vars[at], &next[at]), lo..=hi, pending, env, f);
        // Steps below begin with these ranges, if there are integers left.
        let mut flow = if vars.len() > 1 { self.below(ranges, env, one) } else { one(env) };
        for n in beyond {
            if matches!(flow, Ok(Continue(()))) {
                flow = self.between(node, (vars[at], &next[at]), n..=n, pending, env, f);
            }
        }
        flow
    }

    /// Of a set with finite parts the members that a range leaves out: `y : NATURAL \/ {-7}` has -7.
    fn beyond(&self, var: usize, range: Interval, node: &Node, env: &mut Env) -> Result<Vec<i128>, Fault> {
        let Some(set) = self.mixture_over(var, &node.rest, &node.bound) else { return Ok(Vec::new()) };
        let some = match self.ev.members_in_parts(set, env) {
            Ok(some) => some.into_iter().map(i128::from),
            Err(f) if fatal(&f) => return Err(f),
            // The test of the conjunct says what comes of that.
            Err(_) => return Ok(Vec::new()),
        };
        let outside = |n: &i128| range.lo().is_some_and(|lo| *n < lo) || range.hi().is_some_and(|hi| *n > hi);
        Ok(some.filter(outside).collect())
    }

    /// Goes on with each integer of a range.
    fn between(
        &self,
        node: &Node,
        (var, next): (usize, &Later),
        range: RangeInclusive<i128>,
        pending: Option<&Fault>,
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        let (lo, hi) = (*range.start(), *range.end());
        if hi >= lo && (hi - lo).unsigned_abs() > u128::from(self.mode.limit) {
            return Err(Fault::new(Code::TooLarge, "a range too large to be enumerated here"));
        }
        let mut bits = Bits::default();
        bits.insert(var);
        let sure = if hi - lo < SHORT { Vec::new() } else { self.sure(node, var, (lo, hi), env) };
        sure.iter().for_each(|c| self.proved.borrow_mut().insert(*c));
        let mut flow = Ok(Continue(()));
        let next = next.get_or_init(|| self.planner().after(node, &bits, None));
        let tested = next.tests.iter().all(|c| self.proved.borrow().contains(*c));
        let last = pending.is_none() && self.sieve.is_none() && matches!(next.step, Step::Done);
        // Each integer is a solution.
        let all = last && tested;
        let quick = if last && !all && hi - lo >= SHORT { self.quick_tests(next, var, env) } else { None };
        for n in range {
            let passed = quick.as_ref().and_then(|tests| passes(tests, n));
            if passed == Some(false) {
                if let [conjunct] = next.tests[..] {
                    self.failed(conjunct);
                }
                flow = self.tick().map(Continue);
                if flow.is_err() {
                    break;
                }
                continue;
            }
            let all = all || passed == Some(true);
            put(env, self.problem.unknowns[var].slot, Value::double(n));
            flow = if all {
                self.tick().and_then(|()| f(self.ev, env))
            } else {
                self.node(next, pending, env, f)
            };
            if !matches!(flow, Ok(Continue(()))) {
                break;
            }
        }
        sure.iter().for_each(|c| self.proved.borrow_mut().remove(*c));
        flow
    }

    /// The tests of a node that has nothing to do but test, for one integer after the other.
    fn quick_tests(&self, node: &Node, var: usize, env: &Env) -> Option<Vec<Test>> {
        let open = node.tests.iter().filter(|c| !self.proved.borrow().contains(**c));
        let mut leaf = |e: &Expr| {
            if self.problem.unknown_of(e) == Some(var) {
                return Some(small::Term::At(0));
            }
            small::leaf(e, env).map(small::Term::Number)
        };
        open.map(|c| Test::nested(&self.problem.conjs[*c].pred, &mut leaf)).collect()
    }

    /// The conjuncts `x : a..b` of an integer that hold for all of a range: they need not be tested for each.
    fn sure(&self, node: &Node, var: usize, (lo, hi): (i128, i128), env: &mut Env) -> Vec<usize> {
        let open = |c: &usize| !self.proved.borrow().contains(*c);
        let mut sure: Vec<usize> = node.rest.iter().copied().filter(open).collect();
        sure.retain(|c| {
            let ends = self.interval_for(*c, var, &node.bound, env);
            ends.is_some_and(|(first, last)| first <= lo && hi <= last)
        });
        sure
    }

    /// The ends of the interval in a conjunct `x : a..b`, if they are known and have values.
    fn interval_for(&self, c: usize, var: usize, bound: &Bits, env: &mut Env) -> Option<(i128, i128)> {
        let PredKind::Op(Op::In, args) = &self.problem.conjs[c].pred.kind else { return None };
        let [x, set] = &args[..] else { return None };
        let ExprKind::Op(Op::Interval, ends) = &set.kind else { return None };
        let [lo, hi] = &ends[..] else { return None };
        if self.problem.unknown_of(x) != Some(var) || !self.is_known(lo, bound) || !self.is_known(hi, bound) {
            return None;
        }
        Some((self.int(lo, env)?, self.int(hi, env)?))
    }

    /// A conjunct that would give an end to an integer, if what it says had a value; and why it has none.
    fn end_without_value(&self, node: &Node, vars: &[usize], env: &mut Env) -> Option<(usize, Fault)> {
        let var = vars.first().copied()?;
        node.rest.iter().find_map(|c| {
            let PredKind::Op(op, args) = &self.problem.conjs[*c].pred.kind else { return None };
            let [a, b] = &args[..] else { return None };
            let is = |e: &Expr| self.problem.unknown_of(e) == Some(var);
            let ends: Vec<&Expr> = match (op, &b.kind) {
                (Op::In, ExprKind::Op(Op::Interval, ends)) if is(a) => ends.iter().collect(),
                (Op::Eq | Op::Le | Op::Lt | Op::Ge | Op::Gt, _) if is(a) => vec![b],
                (Op::Eq | Op::Le | Op::Lt | Op::Ge | Op::Gt, _) if is(b) => vec![a],
                _ => return None,
            };
            let known = ends.into_iter().filter(|e| self.is_known(e, &node.bound));
            let fault = known.filter_map(|e| self.ev.expr(e, env).err()).find(|f| !fatal(f))?;
            Some((*c, fault))
        })
    }

    /// Position in `vars` and range of the integer with the fewest candidates.
    fn smallest(&self, vars: &[usize], doms: &[Interval]) -> Option<(usize, Interval)> {
        (vars.iter().enumerate())
            .filter_map(|(at, v)| Some((doms[*v].size()?, at)))
            .min()
            .map(|(_, at)| (at, doms[vars[at]]))
    }

    /// A range with its missing ends cut off.
    pub(super) fn opened(&self, var: usize, d: Interval) -> Result<Interval, Fault> {
        if !self.mode.open {
            return Err(self.unbounded(var));
        }
        let u = &self.problem.unknowns[var];
        let reach = i128::from(self.mode.reach);
        let (min, max) = self.ev.world.window().into_inner();
        let (min, max) = (i128::from(min), i128::from(max));
        let (min, max) = if reach > 0 { (min.min(-reach), max.max(reach)) } else { (min, max) };
        let lo = d.lo().unwrap_or_else(|| d.hi().map_or(min, |h| min.min(h - reach)));
        let hi = d.hi().unwrap_or_else(|| d.lo().map_or(max, |l| max.max(l + reach)));
        ledger::note(&Cut {
            what: u.name.clone(),
            at: u.span,
            range: i64::try_from(lo).ok().zip(i64::try_from(hi).ok()),
            of: None,
        });
        Ok(Interval::new(Some(lo), Some(hi)))
    }

    /// The range that an integer without a bound is cut to, widened beyond the intervals that conjuncts exclude:
    /// `x /: 1..9` leaves two pieces, each of which is cut on its own, so that 10 is a candidate.
    fn around_holes(&self, var: usize, d: Interval, cut: Interval, node: &Node, env: &mut Env) -> Interval {
        let (mut lo, mut hi) = (cut.lo(), cut.hi());
        for &c in &node.rest {
            let PredKind::Op(Op::NotIn, args) = &self.problem.conjs[c].pred.kind else { continue };
            let [a, set] = &args[..] else { continue };
            if !self.is_known(set, &node.bound) {
                continue;
            }
            let Some(shift) = self.shift(a, var, &node.bound, env) else { continue };
            let Some((first, last)) = self.interval(set, env) else { continue };
            if d.hi().is_none() {
                hi = hi.max(Some(last - shift + 1));
            }
            if d.lo().is_none() {
                lo = lo.min(Some(first - shift - 1));
            }
        }
        Interval::new(lo, hi)
    }

    /// The ends of a known set that is a non-empty interval (a single excluded value leaves no pieces, unless it is
    /// written as an interval).
    fn interval(&self, set: &Expr, env: &mut Env) -> Option<(i128, i128)> {
        let v = self.ev.expr(set, env).ok()?;
        let range = interval_of(&v)?;
        let (first, last) = (end(range.lo.as_ref()?)?, end(range.hi.as_ref()?)?);
        let one = first == last && !matches!(set.kind, ExprKind::Op(Op::Interval, _));
        (first <= last && !one).then_some((first, last))
    }

    /// The n with which an expression is `x + n` for an unknown x.
    fn shift(&self, e: &Expr, var: usize, bound: &Bits, env: &mut Env) -> Option<i128> {
        if self.problem.unknown_of(e) == Some(var) {
            return Some(0);
        }
        let ExprKind::Op(op, args) = &e.kind else { return None };
        match (op, &args[..]) {
            (Op::Add, [a, b]) if self.is_known(b, bound) => {
                Some(self.shift(a, var, bound, env)? + self.int(b, env)?)
            }
            (Op::Add, [a, b]) if self.is_known(a, bound) => {
                Some(self.shift(b, var, bound, env)? + self.int(a, env)?)
            }
            (Op::Sub, [a, b]) if self.is_known(b, bound) => {
                Some(self.shift(a, var, bound, env)? - self.int(b, env)?)
            }
            _ => None,
        }
    }

    /// What a predicate says of integers.
    pub(super) fn compare(&self, p: &Pred, known: Known<'_>, out: &mut Vec<Comparison>, env: &mut Env) {
        let (op, args) = match &p.kind {
            PredKind::And(ps) => return ps.iter().for_each(|p| self.compare(p, known, out, env)),
            PredKind::Op(op, args) => (op, args),
            _ => return,
        };
        let [a, b] = &args[..] else { return };
        if a.ty != Ty::Int {
            return;
        }
        let mut compare = |rel, a: &Expr, b: &Expr, env: &mut Env| {
            let (a, b) = (self.term(a, known, env), self.term(b, known, env));
            if rel != Rel::Neq
                && a.is_linear()
                && b.is_linear()
                && let difference @ Term::Lin(..) = b.clone().minus().plus(a.clone())
            {
                return out.push((rel, difference, Term::Known(Interval::one(0))));
            }
            if let Some((v, within)) = between_roots(rel, &a, &b) {
                out.push((Rel::Eq, Term::Var(v), Term::Known(within)));
            }
            out.push((rel, a, b));
        };
        match op {
            Op::Eq => compare(Rel::Eq, a, b, env),
            Op::Neq => compare(Rel::Neq, a, b, env),
            Op::Le => compare(Rel::Le, a, b, env),
            Op::Lt => compare(Rel::Lt, a, b, env),
            Op::Ge => compare(Rel::Le, b, a, env),
            Op::Gt => compare(Rel::Lt, b, a, env),
            Op::In => {
                let t = self.term(a, known, env);
                let (lo, hi) = self.range(b, known, env);
                out.push((Rel::Le, lo, t.clone()));
                out.push((Rel::Le, t, hi));
            }
            _ => {}
        }
    }

    /// The ends of a known set of integers.
    pub(super) fn ends(&self, set: &Expr, bound: &Bits, env: &mut Env) -> Interval {
        let (lo, hi) = self.range(set, Known::new(bound, &[]), env);
        Interval::new(lo.interval(&[]).lo(), hi.interval(&[]).hi())
    }

    /// The ends of a set of integers.
    fn range(&self, set: &Expr, known: Known<'_>, env: &mut Env) -> (Term, Term) {
        if let ExprKind::Op(op, _) = set.kind
            && let Some((lo, hi)) = small::ends(op, &self.ev.world)
        {
            let end = |n: Option<i64>| Term::Known(n.map_or(ALL, |n| Interval::one(n.into())));
            return (end(lo), end(hi));
        }
        match &set.kind {
            ExprKind::Op(Op::Interval, ends) if ends.len() == 2 => {
                (self.term(&ends[0], known, env), self.term(&ends[1], known, env))
            }
            _ if self.is_known(set, known.bound) => {
                let (lo, hi) = self.bounds_of_set(set, env).unwrap_or((None, None));
                (Term::Known(Interval::new(lo, lo)), Term::Known(Interval::new(hi, hi)))
            }
            _ => (Term::Known(ALL), Term::Known(ALL)),
        }
    }

    pub(super) fn term(&self, e: &Expr, known: Known<'_>, env: &mut Env) -> Term {
        // Sums and products of what is known come out as known: whether they are need not be asked at each level.
        match &e.kind {
            ExprKind::Lit(v) => return Term::Known(endpoint(v).map_or(ALL, Interval::one)),
            ExprKind::Op(op, args) => match (op, &args[..]) {
                (Op::Add, [a, b]) => return self.term(a, known, env).plus(self.term(b, known, env)),
                (Op::Sub, [a, b]) => return self.term(a, known, env).plus(self.term(b, known, env).minus()),
                (Op::Mul, [a, b]) => return self.term(a, known, env).times(self.term(b, known, env)),
                (Op::Neg, [a]) => return self.term(a, known, env).minus(),
                (Op::Power, _) => {
                    if let Some((a, n)) = power_of(*op, args) {
                        return self.term(a, known, env).power(n);
                    }
                }
                _ => {}
            },
            _ => {}
        }
        if let Some(i) = self.problem.unknown_of(e) {
            if !known.bound.contains(i) {
                return Term::Var(i);
            }
            if let Some(n) = get(env, self.problem.unknowns[i].slot).and_then(endpoint) {
                return Term::Known(Interval::one(n));
            }
        }
        if self.is_known(e, known.bound) {
            return Term::Known(self.int(e, env).map_or(ALL, Interval::one));
        }
        match &e.kind {
            ExprKind::Op(op, args) => match (op, &args[..]) {
                (Op::Div, [a, b]) => self.two(Term::Div, a, b, known, env),
                (Op::Mod, [a, b]) => self.two(Term::Mod, a, b, known, env),
                (Op::Card | Op::Size, _) => Term::Known(Interval::new(Some(0), None)),
                _ => self.collected(e, known, env).unwrap_or(Term::Known(ALL)),
            },
            ExprKind::If(_, a, b) => self.two(Term::Either, a, b, known, env),
            ExprKind::Fold(..) => self.collected(e, known, env).unwrap_or(Term::Known(ALL)),
            _ => Term::Known(ALL),
        }
    }

    fn two(
        &self,
        make: fn(Box<Term>, Box<Term>) -> Term,
        a: &Expr,
        b: &Expr,
        known: Known<'_>,
        env: &mut Env,
    ) -> Term {
        let (a, b) = (self.term(a, known, env), self.term(b, known, env));
        make(Box::new(a), Box::new(b))
    }
}

/// The base and the exponent of `x ** 3`, and of `x * x * x`; at least two.
pub(super) fn power_of(op: Op, args: &[Expr]) -> Option<(&Expr, u32)> {
    let [a, b] = args else { return None };
    match (op, &b.kind) {
        (Op::Power, ExprKind::Lit(Value::Int(n))) => {
            let n = u32::try_from(*n).ok()?;
            (2..=MOST_FACTORS).contains(&n).then_some((a, n))
        }
        (Op::Mul, _) => {
            let left = match &a.kind {
                ExprKind::Op(op @ (Op::Mul | Op::Power), args) => power_of(*op, args),
                _ => None,
            };
            let more =
                left.filter(|(base, n)| *n < MOST_FACTORS && same(base, b)).map(|(base, n)| (base, n + 1));
            more.or_else(|| same(a, b).then_some((a, 2)))
        }
        _ => None,
    }
}
