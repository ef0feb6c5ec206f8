//! One run of the checker: from a machine and the options to a report.

use super::args::{CheckArgs, EvaluatorArg, HashArg};
use super::load;
use crate::compile::{Refusal, fitting};
use crate::diagnostic::Diagnostic;
use crate::eval::Evaluator;
use crate::explore::limits::{self, Limits, Watch};
use crate::explore::{Audit, Options, Progress, Stop, explore};
use crate::ir::Machine;
use crate::layout::{Pool, StateLayout};
use crate::model::card::{self, Origin, Sizes};
use crate::model::constants::{Mode, Table};
use crate::model::{MachineSystem, System};
use crate::report::build::{self, Settings};
use crate::report::{Report, SetSize};
use crate::source::{Sources, Span};
use crate::symmetry::images::Images;
use crate::symmetry::iso::Isomorphism;
use crate::symmetry::{self, Context, Detection, MarkerHash, Reducer};
use crate::ty::Ty;
use crate::value::Value;
use indicatif::ProgressBar;
use std::io::IsTerminal as _;
use std::sync::Arc;
use std::time::Instant;

/// What stays the same when the run starts again with another layout.
struct Run<'a> {
    args: &'a CheckArgs,
    machine: Arc<Machine>,
    sizes: Sizes,
    evaluator: Evaluator,
    table: Arc<Table>,
    detection: Arc<Detection>,
    mode: Mode,
    watch: Watch,
    warnings: Vec<String>,
    sources: &'a Sources,
    start: Instant,
}

/// Explores a machine.
///
/// # Errors
/// Options that make no sense for the machine.
pub(super) fn run(
    args: &CheckArgs,
    machine: Machine,
    notes: &[Diagnostic],
    sources: &Sources,
    start: Instant,
) -> Result<Report, Diagnostic> {
    let sizes = card::sizes(&machine, &args.world.asked())?;
    let watch = watch(args, start);
    let machine = Arc::new(machine);
    let world = Arc::new(card::world(&machine, &sizes, watch.interrupt.clone()));
    let evaluator = Evaluator::new(Arc::clone(&machine), Arc::clone(&world));
    let detection = Arc::new(Detection::of(&machine, &world));
    let off = args.symmetry == "off";
    let mode = args.constants.map_or(if off { Mode::All } else { Mode::Orbits }, Mode::from);
    let images = Arc::new(Images::new(&machine, &detection));
    let table = Arc::new(Table::new(&evaluator, mode, Some(images)));
    let warnings = if off { Vec::new() } else { detection.warnings() };
    load::print(&warnings, sources);
    let warnings = notes.iter().chain(&warnings).map(|w| load::one_line(w, sources)).collect();
    let run =
        Run { args, machine, sizes, evaluator, table, detection, mode, watch, warnings, sources, start };
    run.explore()
}

fn watch(args: &CheckArgs, start: Instant) -> Watch {
    let system = limits::of_system();
    let watch = Watch::start(Limits {
        deadline: args.timeout.and_then(|t| start.checked_add(t)),
        memory: args.max_memory.or(system.memory),
        address_space: system.address_space,
    });
    let stop = watch.stopper();
    let mut asked = false;
    // Without a handler Ctrl-C ends the process as usual.
    let _ = ctrlc::set_handler(move || {
        if std::mem::replace(&mut asked, true) {
            std::process::exit(130);
        }
        stop();
    });
    watch
}

impl Run<'_> {
    fn explore(&self) -> Result<Report, Diagnostic> {
        match self.args.evaluator {
            EvaluatorArg::Compiled => fitting(&self.evaluator, &self.table, &mut |system| {
                let plain = system.plain();
                let packer = plain.packer();
                let report = self.with(system, &packer.layout, &packer.pool);
                if self.args.explain_evaluator {
                    system.refusals(0).iter().for_each(|r| self.explain(r));
                }
                report
            }),
            EvaluatorArg::Plain => {
                let types: Vec<_> = self.machine.variables.iter().map(|v| v.ty.clone()).collect();
                let layout = Arc::new(StateLayout::new(&types, &self.evaluator.world));
                let pool = Arc::new(Pool::default());
                let (layout2, pool2) = (Arc::clone(&layout), Arc::clone(&pool));
                let plain =
                    MachineSystem::new(self.evaluator.clone(), Arc::clone(&self.table), layout2, pool2);
                self.with(&plain, &layout, &pool)
            }
        }
    }

    fn explain(&self, r: &Refusal) {
        let place = r.span.and_then(|s| Some((s, self.sources.get(s.file)?)));
        let place = place.map_or(String::new(), |(s, file)| {
            let (line, column) = file.line_col(s.lo);
            format!(" ({line}:{column})")
        });
        eprintln!("left to the plain evaluator: `{}`: {}{place}", r.subject, r.why);
    }

    fn context(&self, layout: &Arc<StateLayout>, pool: &Arc<Pool>) -> Context {
        Context {
            machine: Arc::clone(&self.machine),
            world: Arc::clone(&self.evaluator.world),
            layout: Arc::clone(layout),
            pool: Arc::clone(pool),
            valuations: Arc::clone(&self.table) as Arc<dyn symmetry::Valuations>,
            detection: Arc::clone(&self.detection),
            marker_hash: match self.args.marker_hash {
                HashArg::Sums => MarkerHash::Sums,
                HashArg::Blake3 => MarkerHash::Blake3,
            },
        }
    }

    fn reducer(
        &self,
        name: &str,
        layout: &Arc<StateLayout>,
        pool: &Arc<Pool>,
    ) -> Result<Box<dyn Reducer>, Diagnostic> {
        symmetry::build(name, &self.context(layout, pool))
    }

    fn audit(&self, layout: &Arc<StateLayout>, pool: &Arc<Pool>) -> Option<Audit> {
        let fraction = self.args.audit?;
        let permute = self.args.symmetry != "off";
        Some(Audit { fraction, judge: Arc::new(Isomorphism::new(&self.context(layout, pool), permute)) })
    }

    fn with(
        &self,
        system: &dyn System,
        layout: &Arc<StateLayout>,
        pool: &Arc<Pool>,
    ) -> Result<Report, Diagnostic> {
        let mut reducer = self.reducer(&self.args.symmetry, layout, pool)?;
        if self.args.time_keys {
            reducer = Box::new(symmetry::timed::Timed::new(reducer));
        }
        // One valuation of every orbit is wanted even where states are not reduced.
        let for_valuations = match self.mode {
            Mode::Orbits if self.args.symmetry == "off" => {
                Some(self.reducer(symmetry::DEFAULT, layout, pool)?)
            }
            _ => None,
        };
        let options = Options {
            keep_going: self.args.keep_going,
            deadlock: !self.args.no_deadlock,
            max_states: self.args.max_states,
            max_depth: self.args.max_depth,
            interrupt: self.watch.interrupt.clone(),
            threads: self.args.threads,
            audit: self.audit(layout, pool),
        };
        let bar = self.bar();
        let begin = Instant::now();
        let (outcome, parents) =
            explore(system, &*reducer, for_valuations.as_deref().unwrap_or(&*reducer), &options, &mut |p| {
                show_progress(bar.as_ref(), p, begin);
            });
        let seconds = ((begin - self.start).as_secs_f64(), begin.elapsed().as_secs_f64());
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        let stopped_by = outcome.stopped.map(|s| match s {
            Stop::Interrupted => self.watch.reason().name(),
            other => other.name(),
        });
        let settings = Settings {
            file: self.args.file.display().to_string(),
            sets: self.sets(),
            integers: (self.sizes.maxint, self.sizes.minint),
            symmetry: self.args.symmetry.clone(),
            constants: self.mode.name(),
            guarantee: reducer.guarantee(),
            basis: reducer.basis(),
            deadlock: options.deadlock,
            stopped_by,
            cuts: self.cuts(),
            warnings: self.warnings.clone(),
            symmetry_sets: symmetry::explain::lines(&self.detection, &self.machine, &self.evaluator.world),
            elements: self.elements(),
            counters: reducer.counters(),
            seconds,
            peak_bytes: limits::peak().unwrap_or(0),
        };
        // Traces are replayed by evaluation, which a raised interrupt would stop.
        let raised = self.watch.lower();
        let report = build::report(&outcome, &parents, system, &self.machine, self.sources, settings);
        if raised {
            self.watch.interrupt.raise();
        }
        Ok(report)
    }

    fn cuts(&self) -> Vec<String> {
        let place = |(span, name): (Span, String)| match self.sources.get(span.file) {
            Some(file) => format!("`{name}` (line {})", file.line_col(span.lo).0),
            None => format!("`{name}`"),
        };
        self.evaluator.world.cuts.all().into_iter().map(place).collect()
    }

    /// Names of the elements that may be permuted, by set.
    fn elements(&self) -> Vec<Vec<String>> {
        let name = |set, e| Value::Elem(set, e).show(&Ty::Given(set), &self.evaluator.world);
        let cells = self.detection.group.cells().iter();
        cells.map(|c| c.elements.iter().map(|&e| name(c.set, e)).collect()).collect()
    }

    fn sets(&self) -> Vec<SetSize> {
        let sets = self.machine.sets.iter().zip(&self.sizes.sizes);
        sets.filter(|(_, (_, origin))| *origin != Origin::Enumerated)
            .map(|(s, (size, origin))| SetSize {
                name: s.name.to_string(),
                size: *size,
                origin: origin.text(),
            })
            .collect()
    }

    fn bar(&self) -> Option<ProgressBar> {
        let wanted = !self.args.quiet && self.args.format == "text" && std::io::stderr().is_terminal();
        wanted.then(ProgressBar::new_spinner)
    }
}

fn show_progress(bar: Option<&ProgressBar>, p: Progress, begin: Instant) {
    if let Some(bar) = bar {
        #[allow(clippy::cast_precision_loss, reason = "only shown")]
        let rate = p.states as f64 / begin.elapsed().as_secs_f64().max(1e-3);
        bar.set_message(format!(
            "{} states, {} waiting, {} transitions, depth {}, {rate:.0} states/s",
            p.states, p.waiting, p.transitions, p.depth
        ));
        bar.tick();
    }
}
