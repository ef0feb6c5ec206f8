//! Running plans: candidates from each step, tests, and the solutions to the consumer.
//!
//! In: a problem with its plan, an environment. Out: calls of the consumer, one per solution. A test that
//! faults counts only if no other conjunct is false: the fault is kept and raised where a solution would have
//! been. A source that cannot be evaluated or enumerated gives way to the plan without it.

use super::alike::Sieve;
use super::assign;
use super::bits::Bits;
use super::fails::Fails;
use super::interval::endpoint;
use super::join::Joins;
use super::ledger::{self, Scope};
use super::meanwhile::Meanwhile;
use super::patience::Patience;
use super::pattern::{backwards, get, put};
use super::plan::{Later, Node, Planner, Source, Step};
use super::pred::{fatal, graver};
use super::problem::{self, Problem, Slot};
use super::ranges::Ranges;
use super::solve::Mode;
use super::solver::Search;
use super::turns::{PLANNED, Turn};
use super::{Env, Evaluator, Flow, Sink};
use crate::diagnostic::Code;
use crate::ir::Expr;
use crate::ops::Fault;
use crate::value::symbolic::Size;
use crate::value::{SetRef, Value};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ops::ControlFlow::{Break, Continue};
use std::rc::Rc;

/// One run over one problem.
pub(super) struct Run<'a> {
    pub(super) ev: &'a Evaluator,
    pub(super) problem: &'a Problem,
    pub(super) mode: Mode,
    /// Of partial solutions that are images of each other only the first is wanted.
    pub(super) sieve: Option<&'a Sieve<'a>>,
    /// When something else is tried.
    pub(super) patience: Option<&'a Patience<'a>>,
    /// Who is asked now and then whether to go on.
    pub(super) meanwhile: Option<&'a Meanwhile<'a>>,
    pub(super) fails: Fails,
    /// Conjuncts that a search under way has found to hold: they need not be tested.
    pub(super) proved: RefCell<Bits>,
    /// Conjuncts of which it could not be seen whether they are true, which is noted.
    pub(super) open: RefCell<Bits>,
    /// Steps left for members of constants that stay symbolic.
    pub(super) unseen: Cell<u64>,
    /// The ranges at a step above.
    pub(super) above: RefCell<Option<Rc<Ranges>>>,
    /// Tables of unknowns that may be looked up.
    pub(super) joins: RefCell<Joins>,
    /// The turn of a way to solve for scalars.
    pub(super) turn: Cell<Turn>,
    /// The unknowns that were bound where a source was passed over since it has too many values.
    pub(super) too_large: RefCell<Option<Bits>>,
}

/// A set of so many members has too many subsets to try them one by one.
const SUBSETS_OF: usize = 60;

/// What a source has to offer.
pub(super) enum Candidates {
    /// The members, in order.
    Items(SetRef),
    /// They cannot be enumerated; why.
    None(Fault),
}

impl<'a> Run<'a> {
    /// A run that wants all solutions.
    pub(super) fn new(ev: &'a Evaluator, problem: &'a Problem, mode: Mode) -> Self {
        Self {
            ev,
            problem,
            mode,
            sieve: None,
            patience: None,
            meanwhile: None,
            fails: Fails::default(),
            proved: RefCell::default(),
            open: RefCell::default(),
            unseen: Cell::new(assign::UNSEEN),
            above: RefCell::default(),
            joins: RefCell::default(),
            turn: Cell::default(),
            too_large: RefCell::default(),
        }
    }
}

impl Run<'_> {
    pub(super) fn planner(&self) -> Planner<'_> {
        Planner { problem: self.problem, ev: self.ev }
    }

    /// Calls `f` on every solution.
    pub(super) fn solve(&self, env: &mut Env, f: Sink<'_>) -> Flow {
        let scope = Scope::begin();
        if !self.mode.choices {
            return ledger::all_or_unknown(self.all(env, f), scope);
        }
        let flow = self.all(env, &mut |ev, env| {
            let flow = f(ev, env);
            ev.unless_undecided(flow)
        });
        self.ev.end_of_choices(self.told_where(flow), scope)
    }

    /// Calls `f` on every solution within the windows that the mode lays.
    pub(super) fn all(&self, env: &mut Env, f: Sink<'_>) -> Flow {
        if let Some(stated) = self.problem.stated.as_ref().filter(|_| self.ev.naive)
            && let Some(flow) = self.ev.try_all(stated, self.mode, env, f)
        {
            return flow;
        }
        let root = self.problem.root.get_or_init(|| self.planner().root());
        self.node(root, None, env, f)
    }

    /// Counts a step; a fault if there have been enough.
    pub(super) fn tick(&self) -> Result<(), Fault> {
        self.ev.go_on()?;
        self.follow(1)?;
        if super::solve::step() > self.mode.until {
            return Err(Fault::new(Code::TooLarge, "this takes too long to be put in extension"));
        }
        Ok(())
    }

    /// Tests what can be tested, then takes the node's step. `pending` is a fault that counts if nothing is
    /// false.
    pub(super) fn node(&self, node: &Node, pending: Option<&Fault>, env: &mut Env, f: Sink<'_>) -> Flow {
        self.tick()?;
        let mut fault = None;
        for &c in &node.tests {
            if self.proved.borrow().contains(c) {
                let mut said = || self.test(c, env).map_err(|f| f.0.code);
                // What has no value is told by what is pending.
                debug_assert!(
                    pending.is_some() || matches!(said(), Ok(true) | Err(Code::Interrupted)),
                    "conjunct {c} holds"
                );
                continue;
            }
            match self.test(c, env) {
                Ok(true) => {}
                Ok(false) => {
                    self.failed(c);
                    return Ok(Continue(()));
                }
                Err(f) if fatal(&f) => return Err(f),
                Err(f) => fault = Some(graver(fault, f)),
            }
        }
        if self.sieve.is_some_and(|s| !s.admits(node, env)) {
            return Ok(Continue(()));
        }
        let fault = fault.as_ref();
        // What is unknown may decide: it goes before faults.
        let pending = pending
            .filter(|p| p.0.cut.is_some())
            .or(fault.filter(|f| f.0.cut.is_some()))
            .or(pending)
            .or(fault);
        self.step(node, &node.step, pending, env, f)
    }

    pub(super) fn step(
        &self,
        node: &Node,
        step: &Step,
        pending: Option<&Fault>,
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        match step {
            Step::Done => {
                match pending {
                    // Perhaps a solution: others are found all the same.
                    Some(Fault(fault)) if let Some(cut) = &fault.cut => {
                        ledger::note(cut);
                        return Ok(Continue(()));
                    }
                    Some(_) if self.mode.lenient => return Ok(Continue(())),
                    Some(fault) => return Err(fault.clone()),
                    None => {}
                }
                if self.confirm(node, env)? { f(self.ev, env) } else { Ok(Continue(())) }
            }
            Step::Assign { source, value } => self.assign(node, source, value, pending, env, f),
            Step::Each { source, set, distinct_left } => {
                let mut candidates = self.candidates(set, env)?;
                if let Candidates::None(_) = candidates {
                    let found = match self.sliced(set, source, env)? {
                        None => self.recurrence(source, set, env)?,
                        found => found,
                    };
                    candidates = found.map_or(candidates, Candidates::Items);
                }
                if self.meanwhile.is_some() && matches!(candidates, Candidates::None(_)) {
                    return self.each_or_few(
                        (node, source, set),
                        candidates,
                        *distinct_left,
                        pending,
                        env,
                        f,
                    );
                }
                self.each(node, source, candidates, *distinct_left, pending, env, f)
            }
            Step::Row { source, rel, left } => {
                let candidates = self.row(rel, left, env)?;
                self.each(node, source, candidates, false, pending, env, f)
            }
            Step::Splits { source, value, lengths } => {
                self.splits(node, source, (value, lengths), pending, env, f)
            }
            Step::Longer { source, value, front } => {
                self.longer(node, source, (value, *front), pending, env, f)
            }
            Step::Subsets { source, set, strict } => {
                let candidates = self.few_candidates(set, env)?;
                self.subsets(node, source, candidates, *strict, pending, env, f)
            }
            Step::Ints { vars, next, alt, .. } => self.ints(node, vars, next, alt.as_ref(), pending, env, f),
            Step::Sub { conj, settles, parts, binds, next, alt } => {
                self.sub(node, (*conj, *settles), parts, binds, (next, alt), pending, env, f)
            }
            Step::Cond { conj, yes, no, alt } => self.cond(node, *conj, (yes, no, alt), pending, env, f),
            Step::Type { var, next } => self.whole_type(node, *var, next, pending, env, f),
            Step::Search { vars, defined, next, other } => {
                let search = Search::new(self, node, vars, defined, other, env);
                let Some(search) = search.filter(Search::has_sets) else {
                    return self.step(node, other, pending, env, f);
                };
                let binds = search.binds();
                if binds.iter().count() == vars.len() && vars.iter().all(|v| binds.contains(*v)) {
                    return search.run(env, &mut |_, env| self.go(node, next, &binds, None, pending, env, f));
                }
                // What has a domain, or cells of its own, depends on values, and so does what comes next: it is not kept.
                let next = Later::new();
                search.run(env, &mut |_, env| self.go(node, &next, &binds, None, pending, env, f))
            }
            Step::Turns { turns, other } => self.in_turns(node, (turns, other), pending, env, f),
            Step::Join { join, other } => self.join(node, (join, other), pending, env, f),
            Step::Ahead { ahead, other } => self.ahead(node, (ahead, other), pending, env, f),
            Step::Split { parts } => self.split(parts, pending, env, f),
            Step::Knot { conj, var, value, next, tested } => {
                self.knot(node, (*conj, *var), value, (next, tested), pending, env, f)
            }
        }
    }

    /// Tests a conjunct; applications outside the domain of something solved for make it false.
    pub(super) fn test(&self, c: usize, env: &mut Env) -> Result<bool, Fault> {
        // A value may carry what has none from the conjunct that gave it into others: `v : T & v = %x.(x : {f(a)} | ..)`.
        problem::excused(&self.problem.conjs, self.ev.pred(&self.problem.conjs[c].pred, env))
    }

    pub(super) fn go(
        &self,
        node: &Node,
        later: &Later,
        binds: &Bits,
        settled: Option<usize>,
        pending: Option<&Fault>,
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        if later.get().is_none() {
            self.take_turn(PLANNED)?;
        }
        let next = later.get_or_init(|| self.planner().after(node, binds, settled));
        self.node(next, pending, env, f)
    }

    pub(super) fn known(&self, source: &Source, env: &mut Env) -> Result<Vec<Value>, Fault> {
        source.matcher.known.iter().map(|e| self.ev.settled(e, env)).collect()
    }

    /// Goes on without a source. If the rest cannot be enumerated without it, its own fault is the reason.
    pub(super) fn instead(
        &self,
        node: &Node,
        source: &Source,
        fault: Fault,
        pending: Option<&Fault>,
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        if fatal(&fault) && fault.0.code != Code::TooLarge {
            return Err(fault);
        }
        if self.problem.conjs[source.conj].excuses(&fault) {
            return Ok(Continue(()));
        }
        let alt = source.alt.get_or_init(|| self.planner().without(node, source.conj));
        let before = (fault.0.code == Code::TooLarge)
            .then(|| self.too_large.replace_with(|_| Some(node.bound.clone())));
        let flow = self.node(alt, pending, env, f);
        if let (Some(before), true) = (before, flow.is_ok()) {
            self.too_large.replace(before);
        }
        // Another source has all values, but too many: with more patience there is an end.
        let ends = || self.too_large.borrow().as_ref() == Some(&node.bound);
        match flow {
            // What has no end has none because the source has no value: that is the reason.
            Err(g) if g.0.code == Code::Infinite && (g.0.span.is_none() || !fault.is_limit()) && !ends() => {
                Err(fault)
            }
            other => other,
        }
    }

    /// The members of a set, as candidates.
    fn candidates(&self, set: &Expr, env: &mut Env) -> Result<Candidates, Fault> {
        let v = match self.ev.expr(set, env) {
            Ok(v) => v,
            Err(f) if fatal(&f) => return Err(f),
            Err(f) => return Ok(Candidates::None(f)),
        };
        if let Value::Set(s) = v {
            return Ok(Candidates::Items(s));
        }
        if let Value::Lazy(l) = &v {
            let code = match l.size(&self.ev.cx(&set.ty)) {
                Size::Infinite => Some(Code::Infinite),
                Size::Exact(n) if n > self.mode.limit.into() => Some(Code::TooLarge),
                Size::Exact(_) | Size::Unknown => None,
            };
            if let Some(code) = code {
                let fault = Fault::new(code, format!("{} cannot be enumerated", l.describe()));
                return Ok(Candidates::None(fault.at(set.span)));
            }
        }
        match self.ev.members(&v, &set.ty, set.span) {
            Ok(s) => Ok(Candidates::Items(s)),
            Err(f) if f.0.code == Code::Interrupted => Err(f),
            Err(f) => Ok(Candidates::None(f)),
        }
    }

    /// The members of a set whose subsets are to be tried one by one: of a large set they need not be listed for that.
    fn few_candidates(&self, set: &Expr, env: &mut Env) -> Result<Candidates, Fault> {
        if let Ok(Value::Lazy(l)) = self.ev.expr(set, env)
            && matches!(l.size(&self.ev.cx(&set.ty)), Size::Exact(n) if n >= self.ev.world.few(SUBSETS_OF).into())
        {
            let fault = Fault::new(Code::TooLarge, format!("{} has too many subsets", l.describe()));
            return Ok(Candidates::None(fault.at(set.span)));
        }
        self.candidates(set, env)
    }

    /// The pairs of a relation whose left side is known.
    fn row(&self, rel: &Expr, left: &Expr, env: &mut Env) -> Result<Candidates, Fault> {
        let values = self.ev.settled(left, env).and_then(|x| Ok((x, self.ev.expr(rel, env)?)));
        let (x, r) = match values {
            Ok(v) => v,
            Err(f) if fatal(&f) => return Err(f),
            Err(f) => return Ok(Candidates::None(f)),
        };
        let rights = |s: &SetRef| {
            let right = |v: &Value| match v {
                Value::Pair(p) => Some(p.1.clone()),
                _ => None,
            };
            SetRef::from_sorted(s.row(&x).iter().filter_map(right).collect())
        };
        if let Value::Set(s) = &r {
            return Ok(Candidates::Items(rights(s)));
        }
        if let Value::Lazy(l) = &r
            && let Some(image) = l.image(&x, &self.ev.cx(&rel.ty))
        {
            return match image {
                Ok(vs) => Ok(Candidates::Items(SetRef::from_vec(vs))),
                Err(f) if fatal(&f) => Err(f),
                Err(f) => Ok(Candidates::None(f.at(rel.span))),
            };
        }
        match self.ev.members(&r, &rel.ty, rel.span) {
            Ok(s) => Ok(Candidates::Items(rights(&s))),
            Err(f) if f.0.code == Code::Interrupted => Err(f),
            Err(f) => Ok(Candidates::None(f)),
        }
    }

    pub(super) fn each(
        &self,
        node: &Node,
        source: &Source,
        candidates: Candidates,
        distinct_left: bool,
        pending: Option<&Fault>,
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        let items = match candidates {
            Candidates::Items(s) => s,
            Candidates::None(fault) => return self.instead(node, source, fault, pending, env, f),
        };
        let known = match self.known(source, env) {
            Ok(known) => known,
            Err(fault) => return self.instead(node, source, fault, pending, env, f),
        };
        let pat = &source.matcher.pat;
        if !distinct_left && let Some((left, inverse, right)) = backwards(pat, &items, &known) {
            for v in inverse.row(right) {
                if let Value::Pair(p) = v
                    && self.fit(node, source, (left, &p.1), &known, pending, env, f)?.is_break()
                {
                    return Ok(Break(()));
                }
            }
            return Ok(Continue(()));
        }
        let mut last: Option<&Value> = None;
        for v in items.items() {
            if source.matcher.plain && pat.differs(v, &known) {
                continue;
            }
            if let (true, Value::Pair(p)) = (distinct_left, v) {
                if last.is_some_and(|l| *l == p.0) {
                    continue;
                }
                last = Some(&p.0);
            }
            if self.fit(node, source, (pat, v), &known, pending, env, f)?.is_break() {
                return Ok(Break(()));
            }
        }
        Ok(Continue(()))
    }

    fn subsets(
        &self,
        node: &Node,
        source: &Source,
        candidates: Candidates,
        strict: bool,
        pending: Option<&Fault>,
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        let items = match candidates {
            Candidates::Items(s) => s,
            Candidates::None(fault) => return self.instead(node, source, fault, pending, env, f),
        };
        let known = match self.known(source, env) {
            Ok(known) => known,
            Err(fault) => return self.instead(node, source, fault, pending, env, f),
        };
        let n = items.items().len();
        if n >= self.ev.world.few(SUBSETS_OF) || 1u64 << n > self.mode.limit.saturating_mul(64) {
            let fault = Fault::new(Code::TooLarge, format!("a set of {n} elements has too many subsets"));
            return self.instead(node, source, fault, pending, env, f);
        }
        for mask in 0..1u64 << n {
            if strict && n > 0 && mask == (1u64 << n) - 1 || strict && n == 0 {
                continue;
            }
            let members = items.items().iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1);
            let v = Value::Set(SetRef::from_sorted(members.map(|(_, v)| v.clone()).collect()));
            if self.fit(node, source, (&source.matcher.pat, &v), &known, pending, env, f)?.is_break() {
                return Ok(Break(()));
            }
        }
        Ok(Continue(()))
    }

    fn sub(
        &self,
        node: &Node,
        (conj, settles): (usize, bool),
        parts: &[Problem],
        binds: &[usize],
        (next, alt): (&Later, &Later),
        pending: Option<&Fault>,
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        let slots: Vec<Slot> = binds.iter().map(|i| self.problem.unknowns[*i].slot).collect();
        let mut found: BTreeSet<Vec<Value>> = BTreeSet::new();
        for part in parts {
            // Closed: what a branch does not bound, other conjuncts may.
            let mode = Mode { open: false, any_order: true, choices: false, ..self.mode };
            let run = Run::new(self.ev, part, mode);
            let done = run.solve(env, &mut |_, env| {
                found.insert(slots.iter().filter_map(|s| get(env, *s).cloned()).collect());
                Ok(Continue(()))
            });
            match done {
                Ok(_) => {}
                Err(fault) if fatal(&fault) => return Err(fault),
                Err(_) => {
                    let alt = alt.get_or_init(|| self.planner().without(node, conj));
                    return self.node(alt, pending, env, f);
                }
            }
        }
        let mut bits = Bits::default();
        binds.iter().for_each(|i| bits.insert(*i));
        for row in found {
            for (slot, v) in slots.iter().zip(row) {
                put(env, *slot, v);
            }
            if self.go(node, next, &bits, settles.then_some(conj), pending, env, f)?.is_break() {
                return Ok(Break(()));
            }
        }
        Ok(Continue(()))
    }

    fn cond(
        &self,
        node: &Node,
        conj: usize,
        (yes, no, alt): (&Later, &Later, &Later),
        pending: Option<&Fault>,
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        let Some(cases) = &self.problem.conjs[conj].cases else { return Ok(Continue(())) };
        let next = match self.ev.pred(&cases.cond, env) {
            Ok(true) => yes.get_or_init(|| self.planner().decided(node, conj, true)),
            Ok(false) => no.get_or_init(|| self.planner().decided(node, conj, false)),
            Err(f) if fatal(&f) => return Err(f),
            // An implication with a true right side is true whatever its left side is.
            Err(_) => alt.get_or_init(|| self.planner().without(node, conj)),
        };
        self.node(next, pending, env, f)
    }

    pub(super) fn is_known(&self, e: &Expr, bound: &Bits) -> bool {
        self.problem.reads(e).is_subset(bound)
    }

    pub(super) fn int(&self, e: &Expr, env: &mut Env) -> Option<i128> {
        endpoint(&self.ev.expr(e, env).ok()?)
    }
}
