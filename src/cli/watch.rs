//! The limits that a command runs under: time, memory, Ctrl-C.

use super::ctrl_c::CtrlC;
use super::last_words;
use crate::explore::limits::{self, Limits, Watch};
use std::time::{Duration, Instant};

/// Starts to watch: at most `timeout` from `start` on, at most `memory` bytes (as much as the system has, if nothing is
/// said). The first Ctrl-C raises the interrupt. What does not heed a limit for long ends with the process.
pub(super) fn start(timeout: Option<Duration>, memory: Option<u64>, start: Instant, ctrl_c: &CtrlC) -> Watch {
    let system = limits::of_system();
    let watch = Watch::start(Limits {
        deadline: timeout.and_then(|t| start.checked_add(t)),
        memory: memory.or(system.memory),
        address_space: system.address_space,
    });
    watch.insist(|stop| last_words::overdue(stop.name()));
    ctrl_c.stops(watch.stopper());
    watch
}
