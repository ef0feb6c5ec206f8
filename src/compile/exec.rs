//! Running programs: portable at first, native once it pays.
//!
//! In: programs, states. Out: how a run ended and what it emitted. Most runs are so short that compiling to
//! native code would take longer than interpreting, so a program is counted and compiled after [`WARM`] runs.

use super::word::run::Code;
use super::word::{Program, Ran};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Runs before a program is compiled to native code.
const WARM: u32 = 2000;

/// A program that can be run.
#[derive(Debug)]
pub(crate) struct Exec {
    portable: Code,
    #[cfg(feature = "jit")]
    program: Program,
    #[cfg(feature = "jit")]
    native: std::sync::OnceLock<Option<super::jit::Native>>,
    runs: AtomicU32,
    bailed: AtomicU64,
}

impl Exec {
    /// Makes a program ready.
    pub(crate) fn new(program: Program) -> Self {
        Self {
            portable: Code::new(&program),
            #[cfg(feature = "jit")]
            program,
            #[cfg(feature = "jit")]
            native: std::sync::OnceLock::new(),
            runs: AtomicU32::new(0),
            bailed: AtomicU64::new(0),
        }
    }

    /// How many runs were void.
    pub(crate) fn bailed(&self) -> u64 {
        self.bailed.load(Ordering::Relaxed)
    }

    /// Runs on a state; appends what the program emits to `out`. `regs` is memory to be reused.
    #[inline]
    pub(crate) fn run(&self, state: &[u64], regs: &mut Vec<u64>, out: &mut Vec<u64>) -> Ran {
        let ran = self.run_once(state, regs, out);
        if ran == Ran::Bailed {
            self.bailed.fetch_add(1, Ordering::Relaxed);
        }
        ran
    }

    #[inline]
    fn run_once(&self, state: &[u64], regs: &mut Vec<u64>, out: &mut Vec<u64>) -> Ran {
        #[cfg(feature = "jit")]
        if let Some(native) = self.native.get() {
            if let Some(native) = native {
                return native.run(state, out);
            }
        } else if self.runs.fetch_add(1, Ordering::Relaxed) >= WARM {
            let _ = self.native.get_or_init(|| super::jit::Native::new(&self.program));
        }
        self.portable.run(state, regs, out)
    }
}
