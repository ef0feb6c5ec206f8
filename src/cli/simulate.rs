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
use crate::explore::limits::Watch;
use crate::model::System;
use crate::model::constants::Mode;
use crate::report::simulated::{FORMATS, Found, Simulated};
use crate::report::steps::Look;
use crate::report::why::Witness;
use crate::source::Sources;
use crate::value::key::fingerprint;
use crate::walk::chance::{self, End, Path, Rules};
use hashbrown::HashSet;
use std::time::{Duration, Instant};

/// How long a property may take in one state, unless everything has a limit.
const PROPERTY: Duration = Duration::from_secs(10);

/// Valuations of the constants that walks begin with.
const VALUATIONS: usize = 100;

/// Runs the command.
pub(super) fn run(args: &SimulateArgs, start: Instant) -> Exit {
    let mut sources = args.places.sources();
    let watch = watch::start(args.timeout, args.max_memory, start, &CtrlC::new());
    match simulated(args, &mut sources, &watch) {
        Ok((simulated, exit)) => match FORMATS.iter().find(|f| f.name == args.format) {
            Some(format) => out::print(&(format.write)(&simulated), exit),
            None => exit,
        },
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
    let extra = Extra { time: property_time(PROPERTY, args.timeout), ..Extra::default() };
    let setup = Setup::with(machine, &asked, Mode::All, watch.interrupt.clone(), &extra);
    let setup = setup.map_err(|e| vec![e])?;
    let (done, _) = fitted(&setup.evaluator, &setup.table, true, &mut |system: &Compiled| {
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
            steps: 0,
            states: 0,
            ends: Vec::new(),
            operations,
            found: None,
            stopped: None,
            look: Look { columns: columns(), all: self.args.trace_full, verbose: false },
        };
        let mut exit = Exit::Limit;
        let mut valuations = Vec::new();
        let end = self.system.valuations(&mut |v| {
            valuations.push(v);
            valuations.len() < VALUATIONS
        });
        let fault = end.err().filter(|_| valuations.is_empty() && !self.watch.interrupt.raised());
        if valuations.is_empty() && !self.watch.interrupt.raised() {
            let text = fault.map_or_else(
                || "no values of the constants satisfy PROPERTIES (`bsym check` says why)\n".to_owned(),
                |f| format!("PROPERTIES have no value: {}\n", f.0.message),
            );
            done.found = Some(Found { kind: "setup", text, trace: Vec::new() });
            return (done, Exit::Violated);
        }
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
        }
        if self.watch.interrupt.raised() {
            done.stopped = Some(self.watch.reason().name());
        }
        done.states = self.seen.len() as u64;
        (done, exit)
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
        let how = match path.end {
            End::Long | End::Interrupted => "after the most steps",
            End::Stuck => "where no step is possible",
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
                let exit = match found::kind(found) {
                    "error" => Exit::Fault,
                    "undecided" => return (None, Exit::Limit),
                    _ => Exit::Violated,
                };
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
        let states: Vec<&[u64]> = path.states.iter().map(Vec::as_slice).collect();
        let edges: Vec<u32> = path.edges.iter().map(|(nth, _)| *nth).collect();
        (Some(Found { kind, text, trace: trail::steps(self.system, &states, &edges) }), exit)
    }
}
