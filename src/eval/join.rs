//! Joins by key: unknowns that hang together with those that have values by equations alone, `f(y) = g(x)` with x known.
//!
//! In: a node whose next unknowns (y) are told apart from those bound before by equations, one side of which reads just
//! them and the other side none of them. Out: their values from a table: the solutions of the conjuncts about y alone,
//! by the values of the sides that read y. It is made once in a run, when what is enumerated anew for each x has taken
//! as many steps as making it may take. Where the conjuncts about y alone cannot be listed, or a side has no value for
//! one of their solutions, there is no table. Deliberately absent: an order. Rows come as the table has them, so only
//! runs whose consumer asks for all solutions, in any order, look things up.

use super::bind::Run;
use super::bits::Bits;
use super::budget::{self, Budget};
use super::keyed::{self, Key};
use super::plan::{Later, Node, Planner, Step};
use super::problem::Slot;
use super::solve::{self, Mode};
use super::{Env, Flow, Sink};
use crate::diagnostic::Code;
use crate::ir::{Expr, PredKind};
use crate::ops::{Fault, Op};
use crate::value::Value;
use hashbrown::HashMap;
use std::ops::ControlFlow::{Break, Continue};
use std::rc::Rc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// Most rows of a table.
const ROWS: usize = 1 << 16;

/// Steps that are taken before a table is tried.
const FIRST: u64 = 64;

/// How many times as many steps a table may take: those of searches count, too.
const PATIENCE: u64 = 4;

/// How many times as many before it is tried again.
const AGAIN: u64 = 4;

/// Tables that were given up so often are not tried again.
const FAILURES: u8 = 5;

/// Tells joins apart: plans that are not kept leave their addresses to others.
static JOINS: AtomicU64 = AtomicU64::new(0);

/// An equation between what is looked up and what is known.
#[derive(Debug)]
struct Link {
    conj: usize,
    own: Expr,
    asked: Expr,
}

/// Unknowns that may be looked up.
#[derive(Debug)]
pub(super) struct Join {
    id: u64,
    vars: Bits,
    links: Vec<Link>,
    /// The solutions for these unknowns alone.
    base: Later,
    /// The conjuncts that are about them alone.
    alone: Vec<usize>,
    next: Later,
    failures: AtomicU8,
}

/// The rows by key: values of the unknowns, one row after the other.
pub(super) type Table = HashMap<Key, Vec<Value>>;

/// What a run knows of a join.
#[derive(Debug)]
struct State {
    /// Steps taken without a table.
    spent: u64,
    /// How many are to be taken before a table is tried.
    until: u64,
    table: Option<Rc<Table>>,
}

/// The joins of a run.
#[derive(Debug, Default)]
pub(super) struct Joins(HashMap<u64, State>);

/// Why there is no table; nobody is told.
fn too_large() -> Fault {
    Fault::new(Code::TooLarge, "too much for a table")
}

impl Join {
    /// What makes up the key that is asked for.
    pub(super) fn asked(&self) -> impl Iterator<Item = &Expr> {
        self.links.iter().map(|link| &link.asked)
    }
}

impl Planner<'_> {
    /// A step, or the choice between it and looking values up.
    pub(super) fn or_join(&self, bound: &Bits, scope: &Bits, rest: &[usize], other: Step) -> Step {
        if bound.is_empty() || self.problem.split || self.problem.sieved {
            return other;
        }
        let join = self.groups(bound, scope, rest).into_iter().find_map(|g| self.joined(g, bound, rest));
        match join {
            Some(join) => Step::Join { join: Box::new(join), other: Box::new(other) },
            None => other,
        }
    }

    /// The join of some unknowns with those that have values; `None` if it is no such one.
    pub(super) fn joined(&self, vars: Bits, bound: &Bits, rest: &[usize]) -> Option<Join> {
        let mut links = Vec::new();
        let mut alone = Vec::new();
        for &c in rest {
            if self.problem.conjs[c].reads.is_subset(&vars) {
                alone.push(c);
            } else {
                links.extend(self.link(c, &vars, bound));
            }
        }
        if links.is_empty() || alone.is_empty() {
            return None;
        }
        let id = JOINS.fetch_add(1, Relaxed);
        let (base, next, failures) = (Later::new(), Later::new(), AtomicU8::new(0));
        Some(Join { id, vars, links, base, alone, next, failures })
    }

    fn link(&self, conj: usize, vars: &Bits, bound: &Bits) -> Option<Link> {
        let conj_of = &self.problem.conjs[conj];
        let PredKind::Op(Op::Eq, sides) = &conj_of.pred.kind else { return None };
        let [a, b] = &sides[..] else { return None };
        if conj_of.implied || !keyed::is_scalar(&a.ty) {
            return None;
        }
        let (x, y) = (self.problem.reads(a), self.problem.reads(b));
        let (own, asked) = if x.is_subset(vars) && y.is_subset(bound) {
            (a, b)
        } else if y.is_subset(vars) && x.is_subset(bound) {
            (b, a)
        } else {
            return None;
        };
        Some(Link { conj, own: own.clone(), asked: asked.clone() })
    }

    /// The node for the unknowns of a join alone.
    fn alone(&self, node: &Node, join: &Join) -> Box<Node> {
        self.node(Bits::default(), join.vars.clone(), join.alone.clone(), node.banned.clone())
    }

    /// The node after values have been looked up.
    fn looked_up(&self, node: &Node, join: &Join) -> Box<Node> {
        self.with_looked_up((node.bound.clone(), node.rest.clone()), node, join)
    }

    /// Likewise, where other unknowns have got values and other conjuncts are left than at the node.
    pub(super) fn with_looked_up(
        &self,
        (mut bound, mut rest): (Bits, Vec<usize>),
        node: &Node,
        join: &Join,
    ) -> Box<Node> {
        bound.add_all(&join.vars);
        rest.retain(|c| !join.links.iter().any(|l| l.conj == *c));
        self.node(bound, node.scope.clone(), rest, node.banned.clone())
    }
}

impl Run<'_> {
    /// The step [`Step::Join`].
    pub(super) fn join(
        &self,
        node: &Node,
        (join, other): (&Join, &Step),
        pending: Option<&Fault>,
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        if !self.mode.any_order || self.sieve.is_some() {
            return self.step(node, other, pending, env, f);
        }
        if let Some(table) = self.join_table(node, join, env)?
            && let Some(key) = self.asked(join, env)
        {
            let next = join.next.get_or_init(|| self.planner().looked_up(node, join));
            let slots = self.slots(&join.vars);
            for row in table.get(&key).into_iter().flat_map(|rows| rows.chunks_exact(slots.len())) {
                slots.iter().zip(row).for_each(|(slot, v)| super::pattern::put(env, *slot, v.clone()));
                if self.node(next, pending, env, f)?.is_break() {
                    return Ok(Break(()));
                }
            }
            return Ok(Continue(()));
        }
        let before = solve::steps();
        let flow = self.step(node, other, pending, env, f)?;
        let took = solve::steps().saturating_sub(before) + 1;
        if let Some(state) = self.joins.borrow_mut().0.get_mut(&join.id) {
            state.spent = state.spent.saturating_add(took);
        }
        Ok(flow)
    }

    /// The table of a join that this run has made already.
    pub(super) fn kept_table(&self, join: &Join) -> Option<Rc<Table>> {
        self.joins.borrow().0.get(&join.id).and_then(|state| state.table.clone())
    }

    /// Keeps the table of a join for this run.
    pub(super) fn keep_table(&self, join: &Join, table: Table) -> Rc<Table> {
        let table = Rc::new(table);
        let state = State { spent: 0, until: FIRST, table: Some(table.clone()) };
        self.joins.borrow_mut().0.insert(join.id, state);
        table
    }

    /// Where the values of a row of a join go.
    pub(super) fn slots_of(&self, join: &Join) -> Vec<Slot> {
        self.slots(&join.vars)
    }

    pub(super) fn slots(&self, vars: &Bits) -> Vec<Slot> {
        vars.iter().map(|i| self.problem.unknowns[i].slot).collect()
    }

    /// The table of a join, once it is worth its while.
    fn join_table(&self, node: &Node, join: &Join, env: &mut Env) -> Result<Option<Rc<Table>>, Fault> {
        let spent = {
            let mut joins = self.joins.borrow_mut();
            let state = joins.0.entry(join.id).or_insert(State { spent: 0, until: FIRST, table: None });
            if state.table.is_some() {
                return Ok(state.table.clone());
            }
            if state.spent < state.until || join.failures.load(Relaxed) >= FAILURES {
                return Ok(None);
            }
            state.until = state.spent.saturating_mul(AGAIN);
            state.spent
        };
        let table = match self.make_table(node, join, spent, env) {
            Ok(table) => Some(Rc::new(table)),
            Err(f) if f.0.code == Code::Interrupted => return Err(f),
            Err(f) => {
                let failures = if f.0.code == Code::TooLarge { 1 } else { FAILURES };
                join.failures.store(join.failures.load(Relaxed).saturating_add(failures), Relaxed);
                None
            }
        };
        if let (Some(table), Some(state)) = (&table, self.joins.borrow_mut().0.get_mut(&join.id)) {
            state.table = Some(table.clone());
        }
        Ok(table)
    }

    /// The table of a join, if making it takes no more than some times so many steps.
    pub(super) fn make_table(
        &self,
        node: &Node,
        join: &Join,
        steps: u64,
        env: &mut Env,
    ) -> Result<Table, Fault> {
        let base = join.base.get_or_init(|| self.planner().alone(node, join));
        let left = budget::left();
        let most = steps.saturating_mul(PATIENCE).min(left);
        let budget = Budget::of(most);
        let limit = self.mode.limit.min(self.ev.world.at_most(ROWS as u64));
        // Another run: what holds for the values of others says nothing about these.
        let run = Run::new(self.ev, self.problem, Mode { open: false, limit, ..self.mode });
        let slots = self.slots(&join.vars);
        let mut table = Table::new();
        let mut count = 0;
        let done = run.node(base, None, env, &mut |_, env| {
            count += 1;
            if count > self.ev.world.few(ROWS) {
                return Err(too_large());
            }
            if let Some(key) = run.own(join, env)? {
                let row = slots.iter().filter_map(|slot| super::pattern::get(env, *slot).cloned());
                table.entry(key).or_default().extend(row);
            }
            Ok(Continue(()))
        });
        let (used, spent) = (most.saturating_sub(budget::left()), budget.is_spent());
        drop(budget);
        self.ev.went_on(used);
        match done {
            _ if spent && most < left => Err(too_large()),
            _ if spent => Err(budget::stopped()),
            done => done.map(|_| table),
        }
    }

    /// The key of a row; `None` if some equation cannot hold for it.
    fn own(&self, join: &Join, env: &mut Env) -> Result<Option<Key>, Fault> {
        let mut key = Key::new();
        for link in &join.links {
            match self.ev.settled(&link.own, env) {
                Ok(v) => keyed::numbers(&v, &mut key)
                    .ok_or_else(|| Fault::new(Code::Unsupported, "a key does not fit"))?,
                Err(f) if self.problem.conjs[link.conj].excuses(&f) => return Ok(None),
                Err(f) => return Err(f),
            }
        }
        Ok(Some(key))
    }

    /// The key that is asked for; `None` if it has no value, or none that fits.
    fn asked(&self, join: &Join, env: &mut Env) -> Option<Key> {
        let mut key = Key::new();
        for link in &join.links {
            match super::small::quick(&link.asked, env) {
                Some(n) => key.push(n),
                None => keyed::numbers(&self.ev.settled(&link.asked, env).ok()?, &mut key)?,
            }
        }
        Some(key)
    }
}
