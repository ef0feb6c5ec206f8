//! `bsym simulate`: random walks.
//!
//! In: a machine, sizes, numbers of walks and steps, a seed. Out: the first violation with its trace, or how much was walked. The same
//! seed takes the same walks. There is no symmetry; that nothing is found is no verdict.

use super::args::SimulateArgs;
use super::ctrl_c::CtrlC;
use super::exit::Exit;
use super::found;
use super::load::{self, Loaded};
use super::out;
use super::run::columns;
use super::setup::{Extra, Setup, property_time};
use super::trail;
use super::watch;
use crate::compile::{Compiled, fitted};
use crate::diagnostic::Diagnostic;
use crate::explore::Place;
use crate::explore::limits::Watch;
use crate::model::System;
use crate::model::constants::Mode;
use crate::report::simulated::{FORMATS, Found, Simulated};
use crate::report::steps::Look;
use crate::report::traces::INITIALISATION;
use crate::report::why::Witness;
use crate::report::{Bound, TraceStep};
use crate::source::Sources;
use crate::value::key::fingerprint;
use crate::walk::chance::{self, End, Path, Rules};
use hashbrown::HashSet;
use std::time::Instant;

/// Valuations of the constants that walks begin with.
const VALUATIONS: usize = 100;

/// Runs the command.
pub(super) fn run(args: &SimulateArgs, start: Instant) -> Exit {
    run_told(args, start, &mut |_| {})
}

/// As [`run`]; what was met is told as soon as it is written.
pub(super) fn run_told(args: &SimulateArgs, start: Instant, told: &mut dyn FnMut(&Simulated)) -> Exit {
    let mut sources = args.places.sources();
    let watch = watch::start(args.timeout, args.max_memory, start, &CtrlC::new());
    match simulated(args, &mut sources, &watch) {
        Ok((simulated, exit)) => {
            let exit = match FORMATS.iter().find(|f| f.name == args.format) {
                Some(format) => out::print(&(format.write)(&simulated), exit),
                None => exit,
            };
            told(&simulated);
            exit
        }
        Err(errors) => {
            load::print(&errors, &sources);
            Exit::Refused
        }
    }
}

fn simulated(
    args: &SimulateArgs,
    sources: &mut Sources,
    watch: &Watch,
) -> Result<(Simulated, Exit), Vec<Diagnostic>> {
    let Loaded { machine, notes, .. } = load::load(&args.file, sources)?;
    load::print(&notes, sources);
    let asked = args.world.asked().map_err(|e| vec![e])?;
    let extra = Extra { time: property_time(args.property_timeout, args.timeout), ..Extra::default() };
    let setup = Setup::with(machine, &asked, Mode::All, watch.interrupt.clone(), &extra);
    let setup = setup.map_err(|e| vec![e])?;
    let (done, _) = fitted(&setup.evaluator, &setup.table, (true, None), &mut |system: &Compiled| {
        Walks { args, setup: &setup, sources, watch, system, seen: HashSet::new() }.all()
    });
    Ok(done)
}

/// The walks in a system.
struct Walks<'a> {
    args: &'a SimulateArgs,
    setup: &'a Setup,
    sources: &'a Sources,
    watch: &'a Watch,
    system: &'a Compiled,
    seen: HashSet<u128>,
}

impl Walks<'_> {
    fn all(mut self) -> (Simulated, Exit) {
        let operations = self.system.operations().iter().map(|o| (o.clone(), 0)).collect();
        let mut done = Simulated {
            machine: self.setup.machine.name.to_string(),
            file: self.args.file.display().to_string(),
            seed: self.args.seed,
            walks: (0, self.args.walks),
            longest: self.args.steps,
            valuations: (0, false),
            unknown: Vec::new(),
            bounds: Vec::new(),
            integers: (self.setup.sizes.maxint, self.setup.sizes.minint),
            steps: 0,
            states: 0,
            ends: Vec::new(),
            operations,
            found: None,
            kept: Vec::new(),
            stopped: None,
            look: Look { columns: columns(), all: self.args.trace_full, verbose: false },
        };
        let mut exit = Exit::Limit;
        let valuations = match self.begin(&mut done) {
            Ok(valuations) => valuations,
            Err((found, exit)) => {
                done.found = Some(found);
                return (done, exit);
            }
        };
        let mut chance = fastrand::Rng::with_seed(self.args.seed);
        let rules = Rules {
            steps: usize::try_from(self.args.steps).unwrap_or(usize::MAX),
            interrupt: &self.watch.interrupt,
        };
        while done.walks.0 < done.walks.1 && done.found.is_none() {
            let Some(&valuation) = valuations.get(chance.usize(..valuations.len().max(1))) else { break };
            let path = chance::run(self.system, valuation, rules, &mut chance);
            if matches!(path.end, End::Interrupted) {
                break;
            }
            done.walks.0 += 1;
            self.count(&path, &mut done);
            (done.found, exit) = self.found(&path, valuation);
            if self.args.keep && done.found.is_none() {
                done.kept = self.steps(&path);
            }
        }
        if self.watch.interrupt.raised() {
            done.stopped = Some(self.watch.reason().name());
        }
        done.states = self.seen.len() as u64;
        let cuts = self.setup.evaluator.world.cuts.all();
        done.bounds = cuts.into_iter().map(|c| Bound::of_cut(c, self.sources)).collect();
        (done, exit)
    }

    /// The valuations that walks begin with; what it is if there are none.
    fn begin(&self, done: &mut Simulated) -> Result<Vec<u32>, (Found, Exit)> {
        let mut valuations = Vec::new();
        let end = self.system.valuations(&mut |v| {
            valuations.push(v);
            valuations.len() < VALUATIONS
        });
        let some = !valuations.is_empty();
        let more = valuations.len() >= VALUATIONS || end.is_err();
        done.valuations = (valuations.len() as u64, more);
        match end {
            _ if self.watch.interrupt.raised() => Ok(valuations),
            Err(f) if some || f.is_open() => {
                done.unknown.push(format!("PROPERTIES: {}", f.0.message));
                Ok(valuations)
            }
            Err(f) => {
                let text = format!("PROPERTIES have no value: {}\n", f.0.message);
                Err((Found { kind: "error", text, trace: Vec::new() }, Exit::Fault))
            }
            Ok(()) if some => Ok(valuations),
            Ok(()) => {
                let text =
                    "no values of the constants satisfy PROPERTIES (`bsym check` says why)\n".to_owned();
                Err((Found { kind: "setup", text, trace: Vec::new() }, Exit::Violated))
            }
        }
    }

    fn count(&mut self, path: &Path, done: &mut Simulated) {
        done.steps += path.edges.len() as u64;
        for (_, operation) in &path.edges {
            if let Some((_, n)) = done.operations.get_mut(*operation as usize) {
                *n += 1;
            }
        }
        let mut bytes = Vec::new();
        for state in &path.states {
            bytes.clear();
            state.iter().for_each(|w| bytes.extend(w.to_le_bytes()));
            self.seen.insert(fingerprint(&bytes));
        }
        let undecided = path.undecided.iter().filter_map(|id| id.formula(&self.setup.machine));
        let undecided = undecided.map(|f| format!("not decided in all states that were met: `{}`", f.text));
        let operations = self.system.operations();
        let open = path.open.iter().map(|(place, fault)| {
            let name = match place {
                Place::Operation(op, _) => operations.get(*op as usize).map_or("?", String::as_str),
                _ => INITIALISATION,
            };
            format!("{name}: {}", fault.0.message)
        });
        for line in undecided.chain(open) {
            if !done.unknown.contains(&line) {
                done.unknown.push(line);
            }
        }
        let how = match path.end {
            End::Long | End::Interrupted => "after the most steps",
            End::Stuck => "where no step is possible",
            End::Open => "where it is not known whether a step is possible",
            End::Outside => "outside SCOPE",
            End::Found(_) | End::Faults(_) => "at a violation or error",
        };
        match done.ends.iter_mut().find(|(h, _)| *h == how) {
            Some((_, n)) => *n += 1,
            None => done.ends.push((how, 1)),
        }
    }

    /// What a walk has shown.
    fn found(&self, path: &Path, valuation: u32) -> (Option<Found>, Exit) {
        let plain = self.system.plain();
        let witness = Witness::new(plain, &self.setup.sizes, self.sources);
        let words = path.states.last().cloned().unwrap_or_else(|| vec![u64::from(valuation)]);
        let (kind, text, exit) = match &path.end {
            End::Found(found) => {
                let exit = if found::kind(found) == "error" { Exit::Fault } else { Exit::Violated };
                (found::kind(found), found::told(found, &words, plain, &witness), exit)
            }
            End::Faults(faults) => {
                let text = faults.iter().map(|f| found::fault(f, &words, plain, &witness)).collect();
                ("error", text, Exit::Fault)
            }
            End::Stuck if path.states.is_empty() => (
                "setup",
                "INITIALISATION has no outcome (`bsym check` says why)\n".to_owned(),
                Exit::Violated,
            ),
            End::Stuck if !self.args.no_deadlock && !self.system.operations().is_empty() => {
                let names: Vec<&str> = self.system.operations().iter().map(String::as_str).collect();
                let text = format!("no step is possible:\n{}", witness.in_the_way(&words, &names));
                ("deadlock", text, Exit::Violated)
            }
            _ => return (None, Exit::Limit),
        };
        (Some(Found { kind, text, trace: self.steps(path) }), exit)
    }

    /// A walk as steps.
    fn steps(&self, path: &Path) -> Vec<TraceStep> {
        let states: Vec<&[u64]> = path.states.iter().map(Vec::as_slice).collect();
        let edges: Vec<u32> = path.edges.iter().map(|(nth, _)| *nth).collect();
        trail::steps(self.system, &states, &edges)
    }
}
