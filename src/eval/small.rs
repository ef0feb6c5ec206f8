//! Short cuts for small integers: arithmetic, comparisons and membership of 64-bit integers without vectors of
//! arguments.
//!
//! In: an operator and its sides. Out: its value, or nothing where the common way (`prim`) must answer: other
//! operators, other types, no value, results past 64 bits. Loops of WHILE and comprehensions spend their time here.

use super::{Env, Evaluator};
use crate::ir::{Expr, ExprKind, Pred, PredKind};
use crate::ops::{Fault, Op, World};
use crate::source::Span;
use crate::ty::Ty;
use crate::value::Value;

/// The integer of a literal or a name, or of a field of one.
pub(super) fn leaf(e: &Expr, env: &Env) -> Option<i64> {
    let v = match &e.kind {
        ExprKind::Lit(v) => v,
        ExprKind::Local(id) => env.local(*id)?,
        ExprKind::Var(id) => env.var(*id)?,
        ExprKind::Const(id) => env.constant(*id)?,
        // Loops spend their time in the names, so these are not asked for through `held`.
        ExprKind::Field(..) => env.held(e)?,
        _ => return None,
    };
    match v {
        Value::Int(n) => Some(*n),
        _ => None,
    }
}

/// Most operators below each other that are tried: what is given up is evaluated again, once for each of them.
const DEPTH: u8 = 6;

/// The value of an expression of names, numbers and arithmetic, as long as all is small.
pub(crate) fn quick(e: &Expr, env: &Env) -> Option<i64> {
    within(e, env, DEPTH)
}

fn within(e: &Expr, env: &Env, depth: u8) -> Option<i64> {
    match &e.kind {
        ExprKind::Op(op, args) if depth > 0 => match &args[..] {
            [a, b] if is_arithmetic(*op) => {
                arithmetic(*op, within(a, env, depth - 1)?, within(b, env, depth - 1)?)
            }
            _ => None,
        },
        _ => leaf(e, env),
    }
}

/// Whether a comparison of small integers, or a membership of one, holds.
pub(super) fn decided(op: Op, args: &[Expr], env: &Env, world: &World) -> Option<bool> {
    let [a, b] = args else { return None };
    match op {
        Op::In | Op::NotIn => {
            let ExprKind::Op(set, ends) = &b.kind else { return None };
            let n = quick(a, env)?;
            let inside = match (set, &ends[..]) {
                (Op::Interval, [lo, hi]) => (quick(lo, env)?..=quick(hi, env)?).contains(&n),
                _ => named(*set, n, world)?,
            };
            Some(inside == (op == Op::In))
        }
        Op::Eq | Op::Neq | Op::Lt | Op::Le | Op::Gt | Op::Ge => {
            comparison(op, quick(a, env)?, quick(b, env)?)
        }
        _ => None,
    }
}

/// `m op n` for arithmetic whose result fits.
#[inline]
pub(super) fn arithmetic(op: Op, m: i64, n: i64) -> Option<i64> {
    match op {
        Op::Add => m.checked_add(n),
        Op::Sub => m.checked_sub(n),
        Op::Mul => m.checked_mul(n),
        // Signs are left to the common way, which knows what B says of them.
        Op::Div if m >= 0 && n > 0 => m.checked_div(n),
        Op::Mod if m >= 0 && n > 0 => m.checked_rem(n),
        Op::Power => m.checked_pow(u32::try_from(n).ok()?),
        _ => None,
    }
}

/// The ends of a set of integers that has a name; a missing one is infinite.
pub(super) fn ends(set: Op, world: &World) -> Option<(Option<i64>, Option<i64>)> {
    Some(match set {
        Op::Integer => (None, None),
        Op::Natural => (Some(0), None),
        Op::Natural1 => (Some(1), None),
        Op::Nat => (Some(0), Some(world.maxint)),
        Op::Nat1 => (Some(1), Some(world.maxint)),
        Op::Int => (Some(world.minint), Some(world.maxint)),
        _ => return None,
    })
}

/// Whether an integer is a member of one of the sets of integers that have names.
pub(super) fn named(set: Op, n: i64, world: &World) -> Option<bool> {
    let (lo, hi) = ends(set, world)?;
    Some(lo.is_none_or(|lo| lo <= n) && hi.is_none_or(|hi| n <= hi))
}

/// `m op n` for comparisons.
pub(super) fn comparison(op: Op, m: i64, n: i64) -> Option<bool> {
    Some(match op {
        Op::Eq => m == n,
        Op::Neq => m != n,
        Op::Lt => m < n,
        Op::Le => m <= n,
        Op::Gt => m > n,
        Op::Ge => m >= n,
        _ => return None,
    })
}

/// Arithmetic over numbers that are looked up before: it is asked for many values of some of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Term {
    /// The number at this place.
    At(usize),
    Number(i64),
    Of(Op, Box<(Term, Term)>),
}

/// What the leaves of terms are.
pub(super) type Leaf<'a> = &'a mut dyn FnMut(&Expr) -> Option<Term>;

impl Term {
    /// An expression as a term; `None` for expressions of other forms.
    pub(super) fn new(e: &Expr, leaf: Leaf<'_>) -> Option<Self> {
        Self::within(e, leaf, DEPTH)
    }

    fn within(e: &Expr, leaf: Leaf<'_>, depth: u8) -> Option<Self> {
        match &e.kind {
            ExprKind::Op(Op::Neg, args) if depth > 0 => {
                let [a] = &args[..] else { return None };
                Some(Term::Number(0).op(Op::Sub, Term::within(a, leaf, depth - 1)?))
            }
            ExprKind::Op(op, args) if depth > 0 && is_arithmetic(*op) => {
                let [a, b] = &args[..] else { return None };
                let sides = (Term::within(a, leaf, depth - 1)?, Term::within(b, leaf, depth - 1)?);
                match sides {
                    (Term::Number(m), Term::Number(n)) => arithmetic(*op, m, n).map(Term::Number),
                    (a, b) => Some(a.op(*op, b)),
                }
            }
            _ => leaf(e),
        }
    }

    /// `self op other`.
    pub(super) fn op(self, op: Op, other: Term) -> Self {
        Term::Of(op, Box::new((self, other)))
    }

    /// The value for numbers at their places; `None` where the common way must answer.
    #[inline]
    pub(super) fn value(&self, at: &[i64]) -> Option<i64> {
        match self {
            Term::At(i) => at.get(*i).copied(),
            Term::Number(n) => Some(*n),
            Term::Of(op, sides) => Self::of(*op, sides, at),
        }
    }

    /// What is no leaf: most sides are, and need no call.
    fn of(op: Op, (a, b): &(Term, Term), at: &[i64]) -> Option<i64> {
        arithmetic(op, a.value(at)?, b.value(at)?)
    }

    /// Calls `f` on the places that it reads.
    pub(super) fn places(&self, f: &mut dyn FnMut(usize)) {
        match self {
            Term::At(i) => f(*i),
            Term::Number(_) => {}
            Term::Of(_, sides) => {
                sides.0.places(f);
                sides.1.places(f);
            }
        }
    }

    /// Whether it has a value unless that leaves 64 bits.
    pub(super) fn is_total(&self) -> bool {
        match self {
            Term::At(_) | Term::Number(_) => true,
            Term::Of(op, sides) => {
                matches!(op, Op::Add | Op::Sub | Op::Mul) && sides.0.is_total() && sides.1.is_total()
            }
        }
    }
}

/// Whether an operator is one of [`arithmetic`].
fn is_arithmetic(op: Op) -> bool {
    matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Power)
}

/// A test that is asked of many integers, one after the other: [`decided`] with all else looked up before.
#[derive(Clone, Debug)]
pub(super) enum Test {
    Compare(Op, Sides),
    /// Whether the integer lies in an interval, or does not.
    Inside(bool, Term, Sides),
    All(Vec<Test>),
    Any(Vec<Test>),
    /// Whether both hold or none does, or one only.
    Same(bool, Box<(Test, Test)>),
}

/// Listed integers may lie so many times as far apart as if they were an interval.
const SPREAD: u64 = 4;

/// Most integers that are asked for one by one.
const LISTED: usize = 64;

/// The integers of a set of literals, in order and once each.
fn literals(set: &Expr) -> Option<Vec<i64>> {
    let number = |v: &Value| match v {
        Value::Int(n) => Some(*n),
        _ => None,
    };
    let literal = |e: &Expr| match &e.kind {
        ExprKind::Lit(v) => number(v),
        _ => None,
    };
    let mut all: Vec<i64> = match &set.kind {
        ExprKind::SetExt(items) if items.len() <= LISTED => {
            items.iter().map(literal).collect::<Option<_>>()?
        }
        ExprKind::Lit(Value::Set(s)) if s.len() <= LISTED => {
            s.items().iter().map(number).collect::<Option<_>>()?
        }
        _ => return None,
    };
    all.sort_unstable();
    all.dedup();
    Some(all)
}

/// Two sides.
pub(super) type Sides = Box<(Term, Term)>;

impl Test {
    /// A comparison, or a membership in an interval, as a test; `None` for predicates of other forms.
    pub(super) fn new(p: &Pred, leaf: Leaf<'_>) -> Option<Self> {
        let PredKind::Op(op, args) = &p.kind else { return None };
        let [a, b] = &args[..] else { return None };
        match op {
            Op::Eq | Op::Neq | Op::Lt | Op::Le | Op::Gt | Op::Ge if a.ty == Ty::Int => {
                Some(Test::compare(*op, Term::new(a, leaf)?, Term::new(b, leaf)?))
            }
            Op::In | Op::NotIn => {
                let inside = Test::member(a, b, leaf)?;
                if *op == Op::In { Some(inside) } else { inside.negated() }
            }
            _ => None,
        }
    }

    /// A comparison, which of two numbers is known.
    fn compare(op: Op, a: Term, b: Term) -> Self {
        match (&a, &b) {
            (Term::Number(m), Term::Number(n)) if let Some(holds) = comparison(op, *m, *n) => {
                Test::known(holds)
            }
            _ => Test::Compare(op, Box::new((a, b))),
        }
    }

    /// What holds always, or never.
    fn known(holds: bool) -> Self {
        if holds { Test::All(Vec::new()) } else { Test::Any(Vec::new()) }
    }

    /// Whether it holds, if that is known without any number.
    fn verdict(&self) -> Option<bool> {
        match self {
            Test::All(tests) if tests.is_empty() => Some(true),
            Test::Any(tests) if tests.is_empty() => Some(false),
            _ => None,
        }
    }

    /// All of some tests, or any of them, without those that say nothing and those behind one that decides.
    fn joined(all: bool, tests: &mut dyn Iterator<Item = Option<Test>>) -> Option<Self> {
        let mut kept = Vec::new();
        for test in tests {
            let test = test?;
            let verdict = test.verdict();
            if verdict != Some(all) {
                kept.push(test);
            }
            if verdict == Some(!all) {
                break;
            }
        }
        match kept.len() {
            1 => kept.pop(),
            _ => Some(if all { Test::All(kept) } else { Test::Any(kept) }),
        }
    }

    /// Whether two tests say the same.
    fn same(a: Test, b: Test) -> Option<Self> {
        match (a.verdict(), b.verdict()) {
            (Some(true), _) => Some(b),
            (_, Some(true)) => Some(a),
            (Some(false), _) => b.negated(),
            (_, Some(false)) => a.negated(),
            _ => Some(Test::Same(true, Box::new((a, b)))),
        }
    }

    /// The membership of an integer in an interval, or among literals that are near each other.
    fn member(a: &Expr, set: &Expr, leaf: Leaf<'_>) -> Option<Self> {
        let term = Term::new(a, leaf)?;
        if let ExprKind::Op(Op::Interval, ends) = &set.kind {
            let [lo, hi] = &ends[..] else { return None };
            let ends = Box::new((Term::new(lo, leaf)?, Term::new(hi, leaf)?));
            return Some(Test::Inside(true, term, ends));
        }
        let members = literals(set)?;
        let (lo, hi) = (*members.first()?, *members.last()?);
        let count = members.len() as u64;
        if lo.abs_diff(hi) >= count.saturating_mul(SPREAD) {
            return None;
        }
        let within = Test::Inside(true, term.clone(), Box::new((Term::Number(lo), Term::Number(hi))));
        if lo.abs_diff(hi) + 1 == count {
            return Some(within);
        }
        let one = |n: &i64| Test::Compare(Op::Eq, Box::new((term.clone(), Term::Number(*n))));
        let any = Test::Any(members.iter().map(one).collect());
        Some(Test::All(vec![within, any]))
    }

    /// Likewise for predicates made of such with connectives.
    pub(super) fn nested(p: &Pred, leaf: Leaf<'_>) -> Option<Self> {
        match &p.kind {
            PredKind::True => Some(Test::All(Vec::new())),
            PredKind::And(ps) => Test::joined(true, &mut ps.iter().map(|p| Test::nested(p, leaf))),
            PredKind::Or(ps) => Test::joined(false, &mut ps.iter().map(|p| Test::nested(p, leaf))),
            PredKind::Implies(a, b) => {
                let a = Test::nested(a, leaf).and_then(Test::negated);
                let mut b = || Test::nested(b, leaf);
                Test::joined(false, &mut std::iter::once(a).chain(std::iter::once_with(&mut b)))
            }
            PredKind::Iff(a, b) => Test::same(Test::nested(a, leaf)?, Test::nested(b, leaf)?),
            PredKind::Not(a) => Test::nested(a, leaf)?.negated(),
            _ => Test::new(p, leaf),
        }
    }

    fn negated(self) -> Option<Self> {
        let all = |tests: Vec<Test>| tests.into_iter().map(Test::negated).collect::<Option<_>>();
        Some(match self {
            Test::Compare(op, sides) => Test::Compare(super::negate::opposite(op)?, sides),
            Test::Inside(wanted, term, ends) => Test::Inside(!wanted, term, ends),
            Test::All(tests) => Test::Any(all(tests)?),
            Test::Any(tests) => Test::All(all(tests)?),
            Test::Same(wanted, sides) => Test::Same(!wanted, sides),
        })
    }

    /// Whether it holds for numbers at their places; `None` where the common way must answer.
    pub(super) fn holds(&self, at: &[i64]) -> Option<bool> {
        match self {
            Test::Compare(op, sides) => comparison(*op, sides.0.value(at)?, sides.1.value(at)?),
            Test::Inside(wanted, term, ends) => {
                let n = term.value(at)?;
                Some((ends.0.value(at)?..=ends.1.value(at)?).contains(&n) == *wanted)
            }
            Test::All(tests) => Self::found(tests, false, at).map(|found| !found),
            Test::Any(tests) => Self::found(tests, true, at),
            Test::Same(wanted, sides) => Some((sides.0.holds(at)? == sides.1.holds(at)?) == *wanted),
        }
    }

    fn found(tests: &[Test], wanted: bool, at: &[i64]) -> Option<bool> {
        for test in tests {
            if test.holds(at)? == wanted {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether all its terms are total.
    pub(super) fn is_total(&self) -> bool {
        let mut total = true;
        self.terms(&mut |t| total &= t.is_total());
        total
    }

    /// Calls `f` on the terms in it.
    pub(super) fn terms(&self, f: &mut dyn FnMut(&Term)) {
        match self {
            Test::Compare(_, sides) => {
                f(&sides.0);
                f(&sides.1);
            }
            Test::Inside(_, term, ends) => {
                f(term);
                f(&ends.0);
                f(&ends.1);
            }
            Test::All(tests) | Test::Any(tests) => tests.iter().for_each(|test| test.terms(f)),
            Test::Same(_, sides) => {
                sides.0.terms(f);
                sides.1.terms(f);
            }
        }
    }
}

/// The greatest or the least of the left or right sides of pairs; `None` where the common way must answer.
fn end_of(op: Op, side: Op, pairs: &[Value]) -> Option<i64> {
    let number = |v: &Value| match v {
        Value::Pair(p) => match if side == Op::Dom { &p.0 } else { &p.1 } {
            Value::Int(n) => Some(*n),
            _ => None,
        },
        _ => None,
    };
    let (first, rest) = pairs.split_first()?;
    let max = op == Op::Max;
    rest.iter().try_fold(number(first)?, |end, v| {
        let n = number(v)?;
        Some(if max { end.max(n) } else { end.min(n) })
    })
}

impl Evaluator {
    /// An argument, which is most often a small integer.
    fn operand(&self, e: &Expr, env: &mut Env) -> Result<Value, Fault> {
        match leaf(e, env) {
            Some(n) => Ok(Value::Int(n)),
            None => self.expr(e, env),
        }
    }

    /// `a op b` where `op` adds, subtracts, multiplies or divides.
    #[inline(never)]
    pub(super) fn sum(
        &self,
        op: Op,
        [a, b]: [&Expr; 2],
        ty: &Ty,
        span: Span,
        env: &mut Env,
    ) -> Result<Value, Fault> {
        if let (Some(m), Some(n)) = (quick(a, env), quick(b, env))
            && let Some(n) = arithmetic(op, m, n)
        {
            return Ok(Value::Int(n));
        }
        let args = [self.operand(a, env)?, self.operand(b, env)?];
        if let [Value::Int(m), Value::Int(n)] = args
            && let Some(n) = arithmetic(op, m, n)
        {
            return Ok(Value::Int(n));
        }
        self.apply(op, &args, ty, span)
    }

    /// `max(ran(r))` and its like: the greatest or the least of the sides of pairs, without the set of these.
    #[inline(never)]
    pub(super) fn extreme(
        &self,
        op: Op,
        side: (Op, &[Expr]),
        set: &Expr,
        e: &Expr,
        env: &mut Env,
    ) -> Result<Value, Fault> {
        let r = self.args(side.1, env)?;
        if let [Value::Set(pairs)] = &r[..]
            && let Some(n) = end_of(op, side.0, pairs.items())
        {
            return Ok(Value::Int(n));
        }
        let set = self.apply(side.0, &r, &set.ty, set.span)?;
        self.apply(op, &[set], &e.ty, e.span)
    }

    /// `a op b` where `op` compares numbers.
    pub(super) fn compared(
        &self,
        op: Op,
        [a, b]: [&Expr; 2],
        span: Span,
        env: &mut Env,
    ) -> Result<bool, Fault> {
        let args = [self.operand(a, env)?, self.operand(b, env)?];
        if let [Value::Int(m), Value::Int(n)] = args
            && let Some(b) = comparison(op, m, n)
        {
            return Ok(b);
        }
        self.holds(op, &args, &a.ty, span)
    }
}
