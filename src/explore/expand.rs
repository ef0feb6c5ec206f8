//! Successors of many states at once, by one thread or several.
//!
//! In: packed states. Out: chunks with all their edges, keys and faults, in the order of the states. With
//! several threads the states that are probably new are checked here, too; whether they are new is decided
//! when the chunks are merged, in order.

use super::keys::Keys;
use crate::model::{Findings, StepFault, Steps, System};
use crate::symmetry::Reducer;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// States per chunk and, with one thread, per call.
const CHUNK: usize = 64;

/// Chunks per thread and call.
const PER_THREAD: usize = 8;

/// Levels smaller than this are not worth waking threads for.
const WORTH: usize = 256;

/// Stack of a thread.
const STACK: usize = 256 << 20;

/// What is known of an edge's target.
#[derive(Debug)]
pub(super) enum Checked {
    /// It is stored already.
    Known,
    /// Checks found nothing.
    Fine,
    /// Checks found something.
    Found(Box<Findings>),
}

impl PartialEq for Checked {
    fn eq(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// The edges of some states that follow each other.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    /// The edges, without faults.
    pub(super) steps: Steps,
    /// For each state the number of edges up to its last.
    pub(super) ends: Vec<usize>,
    /// Faults by state, in order.
    pub(super) faults: Vec<(usize, StepFault)>,
    /// Keys of the targets.
    pub(super) keys: Vec<u128>,
    /// What is known of the targets; empty if nothing was checked.
    pub(super) checked: Vec<Option<Checked>>,
}

impl Chunk {
    fn expand(&mut self, system: &dyn System, reducer: &dyn Reducer, states: &[u64], width: usize) {
        self.steps.clear();
        self.ends.clear();
        self.faults.clear();
        self.keys.clear();
        self.checked.clear();
        for (source, state) in states.chunks(width).enumerate() {
            system.successors(state, &mut self.steps);
            self.ends.push(self.steps.len());
            self.faults.extend(self.steps.faults.drain(..).map(|f| (source, f)));
        }
        self.keys.extend(self.steps.targets.chunks(width).map(|t| reducer.key(t)));
    }

    fn check(&mut self, system: &dyn System, seen: &Keys, width: usize) {
        let mut findings = Findings::default();
        for (target, key) in self.steps.targets.chunks(width).zip(&self.keys) {
            self.checked.push(Some(if seen.contains(*key) {
                Checked::Known
            } else {
                check(system, target, &mut findings);
                if found(&findings) {
                    Checked::Found(Box::new(std::mem::take(&mut findings)))
                } else {
                    Checked::Fine
                }
            }));
        }
    }
}

/// Checks a state: invariant, goal, assertions with variables.
pub(super) fn check(system: &dyn System, state: &[u64], findings: &mut Findings) {
    system.check(state, findings);
    if state.len() > 1 {
        system.check_assertions(state, findings);
    }
}

fn found(f: &Findings) -> bool {
    f.goal || !f.invariants.is_empty() || !f.assertions.is_empty() || !f.faults.is_empty()
}

/// Expands states; keeps its memory from call to call.
#[derive(Debug, Default)]
pub(super) struct Expander {
    threads: usize,
    pool: Option<ThreadPool>,
    chunks: Vec<Chunk>,
    used: usize,
}

impl Expander {
    pub(super) fn new(threads: usize) -> Self {
        Self { threads: threads.max(1), ..Self::default() }
    }

    /// How many states of a level are worth handing over at once.
    pub(super) fn window(&self, level: usize) -> usize {
        if self.threads > 1 && level >= WORTH { CHUNK * PER_THREAD * self.threads } else { CHUNK }
    }

    /// The chunks of the last call.
    pub(super) fn chunks(&mut self) -> impl Iterator<Item = &mut Chunk> {
        self.chunks.iter_mut().take(self.used)
    }

    /// Expands states.
    pub(super) fn expand(
        &mut self,
        system: &dyn System,
        reducer: &dyn Reducer,
        seen: &Keys,
        states: &[u64],
        width: usize,
    ) {
        let parts: Vec<&[u64]> = states.chunks(CHUNK * width).collect();
        self.used = parts.len();
        if self.chunks.len() < self.used {
            self.chunks.resize_with(self.used, Chunk::default);
        }
        if self.threads > 1 && self.used > 1 && self.pool.is_none() {
            let builder = ThreadPoolBuilder::new().num_threads(self.threads).stack_size(STACK);
            self.pool = builder.build().ok();
        }
        match &self.pool {
            Some(pool) if self.used > 1 => pool.install(|| {
                self.chunks.par_iter_mut().zip(&parts).for_each(|(chunk, part)| {
                    chunk.expand(system, reducer, part, width);
                    chunk.check(system, seen, width);
                });
            }),
            _ => {
                for (chunk, part) in self.chunks.iter_mut().zip(&parts) {
                    chunk.expand(system, reducer, part, width);
                }
            }
        }
    }
}
