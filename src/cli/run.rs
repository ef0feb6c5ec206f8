//! One run of the checker: from a machine and the options to a report.

use super::args::{CheckArgs, EvaluatorArg, GoalsArg, HashArg};
use super::beside::{Beside, Shared};
use super::checkpoint::Keeper;
use super::last_words::{self, AtWork};
use super::load;
use super::progress;
use super::setup::{Extra, Setup, property_time};
use super::temporal::{Begun, Decider};
use crate::compile::{Compiled, Earlier, Refusal, fitted, fitting};
use crate::diagnostic::{Code, Diagnostic};
use crate::explore::checkpoint::Checkpoints;
use crate::explore::kept::Onlooker;
use crate::explore::limits::{self, Watch};
use crate::explore::trace::Parents;
use crate::explore::{Audit, Finding, Kind, Options, Outcome, Setup as Begin, Stop, explore_early};
use crate::ir::{Expr, Machine};
use crate::layout::Pool;
use crate::model::card::{Asked, Origin};
use crate::model::conflict::{self, Conflict};
use crate::model::constants::Mode;
use crate::model::coverage;
use crate::model::{MachineSystem, System};
use crate::refine::{JointSystem, Plan, TracesSystem};
use crate::report::build::{self, Checks, Settings};
use crate::report::excused::Callers;
use crate::report::goals::{self, GoalLine};
use crate::report::steps::Look;
use crate::report::why::Witness;
use crate::report::{Bound, Limit, Location, Message, OneOf, Report, SetSize, text};
use crate::resolve::flat::Notion;
use crate::source::{Sources, Span};
use crate::symmetry::iso::Isomorphism;
use crate::symmetry::{self, Context, Guarantee, MarkerHash};
use crate::ty::Ty;
use crate::value::Value;
use std::sync::Arc;
use std::time::Instant;

/// Narrower tables cannot be read.
const NARROWEST: u16 = 40;

/// What is explored.
pub(super) struct Subject {
    /// The machine.
    pub machine: Machine,
    /// For a refinement check: what is compared.
    pub plan: Option<Plan>,
    /// Whether operations may be called wherever they are.
    pub callers: Callers,
    /// Whether it is part of another check, whose report it is not.
    pub beside: bool,
    /// Whether nothing is explored after it.
    pub last: bool,
}

/// What stays the same when the run starts again with another layout.
struct Run<'a> {
    args: &'a CheckArgs,
    setup: Setup,
    /// For a refinement check: what is compared.
    plan: Option<Plan>,
    callers: Callers,
    /// Formulas that are decided in the same search.
    beside: Option<Beside<'a>>,
    /// How the search is kept in a file.
    keeper: Option<Keeper<'a>>,
    mode: Mode,
    watch: &'a Watch,
    warnings: Vec<Message>,
    notes: Vec<Message>,
    sources: &'a Sources,
    start: Instant,
}

/// Which valuations are wanted.
pub(super) fn mode(args: &CheckArgs) -> Mode {
    let off = args.symmetry == "off";
    args.constants.map_or(if off { Mode::All } else { Mode::Orbits }, Mode::from)
}

/// What is checked besides the properties that the machine states.
pub(super) fn checks(args: &CheckArgs, refinement: bool) -> Checks {
    // What the refinement blocks the refined machine may block as well.
    let deadlock = !args.no_deadlock && !refinement;
    Checks { deadlock, coverage: args.require_coverage, refinement }
}

/// The report of a run, with what came of formulas that were decided in its search.
pub(super) type Told = (Report, Option<Shared>);

/// Explores a machine, and decides the formulas that its search can decide.
///
/// # Errors
/// Options that make no sense for the machine.
pub(super) fn run(
    args: &CheckArgs,
    asked: &Asked,
    (Subject { machine, plan, callers, beside, last }, formulas): (Subject, Option<(&Decider<'_>, &Begun)>),
    (warnings, notes): (&[Diagnostic], &[Diagnostic]),
    sources: &Sources,
    start: Instant,
    watch: &Watch,
) -> Result<Told, Diagnostic> {
    if args.goals == GoalsArg::All && machine.goal.is_none() {
        let text = "`--goals all`: the machine has no goal that is checked";
        let help = "a definition `GOAL == P` states one, and so does `--goal P`";
        return Err(Diagnostic::without_place(Code::BadOption, text).with_help(help));
    }
    let off = args.symmetry == "off";
    let mode = mode(args);
    let extra = Extra {
        naive: args.evaluator == EvaluatorArg::Naive,
        time: property_time(args.property_timeout, args.timeout),
        formula: None,
        permute: args.permute.as_deref(),
    };
    let setup = Setup::with(machine, asked, mode, watch.interrupt.clone(), &extra)?;
    let detected = if off { Vec::new() } else { setup.detection.warnings() };
    if !beside {
        load::print(&detected, sources);
    }
    let warnings: Vec<Message> = warnings.iter().chain(&detected).map(|w| Message::of(w, sources)).collect();
    let notes = notes.iter().map(|n| Message::of(n, sources)).collect();
    let keeper =
        if beside { None } else { Keeper::new((args, callers != Callers::May), &setup, sources, watch)? };
    let onlooker = formulas.and_then(|(decider, begun)| Beside::new(decider, begun, &setup));
    let run = Run {
        args,
        setup,
        plan,
        callers,
        beside: onlooker,
        keeper,
        mode,
        watch,
        warnings,
        notes,
        sources,
        start,
    };
    if beside {
        last_words::beside();
    } else {
        last_words::more(|known| {
            known.integers = (run.setup.sizes.maxint, run.setup.sizes.minint);
            known.limits = run.limits();
            known.sets = run.sets();
            known.warnings.clone_from(&run.warnings);
        });
    }
    let (report, system) = run.explore();
    if last && matches!(args.world.sweep(), Ok(None)) {
        // The process ends soon, which gives back all memory at once.
        std::mem::forget((run.setup, system));
    }
    report
}

/// Columns of the terminal that reports go to; of files always the same.
pub(super) fn columns() -> u16 {
    let size = terminal_size::terminal_size_of(std::io::stdout());
    size.map_or(text::WIDTH, |(width, _)| width.0.max(NARROWEST))
}

impl Run<'_> {
    /// The report, and the system it was made with if that is a compiled one.
    fn explore(&self) -> (Result<Told, Diagnostic>, Option<Compiled>) {
        if let Some(plan) = &self.plan {
            return (self.refinement(plan), None);
        }
        match self.args.evaluator {
            EvaluatorArg::Compiled => {
                let mut task = |system: &Compiled| {
                    let report = self.with(system, system.plain());
                    self.explain_refusals(system);
                    report
                };
                let setup = &self.setup;
                let how = (!self.args.no_jit, self.earlier());
                let (report, system) = fitted(&setup.evaluator, &setup.table, how, &mut task);
                (report, Some(system))
            }
            EvaluatorArg::Plain | EvaluatorArg::Naive => {
                let plain = self.plain();
                (self.with(&plain, &plain), None)
            }
        }
    }

    /// What the layout and the pool begin with, if not with nothing.
    fn earlier(&self) -> Option<&Earlier> {
        self.keeper.as_ref().and_then(Keeper::earlier)
    }

    fn plain(&self) -> MachineSystem {
        self.setup.plain_with(self.earlier().map_or_else(Pool::default, |e| Pool::of(&e.values)))
    }

    /// The report on a refinement.
    fn refinement(&self, plan: &Plan) -> Result<Told, Diagnostic> {
        let (evaluator, table) = (&self.setup.evaluator, &self.setup.table);
        let report = |joint: JointSystem<'_>, inner: &MachineSystem| {
            if plan.notion == Notion::Gluing {
                return self.with(&joint, inner);
            }
            let traces = TracesSystem::new(joint, table);
            self.with(&traces, traces.outer())
        };
        match self.args.evaluator {
            EvaluatorArg::Compiled => {
                let how = (!self.args.no_jit, self.earlier());
                fitting(evaluator, table, how, &mut |system: &Compiled| {
                    let told = report(
                        JointSystem::compiled(system, evaluator.clone(), plan.clone()),
                        system.plain(),
                    );
                    self.explain_refusals(system);
                    told
                })
            }
            EvaluatorArg::Plain | EvaluatorArg::Naive => {
                let plain = self.plain();
                report(JointSystem::new(&plain, evaluator.clone(), plan.clone()), &plain)
            }
        }
    }

    /// Says what was left to the plain evaluator, if that was asked.
    fn explain_refusals(&self, system: &Compiled) {
        if self.args.explain_evaluator {
            system.refusals(0).iter().for_each(|r| self.explain(r));
        }
    }

    fn explain(&self, r: &Refusal) {
        let place = r.span.and_then(|s| Some((s, self.sources.get(s.file)?)));
        let place = place.map_or(String::new(), |(s, file)| {
            let (line, column) = file.line_col(s.lo);
            format!(" ({line}:{column})")
        });
        progress::aside(|| tell!("left to the plain evaluator: `{}`: {}{place}", r.subject, r.why));
    }

    fn audit(&self, context: &Context) -> Option<Audit> {
        let fraction = self.args.audit?;
        let permute = self.args.symmetry != "off";
        Some(Audit { fraction, judge: Arc::new(Isomorphism::new(context, permute)) })
    }

    /// The states in which the goal holds, if all are wanted.
    fn goals(
        &self,
        outcome: &Outcome,
        plain: &MachineSystem,
        context: &Context,
    ) -> Result<Option<Vec<GoalLine>>, Diagnostic> {
        Ok(match self.args.goals {
            GoalsArg::First => None,
            GoalsArg::All if self.args.symmetry == "off" => Some(goals::each(outcome, plain)),
            GoalsArg::All => {
                let classes = symmetry::build(symmetry::DEFAULT, context)?;
                Some(goals::classes(outcome, plain, &*classes))
            }
        })
    }

    /// Explores `system`, whose states are laid out as those of `plain`.
    fn with(&self, system: &dyn System, plain: &MachineSystem) -> Result<Told, Diagnostic> {
        let hash = match self.args.marker_hash {
            HashArg::Sums => MarkerHash::Sums,
            HashArg::Blake3 => MarkerHash::Blake3,
        };
        let context = self.setup.context(plain, hash);
        let mut reducer = symmetry::build(&self.args.symmetry, &context)?;
        if self.args.time_keys {
            reducer = Box::new(symmetry::timed::Timed::new(reducer));
        }
        // One valuation of every orbit is wanted even where states are not reduced.
        let for_valuations = match self.mode {
            Mode::Orbits if self.args.symmetry == "off" => {
                Some(symmetry::build(symmetry::DEFAULT, &context)?)
            }
            _ => None,
        };
        let effort = if self.args.coverage { coverage::MUCH } else { coverage::LITTLE };
        let checks = checks(self.args, self.plan.is_some());
        let options = Options {
            keep_going: self.args.keep_going,
            max_errors: self.args.max_errors as usize,
            deadlock: checks.deadlock,
            checks: true,
            goals: self.args.goals == GoalsArg::All,
            excuse_calls: self.callers != Callers::May,
            max_states: self.args.max_states,
            max_depth: self.args.max_depth,
            max_valuations: self.args.max_valuations,
            remember: effort.states,
            interrupt: self.watch.interrupt.clone(),
            threads: self.args.threads,
            audit: self.audit(&context),
        };
        let begin = Instant::now();
        let reducers = (&*reducer, for_valuations.as_deref().unwrap_or(&*reducer));
        let fresh = || symmetry::build(&self.args.symmetry, &context).ok();
        // Where different states may count as the same a path of classes is none of states.
        let beside = self.beside.as_ref().filter(|_| reducer.guarantee() == Guarantee::Fingerprint);
        let beside = beside.map(|b| (b, b.systems(plain)));
        let beside = beside.as_ref().map(|(b, systems)| (b, systems, b.subject(systems)));
        let mut recorder = beside.as_ref().map(|(b, systems, subject)| b.recorder(subject, systems));
        let onlooker = recorder.as_mut().zip(beside.as_ref());
        let mut onlooker =
            onlooker.map(|(keeper, (.., subject))| Onlooker { system: subject.system, keeper });
        let mut explore = |checkpoints: Option<&Checkpoints<'_>>| {
            let looks = (onlooker.take(), checkpoints);
            explore_early(system, reducers, &fresh, &options, looks, &mut last_words::progress)
        };
        let (outcome, parents, own) = match &self.keeper {
            Some(keeper) => keeper.during(plain, begin, |checkpoints| explore(Some(checkpoints))),
            None => explore(None),
        };
        // A look at the first valuations is not recorded.
        let recorder = recorder.filter(|_| own.is_none());
        let reducer = own.unwrap_or(reducer);
        let before = self.keeper.as_ref().map_or(0.0, Keeper::seconds);
        let seconds = ((begin - self.start).as_secs_f64(), before + begin.elapsed().as_secs_f64());
        let goals = self.goals(&outcome, plain, &context)?;
        let at_work = matches!(outcome.stopped, Some(Stop::Interrupted)).then(|| self.at_work(&outcome));
        let bounds = self.bounds(&outcome);
        let finished = outcome.stopped.is_none();
        // What never was is known only if everything was looked at.
        let whole = finished && bounds.is_empty() && outcome.passed.all;
        let alone = self.plan.is_none();
        let mut coverage = alone.then(|| plain.coverage(&outcome.passed.states, effort)).flatten();
        coverage.iter_mut().for_each(|c| c.whole &= whole);
        // How far a search comes that something stops is a matter of threads and time.
        let void = if finished { self.setup.evaluator.world.cuts.voids() } else { Vec::new() };
        last_words::found(outcome.findings.iter().find(|f| f.kind.is_violation()).map(|f| f.kind.name()));
        last_words::at_work(AtWork::Conflicts);
        let stopped_by = outcome.stopped.map(|s| match s {
            Stop::Interrupted => self.watch.reason().name(),
            other => other.name(),
        });
        let settings = Settings {
            file: self.args.file.display().to_string(),
            callers: self.callers,
            sets: self.sets(),
            integers: (self.setup.sizes.maxint, self.setup.sizes.minint),
            limits: self.limits(),
            symmetry: self.args.symmetry.clone(),
            constants: self.mode.name(),
            guarantee: reducer.guarantee(),
            basis: reducer.basis(),
            sizes: self.setup.sizes.clone(),
            conflicts: self.conflicts(&outcome, &parents),
            checks,
            goals,
            coverage,
            void,
            all_idle: self.args.coverage,
            stopped_by,
            at_work,
            property_seconds: self.args.property_timeout.as_secs_f64(),
            bounds,
            one_of: self.one_of(),
            warnings: self.warnings.clone(),
            notes: self.notes(),
            look: Look { columns: columns(), all: self.args.trace_full, verbose: self.args.verbose },
            full: self.args.full,
            symmetry_sets: symmetry::explain::lines(
                &self.setup.detection,
                &self.setup.machine,
                &self.setup.evaluator.world,
            ),
            elements: self.elements(),
            counters: reducer.counters(),
            refines: self.plan.as_ref().map(|p| (p.refined.clone(), p.notion.name())),
            seconds,
            peak_bytes: limits::peak().unwrap_or(0),
        };
        // Traces are replayed by evaluation, which a raised interrupt would stop.
        last_words::at_work(AtWork::Report);
        let raised = self.watch.lower();
        let report = build::report(
            &outcome,
            &parents,
            (system, &*reducer, &Witness::new(plain, &self.setup.sizes, self.sources)),
            &self.setup.machine,
            self.sources,
            settings,
        );
        if raised {
            self.watch.interrupt.raise();
        }
        let shared = recorder.zip(beside.as_ref()).and_then(|(recorder, (beside, _, subject))| {
            beside.decided((recorder, subject), &*reducer, plain, (&outcome, parents))
        });
        Ok((report, shared))
    }

    /// What the file says that has no influence, and what nobody knows of the constants.
    fn notes(&self) -> Vec<Message> {
        let note = |(at, name): (Span, Arc<str>)| {
            let text = format!(
                "`{name}` is defined by a recursion that may not end for every argument: one value of it is taken"
            );
            Message::of(&Diagnostic::note(Code::MayNotEnd, at, text), self.sources)
        };
        let open = self.setup.evaluator.world.cuts.recursions().into_iter().map(note);
        let kept = self.keeper.iter().flat_map(Keeper::notes);
        self.notes.iter().cloned().chain(open).chain(kept).collect()
    }

    /// What was being done when a limit ended the search; of a search for values which, and which conjunct was false most often.
    fn at_work(&self, outcome: &Outcome) -> String {
        let doing = match (outcome.looking, self.setup.machine.constants.len()) {
            (None, _) | (_, 0) => last_words::doing().to_owned(),
            (Some(found), n) => {
                let (what, more) = (text::count(n as u64, "constant"), text::count(found, "valuation"));
                format!("still looking for values of {what} (PROPERTIES), {more} found")
            }
        };
        let place = outcome.fails_most.and_then(|s| Location::of(s, self.sources));
        let place = place.map(|l| format!("; fails most: {}:{}:{}", l.file, l.line, l.column));
        doing + &place.unwrap_or_default()
    }

    /// What cannot hold together where there is nothing to begin with.
    fn conflicts(&self, outcome: &Outcome, parents: &Parents) -> Vec<(Begin, Conflict)> {
        let (evaluator, sizes) = (&self.setup.evaluator, &self.setup.sizes);
        let one = |f: &Finding| match f.kind {
            Kind::Setup(Begin::Properties) => {
                Some((Begin::Properties, conflict::of_properties(evaluator, sizes)))
            }
            Kind::Setup(Begin::Initialisation) => {
                let constants = self.setup.table.values(parents.valuation(f.node));
                Some((Begin::Initialisation, conflict::of_initialisation(evaluator, &constants, sizes)))
            }
            _ => None,
        };
        outcome.findings.iter().filter_map(one).collect()
    }

    fn bounds(&self, outcome: &Outcome) -> Vec<Bound> {
        let cuts = self.setup.evaluator.world.cuts.all().into_iter().map(|c| Bound::of_cut(c, self.sources));
        let first = self.setup.machine.constants.first();
        let valuations = self.args.max_valuations.filter(|_| outcome.more_valuations).map(|n| Bound {
            what: "valuations of the constants".to_owned(),
            place: first.and_then(|c| Location::of(c.span, self.sources)),
            range: i64::try_from(n).ok().map(|n| (1, n)),
            option: Some("--max-valuations"),
            of: None,
        });
        cuts.chain(valuations).collect()
    }

    /// Constants of which one value stands for all.
    fn one_of(&self) -> Vec<OneOf> {
        let decl = |o: &crate::eval::OneOf| self.setup.machine.constants.get(o.constant.0 as usize);
        let one = |o: &crate::eval::OneOf| {
            let decl = decl(o)?;
            let place = Location::of(decl.span, self.sources);
            Some(OneOf { name: decl.name.to_string(), place, values: o.values.to_string() })
        };
        self.setup.table.one_of().iter().filter_map(one).collect()
    }

    /// Names of the elements that a trace may rename, by set.
    fn elements(&self) -> Vec<Vec<String>> {
        let name = |set, e| Value::Elem(set, e).show(&Ty::Given(set), &self.setup.evaluator.world);
        // Renamed, a trace must still be one: elements that PROPERTIES name are no names for others.
        let cells = self.setup.detection.in_properties.cells().iter();
        cells.map(|c| c.elements.iter().map(|&e| name(c.set, e)).collect()).collect()
    }

    /// The limits of integers that the machine speaks of, with where they come from.
    fn limits(&self) -> Vec<Limit> {
        let sizes = &self.setup.sizes;
        let mut all: Vec<&Expr> = Vec::new();
        symmetry::each_expr(&self.setup.machine, &mut |e| all.push(e));
        let named = conflict::limits(&all);
        let upper = named.iter().any(|n| *n != "MININT");
        let lower = named.iter().any(|n| matches!(*n, "INT" | "MININT"));
        let max = Limit { name: "MAXINT", value: sizes.maxint, origin: sizes.origin_of_maxint };
        let min = Limit { name: "MININT", value: sizes.minint, origin: sizes.origin_of_minint };
        upper.then_some(max).into_iter().chain(lower.then_some(min)).collect()
    }

    fn sets(&self) -> Vec<SetSize> {
        let sets = self.setup.machine.sets.iter().zip(&self.setup.sizes.sizes);
        sets.filter(|(_, (_, origin))| *origin != Origin::Enumerated)
            .map(|(s, (size, origin))| SetSize::new(&s.name, *size, *origin))
            .collect()
    }
}
