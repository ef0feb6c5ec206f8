//! Running programs: portable at first, native once it pays.
//!
//! In: programs, states. Out: how a run ended and what it emitted. Most runs are so short that compiling to
//! native code would take longer than interpreting, so a program's runs are timed and it is compiled after [`WARM`]: by a
//! thread of its own, while it is interpreted on. What a run emits does not depend on who runs it.

use super::word::run::Code;
use super::word::{End, Program, Ran};
use crate::ops::Interrupt;
#[cfg(feature = "jit")]
use std::sync::atomic::AtomicBool;
use std::sync::atomic::{AtomicU64, Ordering};

/// Nanoseconds of interpretation before a program is compiled to native code, which takes about as long.
#[cfg(feature = "jit")]
pub(super) const WARM: u64 = 400_000;

/// As many times that, and a program is compiled by itself although it is being compiled together with others: that has
/// failed, or does not pay.
#[cfg(feature = "jit")]
const OVERDUE: u64 = 8;

/// Jumps of one run, for each instruction of its program, before it is begun again in native code: they take about as long as
/// compiling does.
#[cfg(feature = "jit")]
const PATIENCE: u64 = 256;

/// Jumps that are not worth it, and those that are in any case: some milliseconds.
#[cfg(feature = "jit")]
const JUMPS: std::ops::RangeInclusive<u64> = 1 << 12..=1 << 17;

/// Jumps of one run between two looks at the clock: some tens of milliseconds.
const LOOK: u64 = 1 << 22;

/// Stack of the thread that compiles.
#[cfg(feature = "jit")]
const STACK: usize = 64 << 20;

/// A program on its way to native code.
#[cfg(feature = "jit")]
#[derive(Debug)]
pub(super) struct Compiling {
    pub(super) program: Program,
    native: std::sync::OnceLock<Option<super::jit::Native>>,
}

#[cfg(feature = "jit")]
impl Compiling {
    /// The native code, if there can be any; waits for it.
    fn native(&self) -> Option<&super::jit::Native> {
        self.native.get_or_init(|| super::jit::Native::new(&self.program)).as_ref()
    }
}

/// A program that can be run.
#[derive(Debug)]
pub(crate) struct Exec {
    portable: Code,
    #[cfg(feature = "jit")]
    compiling: std::sync::Arc<Compiling>,
    /// Jumps of one run before native code is waited for.
    #[cfg(feature = "jit")]
    patience: u64,
    #[cfg(feature = "jit")]
    spent: AtomicU64,
    /// Whether it is being compiled by itself, and together with others.
    #[cfg(feature = "jit")]
    begun: AtomicBool,
    #[cfg(feature = "jit")]
    promised: AtomicBool,
    /// Whether there is to be native code.
    #[cfg(feature = "jit")]
    wanted: bool,
    bailed: AtomicU64,
    /// What every run ends with, if the program does nothing.
    constant: Option<bool>,
    interrupt: Interrupt,
}

impl Exec {
    /// Makes a program ready; `native` says whether there may be native code.
    #[cfg_attr(not(feature = "jit"), allow(unused_variables, reason = "there is none"))]
    pub(crate) fn new(program: Program, native: bool, interrupt: Interrupt) -> Self {
        let constant = match program.blocks.first() {
            Some((instructions, End::Return(result))) if instructions.is_empty() => Some(*result),
            _ => None,
        };
        Self {
            constant,
            interrupt,
            portable: Code::new(&program),
            #[cfg(feature = "jit")]
            patience: (program.len() as u64 * PATIENCE).clamp(*JUMPS.start(), *JUMPS.end()),
            #[cfg(feature = "jit")]
            compiling: std::sync::Arc::new(Compiling { program, native: std::sync::OnceLock::new() }),
            #[cfg(feature = "jit")]
            spent: AtomicU64::new(0),
            #[cfg(feature = "jit")]
            begun: AtomicBool::new(false),
            #[cfg(feature = "jit")]
            promised: AtomicBool::new(false),
            #[cfg(feature = "jit")]
            wanted: native,
            bailed: AtomicU64::new(0),
        }
    }

    /// The program, for those who compile it together with others. Then it is not compiled by itself soon.
    #[cfg(feature = "jit")]
    pub(super) fn promised(&self) -> &std::sync::Arc<Compiling> {
        self.promised.store(true, Ordering::Relaxed);
        &self.compiling
    }

    /// Nanoseconds for which it has been interpreted.
    #[cfg(feature = "jit")]
    pub(super) fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    /// How many runs were void.
    pub(crate) fn bailed(&self) -> u64 {
        self.bailed.load(Ordering::Relaxed)
    }

    /// Runs on a state; appends what the program emits to `out`. `regs` is memory to be reused.
    #[inline]
    pub(crate) fn run(&self, state: &[u64], regs: &mut Vec<u64>, out: &mut Vec<u64>) -> Ran {
        if let Some(result) = self.constant {
            return Ran::Done(result);
        }
        let ran = self.run_once(state, regs, out);
        if ran.void() {
            self.bailed.fetch_add(1, Ordering::Relaxed);
        }
        ran
    }

    #[inline]
    fn run_once(&self, state: &[u64], regs: &mut Vec<u64>, out: &mut Vec<u64>) -> Ran {
        #[cfg(feature = "jit")]
        if let Some(Some(native)) = self.compiling.native.get() {
            return native.run(state, out);
        }
        self.interpret(state, regs, out)
    }

    #[cfg(feature = "jit")]
    fn interpret(&self, state: &[u64], regs: &mut Vec<u64>, out: &mut Vec<u64>) -> Ran {
        if !self.wanted {
            return self.slowly(state, regs, out);
        }
        let begin = std::time::Instant::now();
        let before = out.len();
        let ran = self.portable.run_while(self.patience, &|| false, state, regs, out);
        let nanoseconds = u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let spent = self.spent.fetch_add(nanoseconds, Ordering::Relaxed);
        if let Some(ran) = ran {
            if spent.saturating_add(nanoseconds) >= WARM && !self.begun.load(Ordering::Relaxed) {
                self.begin(spent);
            }
            return ran;
        }
        // One long run: from its beginning again.
        out.truncate(before);
        match self.compiling.native() {
            Some(native) => {
                // Without room it would have to begin again once more, at its end.
                out.reserve(super::jit::ROOM);
                native.run(state, out)
            }
            None => self.slowly(state, regs, out),
        }
    }

    /// Runs without native code: a run that is interrupted is void, and the plain evaluator, which takes over, looks at once
    /// whether it is to stop.
    fn slowly(&self, state: &[u64], regs: &mut Vec<u64>, out: &mut Vec<u64>) -> Ran {
        let more = || !self.interrupt.raised();
        self.portable.run_while(LOOK, &more, state, regs, out).unwrap_or(Ran::Bailed)
    }

    /// Begins to compile to native code after so much time, unless somebody else does.
    #[cfg(feature = "jit")]
    fn begin(&self, spent: u64) {
        let promised = self.promised.load(Ordering::Relaxed) && spent < WARM * OVERDUE;
        if promised || self.begun.swap(true, Ordering::Relaxed) {
            return;
        }
        let compiling = std::sync::Arc::clone(&self.compiling);
        let begun = aside(move || {
            compiling.native();
        });
        if !begun {
            self.compiling.native();
        }
    }

    #[cfg(not(feature = "jit"))]
    fn interpret(&self, state: &[u64], regs: &mut Vec<u64>, out: &mut Vec<u64>) -> Ran {
        self.slowly(state, regs, out)
    }
}

/// Does some work of the compiler by a thread of its own; whether there can be one.
#[cfg(feature = "jit")]
pub(super) fn aside(work: impl FnOnce() + Send + 'static) -> bool {
    std::thread::Builder::new().name("compile".into()).stack_size(STACK).spawn(work).is_ok()
}
