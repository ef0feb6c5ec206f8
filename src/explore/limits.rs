//! Limits that act from outside the loop: time, memory, Ctrl-C.
//!
//! In: the limits. Out: a [`Watch`] whose interrupt is raised when one is reached, so that long evaluations
//! stop, too, and which then tells which one it was. States and depth are counted by the loop itself.

use super::huge::large_pages;
use crate::ops::Interrupt;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// Why a search ended before everything was explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// A violation or fault was found.
    Violation,
    /// As many states as allowed are stored.
    States,
    /// As deep as allowed.
    Depth,
    /// Time is up.
    Time,
    /// As much memory as allowed is in use.
    Memory,
    /// The user wants no more.
    Interrupted,
    /// Values of infinite types are cut off, and without them there is no state to begin with.
    Bounds,
}

impl Stop {
    const ALL: [Stop; 7] = [
        Stop::Violation,
        Stop::States,
        Stop::Depth,
        Stop::Time,
        Stop::Memory,
        Stop::Interrupted,
        Stop::Bounds,
    ];

    /// The word in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Stop::Violation => "violation",
            Stop::States => "states",
            Stop::Depth => "depth",
            Stop::Time => "time",
            Stop::Memory => "memory",
            Stop::Interrupted => "interrupted",
            Stop::Bounds => "bounds",
        }
    }
}

/// What the watch looks at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// When time is up.
    pub deadline: Option<Instant>,
    /// Most bytes of memory in use (resident).
    pub memory: Option<u64>,
    /// Most bytes of address space.
    pub address_space: Option<u64>,
}

/// How often the watch looks.
const PERIOD: Duration = Duration::from_millis(10);

/// A process of more memory than this gets large pages.
const LARGE: u64 = 64 << 20;

/// How long evaluation may go on for what is told at the end, such as traces; where it is memory that has run out, time is
/// not what is missing.
const GRACE: Duration = Duration::from_millis(300);
const GRACE_OF_MEMORY: Duration = Duration::from_secs(2);

/// How long what does not look at the interrupt may go on after a limit, until all is told: with the time to end the process
/// that is less than a second. Of memory as above.
const PATIENCE: Duration = Duration::from_millis(700);
const PATIENCE_OF_MEMORY: Duration = Duration::from_secs(8);

/// How long a search has to come to a place where it can be kept.
const NOTICE: Duration = Duration::from_millis(400);

/// A running watch. Dropping it ends it.
#[derive(Debug)]
pub struct Watch {
    /// Raised when a limit is reached.
    pub interrupt: Interrupt,
    /// How a search that is kept in a file is asked to stop.
    pub pause: Pause,
    reason: Arc<AtomicU8>,
    /// Whether what is watched has ended.
    over: Arc<AtomicBool>,
}

/// Asks a search that can be kept in a file to come to a place where it can, before the interrupt is raised.
#[derive(Clone, Debug, Default)]
pub struct Pause(Arc<Paused>);

#[derive(Debug, Default)]
struct Paused {
    /// Whether there is such a search.
    ready: AtomicBool,
    /// Whether it is asked to stop.
    asked: AtomicBool,
    /// Whether it is being written.
    busy: AtomicBool,
}

impl Pause {
    /// Says whether there is such a search.
    pub fn ready(&self, ready: bool) {
        self.0.ready.store(ready, Ordering::SeqCst);
    }

    /// Whether a limit asks it to stop.
    #[must_use]
    pub fn asked(&self) -> bool {
        self.0.asked.load(Ordering::SeqCst)
    }

    /// Says that a file is being written as long as the result lives; the limit waits until it is.
    #[must_use]
    pub fn busy(&self) -> Busy<'_> {
        self.0.busy.store(true, Ordering::SeqCst);
        Busy(self)
    }

    fn is_ready(&self) -> bool {
        self.0.ready.load(Ordering::SeqCst)
    }

    fn is_busy(&self) -> bool {
        self.0.busy.load(Ordering::SeqCst)
    }
}

/// See [`Pause::busy`].
#[derive(Debug)]
pub struct Busy<'a>(&'a Pause);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.0.busy.store(false, Ordering::SeqCst);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
    }
}

/// What is to be called when a limit was reached and the watch has not been dropped [`PATIENCE`] later: something does not
/// stop by itself.
type End = Box<dyn FnOnce(Stop) + Send>;

impl Watch {
    /// Starts to watch.
    #[must_use]
    pub fn start(limits: Limits) -> Self {
        let watch = Self::new();
        watch.look(move || limits, None, None);
        watch
    }

    /// Starts to watch. Stops the search as the user's wish once `wish` is true.
    #[must_use]
    pub fn until(limits: Limits, wish: Arc<AtomicBool>) -> Self {
        let watch = Self::new();
        watch.look(move || limits, Some(wish), None);
        watch
    }

    /// As [`Watch::until`], with an interrupt that is there already: one answer after the other may raise it.
    #[must_use]
    pub fn raising(interrupt: Interrupt, limits: Limits, wish: Arc<AtomicBool>) -> Self {
        let watch = Self::with(interrupt);
        watch.look(move || limits, Some(wish), None);
        watch
    }

    /// Starts to watch limits that are asked for aside, since to ask takes time. Stops the search as the user's wish once
    /// `wish` is true. Calls `end` when a limit was reached and the watch has not been dropped [`PATIENCE`] later.
    #[must_use]
    pub fn insist(
        limits: impl FnOnce() -> Limits + Send + 'static,
        wish: Arc<AtomicBool>,
        end: impl FnOnce(Stop) + Send + 'static,
    ) -> Self {
        let watch = Self::new();
        watch.look(limits, Some(wish), Some(Box::new(end)));
        watch
    }

    fn new() -> Self {
        Self::with(Interrupt::default())
    }

    fn with(interrupt: Interrupt) -> Self {
        Self { interrupt, pause: Pause::default(), reason: Arc::default(), over: Arc::default() }
    }

    fn look(
        &self,
        limits: impl FnOnce() -> Limits + Send + 'static,
        wish: Option<Arc<AtomicBool>>,
        end: Option<End>,
    ) {
        let (interrupt, over) = (self.interrupt.clone(), Arc::clone(&self.over));
        let reason = Arc::downgrade(&self.reason);
        let pause = self.pause.clone();
        let look = move || Look { limits: limits(), wish, end, interrupt, pause, reason, over }.watch();
        // Without a thread the limits do not act from outside; the loop still counts states.
        let _ = std::thread::Builder::new().name("watch".into()).stack_size(256 << 10).spawn(look);
    }

    /// Lets evaluation go on for a while after the end of the search, as for traces; whether it was to stop.
    pub fn lower(&self) -> bool {
        let raised = self.interrupt.0.swap(false, Ordering::SeqCst);
        if raised {
            let grace = if self.reason() == Stop::Memory { GRACE_OF_MEMORY } else { GRACE };
            let deadline = Instant::now().checked_add(grace);
            self.look(move || Limits { deadline, ..Limits::default() }, None, None);
        }
        raised
    }

    /// Which limit was reached; [`Stop::Interrupted`] if the interrupt was raised by somebody else.
    #[must_use]
    pub fn reason(&self) -> Stop {
        stop_of(&self.reason)
    }
}

/// The thread of a watch.
struct Look {
    limits: Limits,
    wish: Option<Arc<AtomicBool>>,
    end: Option<End>,
    interrupt: Interrupt,
    pause: Pause,
    /// Gone when the watch is.
    reason: Weak<AtomicU8>,
    over: Arc<AtomicBool>,
}

impl Look {
    fn watch(self) {
        let mut large = false;
        let mut noticed = None;
        while let Some(reason) = self.reason.upgrade() {
            if let Some(stop) = self.reached() {
                note(&reason, stop);
                if self.is_time(&mut noticed) {
                    self.interrupt.raise();
                }
            }
            drop(reason);
            if self.interrupt.raised() {
                return self.wait_for_the_end();
            }
            if !large && usage().is_some_and(|u| u.resident > LARGE) {
                large = true;
                large_pages(true);
            }
            let left = self.limits.deadline.map(|d| d.saturating_duration_since(Instant::now()));
            let left = left.filter(|_| noticed.is_none());
            std::thread::sleep(left.unwrap_or(PERIOD).min(PERIOD));
        }
    }

    /// Whether a search that a limit has reached is not to go on: it cannot be kept, or has had notice.
    fn is_time(&self, noticed: &mut Option<Instant>) -> bool {
        if self.pause.is_busy() {
            noticed.take();
        }
        if self.pause.is_ready() {
            self.pause.0.asked.store(true, Ordering::SeqCst);
            return noticed.get_or_insert_with(Instant::now).elapsed() > NOTICE && !self.pause.is_busy();
        }
        true
    }

    fn reached(&self) -> Option<Stop> {
        let wished = self.wish.as_ref().is_some_and(|w| w.load(Ordering::SeqCst));
        if wished { Some(Stop::Interrupted) } else { reached(&self.limits) }
    }

    /// Once the search is to stop.
    fn wait_for_the_end(self) {
        let since = Instant::now();
        let Some(end) = self.end else { return };
        while !self.over.load(Ordering::SeqCst) {
            let stop = self.reason.upgrade().map_or(Stop::Interrupted, |r| stop_of(&r));
            if since.elapsed() > if stop == Stop::Memory { PATIENCE_OF_MEMORY } else { PATIENCE } {
                return end(stop);
            }
            std::thread::sleep(PERIOD);
        }
    }
}

fn stop_of(reason: &AtomicU8) -> Stop {
    let n = reason.load(Ordering::SeqCst);
    Stop::ALL.get(usize::from(n).wrapping_sub(1)).copied().unwrap_or(Stop::Interrupted)
}

fn note(reason: &AtomicU8, stop: Stop) {
    let number = Stop::ALL.iter().zip(1u8..).find(|(s, _)| **s == stop).map_or(0, |(_, n)| n);
    // The first reason stays.
    let _ = reason.compare_exchange(0, number, Ordering::SeqCst, Ordering::SeqCst);
}

fn reached(limits: &Limits) -> Option<Stop> {
    if limits.deadline.is_some_and(|d| Instant::now() >= d) {
        return Some(Stop::Time);
    }
    if limits.memory.is_none() && limits.address_space.is_none() {
        return None;
    }
    let usage = usage()?;
    let over = |limit: Option<u64>, used: u64| limit.is_some_and(|l| used > l);
    (over(limits.memory, usage.resident) || over(limits.address_space, usage.address_space))
        .then_some(Stop::Memory)
}

/// Memory in use by this process.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// Bytes in memory.
    pub resident: u64,
    /// Bytes of address space.
    pub address_space: u64,
}

/// Memory in use, where the system tells (Linux).
#[must_use]
pub fn usage() -> Option<Usage> {
    const PAGE: u64 = 4096;
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let mut pages = text.split_whitespace().map(|n| n.parse::<u64>().ok());
    let (address_space, resident) = (pages.next()??, pages.next()??);
    Some(Usage { resident: resident.saturating_mul(PAGE), address_space: address_space.saturating_mul(PAGE) })
}

/// The most memory that was in use (resident) so far, where the system tells.
#[must_use]
pub fn peak() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    kibibytes(&text, "VmHWM:")
}

/// Lets [`peak`] begin anew, where the system can do so (Linux).
pub fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Limits that the system sets: nine tenths of the memory that is free now, and of the address space.
#[must_use]
pub fn of_system() -> Limits {
    let part = |n: u64| n / 10 * 9;
    let free = std::fs::read_to_string("/proc/meminfo").ok().and_then(|t| kibibytes(&t, "MemAvailable:"));
    let used = usage().map_or(0, |u| u.resident);
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let space = limits.lines().find_map(|l| l.strip_prefix("Max address space"));
    let space = space.and_then(|l| l.split_whitespace().next()?.parse::<u64>().ok());
    Limits { deadline: None, memory: free.map(|n| part(n + used)), address_space: space.map(part) }
}

fn kibibytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|l| l.strip_prefix(key))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}
