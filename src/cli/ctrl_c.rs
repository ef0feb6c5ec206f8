//! Ctrl-C: the first ends the search that runs, with a partial report; the second ends the process.
//!
//! A process has one handler for good, so searches that run one after the other share it.

use std::sync::{Arc, Mutex, PoisonError};

type Stop = Box<dyn Fn() + Send>;

/// The handler's end in this process.
#[derive(Clone, Default)]
pub(super) struct CtrlC {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    pressed: bool,
    stop: Option<Stop>,
}

impl CtrlC {
    /// Starts to listen. Without a handler Ctrl-C ends the process as usual.
    pub(super) fn new() -> Self {
        let new = Self::default();
        let heard = new.clone();
        let _ = ctrlc::set_handler(move || {
            let mut state = heard.state.lock().unwrap_or_else(PoisonError::into_inner);
            if std::mem::replace(&mut state.pressed, true) {
                std::process::exit(130);
            }
            if let Some(stop) = &state.stop {
                stop();
            }
        });
        new
    }

    /// What Ctrl-C is to stop from now on.
    pub(super) fn stops(&self, stop: impl Fn() + Send + 'static) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.pressed {
            stop();
        }
        state.stop = Some(Box::new(stop));
    }

    /// Whether it was pressed.
    pub(super) fn pressed(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).pressed
    }
}
