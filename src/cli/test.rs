//! `bsym test`: run what the comments of machines expect.
//!
//! In: machines and folders of machines. Out: what `report::tested` makes of the runs, and an exit code. Every run is a
//! process of its own (`child`), with the arguments that the expectation stands for.

use super::args::TestArgs;
use super::child::{self, Ended};
use super::ctrl_c::CtrlC;
use super::exit::Exit;
use super::files;
use super::load;
use super::out;
use crate::diagnostic::{Code, Diagnostic};
use crate::report::expect::{self, Expectation, Ran};
use crate::report::tested::{FORMATS, Line, Machine, Outcome, Tested};
use rayon::prelude::*;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What machines that expect nothing are to do with `--all`.
const HOLDS: &str = "exit=0";

/// Runs the command.
pub(super) fn run(args: &TestArgs) -> Exit {
    match test(args) {
        Ok(tested) => {
            let exit = match (tested.count("unmet"), tested.count("untried")) {
                (0, 0) => Exit::Fine,
                (0, _) => Exit::Limit,
                _ => Exit::Violated,
            };
            match FORMATS.iter().find(|f| f.name == args.format) {
                Some(format) => out::print(&(format.write)(&tested), exit),
                None => exit,
            }
        }
        Err(message) => load::refuse(Diagnostic::without_place(Code::BadOption, message)),
    }
}

fn test(args: &TestArgs) -> Result<Tested, String> {
    let defaults: Vec<String> = args.with.iter().flat_map(|words| expect::split(words)).collect();
    let mut tested = Tested::default();
    let mut runs: Vec<(PathBuf, Expectation)> = Vec::new();
    for file in files::machines(&args.paths)? {
        let text = std::fs::read(&file).map_err(|e| format!("`{}` cannot be read: {e}", file.display()))?;
        let mut expected = expect::of_text(&String::from_utf8_lossy(&text), &defaults);
        if expected.is_empty() && args.all {
            expected.push(Expectation::new(1, HOLDS, &defaults));
        }
        if expected.is_empty() {
            tested.without.push(file.display().to_string());
        }
        runs.extend(expected.into_iter().map(|e| (file.clone(), e)));
    }
    if runs.is_empty() {
        return Err("no machine here has a line `expect: ...`; with `--all` all are to hold".to_owned());
    }
    let (pool, ctrl_c) = (child::pool(args.jobs)?, CtrlC::new());
    let share = child::share(args.jobs, None);
    // In the order of the files, whatever the number of jobs.
    let lines: Result<Vec<(String, Line)>, String> = pool.install(|| {
        runs.into_par_iter().map(|(file, e)| line(args, &file, e, share.as_ref(), &ctrl_c)).collect()
    });
    for (file, line) in lines? {
        match tested.machines.last_mut().filter(|m| m.file == file) {
            Some(machine) => machine.lines.push(line),
            None => tested.machines.push(Machine { file, lines: vec![line] }),
        }
    }
    Ok(tested)
}

fn line(
    args: &TestArgs,
    file: &Path,
    expected: Expectation,
    share: Option<&OsString>,
    ctrl_c: &CtrlC,
) -> Result<(String, Line), String> {
    let begin = Instant::now();
    let outcome = if expected.slow && !args.slow {
        Outcome::Slow
    } else {
        outcome(args, file, &expected, share, ctrl_c)?
    };
    let took = if outcome == Outcome::Slow { Duration::ZERO } else { begin.elapsed() };
    Ok((file.display().to_string(), Line { expected, outcome, took }))
}

fn outcome(
    args: &TestArgs,
    file: &Path,
    expected: &Expectation,
    share: Option<&OsString>,
    ctrl_c: &CtrlC,
) -> Result<Outcome, String> {
    if ctrl_c.pressed() {
        return Ok(Outcome::Untried);
    }
    let mut arguments = expected.arguments(file);
    arguments.extend(args.places.words());
    arguments.extend(share.cloned());
    let Ended { status, out, said } = child::run(&arguments, None, ctrl_c)?;
    if ctrl_c.pressed() {
        return Ok(Outcome::Untried);
    }
    let said = String::from_utf8_lossy(&said).into_owned();
    let unmet = expected.unmet(&Ran { out, said, exit: status.and_then(|s| s.code()) });
    Ok(if unmet.is_empty() { Outcome::Met } else { Outcome::Unmet(unmet) })
}
