//! Ctrl-C: the first ends the search that runs, with a partial report; the second ends the process.
//!
//! In: signals of the system. Out: a flag that whoever watches a search looks at. A process has one handler for good, so
//! searches that run one after the other share it.

#[cfg(unix)]
use signal_hook::consts::SIGHUP;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What asks a process to end.
const SIGNALS: &[i32] = &[
    SIGINT,
    SIGTERM,
    #[cfg(unix)]
    SIGHUP,
];

/// What the second ends the process with.
const KILLED: i32 = 130;

/// The handler's end in this process.
#[derive(Clone, Default)]
pub(super) struct CtrlC {
    pressed: Arc<AtomicBool>,
}

impl CtrlC {
    /// Starts to listen. Without a handler Ctrl-C ends the process as usual.
    pub(super) fn new() -> Self {
        let new = Self::default();
        for signal in SIGNALS {
            // In this order: what the first one sets the second one finds.
            let _ = flag::register_conditional_shutdown(*signal, KILLED, Arc::clone(&new.pressed));
            let _ = flag::register(*signal, Arc::clone(&new.pressed));
        }
        new
    }

    /// Starts to listen for a command that answers one line after the other: Ctrl-C ends an answer, what else asks a process to end
    /// does so.
    pub(super) fn of_a_prompt() -> Self {
        let new = Self::default();
        let _ = flag::register_conditional_shutdown(SIGINT, KILLED, Arc::clone(&new.pressed));
        let _ = flag::register(SIGINT, Arc::clone(&new.pressed));
        new
    }

    /// What was pressed was for what is over.
    pub(super) fn forget(&self) {
        self.pressed.store(false, Ordering::SeqCst);
    }

    /// True once it was pressed.
    pub(super) fn pressed_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.pressed)
    }

    /// Whether it was pressed.
    pub(super) fn pressed(&self) -> bool {
        self.pressed.load(Ordering::SeqCst)
    }
}
