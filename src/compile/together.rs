//! All operations of a state in one run, once that pays.
//!
//! In: the programs of a machine's operations, states. Out: the edges of all operations, as running each by itself
//! gives them. A machine's operations mostly do little, and calling them one by one takes as long as they do. Only
//! for programs that emit targets in order; without the feature `jit` there is nothing.

use super::exec::Exec;

/// Runs that go on until one gives up.
#[derive(Debug)]
pub(crate) struct Together {
    #[cfg(feature = "jit")]
    native: native::Native,
}

impl Together {
    /// For programs that may have run already, under other valuations: what they took there does not count.
    #[cfg_attr(not(feature = "jit"), allow(unused_variables, reason = "nothing is done"))]
    pub(crate) fn after<'a>(programs: impl Iterator<Item = &'a Exec>) -> Self {
        Self {
            #[cfg(feature = "jit")]
            native: native::Native::after(native::spent(programs)),
        }
    }

    /// Runs programs on states of `words` words: appends targets to `out`, and to `ends` for each state and program
    /// the number of targets of the state so far. Returns how many states it has done: the next one is one for which
    /// a program gives up. `None` if it does not pay yet, or never: then nothing is done. `programs` is called at
    /// most once, and says `None` if some are not for this.
    #[cfg_attr(
        not(feature = "jit"),
        allow(unused_variables, clippy::unused_self, reason = "nothing is done")
    )]
    pub(crate) fn run<'a>(
        &self,
        programs: impl FnOnce() -> Option<Vec<&'a Exec>>,
        words: usize,
        states: &[u64],
        out: &mut Vec<u64>,
        ends: &mut Vec<u32>,
    ) -> Option<usize> {
        #[cfg(feature = "jit")]
        {
            let count = states.len() / words.max(1);
            let done = self.native.ready(programs, words, count)?.run(states, out, ends);
            self.native.note(done, count);
            Some(done)
        }
        #[cfg(not(feature = "jit"))]
        None
    }
}

#[cfg(feature = "jit")]
mod native {
    use super::super::exec::{Exec, WARM, aside};
    use super::super::jit::Joint;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use std::sync::{Arc, OnceLock};

    /// Between two looks at how warm programs are: so many states.
    const LOOK: u64 = 64;

    /// The part of the time to compile after which that begins.
    const EARLY: u64 = 8;

    /// Programs that are compiled one by one already are compiled together after so many states.
    const MANY: u64 = 8192;

    /// Of so many runs one may be given up, as each costs as much as all.
    const GOOD: u64 = 8;

    #[derive(Debug, Default)]
    pub(super) struct Native {
        joint: Arc<OnceLock<Option<Joint>>>,
        /// Whether it is on its way, or never will be.
        begun: AtomicBool,
        asked: AtomicU64,
        done: AtomicU64,
        given_up: AtomicU64,
        /// Nanoseconds of interpretation that do not count.
        before: u64,
    }

    impl Native {
        pub(super) fn after(before: u64) -> Self {
            Self { before, ..Self::default() }
        }

        /// What runs all programs, if it is there and pays; otherwise it may be on its way afterwards.
        pub(super) fn ready<'a>(
            &self,
            programs: impl FnOnce() -> Option<Vec<&'a Exec>>,
            words: usize,
            states: usize,
        ) -> Option<&Joint> {
            let Some(joint) = self.joint.get() else {
                if self.pays(states) {
                    self.begin(programs(), words);
                }
                return None;
            };
            let [done, given_up] = [&self.done, &self.given_up].map(|n| n.load(Ordering::Relaxed));
            joint.as_ref().filter(|_| given_up <= GOOD + done / GOOD)
        }

        /// Notes that of so many states so many were done.
        pub(super) fn note(&self, done: usize, states: usize) {
            // A guess, for which nobody waits: some may be lost where several threads write at once.
            self.done.store(self.done.load(Ordering::Relaxed) + done as u64, Ordering::Relaxed);
            if done < states {
                self.given_up.fetch_add(1, Ordering::Relaxed);
            }
        }

        /// Begins to compile, if there are programs and they are worth it.
        fn begin(&self, programs: Option<Vec<&Exec>>, words: usize) {
            let many = self.asked.load(Ordering::Relaxed) >= MANY;
            if programs.as_ref().is_some_and(|p| !many && !self.warm(p))
                || self.begun.swap(true, Ordering::Relaxed)
            {
                return;
            }
            let Some(programs) = programs else { return };
            let all: Vec<_> = programs.into_iter().map(|p| Arc::clone(p.promised())).collect();
            let joint = Arc::clone(&self.joint);
            aside(move || {
                let programs: Vec<_> = all.iter().map(|c| &c.program).collect();
                let _ = joint.set(Joint::new(&programs, words));
            });
        }

        /// Whether it is time to look whether programs are warm, after so many states more.
        fn pays(&self, states: usize) -> bool {
            if self.begun.load(Ordering::Relaxed) {
                return false;
            }
            let before = self.asked.fetch_add(states as u64, Ordering::Relaxed);
            before / LOOK != (before + states as u64) / LOOK
        }

        /// Whether programs have been interpreted for a part of the time that compiling all takes: somebody else compiles, and
        /// until that is done they go on being interpreted.
        fn warm(&self, programs: &[&Exec]) -> bool {
            let here = spent(programs.iter().copied()).saturating_sub(self.before);
            here >= WARM / EARLY * programs.len() as u64
        }
    }

    /// Nanoseconds for which programs have been interpreted.
    pub(super) fn spent<'a>(programs: impl Iterator<Item = &'a Exec>) -> u64 {
        programs.fold(0u64, |sum, p| sum.saturating_add(p.spent()))
    }
}
