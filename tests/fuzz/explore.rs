//! A machine explored through the library, in one of the ways in which the command line does it, with a report.
//!
//! In: a machine that was accepted, a [`Way`], limits. Out: how the search ended. It is what `cli/run` does, without threads, checkpoints, and formulas, which are
//! another kind of input; what a report says is no matter here.

use super::random::Random;
use bsym::compile::{Compiled, fitted, unread};
use bsym::eval::Evaluator;
use bsym::explore::limits::Watch;
use bsym::explore::trace::Parents;
use bsym::explore::{Audit, Finding, Kind, Options, Outcome, Setup, Stop, explore_early};
use bsym::ir::Machine;
use bsym::layout::{Pool, StateLayout};
use bsym::model::card::{self, Asked, Sizes};
use bsym::model::conflict::{self, Conflict};
use bsym::model::constants::{Mode, Table};
use bsym::model::{MachineSystem, PropertyTime, System, coverage};
use bsym::refine::{JointSystem, Plan, TracesSystem};
use bsym::report::build::{self, Checks, Settings};
use bsym::report::steps::Look;
use bsym::report::why::Witness;
use bsym::report::{Bound, FORMATS, SetSize};
use bsym::resolve::flat::Notion;
use bsym::source::Sources;
use bsym::symmetry::images::Images;
use bsym::symmetry::iso::Isomorphism;
use bsym::symmetry::{self, Context, Detection, MarkerHash, STRATEGIES};
use std::sync::Arc;
use std::time::Duration;

/// Columns of reports.
const COLUMNS: u16 = 100;

/// What a property may cost in one state, and in all.
const PROPERTY: Duration = Duration::from_millis(20);

/// Why an input ends where it does: before anything is explored, or how the search ended.
pub(crate) type Ended = Result<Option<Stop>, &'static str>;

/// How a machine is explored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    strategy: &'static str,
    mode: Mode,
    compiled: bool,
    naive: bool,
    native: bool,
    keep_going: bool,
    size: u32,
    states: u64,
    format: usize,
    /// What a refinement is compared by.
    pub(crate) notion: Option<Notion>,
}

impl Way {
    /// One of the ways.
    pub(crate) fn drawn(r: &mut Random) -> Self {
        let rarely = |r: &mut Random| r.pick(STRATEGIES).map_or(symmetry::DEFAULT, |s| s.name);
        let strategy = if r.once_in(2) { symmetry::DEFAULT } else { rarely(r) };
        let modes = [Mode::All, Mode::Static, Mode::Orbits, Mode::Orbits];
        Self {
            strategy,
            mode: r.pick(&modes).copied().unwrap_or(Mode::All),
            compiled: !r.once_in(4),
            naive: r.once_in(8),
            native: r.once_in(8),
            keep_going: r.once_in(2),
            size: [2, 2, 3, 1][r.below(4)],
            states: [10, 50, 200, 1000][r.below(4)],
            format: r.below(FORMATS.len()),
            notion: r.pick(&Notion::ALL).copied().filter(|_| r.once_in(2)),
        }
    }
}

/// What a machine is explored with.
struct Ready<'a> {
    machine: Arc<Machine>,
    sizes: Sizes,
    evaluator: Evaluator,
    detection: Arc<Detection>,
    table: Arc<Table>,
    way: Way,
    sources: &'a Sources,
    watch: &'a Watch,
}

/// Explores a machine; of a refinement check the pair.
pub(crate) fn explored(
    machine: Machine,
    plan: Option<&Plan>,
    way: Way,
    sources: &Sources,
    watch: &Watch,
) -> Ended {
    let asked = Asked { all: Some(way.size), ..Asked::default() };
    let sizes = card::sizes(&machine, &asked).map_err(|_| "sizes")?;
    let machine = Arc::new(machine);
    let world = Arc::new(card::world(&machine, &sizes, watch.interrupt.clone()));
    let detection = Arc::new(Detection::with(&machine, &world, None));
    let mut evaluator = Evaluator::new(Arc::clone(&machine), world);
    evaluator.naive = way.naive;
    let images = Arc::new(Images::new(&machine, &detection));
    let time = PropertyTime { each: PROPERTY, all: PROPERTY * 5 };
    let table = Table::new(&evaluator, way.mode, Some(images)).within(time);
    let unread = unread(&machine);
    let table = Arc::new(if unread.is_empty() { table } else { table.unread(&evaluator, &unread) });
    let ready = Ready { machine, sizes, evaluator, detection, table, way, sources, watch };
    if way.compiled {
        let mut task = |code: &Compiled| ready.compiled(code, plan);
        return fitted(&ready.evaluator, &ready.table, (way.native, None), &mut task).0;
    }
    let plain = ready.plain();
    match plan {
        None => ready.with(&plain, &plain, None),
        Some(plan) => {
            ready.pair(JointSystem::new(&plain, ready.evaluator.clone(), plan.clone()), &plain, plan)
        }
    }
}

impl Ready<'_> {
    fn plain(&self) -> MachineSystem {
        let types: Vec<_> = self.machine.variables.iter().map(|v| v.ty.clone()).collect();
        let layout = Arc::new(StateLayout::new(&types, &self.evaluator.world));
        MachineSystem::new(self.evaluator.clone(), Arc::clone(&self.table), layout, Arc::new(Pool::default()))
    }

    fn compiled(&self, code: &Compiled, plan: Option<&Plan>) -> Ended {
        match plan {
            None => self.with(code, code.plain(), None),
            Some(plan) => {
                let joint = JointSystem::compiled(code, self.evaluator.clone(), plan.clone());
                self.pair(joint, code.plain(), plan)
            }
        }
    }

    fn pair(&self, joint: JointSystem<'_>, inner: &MachineSystem, plan: &Plan) -> Ended {
        if plan.notion == Notion::Gluing {
            return self.with(&joint, inner, Some(plan));
        }
        let traces = TracesSystem::new(joint, &self.table);
        self.with(&traces, traces.outer(), Some(plan))
    }

    fn context(&self, plain: &MachineSystem) -> Context {
        let (valuations, detection) = (Arc::clone(&self.table) as _, Arc::clone(&self.detection));
        Context::of(plain, valuations, detection, MarkerHash::Sums)
    }

    /// Explores a system and writes the report.
    fn with(&self, system: &dyn System, plain: &MachineSystem, plan: Option<&Plan>) -> Ended {
        let context = self.context(plain);
        let strategy = self.way.strategy;
        let reducer = symmetry::build(strategy, &context).map_err(|_| "no such reduction")?;
        let checks = Checks { deadlock: plan.is_none(), coverage: false, refinement: plan.is_some() };
        let judge = || Arc::new(Isomorphism::new(&context, strategy != "off"));
        let options = Options {
            keep_going: self.way.keep_going,
            deadlock: checks.deadlock,
            max_states: Some(self.way.states),
            max_valuations: Some(self.way.states),
            remember: coverage::LITTLE.states,
            interrupt: self.watch.interrupt.clone(),
            audit: self.way.native.then(|| Audit { fraction: 0.5, judge: judge() }),
            ..Options::default()
        };
        let fresh = || symmetry::build(strategy, &context).ok();
        let reducers = (&*reducer, &*reducer);
        let looks = (None, None);
        let (outcome, parents, own) = explore_early(system, reducers, &fresh, &options, looks, &mut |_| {});
        let reducer = own.unwrap_or(reducer);
        let mut settings = self.settings(&*reducer, checks, (&outcome, &parents));
        settings.coverage = plain.coverage(&outcome.passed.states, coverage::LITTLE);
        settings.refines = plan.map(|p| (p.refined.clone(), p.notion.name()));
        let raised = self.watch.lower();
        let witness = Witness::new(plain, &self.sizes, self.sources);
        let report = build::report(
            &outcome,
            &parents,
            (system, &*reducer, &witness),
            &self.machine,
            self.sources,
            settings,
        );
        if raised {
            self.watch.interrupt.raise();
        }
        if let Some(format) = FORMATS.get(self.way.format) {
            (format.write)(&report, &mut std::io::sink()).map_err(|_| "a report is not written")?;
        }
        Ok(outcome.stopped)
    }

    fn settings(
        &self,
        reducer: &dyn symmetry::Reducer,
        checks: Checks,
        (outcome, parents): (&Outcome, &Parents),
    ) -> Settings {
        let world = &self.evaluator.world;
        let sets = self.machine.sets.iter().zip(&self.sizes.sizes);
        let cuts = world.cuts.all().into_iter();
        Settings {
            callers: bsym::report::excused::Callers::May,
            file: self.machine.name.to_string(),
            sets: sets.map(|(s, (size, origin))| SetSize::new(&s.name, *size, *origin)).collect(),
            integers: (self.sizes.maxint, self.sizes.minint),
            limits: Vec::new(),
            symmetry: self.way.strategy.to_owned(),
            constants: self.way.mode.name(),
            guarantee: reducer.guarantee(),
            basis: reducer.basis(),
            sizes: self.sizes.clone(),
            conflicts: self.conflicts(outcome, parents),
            checks,
            goals: None,
            coverage: None,
            void: world.cuts.voids(),
            all_idle: false,
            stopped_by: outcome.stopped.map(Stop::name),
            at_work: None,
            property_seconds: PROPERTY.as_secs_f64(),
            bounds: cuts.map(|c| Bound::of_cut(c, self.sources)).collect(),
            one_of: Vec::new(),
            warnings: Vec::new(),
            notes: Vec::new(),
            look: Look { columns: COLUMNS, all: self.way.keep_going, verbose: true },
            full: false,
            symmetry_sets: symmetry::explain::lines(&self.detection, &self.machine, world),
            elements: Vec::new(),
            counters: reducer.counters(),
            refines: None,
            seconds: (0.0, 0.0),
            peak_bytes: 0,
        }
    }

    /// What cannot hold together where there is nothing to begin with.
    fn conflicts(&self, outcome: &Outcome, parents: &Parents) -> Vec<(Setup, Conflict)> {
        let one = |f: &Finding| match f.kind {
            Kind::Setup(Setup::Properties) => {
                Some((Setup::Properties, conflict::of_properties(&self.evaluator, &self.sizes)))
            }
            Kind::Setup(Setup::Initialisation) => {
                let constants = self.table.values(parents.valuation(f.node));
                let found = conflict::of_initialisation(&self.evaluator, &constants, &self.sizes);
                Some((Setup::Initialisation, found))
            }
            _ => None,
        };
        outcome.findings.iter().filter_map(one).collect()
    }
}
