//! What is said when memory is refused, or a limit not heeded: a message, and a partial report where a report was to be
//! written.
//!
//! In: the refused request, from the allocator; the limit, from the watch. Nothing comes back: the process ends with
//! the exit code of a limit. The report that could be written then is prepared when a check starts, as nothing may
//! go wrong at the end. This is the one thing known to the whole process; an allocator has no other way to reach it.

use super::exit::Exit;
use std::io::Write as _;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// States stored when last reported.
static STATES: AtomicU64 = AtomicU64::new(0);
static REPORT: OnceLock<[String; 3]> = OnceLock::new();
static SPEAKING: AtomicBool = AtomicBool::new(false);

/// Prepares the report: its text before and after what stopped the search and the number of states.
pub(super) fn prepare(report: [String; 3]) {
    // A second check in one process keeps the first report; the command line runs one.
    let _ = REPORT.set(report);
}

/// Notes how far the search is.
pub(super) fn states(n: u64) {
    STATES.store(n, Ordering::Relaxed);
}

/// Says that `bytes` bytes of memory were refused, and ends the process. Returns only if it is already being said.
pub fn out_of_memory(bytes: usize) {
    if SPEAKING.swap(true, Ordering::SeqCst) {
        return;
    }
    let _ = writeln!(
        std::io::stderr(),
        "error: the system gave no more memory ({bytes} bytes were asked for); see --max-memory"
    );
    end("memory")
}

/// Says that a step of the search goes on long after a limit, and ends the process. Returns only if its end is
/// being said already.
pub(super) fn overdue(limit: &str) {
    if SPEAKING.swap(true, Ordering::SeqCst) {
        return;
    }
    let states = STATES.load(Ordering::Relaxed);
    let _ = writeln!(
        std::io::stderr(),
        "error: stopped by a limit ({limit}) in the middle of a step that does not end; at least {states} states were stored"
    );
    end(limit)
}

fn end(reason: &str) -> ! {
    if let Some([before, between, after]) = REPORT.get() {
        let mut out = std::io::stdout();
        let _ = write!(out, "{before}{reason}{between}{}{after}", STATES.load(Ordering::Relaxed));
        let _ = out.flush();
    }
    std::process::exit(Exit::Limit.code().into())
}
