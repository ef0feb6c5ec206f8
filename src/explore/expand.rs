//! Successors of many states at once, by one thread or several.
//!
//! In: packed states. Out: chunks with all their edges, which of these lead to new states, what checking those
//! found, and faults, in the order of the states. Three passes over the chunks of a window: edges and their keys;
//! keys into the set of stored ones; checks of the new states. Each pass may be shared by threads (the second
//! one by parts of the set), and none depends on how.

use super::keys::Keys;
use super::within::{UNWATCHED, Within};
use crate::model::{Findings, StepFault, Steps, System};
use crate::ops::Interrupt;
use crate::symmetry::{Count, Reducer};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// States per chunk and, with one thread, per window.
const CHUNK: usize = 64;

/// Chunks per thread and window.
const PER_THREAD: usize = 16;

/// Levels smaller than this are not worth waking threads for.
const WORTH: usize = 256;

/// Stack of a thread.
const STACK: usize = 256 << 20;

/// The edges of some states that follow each other.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    /// The edges, without faults.
    pub(super) steps: Steps,
    /// For each state the numbers of edges and of runs up to its last.
    pub(super) ends: Vec<(usize, usize)>,
    /// The size of each state's orbit, if the reducer looks inside states.
    pub(super) orbits: Vec<Option<Count>>,
    /// Faults by state, in order.
    pub(super) faults: Vec<(usize, StepFault)>,
    /// Keys of the targets.
    pub(super) keys: Vec<u128>,
    /// The edges that lead to states that are new, in order.
    pub(super) fresh: Vec<u32>,
    /// What checking new states found, by edge, in order.
    pub(super) found: Vec<(u32, Findings)>,
    within: Within,
}

impl Chunk {
    /// After an interrupt keys may be missing; the search then takes nothing over.
    fn expand(
        &mut self,
        system: &dyn System,
        reducer: &dyn Reducer,
        interrupt: &Interrupt,
        states: &[u64],
        width: usize,
    ) {
        let Self { steps, ends, orbits, faults, keys, fresh, found, within } = self;
        steps.clear();
        ends.clear();
        orbits.clear();
        faults.clear();
        keys.clear();
        fresh.clear();
        found.clear();
        let mut each = |steps: &mut Steps| {
            if !steps.faults.is_empty() {
                faults.extend(steps.faults.drain(..).map(|f| (ends.len(), f)));
            }
            ends.push(steps.close());
        };
        if reducer.looks_inside() {
            for state in states.chunks(width) {
                orbits.push(within.successors(system, reducer, state, steps).orbit);
                within.keys(reducer, interrupt, width, steps, keys);
                each(steps);
            }
            return;
        }
        system.successors_of(states, steps, &mut each);
        for targets in steps.targets.chunks(UNWATCHED * width).take_while(|_| !interrupt.raised()) {
            reducer.keys(targets, width, keys);
        }
    }

    /// Inserts the keys one after the other, with those that the reducer wants to be known as well.
    fn insert(&mut self, reducer: &dyn Reducer, seen: &mut Keys, width: usize) {
        let Self { steps, keys, fresh, .. } = self;
        if !reducer.floods() {
            seen.insert_all(keys, |i| fresh.push(number(i)));
            return;
        }
        for (i, (key, target)) in keys.iter().zip(steps.targets.chunks(width)).enumerate() {
            if seen.insert(*key) {
                fresh.push(number(i));
                reducer.further_keys(target, &mut |k| {
                    seen.insert(k);
                });
            }
        }
    }

    fn check(&mut self, system: &dyn System) {
        let found = &mut self.found;
        system.check_these(&self.steps.targets, &self.fresh, &mut |edge, f| found.push((edge, f)));
    }
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Expands states; keeps its memory from call to call.
#[derive(Debug, Default)]
pub(super) struct Expander {
    threads: usize,
    interrupt: Interrupt,
    pool: Option<ThreadPool>,
    chunks: Vec<Chunk>,
    used: usize,
    /// Keys of a whole window.
    keys: Vec<u128>,
}

impl Expander {
    pub(super) fn new(threads: usize, interrupt: Interrupt) -> Self {
        Self { threads: threads.max(1), interrupt, ..Self::default() }
    }

    /// How many states of a level are worth handing over at once.
    pub(super) fn window(&self, level: usize) -> usize {
        if self.threads > 1 && level >= WORTH { CHUNK * PER_THREAD * self.threads } else { CHUNK }
    }

    /// The chunks of the last call.
    pub(super) fn chunks(&mut self) -> impl Iterator<Item = &mut Chunk> {
        self.chunks.iter_mut().take(self.used)
    }

    /// Expands a window of states.
    pub(super) fn expand(
        &mut self,
        system: &dyn System,
        reducer: &dyn Reducer,
        seen: &mut Keys,
        states: &[u64],
        width: usize,
    ) {
        let parts = states.chunks(CHUNK * width);
        self.used = parts.len();
        if self.chunks.len() < self.used {
            self.chunks.resize_with(self.used, Chunk::default);
        }
        if self.threads > 1 && self.used > 1 && self.pool.is_none() {
            let builder = ThreadPoolBuilder::new().num_threads(self.threads).stack_size(STACK);
            self.pool = builder.build().ok();
        }
        let Self { threads, interrupt, pool, chunks, keys, used } = self;
        let chunks = &mut chunks[..*used];
        match pool {
            Some(pool) if *used > 1 => pool.install(|| {
                (chunks.par_iter_mut())
                    .zip(states.par_chunks(CHUNK * width))
                    .for_each(|(chunk, part)| chunk.expand(system, reducer, interrupt, part, width));
                if reducer.floods() {
                    chunks.iter_mut().for_each(|chunk| chunk.insert(reducer, seen, width));
                } else {
                    insert(chunks, seen, keys, *threads);
                }
                chunks.par_iter_mut().for_each(|chunk| chunk.check(system));
            }),
            _ => {
                for (chunk, part) in chunks.iter_mut().zip(parts) {
                    chunk.expand(system, reducer, interrupt, part, width);
                    chunk.insert(reducer, seen, width);
                    chunk.check(system);
                }
            }
        }
    }
}

/// Inserts the keys of all chunks, shared by threads.
fn insert(chunks: &mut [Chunk], seen: &mut Keys, keys: &mut Vec<u128>, threads: usize) {
    keys.clear();
    for chunk in &*chunks {
        keys.extend_from_slice(&chunk.keys);
    }
    let fresh = seen.insert_shared(keys, threads);
    let mut fresh = fresh.into_iter().peekable();
    let mut first = 0;
    for chunk in chunks {
        let end = first + chunk.keys.len();
        while let Some(i) = fresh.next_if(|i| *i < end) {
            chunk.fresh.push(number(i - first));
        }
        first = end;
    }
}
