//! `bsym trace`: replay traces on the unreduced machine.
//!
//! Every step is looked for among all edges of all states that fit the steps before, with all valuations of the
//! constants and no symmetry; so a trace fails only if no run of the machine is described by it. Where a file says
//! what its end is to show (the reports of `check` do), that is checked, too. When time is up, what was replayed until
//! then is told.

use super::args::TraceArgs;
use super::ctrl_c::CtrlC;
use super::exit::Exit;
use super::load::{self, Loaded};
use super::out;
use super::setup::{Extra, Setup, property_time};
use super::watch;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::constants::Mode;
use crate::model::{Findings, MachineSystem, Steps, System};
use crate::ops::Interrupt;
use crate::report::traces::tree::canonical;
use crate::report::traces::{self, INITIALISATION, Recorded, RecordedStep, SETUP};
use crate::source::Sources;
use std::time::{Duration, Instant};

/// How long a property may take at the end of a trace: others may be what the trace shows.
const PROPERTY: Duration = Duration::from_secs(2);

/// Runs the command.
pub(super) fn run(args: &TraceArgs, start: Instant) -> Exit {
    let mut sources = args.places.sources();
    let watch = watch::start(args.timeout, None, start, &CtrlC::new());
    let (system, all) = match prepare(args, &mut sources, &watch.interrupt) {
        Ok(ready) => ready,
        Err(errors) => {
            load::print(&errors, &sources);
            return Exit::Refused;
        }
    };
    let mut exit = Exit::Fine;
    for (i, trace) in all.iter().enumerate() {
        let title = if all.len() > 1 { format!("trace {}: ", i + 1) } else { String::new() };
        let replayed = replay(&system, trace, &watch.interrupt);
        let (Ok(text) | Err(Failure::Wrong(text) | Failure::Stopped(text))) = &replayed;
        if out::print(&format!("{title}{text}\n"), Exit::Fine) != Exit::Fine {
            return Exit::Refused;
        }
        match replayed {
            Ok(_) => {}
            Err(Failure::Wrong(_)) => exit = Exit::Violated,
            Err(Failure::Stopped(_)) => {
                let rest = all.len() - i - 1;
                if rest > 0 {
                    out::print(&format!("{rest} more traces were not replayed\n"), Exit::Limit);
                }
                // A trace that fails is a result whatever comes after it.
                return if exit == Exit::Fine { Exit::Limit } else { exit };
            }
        }
    }
    if all.is_empty() {
        return out::print("no trace in the file\n", exit);
    }
    exit
}

/// Why a trace was not replayed to its end.
enum Failure {
    /// It is no run of the machine.
    Wrong(String),
    /// Time is up.
    Stopped(String),
}

fn prepare(
    args: &TraceArgs,
    sources: &mut Sources,
    interrupt: &Interrupt,
) -> Result<(MachineSystem, Vec<Recorded>), Vec<Diagnostic>> {
    let bad = |message: String| vec![load::no_place(Code::BadOption, message)];
    let name = args.trace.display().to_string();
    let format = traces::find(&name).ok_or_else(|| bad(endings(&name)))?;
    let text = std::fs::read_to_string(&args.trace);
    let text = text
        .map_err(|e| vec![load::no_place(Code::FileUnreadable, format!("`{name}` cannot be read: {e}"))])?;
    let all = (format.read)(&text).map_err(|e| bad(format!("`{name}`: {e}")))?;
    let Loaded { machine, .. } = load::load(&args.file, sources)?;
    let asked = args.world.asked().map_err(|e| vec![e])?;
    let extra = Extra { time: property_time(PROPERTY, args.timeout), ..Extra::default() };
    let setup = Setup::with(machine, &asked, Mode::All, interrupt.clone(), &extra);
    Ok((setup.map_err(|e| vec![e])?.plain(), all))
}

/// What file names are possible.
pub(super) fn endings(name: &str) -> String {
    let known: Vec<&str> = traces::FORMATS.iter().map(|f| f.ending).collect();
    format!("`{name}` does not end in {}", known.join(", "))
}

/// The states that fit the steps so far.
enum At {
    Root,
    Valuations(Vec<u32>),
    States(Vec<Vec<u64>>),
}

fn replay(system: &dyn System, trace: &Recorded, interrupt: &Interrupt) -> Result<String, Failure> {
    let n = trace.steps.len();
    let stopped =
        |done: usize| Failure::Stopped(format!("time is up after {done} of {n} steps, all possible"));
    let mut at = At::Root;
    for (i, step) in trace.steps.iter().enumerate() {
        let name = step.operation.as_deref().unwrap_or("?");
        let next = take(system, &at, step);
        if interrupt.raised() {
            // Not everything was looked at: neither a yes nor a no counts.
            return Err(stopped(i));
        }
        at = next.map_err(|why| Failure::Wrong(format!("fails at step {} ({name}): {why}", i + 1)))?;
    }
    let faulty = trace.steps.last().is_some_and(|s| s.fault);
    if let Some(kind) = trace.kind.as_deref().filter(|_| !faulty) {
        let shown = shows(system, &at, kind);
        if interrupt.raised() {
            return Err(stopped(n));
        }
        if !shown {
            return Err(Failure::Wrong(format!("all {n} steps are possible, but the end shows no `{kind}`")));
        }
    }
    let end = trace.kind.as_ref().map_or_else(String::new, |k| format!("; its end shows `{k}`"));
    Ok(format!("replayed: {n} steps{end}"))
}

fn take(system: &dyn System, at: &At, step: &RecordedStep) -> Result<At, String> {
    let operation = step.operation.as_deref();
    match at {
        At::Root if operation == Some(SETUP) => {
            let mut fit = Vec::new();
            // A fault in PROPERTIES leaves what was found before it.
            let _ = system.valuations(&mut |v| {
                let values = system.show_valuation(v);
                if !fits(&values, &step.values) {
                    return true;
                }
                fit.push(v);
                // Where the trace gives all constants there is just one.
                values.iter().any(|(name, _)| step.values.iter().all(|(given, _)| given != name))
            });
            if fit.is_empty() {
                return Err("no valuation of the constants is as the trace says".to_owned());
            }
            Ok(At::Valuations(fit))
        }
        At::Root => take(system, &At::Valuations(valuations(system)), step),
        At::Valuations(all) => {
            if operation.is_some_and(|o| o != INITIALISATION) {
                return Err("the initialisation comes first".to_owned());
            }
            let mut found = Edges::default();
            for &v in all {
                let mut steps = Steps::default();
                system.initial(v, &mut steps);
                found.look(system, None, &steps, step);
            }
            found.end()
        }
        At::States(all) => {
            let mut found = Edges::default();
            for state in all {
                let mut steps = Steps::default();
                system.successors(state, &mut steps);
                if step.fault {
                    found.fault |= steps
                        .faults
                        .iter()
                        .any(|f| system.operations().get(f.op as usize).map(String::as_str) == operation);
                }
                found.look(system, Some(state), &steps, step);
            }
            if step.fault && found.fault { Ok(At::States(all.clone())) } else { found.end() }
        }
    }
}

fn valuations(system: &dyn System) -> Vec<u32> {
    let mut all = Vec::new();
    // A fault in PROPERTIES leaves what was found before it.
    let _ = system.valuations(&mut |v| {
        all.push(v);
        true
    });
    all
}

/// What was found among the edges: those that fit, and the best of the others, to say what is wrong.
#[derive(Default)]
struct Edges {
    fit: Vec<Vec<u64>>,
    fault: bool,
    /// Whether the operation is possible at all, and with the arguments and results of the trace.
    named: bool,
    labelled: bool,
    /// A target that was reached with the right label.
    target: Option<String>,
}

impl Edges {
    fn look(&mut self, system: &dyn System, from: Option<&[u64]>, steps: &Steps, step: &RecordedStep) {
        let ops = steps.runs().flat_map(|r| std::iter::repeat_n(r.op, r.edges as usize));
        for (i, (target, op)) in steps.targets.chunks(system.width()).zip(ops).enumerate() {
            let name = system.operations().get(op as usize);
            if from.is_some() && step.operation.is_some() && name != step.operation.as_ref() {
                continue;
            }
            self.named = true;
            let values = system.show_state(target);
            let arrives = fits(&values, &step.values);
            // Labels are costly: only where there is something to compare.
            let labelled = match from {
                Some(state) if !(step.arguments.is_empty() && step.results.is_empty()) => {
                    let label = system.label(state, u32::try_from(i).unwrap_or(u32::MAX));
                    (arrives || !self.labelled)
                        && label.is_some_and(|l| {
                            fits(&l.arguments, &step.arguments) && fits(&l.results, &step.results)
                        })
                }
                _ => true,
            };
            self.labelled |= labelled;
            if !labelled {
                continue;
            }
            if !arrives {
                self.target.get_or_insert_with(|| difference(&values, &step.values));
            } else if !self.fit.iter().any(|t| t == target) {
                self.fit.push(target.to_vec());
            }
        }
    }

    fn end(self) -> Result<At, String> {
        if !self.fit.is_empty() {
            return Ok(At::States(self.fit));
        }
        Err(match self.target {
            _ if !self.named => "it is not possible here".to_owned(),
            _ if !self.labelled => "it is possible here, but not with these arguments and results".to_owned(),
            Some(difference) => format!("it leads elsewhere: {difference}"),
            None => "it leads elsewhere".to_owned(),
        })
    }
}

/// Whether all that the trace says is so; names the machine does not know do not fit.
fn fits(real: &[(String, String)], said: &[(String, String)]) -> bool {
    said.iter().all(|(name, value)| {
        real.iter()
            .find(|(n, _)| n == name)
            .is_some_and(|(_, v)| v == value || canonical(v) == canonical(value))
    })
}

fn difference(real: &[(String, String)], said: &[(String, String)]) -> String {
    for (name, value) in said {
        match real.iter().find(|(n, _)| n == name) {
            None => return format!("there is no `{name}`"),
            Some((_, v)) if canonical(v) != canonical(value) => {
                return format!("`{name}` is {v}, not {value}");
            }
            Some(_) => {}
        }
    }
    String::new()
}

/// Whether one of the states reached shows a violation of this kind.
fn shows(system: &dyn System, at: &At, kind: &str) -> bool {
    match at {
        // A fault before the first step is not looked for again: it may be that there is too much to try.
        At::Root if kind == "error" => true,
        At::Root if kind != "setup" => {
            // Assertions without variables where there is no set-up.
            valuations(system).iter().any(|&v| finds(system, &[u64::from(v)], kind))
        }
        At::Root => {
            let all = valuations(system);
            all.is_empty() || !system.has_setup() && all.iter().all(|&v| no_initial(system, v))
        }
        At::Valuations(all) => all.iter().any(|&v| match kind {
            "setup" => no_initial(system, v),
            "error" => true,
            _ => finds(system, &[u64::from(v)], kind),
        }),
        At::States(all) => all.iter().any(|s| match kind {
            "deadlock" => {
                let mut steps = Steps::default();
                system.successors(s, &mut steps);
                steps.is_empty() && steps.faults.is_empty()
            }
            _ => finds(system, s, kind),
        }),
    }
}

fn no_initial(system: &dyn System, v: u32) -> bool {
    let mut steps = Steps::default();
    system.initial(v, &mut steps);
    steps.is_empty()
}

fn finds(system: &dyn System, node: &[u64], kind: &str) -> bool {
    let mut found = Findings::default();
    // A state that is one word wide is also checked as a state: the word is its valuation.
    if node.len() == system.width() {
        system.check(node, &mut found);
    }
    system.check_assertions(node, &mut found);
    match kind {
        "invariant" => !found.invariants.is_empty(),
        "assertion" => !found.assertions.is_empty(),
        "goal" => found.goal,
        _ => !found.faults.is_empty(),
    }
}
