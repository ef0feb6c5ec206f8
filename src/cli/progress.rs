//! How far a command is: one line on standard error, while that is a terminal.
//!
//! In: what the line says, asked for some times a second. Out: nothing that stays: the line is taken away before anything else is
//! written, and at the end, however that comes about ([`end`]). Commands that end at once show none. Siblings: `last_words` knows how far
//! a check is.

use super::last_words::{self, AtWork, SoFar};
use crate::explore::limits;
use crate::report::text::{self, count, grouped};
use ratatui::crossterm::cursor::MoveToColumn;
use ratatui::crossterm::execute;
use ratatui::crossterm::style::Print;
use ratatui::crossterm::terminal::Clear;
use ratatui::crossterm::terminal::ClearType::UntilNewLine;
use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What ends within this time is not worth a line.
const FIRST: Duration = Duration::from_millis(400);

/// Between two looks; nobody reads faster.
const TURN: Duration = Duration::from_millis(100);

/// What rates and growth are taken over, at least.
const SPAN: Duration = Duration::from_secs(1);

/// The line, while there is one. Whoever writes to the terminal is in no other way reached by it.
static SHOWN: Mutex<Option<Line>> = Mutex::new(None);

/// How many lines there were: of several sizes each has its own.
static LINES: AtomicU64 = AtomicU64::new(0);

/// What stands in the line where the cursor is.
struct Line {
    number: u64,
    drawn: bool,
}

impl Line {
    fn draw(&mut self, text: &str) {
        let columns = terminal_size::terminal_size_of(std::io::stderr()).map_or(text::WIDTH, |(w, _)| w.0);
        // Where there is no terminal any more, there is no line.
        let _ =
            execute!(std::io::stderr(), MoveToColumn(0), Print(fitting(text, columns)), Clear(UntilNewLine));
        self.drawn = true;
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            let _ = execute!(std::io::stderr(), MoveToColumn(0), Clear(UntilNewLine));
        }
    }
}

/// As much of a text as fits before the `^C` that the terminal writes there: a line that goes on in the next one is not taken away.
fn fitting(text: &str, columns: u16) -> String {
    const CTRL_C: u16 = 3;
    text.chars().take(columns.saturating_sub(CTRL_C).into()).collect()
}

fn shown() -> MutexGuard<'static, Option<Line>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Shows a line until it is dropped.
pub(super) struct Shown;

impl Drop for Shown {
    fn drop(&mut self) {
        end();
    }
}

/// Shows what `line` says until the end, unless it is not wanted.
pub(super) fn show(quiet: bool, mut line: impl FnMut() -> String + Send + 'static) -> Option<Shown> {
    if quiet || !std::io::stderr().is_terminal() {
        return None;
    }
    let number = LINES.fetch_add(1, Ordering::Relaxed);
    *shown() = Some(Line { number, drawn: false });
    let lines = move || {
        std::thread::sleep(FIRST);
        loop {
            let text = line();
            match &mut *shown() {
                Some(line) if line.number == number => line.draw(&text),
                // It has ended; there may be another one.
                _ => return,
            }
            std::thread::sleep(TURN);
        }
    };
    // Without a thread there is no line.
    std::thread::Builder::new().spawn(lines).ok().map(|_| Shown)
}

/// Takes the line away for good.
pub(super) fn end() {
    if let Some(mut line) = shown().take() {
        line.clear();
    }
}

/// Writes something else; the line comes back below.
pub(super) fn aside<R>(write: impl FnOnce() -> R) -> R {
    let mut shown = shown();
    let Some(line) = &mut *shown else {
        drop(shown);
        return write();
    };
    // Nothing is drawn until it is written.
    line.clear();
    write()
}

/// Takes the line away where nothing may be waited for, and no memory asked for.
pub(super) fn wipe() {
    use std::io::Write as _;
    if SHOWN.try_lock().is_ok_and(|line| line.as_ref().is_some_and(|l| l.drawn)) {
        let _ = std::io::stderr().write_all(b"\r\x1b[K");
    }
}

/// Shows how far the check of this process is.
pub(super) fn of_check(quiet: bool, start: Instant) -> Option<Shown> {
    let mut growth = Growth::new(start);
    show(quiet, move || {
        let so_far = last_words::so_far();
        growth.look(&so_far);
        format!("{}{}; {}", last_words::doing(), details(&so_far, &growth), cost(start))
    })
}

/// What a command is at that runs others.
#[derive(Clone)]
pub(super) struct Part(Arc<Mutex<String>>);

impl Part {
    /// It begins with this.
    pub(super) fn new(text: String) -> Self {
        Self(Arc::new(Mutex::new(text)))
    }

    /// It is at this now.
    pub(super) fn is(&self, text: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }

    /// Shows it.
    pub(super) fn show(&self) -> Option<Shown> {
        let (part, start) = (Self::clone(self), Instant::now());
        show(false, move || {
            let text = part.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
            format!("{text}; {} s", start.elapsed().as_secs())
        })
    }
}

/// How a search has changed of late.
struct Growth {
    since: Instant,
    states: u64,
    waiting: u64,
    /// States a second.
    rate: Option<u64>,
    words: &'static str,
}

impl Growth {
    fn new(since: Instant) -> Self {
        Self { since, states: 0, waiting: 0, rate: None, words: "" }
    }

    fn look(&mut self, now: &SoFar) {
        let (passed, more) = (self.since.elapsed(), now.states.saturating_sub(self.states));
        if passed < SPAN {
            return;
        }
        let rate = u128::from(more) * 1000 / passed.as_millis().max(1);
        self.rate = u64::try_from(rate).ok();
        self.words = match now.waiting {
            n if n > self.waiting => " and growing",
            n if n < self.waiting => " and shrinking",
            _ => "",
        };
        (self.since, self.states, self.waiting) = (Instant::now(), now.states, now.waiting);
    }
}

fn details(now: &SoFar, growth: &Growth) -> String {
    let number = |n: u64| grouped(&n.to_string());
    match now.at_work {
        AtWork::Properties => format!(": {} found", number(now.valuations)),
        AtWork::Initialisation | AtWork::Steps => {
            let rate = growth.rate.map_or_else(String::new, |r| format!(" ({}/s)", number(r)));
            format!(
                ": {}{rate}, {} waiting{}, depth {}",
                count(now.states, "state"),
                number(now.waiting),
                growth.words,
                now.depth
            )
        }
        _ => String::new(),
    }
}

/// Time since then, and memory.
fn cost(start: Instant) -> String {
    let memory = limits::usage().map_or_else(String::new, |u| format!(", {} MiB", u.resident >> 20));
    format!("{} s{memory}", start.elapsed().as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now(states: u64, waiting: u64) -> SoFar {
        SoFar { at_work: AtWork::Steps, states, waiting, depth: 3, valuations: 1 }
    }

    #[test]
    fn a_line_ends_before_the_terminal_does() {
        assert_eq!(fitting("exploring", 40), "exploring");
        assert_eq!(fitting("exploring", 10), "explori");
        assert_eq!(fitting("exploring", 2), "");
    }

    #[test]
    fn a_search_is_told_with_its_rate_and_whether_it_grows() {
        let second = || Instant::now().checked_sub(SPAN).unwrap_or_else(Instant::now);
        let mut growth = Growth::new(Instant::now());
        growth.look(&now(5, 5));
        assert_eq!(details(&now(1, 5), &growth), ": 1 state, 5 waiting, depth 3");
        growth.since = second();
        growth.look(&now(2_000, 50));
        assert!(growth.rate.is_some_and(|r| (1_000..=2_000).contains(&r)), "{:?}", growth.rate);
        growth.rate = Some(1_500);
        let text = details(&now(2_000, 50), &growth);
        assert_eq!(text, ": 2,000 states (1,500/s), 50 waiting and growing, depth 3");
        growth.since = second();
        growth.look(&now(3_000, 40));
        assert_eq!(growth.words, " and shrinking");
    }

    #[test]
    fn a_search_for_constants_is_told_with_what_it_has_found() {
        let growth = Growth::new(Instant::now());
        let so_far = SoFar { at_work: AtWork::Properties, valuations: 1_234, ..now(0, 0) };
        assert_eq!(details(&so_far, &growth), ": 1,234 found");
    }
}
