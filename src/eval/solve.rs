//! The entry to the solver: all solutions of a predicate over typed variables, each once, in a fixed order.
//!
//! In: a binder (its plan is made once and kept) or variables with conjuncts. Out: calls of a consumer. The
//! naive mode tries all values (`enumerate`): the oracle of the planned one.

use super::bind::Run;
use super::constants::Constants;
use super::keyed::Keyed;
use super::loops::{Body, Loops};
use super::problem::{Problem, Unknown};
use super::shared::{Place, Shared};
use super::{Env, Evaluator, Flow, Sink};
use crate::ir::{Binder, Expr, ExprKind, Local, Pred};
use crate::ops::{Fault, World};
use crate::value::{SetRef, Value};
use std::cell::Cell;
use std::ops::ControlFlow::Continue;
use std::sync::{Arc, Mutex, OnceLock};

/// How far enumeration may go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mode {
    /// Integers that conjuncts do not bound run from MININT to MAXINT; otherwise they are a fault.
    pub(super) open: bool,
    /// Most values that one source may offer.
    pub(super) limit: u64,
    /// The step of the thread after which a fault says that this takes too long.
    pub(super) until: u64,
    /// The cell of the thread, of those that make up large values, after which a fault says so.
    pub(super) cells: u64,
    /// Most solutions that are of use: where there are certainly more, a fault says so and none is listed.
    pub(super) most: u64,
    /// Whether all solutions are wanted, in any order.
    pub(super) any_order: bool,
    /// Whether solutions are choices: what is left out is noted in the result, and the others are taken. Else something depends
    /// on all of them, and is unknown if some are left out.
    pub(super) choices: bool,
    /// Whether what has no value is passed over: somebody looks for one solution that certainly is one.
    pub(super) lenient: bool,
    /// Whether decisions of searches are steps, too: there is another way if this takes long.
    pub(super) hasty: bool,
    /// How far beyond a known end windows on integers reach, if that is more than MININT and MAXINT leave.
    pub(super) reach: i64,
}

thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
    static CELLS: Cell<u64> = const { Cell::new(0) };
}

/// Counts one more step of this thread and returns its number.
pub(super) fn step() -> u64 {
    let n = STEPS.get().saturating_add(1);
    STEPS.set(n);
    n
}

/// Counts more steps of this thread.
pub(super) fn went_on(steps: u64) {
    STEPS.set(STEPS.get().saturating_add(steps));
}

/// How many steps this thread has counted.
pub(super) fn steps() -> u64 {
    STEPS.get()
}

/// What is found without steps or cells being counted: for what must not decide whether a limit is reached.
pub(super) fn uncounted<T>(find: impl FnOnce() -> T) -> T {
    let (steps, cells) = (STEPS.get(), CELLS.get());
    let found = find();
    STEPS.set(steps);
    CELLS.set(cells);
    found
}

/// Counts cells from which values are made and returns how many this thread has counted.
pub(super) fn cells(n: usize) -> u64 {
    let n = CELLS.get().saturating_add(n as u64);
    CELLS.set(n);
    n
}

impl Mode {
    /// The same, but a fault after so many steps from now on.
    pub(super) fn within(self, steps: u64) -> Self {
        Self { until: STEPS.get().saturating_add(steps), ..self }
    }

    /// The same for a search that is given up after so many steps or decisions.
    pub(super) fn hasty(self, steps: u64) -> Self {
        Self { hasty: true, ..self.within(steps) }
    }

    /// The same, but a fault after so many cells of large values from now on.
    pub(super) fn small(self, cells: u64) -> Self {
        Self { cells: CELLS.get().saturating_add(cells), ..self }
    }
}

/// The mode of ANY, parameters and PROPERTIES.
pub(crate) const OPEN: Mode = Mode {
    open: true,
    limit: u64::MAX,
    until: u64::MAX,
    cells: u64::MAX,
    most: u64::MAX,
    any_order: false,
    choices: true,
    lenient: false,
    hasty: false,
    reach: 0,
};

/// The mode of quantifiers and of sums.
pub(super) const ALL: Mode = Mode { choices: false, ..OPEN };

/// The mode of comprehensions whose members are needed.
pub(super) const CLOSED: Mode = Mode { open: false, ..ALL };

/// Binders per block of the plan cache.
const BLOCK: usize = 64;
/// Blocks of the plan cache; binders beyond are planned anew each time.
const BLOCKS: usize = 1024;

/// Plans of one binder: for all its variables, and for the last one alone (images of comprehensions). The
/// address tells binders of a formula lowered separately from those of the machine.
#[derive(Debug, Default)]
struct Plans {
    all: OnceLock<(usize, Problem)>,
    last: OnceLock<(usize, Problem)>,
    /// The value of the expression that the binder belongs to, where nothing but constants decides it: the
    /// binder itself (kept, so that no other one can be at its address), the constants, the value.
    value: Mutex<Option<(Arc<Binder>, Constants, Value)>>,
    /// Whether that expression reads no constants either.
    fixed: OnceLock<bool>,
    /// Where the value of all expressions is that say the same as that of this binder.
    shared: OnceLock<(Arc<Binder>, Option<Arc<Place>>)>,
    /// The binder as one that asks for a key.
    keyed: OnceLock<(usize, Option<Keyed>)>,
    /// The binder as loops.
    loops: OnceLock<(usize, Option<Loops>)>,
    /// What the loops make of each solution, with the address of the expression for it.
    body: OnceLock<(usize, Option<Body>)>,
}

/// Caches that do not influence results: problems with their plans by binder, given sets as values.
#[derive(Debug)]
pub(crate) struct Cache {
    blocks: Vec<OnceLock<Box<[Plans]>>>,
    pub(super) given: Vec<OnceLock<Value>>,
    pub(crate) operations: Vec<OnceLock<Vec<Problem>>>,
    pub(super) properties: OnceLock<super::constants::Properties>,
    pub(super) spaces: super::spaces::Spaces,
    pub(super) named: OnceLock<super::spaces::Named>,
    pub(super) shared: Shared,
    pub(super) hoists: super::hoist::Hoists,
}

impl Cache {
    pub(super) fn new(world: &World, operations: usize) -> Self {
        Self {
            blocks: std::iter::repeat_with(OnceLock::new).take(BLOCKS).collect(),
            given: world.card.iter().map(|_| OnceLock::new()).collect(),
            operations: std::iter::repeat_with(OnceLock::new).take(operations).collect(),
            properties: OnceLock::new(),
            spaces: super::spaces::Spaces::default(),
            named: OnceLock::new(),
            shared: Shared::default(),
            hoists: super::hoist::Hoists::default(),
        }
    }

    fn plans(&self, id: u32) -> Option<&Plans> {
        let id = id as usize;
        let block = self.blocks.get(id / BLOCK)?;
        let block = block.get_or_init(|| std::iter::repeat_with(Plans::default).take(BLOCK).collect());
        block.get(id % BLOCK)
    }
}

impl Evaluator {
    /// A given set as a value.
    pub(super) fn given(&self, s: crate::ty::SetId) -> Value {
        let make = || {
            let n = self.world.card.get(usize::from(s.0)).copied().unwrap_or(0);
            Value::Set(SetRef::from_sorted((0..n).map(|i| Value::Elem(s, i)).collect()))
        };
        self.cache.given.get(usize::from(s.0)).map_or_else(make, |v| v.get_or_init(make).clone())
    }

    /// The constants that stand for sets of sets.
    pub(super) fn named(&self) -> &super::spaces::Named {
        self.cache.named.get_or_init(|| super::spaces::Named::of(&self.machine))
    }

    /// Calls `f` with every solution of a binder: its variables are bound in the environment.
    ///
    /// # Errors
    /// A fault of evaluation, `Infinite` naming a variable that cannot be enumerated, and what `f` returns.
    pub fn solutions(&self, binder: &Binder, env: &mut Env, f: Sink<'_>) -> Flow {
        self.binder_solutions(binder, OPEN, env, f)
    }

    /// Calls `f` with every valuation of `vars` that satisfies all of `conjuncts`.
    ///
    /// # Errors
    /// As [`Evaluator::solutions`].
    pub fn solve(&self, vars: &[Local], conjuncts: &[&Pred], env: &mut Env, f: Sink<'_>) -> Flow {
        let problem = Problem::new(vars.iter().map(Unknown::local).collect(), conjuncts, self);
        self.run(&problem, OPEN, env, f)
    }

    pub(crate) fn run(&self, problem: &Problem, mode: Mode, env: &mut Env, f: Sink<'_>) -> Flow {
        Run::new(self, problem, mode).solve(env, f)
    }

    /// The solutions of a binder in a given mode.
    pub(super) fn binder_solutions(&self, binder: &Binder, mode: Mode, env: &mut Env, f: Sink<'_>) -> Flow {
        self.planned_solutions(binder, (mode, |ev: &Self| Problem::of(binder, ev)), env, f)
    }

    /// The solutions of a binder whose plan is made in a way of its own, always the same.
    pub(crate) fn planned_solutions(
        &self,
        binder: &Binder,
        (mode, plan): (Mode, impl Fn(&Self) -> Problem),
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        let here = std::ptr::from_ref(binder).addr();
        let make = || (here, plan(self));
        let cached = self.cache.plans(binder.id).map(|p| p.all.get_or_init(make));
        match cached {
            Some((at, problem)) if *at == here => self.run(problem, mode, env, f),
            _ => self.run(&make().1, mode, env, f),
        }
    }

    /// The solutions of a binder in any order.
    pub(super) fn unordered(&self, binder: &Binder, mode: Mode, env: &mut Env, f: Sink<'_>) -> Flow {
        self.by_key(binder, env, f).unwrap_or_else(|| self.binder_solutions(binder, mode, env, f))
    }

    /// The solutions of a binder in any order, if they are in a table.
    pub(super) fn by_key(&self, binder: &Binder, env: &mut Env, f: Sink<'_>) -> Option<Flow> {
        self.keyed(binder).and_then(|keyed| keyed.solutions(self, binder, env, f))
    }

    /// The solutions of a binder as a set of tuples, if they are in a table.
    pub(super) fn tabled(&self, binder: &Binder, env: &mut Env) -> Option<Value> {
        self.keyed(binder).and_then(|keyed| keyed.set(self, binder, env))
    }

    /// A binder as one that asks for a key.
    pub(super) fn keyed(&self, binder: &Binder) -> Option<&Keyed> {
        // Without variables from outside, what has been found is remembered as a whole.
        if self.naive || binder.captures.is_empty() {
            return None;
        }
        let here = std::ptr::from_ref(binder).addr();
        let (at, keyed) = self.cache.plans(binder.id)?.keyed.get_or_init(|| (here, Keyed::new(binder, self)));
        keyed.as_ref().filter(|_| *at == here)
    }

    /// A binder as loops, with the problem that they solve; `None` if it has another form, or if it asks for a key.
    pub(super) fn loops(&self, binder: &Binder) -> Option<(&Loops, &Problem)> {
        if self.keyed(binder).is_some() { None } else { self.plain_loops(binder) }
    }

    /// A binder as loops, whether it asks for a key or not.
    pub(super) fn plain_loops(&self, binder: &Binder) -> Option<(&Loops, &Problem)> {
        let (plans, here, problem) = self.planned(binder)?;
        let make = || (here, Loops::new(problem, &binder.vars, self));
        let (of, loops) = plans.loops.get_or_init(make);
        Some((loops.as_ref().filter(|_| *of == here)?, problem))
    }

    /// What is kept of a binder, its address, and its problem; `None` if another binder is kept in its place.
    fn planned(&self, binder: &Binder) -> Option<(&Plans, usize, &Problem)> {
        if self.naive {
            return None;
        }
        let (plans, here) = (self.cache.plans(binder.id)?, std::ptr::from_ref(binder).addr());
        let (at, problem) = plans.all.get_or_init(|| (here, Problem::of(binder, self)));
        (*at == here).then_some((plans, here, problem))
    }

    /// The problem of a binder, which is kept; `None` if another binder's is kept in its place.
    pub(super) fn problem(&self, binder: &Binder) -> Option<&Problem> {
        self.planned(binder).map(|(_, _, problem)| problem)
    }

    /// What loops make of each solution.
    pub(super) fn loops_body<T>(
        &self,
        binder: &Binder,
        of: &T,
        make: impl FnOnce() -> Option<Body>,
    ) -> Option<&Body> {
        let here = std::ptr::from_ref(of).addr();
        let (at, body) = self.cache.plans(binder.id)?.body.get_or_init(|| (here, make()));
        body.as_ref().filter(|_| *at == here)
    }

    /// The value of an expression with this binder, computed once for the constants as they are if it reads neither
    /// variables nor locals from outside; for all that say the same.
    pub(super) fn remembered(
        &self,
        (binder, e): (&Arc<Binder>, &Expr),
        env: &mut Env,
        make: impl FnOnce(&Self, &mut Env) -> Result<Value, Fault>,
    ) -> Result<Value, Fault> {
        let plans = self
            .cache
            .plans(binder.id)
            .filter(|_| !self.naive && !binder.reads_state && binder.captures.is_empty());
        let Some(plans) = plans else { return make(self, env) };
        if let Ok(slot) = plans.value.try_lock()
            && let Some((of, consts, v)) = &*slot
            && Arc::ptr_eq(of, binder)
            && (Arc::ptr_eq(consts, &env.consts) || *plans.fixed.get_or_init(|| reads_no_constant(e)))
        {
            return Ok(v.clone());
        }
        let consts = env.consts.clone();
        let (of, place) = plans.shared.get_or_init(|| (binder.clone(), self.cache.shared.place(e)));
        let place = place.as_deref().filter(|_| Arc::ptr_eq(of, binder));
        let v = if let Some(v) = place.and_then(|place| place.get(&consts)) {
            v
        } else {
            let v = make(self, env)?;
            place.inspect(|place| place.set(&consts, &v, &self.world));
            v
        };
        if let Ok(mut slot) = plans.value.try_lock() {
            *slot = Some((binder.clone(), consts, v.clone()));
        }
        Ok(v)
    }

    /// The solutions of a binder for its last variable, the others being bound.
    pub(super) fn image_solutions(&self, binder: &Binder, mode: Mode, env: &mut Env, f: Sink<'_>) -> Flow {
        let Some(last) = binder.vars.last() else { return Ok(Continue(())) };
        let here = std::ptr::from_ref(binder).addr();
        let make = || (here, Problem::new(vec![Unknown::local(last)], &[&binder.pred], self));
        let cached = self.cache.plans(binder.id).map(|p| p.last.get_or_init(make));
        match cached {
            Some((at, problem)) if *at == here => self.run(problem, mode, env, f),
            _ => self.run(&make().1, mode, env, f),
        }
    }
}

fn reads_no_constant(e: &Expr) -> bool {
    let mut none = true;
    super::walk::expr(e, &mut |e| none &= !matches!(e.kind, ExprKind::Const(_)));
    none
}
