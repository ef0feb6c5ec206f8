//! The limits that a command runs under: time, memory, Ctrl-C.

use crate::explore::limits::{self, Limits, Watch};
use std::time::{Duration, Instant};

/// Starts to watch: at most `timeout` from `start` on, at most `memory` bytes (as much as the system has, if nothing is
/// said). The first Ctrl-C raises the interrupt, the second one ends the process.
pub(super) fn start(timeout: Option<Duration>, memory: Option<u64>, start: Instant) -> Watch {
    let system = limits::of_system();
    let watch = Watch::start(Limits {
        deadline: timeout.and_then(|t| start.checked_add(t)),
        memory: memory.or(system.memory),
        address_space: system.address_space,
    });
    let stop = watch.stopper();
    let mut asked = false;
    // Without a handler Ctrl-C ends the process as usual.
    let _ = ctrlc::set_handler(move || {
        if std::mem::replace(&mut asked, true) {
            std::process::exit(130);
        }
        stop();
    });
    watch
}
