//! Scalars by two ways in turns: the plan, which is fast where few choices fail, and the search, which sees further where many do.
//!
//! In: a node whose next step lists values of one of several scalars. Out: each solution once, whichever way finds it. A way has
//! so many steps, and more for each solution; then the other one begins anew, with several times as many, so that what is lost is
//! a part of what the better way takes. Steps are counted, not time: what is found, and in which order, depends on nothing else.
//! Absent: what one way has found of a part of the solutions and the other could use (nogoods).

use super::bind::Run;
use super::bits::Bits;
use super::budget::stopped;
use super::pattern::{clear, get};
use super::plan::{Later, Node, Planner, Step};
use super::problem::Slot;
use super::solver::Search;
use super::{Env, Flow, Sink};
use crate::diagnostic::Code;
use crate::ir::Expr;
use crate::ops::Fault;
use crate::ty::Ty;
use crate::value::Value;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::ControlFlow::Continue;

/// With fewer scalars a plan tries pairs at most.
const SCALARS: usize = 3;

/// Steps of the first turn: some milliseconds, which is what it takes to prepare a search of a hundred scalars.
pub(super) const FIRST: u64 = 1 << 13;

/// Steps that the making of a plan for one more node counts.
pub(super) const PLANNED: u64 = 1 << 6;

/// Conjuncts that are looked at for the ranges of integers, for each step that it counts.
pub(super) const NARROWED: u64 = 1 << 3;

/// How many times as many the next turn has.
const AGAIN: u64 = 2;

/// Steps for each solution: a way that finds one so often goes on.
const FOR_EACH: u64 = 64;

/// A way that has found so many solutions keeps its turn: those of ways that do not are remembered.
const ENOUGH: usize = 1 << 12;

/// Scalars, with what the search for them takes.
#[derive(Debug)]
pub(super) struct Turns {
    /// What is searched for, and the integers and sets that equations make of it.
    vars: Vec<usize>,
    defined: Vec<(usize, Expr)>,
    next: Later,
}

/// The turn of one way.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// Nobody waits.
    #[default]
    None,
    /// So many steps are left.
    Left(u64),
    /// There are none.
    Over,
}

impl Planner<'_> {
    /// The number that stands for "in turns" among the banned conjuncts.
    pub(super) fn in_turns(&self) -> usize {
        self.problem.conjs.len() + 1
    }

    /// A step, or the same in turns with a search.
    pub(super) fn or_turns(
        &self,
        bound: &Bits,
        scope: &Bits,
        rest: &[usize],
        banned: &Bits,
        step: Step,
    ) -> Step {
        let listing = matches!(
            step,
            Step::Each { .. }
                | Step::Type { .. }
                | Step::Ints { .. }
                | Step::Sub { .. }
                | Step::Join { .. }
                | Step::Ahead { .. }
        );
        if !listing || banned.contains(self.in_turns()) {
            return step;
        }
        let open = |i: &usize| scope.contains(*i) && !bound.contains(*i);
        let open: Vec<usize> = (0..self.problem.unknowns.len()).filter(open).collect();
        let scalar = |i: &&usize| matches!(self.problem.unknowns[**i].ty, Ty::Int | Ty::Bool | Ty::Given(_));
        if open.iter().filter(scalar).count() < SCALARS {
            return step;
        }
        let (mut vars, mut defined) = (Vec::new(), Vec::new());
        for i in open {
            let by_equation = matches!(self.problem.unknowns[i].ty, Ty::Int | Ty::Pow(_));
            match self.definition(i, &defined, rest).filter(|_| by_equation) {
                Some(e) => defined.push((i, e)),
                None => vars.push(i),
            }
        }
        let turns = Turns { vars, defined, next: Later::new() };
        Step::Turns { turns: Box::new(turns), other: Box::new(step) }
    }
}

impl Run<'_> {
    /// Counts steps of the way whose turn it is; a fault, as if evaluation were interrupted, if there are none left.
    pub(super) fn take_turn(&self, steps: u64) -> Result<(), Fault> {
        let Turn::Left(left) = self.turn.get() else { return Ok(()) };
        let left = left.checked_sub(steps);
        self.turn.set(left.map_or(Turn::Over, Turn::Left));
        if left.is_some() { Ok(()) } else { Err(stopped()) }
    }

    /// The solutions below a node, by a plan and a search in turns.
    pub(super) fn in_turns(
        &self,
        node: &Node,
        (turns, plan): (&Turns, &Step),
        pending: Option<&Fault>,
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        // Of partial solutions that are images of each other the two ways meet others first.
        if self.sieve.is_some() || self.turn.get() != Turn::None {
            return self.step(node, plan, pending, env, f);
        }
        let open = |(i, _): &(usize, _)| node.scope.contains(*i) && !node.bound.contains(*i);
        let slots: Vec<Slot> =
            self.problem.unknowns.iter().enumerate().filter(open).map(|(_, u)| u.slot).collect();
        let found = Found { slots, seen: RefCell::default() };
        let mut steps = self.ev.first_turn;
        loop {
            if let Some(flow) =
                self.turn(&found, steps, env, f, &mut |env, f| self.step(node, plan, pending, env, f))
            {
                return flow;
            }
            let searched = self.turn(&found, steps, env, f, &mut |env, f| {
                self.searched(node, (turns, plan), pending, env, f)
            });
            if let Some(flow) = searched {
                return flow;
            }
            steps = steps.saturating_mul(AGAIN);
        }
    }

    /// The solutions below a node by the search; by the plan, without an end to its turn, if nothing has a domain.
    fn searched(
        &self,
        node: &Node,
        (turns, plan): (&Turns, &Step),
        pending: Option<&Fault>,
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        let Some(search) = Search::new(self, node, &turns.vars, &turns.defined, plan, env) else {
            self.turn.set(Turn::None);
            return self.step(node, plan, pending, env, f);
        };
        let binds = search.binds();
        let own = Later::new();
        let next = if turns.vars.iter().all(|v| binds.contains(*v)) { &turns.next } else { &own };
        search.run(env, &mut |_, env| self.go(node, next, &binds, None, pending, env, f))
    }

    /// One turn of a way; `None` if it is over before the way is.
    fn turn(
        &self,
        found: &Found,
        steps: u64,
        env: &mut Env,
        f: Sink<'_>,
        way: &mut dyn FnMut(&mut Env, Sink<'_>) -> Flow,
    ) -> Option<Flow> {
        let (proved, above) = (self.proved.borrow().clone(), self.above.borrow().clone());
        self.turn.set(Turn::Left(steps));
        let flow = way(env, &mut |ev, env| {
            match (found.is_new(env), self.turn.get()) {
                (false, _) => return Ok(Continue(())),
                (true, Turn::Left(_)) if found.seen.borrow().len() >= ENOUGH => self.turn.set(Turn::None),
                (true, Turn::Left(left)) => self.turn.set(Turn::Left(left.saturating_add(FOR_EACH))),
                (true, _) => {}
            }
            f(ev, env)
        });
        if self.turn.replace(Turn::None) != Turn::Over
            || !matches!(&flow, Err(f) if f.0.code == Code::Interrupted)
        {
            return Some(flow);
        }
        self.proved.replace(proved);
        self.above.replace(above);
        found.slots.iter().for_each(|s| clear(env, *s));
        None
    }
}

/// What the ways have found.
struct Found {
    slots: Vec<Slot>,
    seen: RefCell<BTreeSet<Vec<Option<Value>>>>,
}

impl Found {
    /// Whether no way has found this solution before; remembers it, unless the way keeps its turn.
    fn is_new(&self, env: &Env) -> bool {
        let solution: Vec<_> = self.slots.iter().map(|s| get(env, *s).cloned()).collect();
        let mut seen = self.seen.borrow_mut();
        if seen.len() < ENOUGH { seen.insert(solution) } else { !seen.contains(&solution) }
    }
}
