//! Integers ahead of all else: `{x, y, s | x : 1..n & y : 1..n & s : seq(0..9) & size(s) = 4 & num(s) = x * y}` goes through
//! x and y as plain loops over machine words, and looks s up.
//!
//! In: a node whose next unknowns are integers, and whose plan comes to no other unknowns before all of these have values. Out:
//! the same solutions from [`Loops`] over the integers: what else has no value yet comes from a table of a [`Join`] by its
//! key, as far as equations tie it to them, and the plan goes on from there with the rows that have a key. Likewise where there are
//! but integers, and quantifiers that ask for a key. Nothing is told before the loops are done, so that they may be given up at
//! any time. Rows come in their own order, so only runs whose consumer asks for all solutions, in any order, go ahead.

use super::bind::Run;
use super::bits::Bits;
use super::join::{Join, Table};
use super::keyed::Key;
use super::loops::{Body, Filter, Loops, Mask};
use super::pattern::put;
use super::plan::{Later, Node, Planner, Step};
use super::problem::{Problem, Slot};
use super::small::Term;
use super::{Env, Flow, Sink};
use crate::diagnostic::Code;
use crate::ir::{Expr, Pred, PredKind};
use crate::ops::Fault;
use crate::ty::Ty;
use crate::value::Value;
use std::cell::OnceCell;
use std::ops::ControlFlow::{self, Break, Continue};
use std::rc::Rc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Rows before a table is tried, and how many times as many before it is tried again.
const FIRST: u64 = 1 << 10;
/// See [`FIRST`].
const AGAIN: u64 = 4;

/// Most rows that wait for a table.
const WAITING: u64 = 1 << 16;

/// Most numbers of rows that are kept.
const KEPT: usize = 1 << 22;

/// What has come to nothing so often is not tried again.
const FAILURES: u8 = 4;

/// Integers that may go ahead.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    made: OnceLock<Option<Way>>,
    failures: AtomicU8,
}

/// How integers go ahead.
#[derive(Debug)]
struct Way {
    /// The integers with the conjuncts about them alone.
    ints: Problem,
    loops: Loops,
    /// Where their values go.
    slots: Vec<Slot>,
    /// What is looked up, by a key that the body of the loops makes.
    join: Option<(Join, Body)>,
    next: Later,
}

/// The rows that are left: their integers, and then those of the key, one row after the other.
struct Hits {
    numbers: Vec<i64>,
    table: Option<Rc<Table>>,
}

impl Planner<'_> {
    /// A step, or the choice between it and integers that go ahead.
    pub(super) fn or_ahead(&self, bound: &Bits, scope: &Bits, rest: &[usize], other: Step) -> Step {
        let is_int = |i: usize| self.problem.unknowns.get(i).is_some_and(|u| u.ty == Ty::Int);
        let quantified = |c: &usize| matches!(self.problem.conjs.get(*c), Some(c) if matches!(c.pred.kind, PredKind::Exists(_)));
        let first = matches!(other, Step::Ints { .. }) && !bound.iter().any(is_int);
        let more = || scope.iter().any(|i| !bound.contains(i) && !is_int(i)) || rest.iter().any(quantified);
        if !first || self.problem.split || self.problem.sieved || !more() {
            return other;
        }
        Step::Ahead { ahead: Box::default(), other: Box::new(other) }
    }

    /// The way for the integers at a node to go ahead; `None` if they may not, or if that is of no use.
    fn way(&self, node: &Node, other: &Step) -> Option<Way> {
        let open = |i: usize| node.scope.contains(i) && !node.bound.contains(i);
        let mine: Vec<_> =
            (self.problem.unknowns.iter().enumerate()).filter(|(i, u)| open(*i) && u.ty == Ty::Int).collect();
        let mut ints = Bits::default();
        mine.iter().for_each(|(i, _)| ints.insert(*i));
        if !self.leads(node, other, &ints) {
            return None;
        }
        let mut known = node.bound.clone();
        known.add_all(&ints);
        let (about, rest): (Vec<usize>, Vec<usize>) =
            node.rest.iter().partition(|c| self.problem.conjs[**c].reads.is_subset(&known));
        let conjs = about.iter().map(|c| &self.problem.conjs[*c]);
        let preds: Vec<&Pred> = conjs.filter(|c| !c.implied).map(|c| &c.pred).collect();
        let problem = Problem::new(mine.iter().map(|(_, u)| (*u).clone()).collect(), &preds, self.ev);
        // No conjunct adds unknowns: their values would be told, too.
        let loops = Loops::asking(&problem, self.ev).filter(|_| problem.unknowns.len() == mine.len())?;
        let join = self.tail(&known, node, &rest, &problem, &loops);
        let slots = problem.unknowns.iter().map(|u| u.slot).collect();
        let useful = join.is_some() || loops.asks();
        useful.then(|| Way { ints: problem, loops, slots, join, next: Later::new() })
    }

    /// What is looked up by a key of integers.
    fn tail(
        &self,
        known: &Bits,
        node: &Node,
        rest: &[usize],
        ints: &Problem,
        loops: &Loops,
    ) -> Option<(Join, Body)> {
        let groups = self.groups(known, &node.scope, rest);
        let join = groups.into_iter().find_map(|g| self.joined(g, known, rest))?;
        let asked: Vec<&Expr> = join.asked().collect();
        let body =
            if asked.iter().all(|e| e.ty == Ty::Int) { Body::numbers(asked, ints, loops) } else { None };
        body.map(|body| (join, body))
    }

    /// Whether a plan, from a step of a node on, gives some integers their values before any other unknown.
    fn leads(&self, node: &Node, step: &Step, ints: &Bits) -> bool {
        let next = match step {
            Step::Ints { vars, .. } => {
                let mut one = Bits::default();
                vars.first().into_iter().for_each(|v| one.insert(*v));
                self.after(node, &one, None)
            }
            Step::Assign { source, .. } if source.matcher.binds.is_subset(ints) => {
                self.after(node, &source.matcher.binds, Some(source.conj))
            }
            Step::Turns { other, .. } | Step::Join { other, .. } | Step::Ahead { other, .. } => {
                return self.leads(node, other, ints);
            }
            _ => return false,
        };
        ints.is_subset(&next.bound) || self.leads(&next, &next.step, ints)
    }

    /// The node after the integers, and what is looked up, have values.
    fn after_all(&self, node: &Node, way: &Way) -> Box<Node> {
        let mut bound = node.bound.clone();
        way.slots.iter().filter_map(|s| self.problem.index.get(*s)).for_each(|i| bound.insert(i));
        let tested = |c: &usize| self.problem.conjs[*c].reads.is_subset(&bound);
        let rest: Vec<usize> = node.rest.iter().copied().filter(|c| !tested(c)).collect();
        match &way.join {
            Some((join, _)) => self.with_looked_up((bound, rest), node, join),
            None => self.node(bound, node.scope.clone(), rest, node.banned.clone()),
        }
    }
}

impl Run<'_> {
    /// The step [`Step::Ahead`].
    pub(super) fn ahead(
        &self,
        node: &Node,
        (ahead, other): (&Ahead, &Step),
        pending: Option<&Fault>,
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        let free = self.mode.any_order && self.sieve.is_none() && self.patience.is_none();
        if free && pending.is_none() && ahead.failures.load(Relaxed) < FAILURES {
            let way = ahead.made.get_or_init(|| self.planner().way(node, other));
            if let Some(way) = way {
                if let Some(hits) = self.hits(node, way, env) {
                    return self.tell(node, way, &hits, env, f);
                }
                ahead.failures.store(ahead.failures.load(Relaxed).saturating_add(1), Relaxed);
            }
        }
        self.step(node, other, pending, env, f)
    }

    /// The rows of integers for which there is a key; `None` where the plan must find them.
    fn hits(&self, node: &Node, way: &Way, env: &mut Env) -> Option<Hits> {
        let n = way.slots.len();
        let mut hits = Hits { numbers: Vec::new(), table: None };
        let Some((join, body)) = &way.join else {
            way.loops.each(self.ev, &way.ints, self.mode, None, env, &mut |at, _| {
                hits.keep(at.get(..n)?, &[], at)
            })?;
            return Some(hits);
        };
        hits.table = self.kept_table(join);
        let (mut rows, mut until) = (0, FIRST);
        let key = body.terms();
        let filter = Filter { key, mask: OnceCell::new() };
        let ready = |table: &Option<Rc<Table>>| {
            table.as_ref().is_some_and(|table| filter.mask.set(Mask::of(table.keys())).is_ok())
        };
        ready(&hits.table);
        let with = (Some(body), Some(&filter));
        way.loops.sifted(self.ev, &way.ints, self.mode, with, env, &mut |at, env| {
            if let Some(mask) = filter.mask.get() {
                return match mask.admits(key, at) {
                    Some(false) => Some(Continue(())),
                    _ => hits.keep(at.get(..n)?, key, at),
                };
            }
            let flow = hits.keep(at.get(..n)?, key, at)?;
            rows += 1;
            let mut made = false;
            if rows >= until {
                until = rows.saturating_mul(AGAIN);
                hits.table = self.tried(node, join, rows, env)?;
                made = ready(&hits.table);
            }
            (rows < WAITING || made).then_some(flow)
        })?;
        // Few rows pay for no table.
        hits.table.is_some().then_some(hits)
    }

    /// A table, or that it takes too many steps so far; nothing if there can be none.
    fn tried(&self, node: &Node, join: &Join, rows: u64, env: &mut Env) -> Option<Option<Rc<Table>>> {
        match self.make_table(node, join, rows, env) {
            Ok(table) => Some(Some(self.keep_table(join, table))),
            Err(f) if f.0.code == Code::TooLarge => Some(None),
            Err(_) => None,
        }
    }

    /// Goes on with each row.
    fn tell(&self, node: &Node, way: &Way, hits: &Hits, env: &mut Env, f: Sink<'_>) -> Flow {
        let next = way.next.get_or_init(|| self.planner().after_all(node, way));
        let n = way.slots.len();
        let keys = way.join.as_ref().map_or(0, |(_, body)| body.terms().len());
        let slots = way.join.as_ref().map_or_else(Vec::new, |(join, _)| self.slots_of(join));
        for hit in hits.numbers.chunks_exact(n + keys) {
            let (row, key) = hit.split_at(n);
            for more in hits.rows(key, slots.len()) {
                way.slots.iter().zip(row).for_each(|(slot, n)| put(env, *slot, Value::Int(*n)));
                slots.iter().zip(more).for_each(|(slot, v)| put(env, *slot, v.clone()));
                if self.node(next, None, env, f)?.is_break() {
                    return Ok(Break(()));
                }
            }
        }
        Ok(Continue(()))
    }
}

impl Hits {
    /// What goes with a row whose key this is; nothing has to where nothing is looked up.
    fn rows(&self, key: &[i64], width: usize) -> Vec<&[Value]> {
        let Some(table) = &self.table else { return vec![&[]] };
        table.get(&Key::from_slice(key)).map_or_else(Vec::new, |rows| rows.chunks_exact(width).collect())
    }

    /// Keeps a row with its key; `None` if that are too many, or the key has no value.
    fn keep(&mut self, row: &[i64], key: &[Term], at: &[i64]) -> Option<ControlFlow<()>> {
        self.numbers.extend(row);
        for term in key {
            self.numbers.push(term.value(at)?);
        }
        (self.numbers.len() <= KEPT).then_some(Continue(()))
    }
}
