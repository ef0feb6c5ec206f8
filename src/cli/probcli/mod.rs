//! `bsym probcli`: the command line of `ProB`'s `probcli`, for scripts that were written for it.
//!
//! In: its words. Out: what the commands of bsym say that these stand for, and beside it the lines that scripts look for. Each command is
//! read and run as if it had been typed. Siblings: `table` and `preferences` (what the words mean, a row each), `words` and `wanted` (reading
//! them), `formula_file` (what `-ltlfile` names), `steps` (the commands), `lines` (what is said beside them), `errors` (`-expcterr`), `help`.
//! Deliberately absent: what `probcli` does by solving alone, without reachable states; such switches are refused.

mod errors;
mod formula_file;
mod help;
mod lines;
mod preferences;
mod steps;
mod table;
mod wanted;
mod words;

use self::errors::Error;
use self::lines::Lines;
use self::steps::{Kind, Step};
use self::wanted::{Shown, Wanted, wrong};
use super::args::{CheckArgs, Cli, Command, ProbcliArgs, SimulateArgs};
use super::ctrl_c::CtrlC;
use super::exit::Exit;
use super::load;
use super::out;
use super::{check, refine, simulate};
use crate::diagnostic::Diagnostic;
use crate::explore::trace::abbreviated;
use crate::report::{FORMATS, Report, TraceStep, traces};
use crate::resolve::resolve;
use crate::source::Sources;
use clap::Parser as _;
use std::path::Path;
use std::time::Instant;

/// The options that a preference stands for, of every command and of checks; none if it changes nothing.
///
/// # Errors
/// It is refused.
pub(super) fn preference(name: &str, value: &str) -> Result<(Vec<String>, Vec<String>), Diagnostic> {
    let mut wanted = Wanted::default();
    wanted.prefer(name, value)?;
    let strategy = wanted.symmetry.map(|s| format!("--symmetry={s}"));
    Ok((wanted.world, wanted.checks.into_iter().chain(strategy).collect()))
}

/// Runs the command.
pub(super) fn run(args: &ProbcliArgs, start: Instant) -> Exit {
    let wanted = match words::read(&args.words) {
        Ok(wanted) => wanted,
        Err(error) => return load::refuse(error),
    };
    match wanted.shown {
        Some(Shown::Help) => return out::print(&help::text(), Exit::Fine),
        Some(Shown::Markdown) => return out::print(&help::markdown(), Exit::Fine),
        Some(Shown::Version) => {
            return out::print(&format!("bsym {}\n", env!("CARGO_PKG_VERSION")), Exit::Fine);
        }
        None => {}
    }
    let steps = match steps::of(&wanted).and_then(|steps| refines(&wanted).map(|()| steps)) {
        Ok(steps) => steps,
        Err(error) => return load::refuse(error),
    };
    for text in &wanted.ignored {
        tell!("warning: {text}");
    }
    if wanted.translate {
        let all: String = steps.iter().map(|s| format!("{}\n", s.text())).collect();
        return out::print(&all, Exit::Fine);
    }
    all(&wanted, &steps, start)
}

/// Runs all commands.
fn all(wanted: &Wanted, steps: &[Step], start: Instant) -> Exit {
    let (mut exits, mut found) = (Vec::new(), Vec::new());
    // A prompt has a way of its own to hear of it.
    let ctrl_c = if wanted.repl { CtrlC::default() } else { CtrlC::new() };
    for (i, step) in steps.iter().enumerate() {
        let (exit, errors) = one(wanted, step, i + 1 < steps.len(), start);
        exits.push(exit);
        found.extend(errors);
        // Nothing else can be done with a machine that is refused, or is wanted by who ends it.
        if exit == Exit::Refused || ctrl_c.pressed() {
            break;
        }
    }
    let (exit, said) = errors::judged(Exit::worst(exits), &wanted.expected, &found);
    for text in said {
        tell!("error: {text}");
    }
    exit
}

/// Runs one: how it ends, and which errors it has found.
fn one(wanted: &Wanted, step: &Step, more: bool, start: Instant) -> (Exit, Vec<&'static Error>) {
    let words = std::iter::once("bsym").chain(step.words.iter().map(String::as_str));
    let cli = match Cli::try_parse_from(words) {
        Ok(cli) => cli,
        Err(e) => {
            let _ = e.print();
            return (Exit::Refused, vec![&errors::REFUSED]);
        }
    };
    let (mut lines, mut written) = (Lines::default(), Exit::Fine);
    let mut told = |report: &Report| {
        lines = lines::of_check(report, step.kind);
        written = files(wanted, report);
    };
    let exit = match cli.command {
        Command::Check(args) => check::run_told(&CheckArgs { more, ..args.check }, start, &mut told),
        Command::Refine(args) => refine::run_told(args, start, &mut told),
        Command::Simulate(args) => {
            let keep = !wanted.is_checked() && (wanted.history.is_some() || wanted.state.is_some());
            let mut trace: Vec<TraceStep> = Vec::new();
            let mut done = false;
            let exit = simulate::run_told(&SimulateArgs { keep, ..args }, start, &mut |walked| {
                done = walked.is_whole();
                trace.clone_from(walked.found.as_ref().map_or(&walked.kept, |f| &f.trace));
                lines = lines::of_walk(walked);
            });
            if keep {
                written = traced(wanted, &trace);
            }
            // The steps that were asked for were taken, which is all that was asked for.
            if done && exit == Exit::Limit { Exit::Fine } else { exit }
        }
        command => super::dispatch(Cli { command }, start),
    };
    let exit = Exit::worst([out::print(&lines.text, exit), written]);
    if lines.found.is_empty() {
        lines.found.extend(errors::of_exit(exit, step.kind == Kind::Replay));
    }
    (exit, lines.found)
}

/// Writes what is to be written of a check besides its report.
fn files(wanted: &Wanted, report: &Report) -> Exit {
    let trace = traces::first(report).map_or(&[][..], |v| &v.trace[..]);
    let traced = traced(wanted, trace);
    let Some(folder) = &wanted.junit else { return traced };
    let stem = Path::new(&report.file).file_stem().map(|s| s.to_string_lossy().into_owned());
    let path = Path::new(folder).join(format!("{}.xml", stem.as_ref().unwrap_or(&report.machine)));
    let Some(format) = FORMATS.iter().find(|f| f.name == "junit") else { return traced };
    let mut text = Vec::new();
    let written = (format.write)(report, &mut text)
        .and_then(|()| std::fs::create_dir_all(folder))
        .and_then(|()| std::fs::write(&path, text));
    Exit::worst([traced, said(&path, written)])
}

/// Writes a trace and the state that it ends in, where they are wanted.
fn traced(wanted: &Wanted, trace: &[TraceStep]) -> Exit {
    let history =
        wanted.history.iter().filter(|path| !steps::is_trace(path)).map(|path| (path, lines::history(trace)));
    let state = wanted.state.iter().map(|path| (path, lines::state(trace)));
    let write = |(path, text): (&String, String)| {
        if trace.is_empty() {
            tell!("note: there is no trace, so nothing is written to `{path}`");
            return Exit::Fine;
        }
        if trace.iter().flat_map(|s| &s.values).any(|(_, value)| abbreviated(value).is_some()) {
            return load::refuse(wrong(format!(
                "the values in the trace are too large to be written to `{path}`"
            )));
        }
        said(Path::new(path), std::fs::write(path, text))
    };
    Exit::worst(history.chain(state).map(write))
}

fn said(path: &Path, written: std::io::Result<()>) -> Exit {
    match written {
        Ok(()) => Exit::Fine,
        Err(e) => load::refuse(wrong(format!("`{}` cannot be written: {e}", path.display()))),
    }
}

/// Whether the machine names the one that it is to refine.
fn refines(wanted: &Wanted) -> Result<(), Diagnostic> {
    let (Some(refined), Some(file)) = (&wanted.refines, &wanted.file) else { return Ok(()) };
    let path = Path::new(refined);
    let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let is_machine = path.extension().is_some_and(|e| ["mch", "ref", "imp"].iter().any(|known| e == *known));
    if !is_machine {
        let text = format!("`-refchk {refined}`: bsym reads no stored states");
        return Err(wrong(text).with_help("name the file of the machine that is refined"));
    }
    // What is wrong with the files is told when they are checked.
    let Ok(flat) = resolve(Path::new(file), &mut Sources::default()) else { return Ok(()) };
    if flat.levels.iter().any(|l| *l.refined.name == *name) {
        return Ok(());
    }
    let text = format!("`{file}` does not say that it refines `{name}`");
    Err(wrong(text).with_help(format!("write `REFINEMENT ... REFINES {name}`")))
}
