//! The terminal: taken over, and given back whatever happens.
//!
//! In: standard output, if it is a terminal. Out: what draws on it. It is given back when drawing ends, when something panics, and before
//! last words (`last_words`), which is why whether it is taken is known to the whole process.

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use std::io::{self, Stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Whether it is taken.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Takes it over.
///
/// # Errors
/// It cannot be.
pub(super) fn take() -> io::Result<Terminal<CrosstermBackend<Stdout>>> {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        give_back();
        before(panic);
    }));
    TAKEN.store(true, Ordering::SeqCst);
    let taken = enable_raw_mode()
        .and_then(|()| execute!(io::stdout(), EnterAlternateScreen))
        .and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())));
    if taken.is_err() {
        give_back();
    }
    taken
}

/// Whether it is taken, and may be drawn on.
pub(super) fn is_taken() -> bool {
    TAKEN.load(Ordering::SeqCst)
}

/// Gives it back as it was, if it is taken.
pub(in crate::cli) fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // There is nobody left to be told that this failed.
        let _ = disable_raw_mode();
        let _ = execute!(io::stdout(), LeaveAlternateScreen, Show);
    }
}

/// Waits for keys, or for this time; whether the terminal is still there, which the library that reads it does not notice.
#[cfg(target_os = "linux")]
pub(super) fn wait(time: Duration) -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let input = io::stdin();
    let mut polled = [PollFd::new(&input, PollFlags::IN)];
    // An error is a signal, after which one looks again.
    let _ = poll(&mut polled, Timespec::try_from(time).ok().as_ref());
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    Ok(!polled.iter().any(|p| p.revents().intersects(gone)))
}

/// Elsewhere only a signal tells.
#[cfg(not(target_os = "linux"))]
pub(super) fn wait(time: Duration) -> io::Result<bool> {
    ratatui::crossterm::event::poll(time).map(|_| true)
}
