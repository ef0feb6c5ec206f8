//! Binders over integers as plain loops: `%x.(x : a..b | x + c)`, `{x, y | 1 < x & x <= y & y < n}`, `!x.(x : a..b => x
//! < c)`.
//!
//! In: a problem whose unknowns are integers and whose conjuncts compare sums and products of them with numbers that
//! are looked up before, or are such that no plan would take candidates from them: these are evaluated for each row.
//! Out: [`Loops`], one level for each unknown with the terms that bound it, and the solutions as rows of machine words.
//! Whatever has no value, leaves 64 bits, or goes through many more rows than are solutions (a plan would narrow ranges
//! first) is left to the plan, from the start: nothing has been told to anybody by then.

mod block;
mod body;
mod counter;
mod hoist;
mod lookup;
mod plan;
mod run;

pub(super) use self::block::Filter;
pub(super) use self::body::Body;
pub(super) use self::lookup::Mask;

use self::body::Made;
use self::lookup::{Lookup, Wanted};
use self::plan::{Conjunct, Planner};
use self::run::{Looping, fill_in};
use super::closure::Shape;
use super::pred::only_empty;
use super::problem::{Problem, Slot};
use super::small::{self, Term, Test};
use super::solve::{self, Mode, OPEN};
use super::{Env, Evaluator};
use crate::ir::{Binder, Expr, ExprKind, Local, Pred, PredKind, Scoped};
use crate::ops::{Fault, Op, gather};
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Loops that were given up so often are not tried again.
const FAILURES: u8 = 4;

/// Most solutions for which there is room from the start.
const ROOM: usize = 1 << 20;

/// How many bounds of other unknowns a bound may be made of.
const DEPTH: u8 = 3;

/// A binder as loops.
#[derive(Debug)]
pub(super) struct Loops {
    /// Tests of nothing that is looped over.
    before: Vec<Test>,
    levels: Vec<Level>,
    /// What numbers are looked up, in their places behind the unknowns.
    outside: Outside,
    /// Terms of these that may have no value, which the common way must tell: they come before all else.
    fixed: Vec<hoist::Made>,
    /// Others, and how many places behind the names there are for terms.
    made: Vec<hoist::Made>,
    terms: usize,
    /// The places of the binder's variables.
    vars: Vec<usize>,
    /// Whether solutions come in the order of their tuples.
    ordered: bool,
    /// Whether nothing in it can be without value.
    total: bool,
    /// Whether there are conjuncts that are evaluated, or looked up.
    late: bool,
    /// Conjuncts that ask for a key.
    lookups: Vec<Lookup>,
    failures: AtomicU8,
}

/// One unknown.
#[derive(Debug)]
struct Level {
    place: usize,
    /// The greatest is the first integer, the least the last.
    from: Vec<Term>,
    to: Vec<Term>,
    tests: Vec<Test>,
    /// The only integer there can be, where the only bound from below is that from above.
    single: Option<Term>,
    /// Conjuncts to look up, by their numbers among the lookups.
    lookups: Vec<usize>,
    /// Conjuncts to evaluate.
    late: Vec<usize>,
    /// Terms that inner levels ask for.
    made: Vec<hoist::Made>,
}

/// Names that are looked up before the loops begin, with the place of the first.
#[derive(Debug)]
struct Outside {
    first: usize,
    names: Vec<Expr>,
}

impl Outside {
    /// An unknown, or a name with a place behind them.
    fn leaf(&mut self, e: &Expr, problem: &Problem) -> Option<Term> {
        problem.unknown_of(e).map(Term::At).or_else(|| self.place(e))
    }

    /// The place of a name; `None` for what is none.
    fn place(&mut self, e: &Expr) -> Option<Term> {
        if e.ty != Ty::Int {
            return None;
        }
        match &e.kind {
            ExprKind::Lit(Value::Int(n)) => return Some(Term::Number(*n)),
            ExprKind::Local(_) | ExprKind::Const(_) | ExprKind::Var(_) => {}
            _ => return None,
        }
        self.names.push(e.clone());
        Some(Term::At(self.first + self.names.len() - 1))
    }

    /// Looks the numbers up.
    fn look_up(&self, env: &Env, at: &mut Vec<i64>) -> Option<()> {
        for e in &self.names {
            at.push(small::leaf(e, env)?);
        }
        Some(())
    }
}

/// Who takes the solutions, as numbers at their places: nothing where the common way must answer.
type Rows<'a> = &'a mut dyn FnMut(&[i64], &mut Env) -> Option<ControlFlow<()>>;

/// Runs that went through fewer rows before they were given up cost nothing.
const CHEAP: u64 = 64;

impl Loops {
    /// The loops for a problem whose solutions are wanted as values of `vars`; `None` if it has another form.
    pub(super) fn new(problem: &Problem, vars: &[Local], ev: &Evaluator) -> Option<Self> {
        Self::with(problem, vars, ev, false)
    }

    /// Likewise, also with conjuncts that ask for a key: of those a plan might have taken candidates. Their tables are for
    /// constants as they are.
    pub(super) fn asking(problem: &Problem, ev: &Evaluator) -> Option<Self> {
        let fixed = problem.unknowns.iter().all(|u| matches!(u.slot, Slot::Local(_)));
        if fixed { Self::with(problem, &[], ev, true) } else { None }
    }

    fn with(problem: &Problem, vars: &[Local], ev: &Evaluator, asking: bool) -> Option<Self> {
        let n = problem.unknowns.len();
        if n == 0 || problem.unknowns.iter().any(|u| u.ty != Ty::Int) {
            return None;
        }
        let mut outside = Outside { first: n, names: Vec::new() };
        let mut leaf = |e: &Expr| outside.leaf(e, problem);
        let mut tests = Vec::new();
        let (mut late, mut lookups) = (Vec::new(), Vec::new());
        for (i, conj) in problem.conjs.iter().enumerate().take(problem.active) {
            let test = named(&conj.pred, ev, &mut leaf).or_else(|| Test::nested(&conj.pred, &mut leaf));
            match test {
                Some(test) => tests.push(test),
                None if is_only_tested(&conj.pred) => late.push(i),
                None if asking => lookups.push(Lookup::new(i, &conj.pred, ev, &mut leaf)?),
                None => return None,
            }
        }
        let behind = n + outside.names.len();
        let fixed = hoist::fix(&mut tests, n, behind);
        let open: Vec<Conjunct> = tests.into_iter().flat_map(parts).map(Conjunct::new).collect();
        let is_late = !late.is_empty() || !lookups.is_empty();
        let total = !is_late && open.iter().all(|c| c.test.is_total());
        let vars =
            (vars.iter()).map(|v| problem.index.get(Slot::Local(v.id))).collect::<Option<Vec<usize>>>()?;
        let mut planner = Planner { n, open, levels: Vec::new() };
        let before = planner.take(&|place| place >= n);
        for _ in 0..n {
            planner.next()?;
        }
        let mut levels = planner.levels;
        let last = |levels: &[Level], c: usize| {
            let reads = |l: &Level| problem.conjs.get(c).is_some_and(|conj| conj.reads.contains(l.place));
            levels.iter().rposition(reads)
        };
        for c in late {
            let last = last(&levels, c)?;
            levels[last].late.push(c);
        }
        for (i, lookup) in lookups.iter().enumerate() {
            let last = last(&levels, lookup.conj)?;
            levels[last].lookups.push(i);
        }
        let ordered = levels.iter().map(|l| l.place).take(vars.len()).eq(vars.iter().copied());
        let (made, failures) = (Vec::new(), AtomicU8::new(0));
        let terms = fixed.len();
        let mut loops = Self {
            before,
            levels,
            outside,
            fixed,
            made,
            terms,
            vars,
            ordered,
            total,
            late: is_late,
            lookups,
            failures,
        };
        loops.terms += hoist::hoist(&mut loops, behind + terms);
        Some(loops)
    }

    /// Calls `f` with each solution of the problem that the loops are for, the numbers of `body` behind it; `None` where the
    /// common way must answer.
    pub(super) fn each(
        &self,
        ev: &Evaluator,
        problem: &Problem,
        mode: Mode,
        body: Option<&Body>,
        env: &mut Env,
        f: Rows<'_>,
    ) -> Option<()> {
        self.sifted(ev, problem, mode, (body, None), env, f)
    }

    /// Likewise, without what a filter turns away once it is there.
    pub(super) fn sifted(
        &self,
        ev: &Evaluator,
        problem: &Problem,
        mode: Mode,
        (body, filter): (Option<&Body>, Option<&Filter<'_>>),
        env: &mut Env,
        f: Rows<'_>,
    ) -> Option<()> {
        if self.failures.load(Relaxed) >= FAILURES {
            return None;
        }
        let mut at = vec![0; self.levels.len()];
        self.outside.look_up(env, &mut at)?;
        at.resize(at.len() + self.terms, 0);
        body.map_or(Some(()), |body| body.outside.look_up(env, &mut at))?;
        let most = super::budget::left().min(mode.until.saturating_sub(solve::steps()));
        let (until, widest) = (mode.until, mode.limit);
        let wanted = self.lookups.iter().map(Wanted::new).collect();
        let (rows, found, next) = (1, 0, 0);
        let mut looping =
            Looping { ev, problem, env, rows, found, next, most, until, widest, wanted, filter, f };
        if self.all(&mut at, &mut looping).is_none() {
            // To have been allowed too few rows is no failure.
            let stopped = mode.until < u64::MAX && looping.rows > mode.until.saturating_sub(solve::steps());
            if looping.rows >= CHEAP && !stopped {
                self.failures.store(self.failures.load(Relaxed).saturating_add(1), Relaxed);
            }
            return None;
        }
        let rows = looping.rows;
        ev.went_on(rows);
        solve::went_on(rows);
        Some(())
    }

    /// Whether some conjunct asks for a key.
    pub(super) fn asks(&self) -> bool {
        !self.lookups.is_empty()
    }

    /// Adds the values of the binder's variables to others.
    pub(super) fn values(&self, at: &[i64], to: &mut Vec<i64>) -> Option<()> {
        self.vars.iter().try_for_each(|i| at.get(*i).map(|n| to.push(*n)))
    }

    /// Whether it does not matter which solution is found first.
    fn is_any_first(&self, body: Option<&Body>) -> bool {
        !self.late && (self.levels.len() == 1 || self.total && body.is_none_or(Body::is_total))
    }

    fn all(&self, at: &mut [i64], looping: &mut Looping<'_>) -> Option<()> {
        fill_in(&self.fixed, at)?;
        for test in &self.before {
            if !test.holds(at)? {
                return Some(());
            }
        }
        fill_in(&self.made, at)?;
        looping.level(&self.levels, at).map(|_| ())
    }
}

impl Evaluator {
    /// The members of a comprehension, of a function or of what a body makes, as a set; `None` where the common way must
    /// answer.
    pub(super) fn looped(
        &self,
        binder: &Binder,
        shape: &Shape,
        mode: Mode,
        env: &mut Env,
    ) -> Option<Result<SetRef, Fault>> {
        let (loops, problem) = self.loops(binder)?;
        let body = match shape {
            Shape::Tuples => None,
            Shape::Lambda(s) | Shape::Image(s) => {
                Some((s, self.loops_body(binder, &s.body, || Body::number(&s.body, problem, loops))))
            }
        };
        let Some((scoped, body)) = body else {
            let mut items = loops.room(env);
            loops
                .each(self, problem, mode, None, env, &mut |at, _| mode.add(&mut items, loops.tuple(at)?))?;
            return Some(Ok(loops.set(items)));
        };
        if let Some(body) = body
            && let Made::Number(term) = &body.made
        {
            let mut items = loops.room(env);
            let lambda = matches!(shape, Shape::Lambda(_));
            loops.each(self, problem, mode, Some(body), env, &mut |at, _| {
                let n = Value::Int(term.value(at)?);
                mode.add(&mut items, if lambda { Value::pair(loops.tuple(at)?, n) } else { n })
            })?;
            return Some(Ok(if lambda { loops.set(items) } else { SetRef::from_vec(items) }));
        }
        let items = self.made((loops, problem), scoped, shape, mode, env)?;
        Some(items.and_then(|items| gather(items, &self.cx(&Ty::Any))))
    }

    /// The members that a body makes of all solutions, once these have been found.
    fn made(
        &self,
        (loops, problem): (&Loops, &Problem),
        scoped: &Scoped<Expr>,
        shape: &Shape,
        mode: Mode,
        env: &mut Env,
    ) -> Option<Result<Vec<Value>, Fault>> {
        let vars = &scoped.binder.vars;
        let mut rows = Vec::new();
        loops.each(self, problem, mode, None, env, &mut |at, _| {
            rows.extend(loops.vars.iter().filter_map(|i| at.get(*i)));
            (rows.len() as u64 / vars.len() as u64 <= mode.limit).then_some(Continue(()))
        })?;
        let member = |row: &[i64]| {
            for (x, n) in vars.iter().zip(row) {
                env.set_local(x.id, Some(Value::Int(*n)));
            }
            shape.member(&scoped.binder, self, env)
        };
        Some(rows.chunks_exact(vars.len()).map(member).collect())
    }

    /// Whether a predicate holds for all solutions; `None` where the common way must answer.
    pub(super) fn looped_forall(&self, scoped: &Scoped<Pred>, env: &mut Env) -> Option<bool> {
        let (loops, problem) = self.loops(&scoped.binder)?;
        let body =
            self.loops_body(&scoped.binder, &scoped.body, || Body::truth(&scoped.body, problem, loops))?;
        let Made::Truth(test) = &body.made else { return None };
        if !loops.is_any_first(Some(body)) {
            return None;
        }
        let mut all = true;
        let mut go = |mode: Mode, env: &mut Env| {
            loops.each(self, problem, mode, Some(body), env, &mut |at, _| {
                all = test.holds(at)?;
                Some(if all { Continue(()) } else { Break(()) })
            })
        };
        if !loops.total || !body.is_total() {
            return go(OPEN, env).map(|()| all);
        }
        for (rows, steps) in counter::TURNS {
            if go(OPEN.within(rows), env).is_some() {
                return Some(all);
            }
            if let Some(none) = self.without_counterexample(scoped, steps, env) {
                return Some(none);
            }
        }
        go(OPEN, env).map(|()| all)
    }

    /// Whether there is a solution; `None` where the common way must answer. A table of them has been asked before.
    pub(super) fn looped_exists(&self, binder: &Binder, env: &mut Env) -> Option<bool> {
        let (loops, problem) = self.plain_loops(binder)?;
        let mut found = false;
        if !loops.is_any_first(None) {
            return None;
        }
        loops.each(self, problem, OPEN, None, env, &mut |_, _| {
            found = true;
            Some(Break(()))
        })?;
        Some(found)
    }

    /// The sum or the product over all solutions; `None` where the common way must answer.
    pub(super) fn looped_fold(&self, product: bool, scoped: &Scoped<Expr>, env: &mut Env) -> Option<i64> {
        let (loops, problem) = self.loops(&scoped.binder)?;
        let body =
            self.loops_body(&scoped.binder, &scoped.body, || Body::number(&scoped.body, problem, loops))?;
        let Made::Number(term) = &body.made else { return None };
        let mut total = i64::from(product);
        loops.each(self, problem, OPEN, Some(body), env, &mut |at, _| {
            let n = term.value(at)?;
            total = if product { total.checked_mul(n)? } else { total.checked_add(n)? };
            Some(Continue(()))
        })?;
        Some(total)
    }
}

impl Loops {
    /// The tuple of the binder's variables.
    #[inline]
    fn tuple(&self, at: &[i64]) -> Option<Value> {
        if let [only] = self.vars[..] {
            return at.get(only).map(|n| Value::Int(*n));
        }
        self.pairs(at)
    }

    /// The tuple of several.
    fn pairs(&self, at: &[i64]) -> Option<Value> {
        let mut values = self.vars.iter().map(|i| at.get(*i).map(|n| Value::Int(*n)));
        let first = values.next()??;
        values.try_fold(first, |t, v| Some(Value::pair(t, v?)))
    }

    /// A list with room for the solutions, if there is one level that takes all integers of a range.
    fn room(&self, env: &Env) -> Vec<Value> {
        let range = || {
            let [level] = &self.levels[..] else { return None };
            let mut at = vec![0; 1];
            self.outside.look_up(env, &mut at).filter(|()| level.tests.is_empty())?;
            at.resize(at.len() + self.fixed.len(), 0);
            fill_in(&self.fixed, &mut at)?;
            let (from, to) = level.range(&at)?;
            usize::try_from(to.checked_sub(from)?.checked_add(1)?).ok().filter(|n| *n <= ROOM)
        };
        Vec::with_capacity(range().unwrap_or(0))
    }

    /// The set of tuples, or of pairs whose left sides are the tuples.
    fn set(&self, items: Vec<Value>) -> SetRef {
        if self.ordered { SetRef::from_listed(items) } else { SetRef::from_vec(items) }
    }
}

impl Mode {
    /// Adds a member, if that is not one too many.
    #[inline]
    fn add(&self, items: &mut Vec<Value>, v: Value) -> Option<ControlFlow<()>> {
        items.push(v);
        (items.len() as u64 <= self.limit).then_some(Continue(()))
    }
}

impl Level {
    /// The first integer and the last one.
    fn range(&self, at: &[i64]) -> Option<(i64, i64)> {
        let (mut from, mut to) = (i64::MIN, i64::MAX);
        for term in &self.from {
            from = from.max(term.value(at)?);
        }
        for term in &self.to {
            to = to.min(term.value(at)?);
        }
        Some((from, to))
    }

    /// Whether nothing is asked of an integer but that it lies between the bounds.
    fn is_bare(&self) -> bool {
        self.lookups.is_empty() && self.asks_only_keys()
    }

    /// Whether nothing more is asked of it than whether there are keys.
    fn asks_only_keys(&self) -> bool {
        self.tests.is_empty() && self.late.is_empty() && self.made.is_empty()
    }

    fn admits(&self, at: &[i64]) -> Option<bool> {
        for test in &self.tests {
            if !test.holds(at)? {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// Whether a conjunct is one that plans only test: nothing takes candidates for integers from it, nor bounds.
fn is_only_tested(p: &Pred) -> bool {
    let made = |e: &Expr| matches!(e.kind, ExprKind::Compr(..) | ExprKind::Op(Op::Inter | Op::Diff, _));
    let counted = |e: &Expr| matches!(&e.kind, ExprKind::Op(Op::Card, of) if of.iter().all(made));
    match &p.kind {
        PredKind::Forall(_) => true,
        PredKind::Op(op, args) => match (op, &args[..]) {
            (Op::NotIn, [_, set]) => !super::ints::is_range(set),
            (Op::Neq, [a, _]) => a.ty != Ty::Int,
            (Op::Eq, [a, b]) => only_empty(a, b).is_some() || counted(a) && is_number(b),
            (Op::Subset, [a, _]) => made(a),
            _ => false,
        },
        _ => false,
    }
}

fn is_number(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Lit(Value::Int(_)))
}

/// A membership in one of the sets of integers that have names, as a test.
fn named(p: &Pred, ev: &Evaluator, leaf: small::Leaf<'_>) -> Option<Test> {
    let PredKind::Op(Op::In, args) = &p.kind else { return None };
    let [a, set] = &args[..] else { return None };
    let ExprKind::Op(set, _) = &set.kind else { return None };
    let (from, to) = small::ends(*set, &ev.world)?;
    let a = Term::new(a, leaf)?;
    let side = |op, n: Option<i64>| n.map(|n| Test::Compare(op, Box::new((a.clone(), Term::Number(n)))));
    Some(Test::All(side(Op::Ge, from).into_iter().chain(side(Op::Le, to)).collect()))
}

/// What must hold for a test to hold, one by one. An end of an interval that has no value counts, whatever the other one
/// says.
fn parts(test: Test) -> Box<dyn Iterator<Item = Test>> {
    match test {
        Test::All(tests) => Box::new(tests.into_iter().flat_map(parts)),
        Test::Inside(true, n, ends) if ends.0.is_total() && ends.1.is_total() => {
            let (lo, hi) = *ends;
            let side = |op, m| Test::Compare(op, Box::new((n.clone(), m)));
            Box::new([side(Op::Ge, lo), side(Op::Le, hi)].into_iter())
        }
        other => Box::new(std::iter::once(other)),
    }
}

#[cfg(test)]
mod tests;
