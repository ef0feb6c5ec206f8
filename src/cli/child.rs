//! Checks in processes of their own: each with its own time and memory, none able to take the caller with it.
//!
//! In: the arguments of a `bsym check`. Out: its JSON report. What the child says on standard error is dropped, unless there is
//! no report: it may say that a limit ended it.

use super::ctrl_c::CtrlC;
use super::last_words::{NO_MEMORY, OVERDUE};
use super::units;
use crate::explore::limits;
use serde_json::{Value as Json, json};
use std::ffi::{OsStr, OsString};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// `stopped_by` of a child that left no report, and no reason.
pub(super) const DIED: &str = "died";
/// `stopped_by` of a child that a limit or the system ended before its report was out: on a loaded host, or without memory.
pub(super) const CUT_SHORT: &str = "cut short";
/// `stopped_by` of a child that the user ended with this process.
pub(super) const INTERRUPTED: &str = "interrupted";
/// `stopped_by` of a child that went on after its limit of time and was killed.
pub(super) const OUTLIVED: &str = "outlived its timeout";

/// A check to be run.
pub(super) struct Check {
    arguments: Vec<OsString>,
    timeout: Duration,
}

impl Check {
    /// A check of `file` that goes on after violations.
    pub(super) fn new(file: &OsStr, timeout: Duration) -> Self {
        let mut check = Self { arguments: vec!["check".into(), file.into()], timeout };
        check.option("--timeout", &format!("{}s", timeout.as_secs_f64()));
        check.arguments.extend(["--keep-going", "--quiet", "--format=json"].map(OsString::from));
        check
    }

    /// Adds an option with its value.
    pub(super) fn option(&mut self, name: &str, value: &str) {
        self.arguments.push(word(name, value.as_ref()));
    }

    /// Adds arguments.
    pub(super) fn words(&mut self, words: Vec<OsString>) {
        self.arguments.extend(words);
    }

    /// Adds an option with its value, if there is one.
    pub(super) fn optional(&mut self, name: &str, value: Option<impl ToString>) {
        if let Some(v) = value {
            self.option(name, &v.to_string());
        }
    }

    /// Adds an option without a value.
    pub(super) fn flag(&mut self, name: &str) {
        self.arguments.push(name.into());
    }

    /// The report. A child without one has `stopped_by` [`CUT_SHORT`] if that was no fault of its own, [`DIED`] if it was,
    /// [`OUTLIVED`] if it did not stop, and [`INTERRUPTED`] if Ctrl-C ended it.
    ///
    /// # Errors
    /// No child can be started.
    pub(super) fn run(&self, ctrl_c: &CtrlC) -> Result<Json, String> {
        let longest = self.timeout.mul_f64(1.5) + Duration::from_secs(10);
        let Ended { status, out, said } = run(&self.arguments, Some(longest), ctrl_c)?;
        let without = |why: &str| json!({"complete": false, "stopped_by": why});
        Ok(match (status, serde_json::from_slice(&out)) {
            (None, _) if ctrl_c.pressed() => without(INTERRUPTED),
            (None, _) => without(OUTLIVED),
            (_, Ok(report)) => report,
            (Some(status), Err(_)) if was_killed(status) || has_last_words(&said) => without(CUT_SHORT),
            _ => without(DIED),
        })
    }
}

/// An option with its value as one word: a value may begin with a minus sign.
pub(super) fn word(name: &str, value: &OsStr) -> OsString {
    let mut word = OsString::from(name);
    word.push("=");
    word.push(value);
    word
}

/// The option that gives a process its share of the memory that is free, where several run at the same time: each would take nearly
/// all of it. None if one runs at a time, or if it is `said` how much each may take.
pub(super) fn share(jobs: u16, said: Option<u64>) -> Option<OsString> {
    if jobs < 2 || said.is_some() {
        return None;
    }
    let free = limits::of_system().memory?;
    Some(word("--max-memory", units::in_bytes(free / u64::from(jobs)).as_ref()))
}

/// Threads that each wait for a process.
///
/// # Errors
/// The system has none.
pub(super) fn pool(jobs: u16) -> Result<rayon::ThreadPool, String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(jobs)).build();
    pool.map_err(|e| format!("no {jobs} jobs can be started: {e}"))
}

/// A process that has ended.
pub(super) struct Ended {
    /// How; `None` if it was killed from here.
    pub status: Option<ExitStatus>,
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard error.
    pub said: Vec<u8>,
}

/// Runs bsym with arguments, until it ends, for a time at most, or until Ctrl-C.
///
/// # Errors
/// No process can be started.
pub(super) fn run(
    arguments: &[OsString],
    longest: Option<Duration>,
    ctrl_c: &CtrlC,
) -> Result<Ended, String> {
    let mut child = start(arguments, |c| c.stdout(Stdio::piped()).stderr(Stdio::piped()))?;
    let (out, said) = (aside(child.stdout.take()), aside(child.stderr.take()));
    let status = wait(&mut child, longest.unwrap_or(Duration::MAX), ctrl_c);
    let text = |reader: Reader| reader.join().unwrap_or_default();
    Ok(Ended { status, out: text(out), said: text(said) })
}

/// Starts bsym with arguments, and with what is set beside them.
///
/// # Errors
/// No process can be started.
pub(super) fn start(
    arguments: &[OsString],
    set: impl FnOnce(&mut Command) -> &mut Command,
) -> Result<Child, String> {
    let failed = |e| format!("bsym cannot be started again: {e}");
    let mut command = Command::new(std::env::current_exe().map_err(failed)?);
    set(command.args(arguments).stdin(Stdio::null())).spawn().map_err(failed)
}

type Reader = std::thread::JoinHandle<Vec<u8>>;

/// Reads beside the child, which would wait for ever to write more than a pipe holds.
fn aside(pipe: Option<impl std::io::Read + Send + 'static>) -> Reader {
    std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = pipe.map(|mut p| p.read_to_end(&mut text));
        text
    })
}

/// Whether a child said that a limit ended it.
fn has_last_words(said: &[u8]) -> bool {
    let said = String::from_utf8_lossy(said);
    said.lines().any(|l| l.starts_with(OVERDUE) || l.starts_with(NO_MEMORY))
}

/// Whether somebody else ended it: the system, where memory runs out.
#[cfg(unix)]
fn was_killed(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt as _;
    /// The signal that cannot be caught, and that no fault of a process raises.
    const SIGKILL: i32 = 9;
    status.signal() == Some(SIGKILL)
}

/// Elsewhere nobody can tell.
#[cfg(not(unix))]
fn was_killed(_: ExitStatus) -> bool {
    false
}

/// Waits for the end of a child and kills it when it does not come; how it ended, if it did.
pub(super) fn wait(child: &mut Child, longest: Duration, ctrl_c: &CtrlC) -> Option<ExitStatus> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        match child.try_wait() {
            Ok(None) if start.elapsed() < longest && !ctrl_c.pressed() => std::thread::sleep(pause),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
            Ok(Some(status)) => return Some(status),
            Err(_) => return None,
        }
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_at_the_same_time_shares_the_memory() {
        assert_eq!(share(1, None), None);
        assert_eq!(share(2, Some(1 << 30)), None);
        let bytes = |jobs: u16| {
            let word = share(jobs, None)?.into_string().ok()?;
            units::bytes(word.strip_prefix("--max-memory=")?).ok()
        };
        // Where the system does not tell what is free, there is nothing to share.
        if let (Some(half), Some(tenth)) = (bytes(2), bytes(10)) {
            // Others take and give back memory meanwhile.
            assert!(half / 7 < tenth && tenth < half / 3, "{half} {tenth}");
        }
    }
}
