//! What is said when memory is refused, or a limit not heeded: a message, and the report as far as it is known.
//!
//! In: the refused request, from the allocator; the limit, from the watch; on the way, what is being done and how far the
//! search is. Nothing comes back: the process ends with the exit code of a limit. The report that could be written then is
//! prepared when a check starts. This is the one thing known to the whole process; an allocator has no other way to reach it.

use super::exit::Exit;
use super::progress;
use crate::explore::{Phase, Progress, limits};
use crate::report::broken::{self, Broken, Known};
use crate::report::refinement::Judged;
use crate::report::{Format, Message, Report};
use serde_json::json;
use std::io::Write as _;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The messages of last words begin so.
pub(super) const OVERDUE: &str = "error: stopped by a limit";
pub(super) const NO_MEMORY: &str = "error: the system gave no more memory";

/// What the process is doing, by [`AT_WORK`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AtWork {
    /// Reading and typing the files.
    Loading,
    /// Setting up what explores.
    Preparing,
    /// Finding the valuations of the constants.
    Properties,
    /// Finding the initial states.
    Initialisation,
    /// Taking steps.
    Steps,
    /// Looking for what cannot hold together.
    Conflicts,
    /// Describing what was found.
    Report,
    /// Writing it.
    Writing,
    /// Exploring the pairs of states of a refinement.
    Refinement,
}

/// In words, in the order of [`AtWork`].
const AT_WORK: [(AtWork, &str); 9] = [
    (AtWork::Loading, "reading the files of the machine"),
    (AtWork::Preparing, "preparing the search"),
    (AtWork::Properties, "looking for values of the constants (PROPERTIES)"),
    (AtWork::Initialisation, "looking for initial states (INITIALISATION)"),
    (AtWork::Steps, "exploring (OPERATIONS)"),
    (AtWork::Conflicts, "looking for the conjuncts that cannot hold together"),
    (AtWork::Report, "describing what was found"),
    (AtWork::Writing, "writing the report"),
    (AtWork::Refinement, "checking a refinement on the states of both machines"),
];

/// How far a check was when last reported.
static AT: AtomicUsize = AtomicUsize::new(0);
static STATES: AtomicU64 = AtomicU64::new(0);
static TRANSITIONS: AtomicU64 = AtomicU64::new(0);
static DEPTH: AtomicU64 = AtomicU64::new(0);
static WAITING: AtomicU64 = AtomicU64::new(0);
static VALUATIONS: AtomicU64 = AtomicU64::new(0);
static FOUND: Mutex<Option<&'static str>> = Mutex::new(None);
static BEGUN: OnceLock<Begun> = OnceLock::new();
static KNOWN: Mutex<Option<(Known, Bare)>> = Mutex::new(None);

/// Who says how the check ends, by [`SPEAKER`]: two reports would be none.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Speaker {
    Nobody,
    /// The check itself, with its own report.
    Check,
    /// Whoever found that it does not end.
    LastWords,
}

static SPEAKER: AtomicU8 = AtomicU8::new(Speaker::Nobody as u8);

/// Claims the end for a speaker; otherwise who has claimed it before.
fn claim(speaker: Speaker) -> Result<(), Speaker> {
    let claimed =
        SPEAKER.compare_exchange(Speaker::Nobody as u8, speaker as u8, Ordering::SeqCst, Ordering::SeqCst);
    claimed.map(|_| ()).map_err(
        |who| {
            if who == Speaker::Check as u8 { Speaker::Check } else { Speaker::LastWords }
        },
    )
}

/// What is known of a check when it starts.
pub(super) struct Begun {
    /// What the report says of the run.
    pub run: Broken,
    /// How it is written.
    pub format: Option<&'static Format>,
    /// When it started.
    pub start: Instant,
}

/// The report in JSON for the case that there is no memory: before and after what stopped the search and the number of states.
type Bare = [String; 3];

fn bare(run: &Broken, known: &Known) -> Bare {
    let lines = |all: &mut dyn Iterator<Item = &Message>| all.map(Message::line).collect::<Vec<_>>();
    let told = json!({
        "schema": "bsym.check/1", "version": env!("CARGO_PKG_VERSION"), "machine": known.machine, "file": run.file,
        "verdict": "incomplete", "complete": false, "warnings": lines(&mut known.warnings.iter()),
        "not_checked": lines(&mut known.warnings.iter().filter(|w| w.is_not_checked())),
    });
    let before = format!("{},\"stopped_by\":\"", told.to_string().trim_end_matches('}'));
    [before, "\",\"states\":".to_owned(), "}\n".to_owned()]
}

/// Prepares the report.
pub(super) fn prepare(begun: Begun) {
    let known = begun.run.known.clone();
    // A second check in one process keeps the first report; the command line runs one.
    let _ = BEGUN.set(begun);
    AT.store(AtWork::Loading as usize, Ordering::Relaxed);
    read(known);
}

/// Notes what the file says, as far as it has been read.
pub(super) fn read(known: Known) {
    keep(known);
    // Of several sizes each begins anew.
    [&STATES, &WAITING, &VALUATIONS].iter().for_each(|n| n.store(0, Ordering::Relaxed));
    *FOUND.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

fn keep(known: Known) {
    let Some(begun) = BEGUN.get() else { return };
    let bare = bare(&begun.run, &known);
    *KNOWN.lock().unwrap_or_else(PoisonError::into_inner) = Some((known, bare));
}

/// Notes more of it.
pub(super) fn more(add: impl FnOnce(&mut Known)) {
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|(k, _)| k.clone());
    if let Some(mut known) = known {
        add(&mut known);
        keep(known);
    }
}

/// Notes what is being done.
pub(super) fn at_work(what: AtWork) {
    if !is_beside() || what == AtWork::Writing {
        AT.store(what as usize, Ordering::Relaxed);
    }
}

/// Notes that from now on a refinement is checked beside what was explored: how far that has come is not what the report counts.
pub(super) fn beside() {
    at_work(AtWork::Refinement);
}

/// Notes that from now on what the report counts is explored, and what came of refinements that were checked before.
pub(super) fn no_longer_beside(judged: &[Judged]) {
    if judged.is_empty() {
        return;
    }
    AT.store(AtWork::Preparing as usize, Ordering::Relaxed);
    more(|known| {
        for line in judged.iter().map(Judged::line) {
            known.refinements.iter_mut().filter(|l| l.name() == line.name()).for_each(|l| l.clone_from(line));
        }
    });
}

fn is_beside() -> bool {
    AT.load(Ordering::Relaxed) == AtWork::Refinement as usize
}

/// Notes that the report is being written now. If last words are being said instead, they end the process.
pub(super) fn writing() {
    if claim(Speaker::Check) == Err(Speaker::LastWords) {
        loop {
            std::thread::park();
        }
    }
    at_work(AtWork::Writing);
    progress::end();
}

fn at() -> (AtWork, &'static str) {
    AT_WORK.get(AT.load(Ordering::Relaxed)).copied().unwrap_or((AtWork::Loading, ""))
}

/// What is being done, in words.
pub(super) fn doing() -> &'static str {
    at().1
}

/// How far a check is, for whoever shows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct SoFar {
    pub at_work: AtWork,
    pub states: u64,
    pub waiting: u64,
    pub depth: u64,
    /// Valuations of the constants that were found.
    pub valuations: u64,
}

/// How far the check was when last reported.
pub(super) fn so_far() -> SoFar {
    SoFar {
        at_work: at().0,
        states: STATES.load(Ordering::Relaxed),
        waiting: WAITING.load(Ordering::Relaxed),
        depth: DEPTH.load(Ordering::Relaxed),
        valuations: VALUATIONS.load(Ordering::Relaxed),
    }
}

/// Notes how far the search is.
pub(super) fn progress(p: Progress) {
    if is_beside() {
        return;
    }
    at_work(match p.phase {
        Phase::Properties => AtWork::Properties,
        Phase::Initialisation => AtWork::Initialisation,
        Phase::Steps => AtWork::Steps,
    });
    STATES.store(p.states, Ordering::Relaxed);
    TRANSITIONS.store(p.transitions, Ordering::Relaxed);
    DEPTH.store(p.depth, Ordering::Relaxed);
    WAITING.store(p.waiting, Ordering::Relaxed);
    VALUATIONS.store(p.valuations, Ordering::Relaxed);
    if p.found.is_some() {
        found(p.found);
    }
}

/// Notes the kind of the first violation.
pub(super) fn found(kind: Option<&'static str>) {
    // That there is none in the pairs of states takes nothing back, and what is not of the refinement is none of the whole.
    if is_beside() && kind != Some("refinement") {
        return;
    }
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if kind.is_some() || *found != Some("refinement") {
        *found = kind;
    }
}

/// Says that `bytes` bytes of memory were refused, and ends the process. Returns only if it is already being said.
pub fn out_of_memory(bytes: usize) {
    let claimed = claim(Speaker::LastWords);
    if claimed == Err(Speaker::LastWords) {
        return;
    }
    super::animate::give_back();
    progress::wipe();
    let _ = writeln!(std::io::stderr(), "{NO_MEMORY} ({bytes} bytes were asked for); see --max-memory");
    let is_json = BEGUN.get().and_then(|b| b.format).is_some_and(|f| f.name == "json");
    // Nothing is waited for, and nothing built; what is half written cannot be written again.
    if claimed.is_ok()
        && is_json
        && let Ok(known) = KNOWN.try_lock()
        && let Some((_, [before, between, after])) = &*known
    {
        let mut out = std::io::stdout();
        let _ = write!(out, "{before}memory{between}{}{after}", STATES.load(Ordering::Relaxed));
        let _ = out.flush();
    }
    std::process::exit(Exit::Limit.code().into())
}

/// How long the last words, or a report whose writing has begun, may take if nobody is there to read them.
const BREATH: Duration = Duration::from_millis(200);

/// And if somebody is: on a busy host what takes a millisecond may take seconds, and half a report is none.
const BREATH_OF_BUSY: Duration = Duration::from_secs(5);

/// Says that something goes on after a limit, and ends the process. Returns only if its end is being said already.
pub(super) fn overdue(limit: &'static str) {
    let code = report(limit).map_or(Exit::Limit, |(r, _)| r.verdict.into());
    match claim(Speaker::LastWords) {
        Err(Speaker::LastWords) => return,
        // The check ends by itself, unless nobody reads its report.
        Err(_) => {
            breathe(|turn| {
                std::thread::sleep(turn);
                false
            });
            overdue_line(limit);
        }
        Ok(()) => {
            let (done, wait) = std::sync::mpsc::channel();
            // Aside, as whoever reads may have stopped to.
            let _ = std::thread::Builder::new().spawn(move || {
                speak(limit);
                let _ = done.send(());
            });
            breathe(|turn| wait.recv_timeout(turn) != Err(RecvTimeoutError::Timeout));
        }
    }
    std::process::exit(code.code().into())
}

/// Waits until `ended` says so after a turn, but no longer than may be.
fn breathe(ended: impl Fn(Duration) -> bool) {
    const TURN: Duration = Duration::from_millis(10);
    let since = Instant::now();
    while !ended(TURN) {
        if since.elapsed() > if is_read() { BREATH_OF_BUSY } else { BREATH } {
            return;
        }
    }
}

/// Whether what is written to standard output finds a place there.
#[cfg(target_os = "linux")]
fn is_read() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let out = std::io::stdout();
    poll(&mut [PollFd::new(&out, PollFlags::OUT)], Some(&Timespec::default())) == Ok(1)
}

/// Elsewhere nobody tells.
#[cfg(not(target_os = "linux"))]
fn is_read() -> bool {
    false
}

fn overdue_line(limit: &'static str) {
    let _ = writeln!(std::io::stderr(), "{OVERDUE} ({limit}) while {}", doing());
}

fn speak(limit: &'static str) {
    progress::end();
    overdue_line(limit);
    if let Some((report, Some(format))) = report(limit) {
        let mut out = std::io::stdout();
        let _ = (format.write)(&report, &mut out);
        let _ = out.flush();
    }
}

/// The report as far as it is known, if it is a check that runs.
fn report(limit: &'static str) -> Option<(Report, Option<&'static Format>)> {
    let begun = BEGUN.get()?;
    let mut run = begun.run.clone();
    // Nothing is waited for here.
    if let Ok(Some((known, _))) = KNOWN.try_lock().as_deref() {
        run.known.clone_from(known);
    }
    run.found = FOUND.try_lock().ok().and_then(|f| *f);
    run.stopped_by = limit;
    doing().clone_into(&mut run.at_work);
    run.states = STATES.load(Ordering::Relaxed);
    run.transitions = TRANSITIONS.load(Ordering::Relaxed);
    run.depth = DEPTH.load(Ordering::Relaxed);
    run.seconds = begun.start.elapsed().as_secs_f64();
    run.peak_bytes = limits::peak().unwrap_or(0);
    Some((broken::report(run), begun.format))
}
