//! `bsym check --watch`: the check again whenever a file of its machines changes.
//!
//! In: the arguments of this process. Out: one process after the other with the same arguments, which writes as it always does; a
//! check that is not done when a file changes is ended. It ends with Ctrl-C and the exit code of the last check.

use super::args::ManyArgs;
use super::child;
use super::ctrl_c::CtrlC;
use super::exit::Exit;
use super::files;
use crate::resolve::written;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Child, ExitStatus};
use std::time::{Duration, SystemTime};

/// Between two looks at the files: a fraction of what a person notices.
const PAUSE: Duration = Duration::from_millis(100);

/// What a check has to end in once it is asked to.
const GRACE: Duration = Duration::from_secs(3);

/// The option by which a check goes on for ever.
const OPTION: &str = "--watch";

/// Files with what tells one version from the next.
type Versions = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

/// Runs the command.
///
/// # Errors
/// No process can be started.
pub(super) fn run(args: &ManyArgs) -> Result<Exit, String> {
    let ctrl_c = CtrlC::new();
    let arguments: Vec<OsString> = std::env::args_os().skip(1).filter(|a| a != OPTION).collect();
    let mut last = Exit::Limit;
    loop {
        let before = versions(args);
        let mut child = child::start(&arguments, |c| c)?;
        let mut running = true;
        loop {
            if running && let Ok(Some(status)) = child.try_wait() {
                last = Exit::of_process(status);
                running = false;
                tell!("\nwaiting for a change of {} (Ctrl-C ends)", listed(&before));
            }
            if ctrl_c.pressed() {
                // The terminal has told the child as well.
                return Ok(if running { end(&mut child).map_or(last, Exit::of_process) } else { last });
            }
            let changed = changed(&before);
            if !changed.is_empty() {
                if running {
                    end(&mut child);
                }
                tell!("\n--- changed: {}\n", changed.join(", "));
                break;
            }
            std::thread::sleep(PAUSE);
        }
    }
}

/// The files that the machines are made of, as far as they can be read.
fn versions(args: &ManyArgs) -> Versions {
    let named: Vec<PathBuf> = std::iter::once(&args.check.file).chain(&args.more).cloned().collect();
    // What cannot be read is told by the check, and is looked for again.
    let machines = files::machines(&named).unwrap_or_default();
    let mut all: Versions = named.into_iter().map(|path| (path, None)).collect();
    for machine in machines {
        let mut sources = args.check.places.sources();
        // What is wrong with them is told by the check.
        let _ = written::read(&machine, &mut sources);
        all.insert(machine, None);
        all.extend(sources.files().map(|f| (f.path.clone(), None)));
    }
    for (path, version) in &mut all {
        *version = self::version(path);
    }
    all
}

fn version(path: &PathBuf) -> Option<(SystemTime, u64)> {
    let data = std::fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}

fn changed(before: &Versions) -> Vec<String> {
    let differ = |(path, known): &(&PathBuf, &Option<_>)| version(path) != **known;
    before.iter().filter(differ).map(|(path, _)| path.display().to_string()).collect()
}

fn listed(all: &Versions) -> String {
    let paths: Vec<String> =
        all.iter().filter(|(_, v)| v.is_some()).map(|(p, _)| p.display().to_string()).collect();
    match paths.as_slice() {
        [one] => format!("`{one}`"),
        several => format!("{} files", several.len()),
    }
}

/// Ends a check as Ctrl-C does: its own processes end with it.
fn end(child: &mut Child) -> Option<ExitStatus> {
    interrupt(child);
    // The Ctrl-C of this process is what may have ended the wait for the check, and gives it no less time to end.
    child::wait(child, GRACE, &CtrlC::default())
}

#[cfg(target_os = "linux")]
fn interrupt(child: &Child) {
    let _ =
        rustix::process::kill_process(rustix::process::Pid::from_child(child), rustix::process::Signal::INT);
}

/// Elsewhere it is killed when its time is over.
#[cfg(not(target_os = "linux"))]
fn interrupt(_: &Child) {}
