//! The limits that a command runs under: time, memory, Ctrl-C.

use super::ctrl_c::CtrlC;
use super::last_words;
use crate::explore::limits::{self, Limits, Watch};
use std::time::{Duration, Instant};

/// Starts to watch: at most `timeout` from `start` on, at most `memory` bytes (as much as the system has, if nothing is
/// said). The first Ctrl-C raises the interrupt. What does not heed a limit ends with the process,
/// within a second.
pub(super) fn start(timeout: Option<Duration>, memory: Option<u64>, start: Instant, ctrl_c: &CtrlC) -> Watch {
    let deadline = timeout.and_then(|t| start.checked_add(t));
    let limits = move || {
        let system = limits::of_system();
        Limits { deadline, memory: memory.or(system.memory), ..system }
    };
    Watch::insist(limits, ctrl_c.pressed_flag(), |stop| last_words::overdue(stop.name()))
}
