//! `bsym check A.mch B.mch DIR`: the same check of many machines, one report of all.
//!
//! In: machines and folders. Out: what `report::many` makes of the reports, and the worst exit code. Each check is a
//! process of its own (`child`), with the arguments of this one; a single machine is checked here (`check`).

use super::args::{CheckArgs, ManyArgs};
use super::check;
use super::child::{self, Ended};
use super::ctrl_c::CtrlC;
use super::exit::Exit;
use super::files;
use super::load;
use super::out;
use super::progress::Part;
use super::rerun;
use crate::diagnostic::{Code, Diagnostic};
use crate::report::many::{Checked, Many, text};
use crate::report::{FORMATS, Format};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Instant;

/// Runs the command.
pub(super) fn run(args: ManyArgs, start: Instant) -> Exit {
    if args.watch {
        return rerun::run(&args).unwrap_or_else(refused);
    }
    if let Some(file) = args.one_of_them {
        return check::run(&CheckArgs { file, ..args.check }, start);
    }
    if args.more.is_empty() && !args.check.file.is_dir() {
        return check::run(&args.check, start);
    }
    all(&args).unwrap_or_else(refused)
}

fn refused(message: String) -> Exit {
    load::refuse(Diagnostic::without_place(Code::BadOption, message))
}

fn all(args: &ManyArgs) -> Result<Exit, String> {
    if args.check.trace_out.is_some() {
        return Err("`--trace-out` writes the trace of one machine, and here are several".to_owned());
    }
    if args.check.kept.is_asked() {
        return Err("`--checkpoint` and `--resume` are for one machine, and here are several".to_owned());
    }
    let named: Vec<PathBuf> = std::iter::once(&args.check.file).chain(&args.more).cloned().collect();
    let files = files::machines(&named)?;
    if files.is_empty() {
        let named: Vec<String> = named.iter().map(|p| format!("`{}`", p.display())).collect();
        return Err(format!("there is no machine in {}", named.join(", ")));
    }
    let format = FORMATS.iter().find(|f| f.name == args.check.format).ok_or("no such format")?;
    let expected = args.check.expect.is_some();
    let mut all = Many { machines: Vec::new(), expected };
    checked(args, &files, |m| {
        if format.many.is_none() {
            out::print(&text::machine(&m, expected), Exit::Fine);
        }
        all.machines.push(m);
    })?;
    Ok(reported(format, &all))
}

fn reported(format: &Format, all: &Many) -> Exit {
    let exit = match all.worst() {
        Some(code) => Exit::of(code),
        None => Exit::Limit,
    };
    match format.many {
        Some(write) => out::print(&write(all), exit),
        None => out::print(&text::summary(all), exit),
    }
}

/// Checks all; gives them in the order of the files, each as soon as those before it are done.
fn checked(args: &ManyArgs, files: &[PathBuf], mut take: impl FnMut(Checked)) -> Result<(), String> {
    let (pool, ctrl_c) = (child::pool(args.jobs)?, CtrlC::new());
    let (ctrl_c, (send, done)) = (&ctrl_c, mpsc::channel());
    let share = child::share(args.jobs, args.check.max_memory);
    let (share, part) = (share.as_ref(), Part::new(format!("0 of {} machines", files.len())));
    let _shown = (!args.check.quiet).then(|| part.show());
    pool.in_place_scope_fifo(|scope| {
        for (at, file) in files.iter().enumerate() {
            let send = send.clone();
            scope.spawn_fifo(move |_| {
                // Nobody listens any more after an error.
                let _ = send.send((at, one(file, share, ctrl_c)));
            });
        }
        drop(send);
        let mut early = std::collections::BTreeMap::new();
        let mut next = 0;
        for (at, checked) in done {
            early.insert(at, checked?);
            while let Some(checked) = early.remove(&next) {
                take(checked);
                next += 1;
                part.is(format!("{next} of {} machines", files.len()));
            }
        }
        Ok(())
    })
}

/// Checks one, unless the user has ended it all.
fn one(file: &Path, share: Option<&OsString>, ctrl_c: &CtrlC) -> Result<Checked, String> {
    let mut checked =
        Checked { file: file.display().to_string(), exit: None, report: String::new(), said: String::new() };
    if ctrl_c.pressed() {
        return Ok(checked);
    }
    let Ended { status, out, said } = child::run(&arguments(file, share), None, ctrl_c)?;
    // What was cut off by Ctrl-C is no report.
    if ctrl_c.pressed() && status.is_none() {
        return Ok(checked);
    }
    checked.exit = status.map(|s| s.code().and_then(|c| u8::try_from(c).ok()).unwrap_or(KILLED));
    checked.report = String::from_utf8_lossy(&out).into_owned();
    checked.said = String::from_utf8_lossy(&said).into_owned();
    Ok(checked)
}

/// In place of the exit code of a process that the system ended.
const KILLED: u8 = u8::MAX;

/// The arguments of this process, for one of its machines.
fn arguments(file: &Path, share: Option<&OsString>) -> Vec<OsString> {
    let own = std::iter::once(child::word("--one-of-them", file.as_os_str())).chain(share.cloned());
    let mut arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    // Behind the name of the command: what stands behind `--` is no option.
    let at = 1.min(arguments.len());
    arguments.splice(at..at, own);
    arguments
}
