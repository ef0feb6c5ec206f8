//! `bsym project`: run the tasks of a project of ProB2-UI that bsym has.
//!
//! In: a `.prob2project`. Out: a table of its tasks with what was expected and found, what bsym does not have, and the worst exit code. Each
//! task is a process of its own (`child`). It is a command and no file that `check` takes: its tasks are checks, formulas and traces, each
//! with options that stand in the project. Siblings: `file` (reading it), `task` (what a task stands for).

mod file;
mod task;

use self::file::{Machine, Project};
use self::task::{Job, Task};
use super::args::ProjectArgs;
use super::child::{self, Ended};
use super::ctrl_c::CtrlC;
use super::exit::Exit;
use super::load;
use super::out;
use super::probcli;
use crate::diagnostic::suggest::listed;
use crate::diagnostic::{Code, Diagnostic};
use crate::report::project::{Done, FORMATS, Outcome, TaskLine};
use rayon::prelude::*;
use serde_json::Value as Json;
use std::path::Path;

/// Lines that are shown of what a refused task has said.
const MOST_LINES: usize = 12;

/// Runs the command.
pub(super) fn run(args: &ProjectArgs) -> Exit {
    match tasks(args) {
        Ok(done) => {
            let exit = exit(&done, args.accept_missing);
            match FORMATS.iter().find(|f| f.name == args.format) {
                Some(format) => out::print(&(format.write)(&done), exit),
                None => exit,
            }
        }
        Err(error) => load::refuse(error),
    }
}

/// The worst of all; what bsym does not have is not known.
fn exit(done: &Done, accept_missing: bool) -> Exit {
    Exit::worst(done.lines.iter().map(|l| match l.outcome {
        Outcome::Met | Outcome::Off => Exit::Fine,
        Outcome::Not(code) => Exit::of(code),
        Outcome::Missing(_) if accept_missing => Exit::Fine,
        Outcome::Missing(_) | Outcome::Untried => Exit::Limit,
    }))
}

fn wrong(text: String) -> Diagnostic {
    Diagnostic::without_place(Code::BadOption, text)
}

fn tasks(args: &ProjectArgs) -> Result<Done, Diagnostic> {
    let project = file::read(&args.file).map_err(wrong)?;
    unknown_names(args, &project)?;
    let (pool, ctrl_c) = (child::pool(args.jobs).map_err(wrong)?, CtrlC::new());
    let wanted = |m: &&Machine| args.machine.is_empty() || args.machine.contains(&m.name);
    let mut all: Vec<(&Machine, Task, Options)> = Vec::new();
    for machine in project.machines.iter().filter(wanted) {
        let options = options(machine);
        all.extend(machine.tasks.iter().map(|(list, t)| (machine, task::read(list, t), options.clone())));
    }
    // In the order of the project, whatever the number of jobs.
    let lines: Result<Vec<TaskLine>, String> = pool.install(|| {
        all.into_par_iter()
            .map(|(machine, task, options)| one(args, machine, task, &options, &ctrl_c))
            .collect()
    });
    Ok(Done { project: project.name, lines: lines.map_err(wrong)? })
}

fn unknown_names(args: &ProjectArgs, project: &Project) -> Result<(), Diagnostic> {
    let names: Vec<&str> = project.machines.iter().map(|m| &*m.name).collect();
    let Some(missing) = args.machine.iter().find(|n| !names.contains(&n.as_str())) else { return Ok(()) };
    let error = wrong(format!("the project has no machine `{missing}`"));
    Err(match listed(missing, "it has", &names) {
        Some(help) => error.with_help(help),
        None => error,
    })
}

/// Options of every command, and of checks.
type Options = (Vec<String>, Vec<String>);

/// What the preferences of a machine stand for.
fn options(machine: &Machine) -> Options {
    let (mut world, mut checks) = (Vec::new(), Vec::new());
    for (name, value) in &machine.preferences {
        match probcli::preference(name, value) {
            Ok((w, c)) => {
                world.extend(w);
                checks.extend(c);
            }
            Err(error) => {
                let name = &machine.name;
                let help = error.help.map_or_else(String::new, |h| format!(" ({h})"));
                tell!("warning: preferences of `{name}`: {}{help}", error.message);
            }
        }
    }
    (world, checks)
}

/// Runs one task.
fn one(
    args: &ProjectArgs,
    machine: &Machine,
    task: Task,
    (world, checks): &Options,
    ctrl_c: &CtrlC,
) -> Result<TaskLine, String> {
    let expected = match &task.job {
        Job::Formula(_, false) => "false",
        Job::Formula(_, true) => "true",
        Job::Trace(_) => "replays",
        _ => "holds",
    };
    let name = task.name.clone();
    let line = |found: &str, outcome, said| TaskLine {
        machine: machine.name.clone(),
        name: name.clone(),
        expected,
        found: found.to_owned(),
        outcome,
        said,
    };
    match &task.job {
        Job::Missing(why) => return Ok(line("", Outcome::Missing((*why).to_owned()), Vec::new())),
        Job::Off => return Ok(line("", Outcome::Off, Vec::new())),
        _ if ctrl_c.pressed() => return Ok(line("", Outcome::Untried, Vec::new())),
        _ => {}
    }
    let folder = args.file.parent().unwrap_or(Path::new(""));
    let mut words = task::words_of(&task.job, &machine.file, folder, (world, checks)).unwrap_or_default();
    words.extend(args.places.words());
    if let Some(time) = args.timeout {
        // That of the task itself is the user's last word no more.
        words.retain(|w| !w.to_string_lossy().starts_with("--timeout="));
        words.push(format!("--timeout={}s", time.as_secs_f64()).into());
    }
    let Ended { status, out, said } = child::run(&words, None, ctrl_c)?;
    if ctrl_c.pressed() {
        return Ok(line("", Outcome::Untried, Vec::new()));
    }
    let exit = status.map_or(Exit::Limit, Exit::of_process);
    let report: Json = serde_json::from_slice(&out).unwrap_or_default();
    let (found, outcome) = outcome(&task.job, exit, &report);
    let said = String::from_utf8_lossy(if exit == Exit::Violated { &out } else { &said }).into_owned();
    let is_text =
        matches!(exit, Exit::Refused) || matches!(task.job, Job::Trace(_)) && outcome != Outcome::Met;
    let said = said.lines().filter(|_| is_text).take(MOST_LINES).map(str::to_owned).collect();
    Ok(line(&found, outcome, said))
}

/// What was found, in words, and whether that is as expected.
fn outcome(job: &Job, exit: Exit, report: &Json) -> (String, Outcome) {
    let outcome = |exit: Exit| if exit == Exit::Fine { Outcome::Met } else { Outcome::Not(exit.code()) };
    let text = |j: &Json| j.as_str().map(str::to_owned);
    match job {
        _ if exit == Exit::Refused => ("refused".to_owned(), outcome(exit)),
        Job::Formula(_, expected) => match report["formulas"][0]["verdict"].as_str() {
            Some("holds") if *expected => ("true".to_owned(), Outcome::Met),
            Some("holds") => ("true".to_owned(), Outcome::Not(Exit::Violated.code())),
            Some("violated") if *expected => ("false".to_owned(), Outcome::Not(Exit::Violated.code())),
            Some("violated") => ("false".to_owned(), Outcome::Met),
            Some("holds-within-bounds") => {
                ("true within bounds".to_owned(), Outcome::Not(Exit::Bounds.code()))
            }
            Some("error") => ("error".to_owned(), Outcome::Not(Exit::Fault.code())),
            _ => {
                // Nothing is known of a formula that was not decided, however the check of the machine ends.
                let known = if exit == Exit::Fine || exit == Exit::Violated { Exit::Limit } else { exit };
                ("unknown".to_owned(), outcome(known))
            }
        },
        Job::Trace(_) => {
            let found = match exit {
                Exit::Fine => "replays",
                Exit::Violated => "fails",
                _ => "unknown",
            };
            (found.to_owned(), outcome(exit))
        }
        _ => {
            let verdict = text(&report["verdict"]).unwrap_or_else(|| "unknown".to_owned());
            let kind = text(&report["violations"][0]["kind"]).map_or_else(String::new, |k| format!(" ({k})"));
            let goal = report["goal_states"].as_u64().is_some_and(|n| n > 0);
            let goal = if goal { ", goal found" } else { "" };
            (format!("{verdict}{kind}{goal}"), outcome(exit))
        }
    }
}
