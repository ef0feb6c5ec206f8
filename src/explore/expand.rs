//! Successors of many states at once, by one thread or several.
//!
//! In: packed states. Out: chunks with all their edges, which of these lead to new states, what checking those
//! found, and faults, in the order of the states. Three passes over the chunks of a window: edges and their keys;
//! keys into the set of stored ones; checks of the new states. Each pass may be shared by threads (the second
//! one by parts of the set), and none depends on how. What a window has found is taken over, by the caller, while threads
//! are at the first pass of the next one.

use super::Options;
use super::keys::{Divided, Keys};
use super::within::{Within, watched};
use crate::model::{Findings, StepFault, Steps, System};
use crate::ops::Interrupt;
use crate::symmetry::{Count, Reducer};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// States per chunk and, with one thread, per window.
const CHUNK: usize = 64;

/// Chunks per thread and window.
const PER_THREAD: usize = 64;

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
    /// For each thread the positions of the keys that it inserts.
    parts: Vec<Vec<u32>>,
    within: Within,
}

impl Chunk {
    /// After an interrupt keys may be missing; the search then takes nothing over.
    fn expand(&mut self, work: &Work<'_>, states: &[u64]) {
        let Work { system, reducer, interrupt, width } = *work;
        let Self { steps, ends, orbits, faults, keys, fresh, found, within, .. } = self;
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
        for targets in watched(&steps.targets, width, interrupt) {
            reducer.keys(targets, width, keys);
        }
    }

    /// Inserts the keys one after the other, with those that the reducer wants to be known as well.
    fn insert(&mut self, work: &Work<'_>, seen: &mut Keys) {
        let Self { steps, keys, fresh, .. } = self;
        if !work.reducer.floods() {
            seen.insert_all(keys, |i| fresh.push(number(i)));
            return;
        }
        for (i, (key, target)) in keys.iter().zip(steps.targets.chunks(work.width)).enumerate() {
            if seen.insert(*key) {
                fresh.push(number(i));
                work.reducer.further_keys(target, &mut |k| {
                    seen.insert(k);
                });
            }
        }
    }

    fn check(&mut self, system: &dyn System) {
        // Those that several threads have inserted are in no order.
        if !self.fresh.is_sorted() {
            self.fresh.sort_unstable();
        }
        let found = &mut self.found;
        system.check_these(&self.steps.targets, &self.fresh, &mut |edge, f| found.push((edge, f)));
    }
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// What all chunks are expanded with.
#[derive(Clone, Copy)]
struct Work<'a> {
    system: &'a dyn System,
    reducer: &'a dyn Reducer,
    interrupt: &'a Interrupt,
    width: usize,
}

/// Expands states; keeps its memory from call to call.
pub(super) struct Expander<'a> {
    work: Work<'a>,
    threads: usize,
    /// Made when there is a window that is worth it.
    pool: Option<ThreadPool>,
    /// One chunk for states that are not shared.
    single: Chunk,
    /// The chunks of a window that is shared; those in use.
    chunks: Vec<Chunk>,
    used: usize,
    /// The chunks of the window before, as long as they are merged.
    before: Vec<Chunk>,
}

impl<'a> Expander<'a> {
    pub(super) fn new(system: &'a dyn System, reducer: &'a dyn Reducer, options: &'a Options) -> Self {
        let interrupt = &options.interrupt;
        Self {
            work: Work { system, reducer, interrupt, width: system.width().max(1) },
            // What flooding stores depends on the order of states.
            threads: if reducer.floods() { 1 } else { options.threads.max(1) },
            pool: None,
            single: Chunk::default(),
            chunks: Vec::new(),
            used: 0,
            before: Vec::new(),
        }
    }

    /// How many states of a level are worth handing over at once.
    pub(super) fn window(&self, level: usize) -> usize {
        if self.threads > 1 && level >= WORTH { CHUNK * PER_THREAD * self.threads } else { CHUNK }
    }

    /// Expands a window of states. Calls `merge` with all chunks in order, sooner or later: those of a window that is
    /// shared with the next call, while threads are at work on the next window. `merge` says whether to go on.
    pub(super) fn expand(
        &mut self,
        states: &[u64],
        seen: &mut Keys,
        merge: &mut dyn FnMut(&mut Chunk) -> bool,
    ) {
        let chunks = states.len().div_ceil(CHUNK * self.work.width);
        if let Some(pool) = self.threads_for(chunks) {
            self.share(&pool, states, seen, merge);
            self.pool = Some(pool);
            return;
        }
        self.finish(merge);
        for part in states.chunks(CHUNK * self.work.width) {
            self.single.expand(&self.work, part);
            self.single.insert(&self.work, seen);
            self.single.check(self.work.system);
            if !merge(&mut self.single) {
                return;
            }
        }
    }

    /// The threads, if so many chunks are to be shared; the caller gives them back.
    fn threads_for(&mut self, chunks: usize) -> Option<ThreadPool> {
        if self.threads == 1 || chunks < 2 {
            return None;
        }
        let builder = || ThreadPoolBuilder::new().num_threads(self.threads).stack_size(STACK);
        self.pool.take().or_else(|| builder().build().ok())
    }

    /// Calls `merge` with the chunks that it has not seen.
    pub(super) fn finish(&mut self, merge: &mut dyn FnMut(&mut Chunk) -> bool) {
        let used = std::mem::take(&mut self.used);
        let _stopped = self.chunks.iter_mut().take(used).all(merge);
    }

    /// Expands the states of a window by several threads, while `merge` has the chunks of the window before.
    fn share(
        &mut self,
        pool: &ThreadPool,
        states: &[u64],
        seen: &mut Keys,
        merge: &mut dyn FnMut(&mut Chunk) -> bool,
    ) {
        let Self { work, chunks, before, used, .. } = self;
        std::mem::swap(chunks, before);
        let merged = std::mem::replace(used, states.len().div_ceil(CHUNK * work.width));
        if chunks.len() < *used {
            chunks.resize_with(*used, Chunk::default);
        }
        let chunks = &mut chunks[..*used];
        let known = &*seen;
        let go_on = pool.in_place_scope(|scope| {
            scope.spawn(|_| {
                let parts = states.par_chunks(CHUNK * work.width);
                chunks.par_iter_mut().zip(parts).for_each(|(chunk, part)| {
                    chunk.expand(work, part);
                    known.divide(&chunk.keys, &mut chunk.parts);
                });
            });
            before.iter_mut().take(merged).all(merge)
        });
        if !go_on {
            *used = 0;
            return;
        }
        pool.install(|| {
            insert(chunks, seen);
            chunks.par_iter_mut().for_each(|chunk| chunk.check(work.system));
        });
    }
}

/// Inserts the keys of all chunks, shared by threads.
fn insert(chunks: &mut [Chunk], seen: &mut Keys) {
    let lists: Vec<Divided<'_>> = chunks.iter().map(|c| Divided { keys: &c.keys, parts: &c.parts }).collect();
    let mut new: Vec<(usize, u32)> = Vec::new();
    seen.insert_divided(&lists, |chunk, edge| new.push((chunk, edge)));
    for (chunk, edge) in new {
        if let Some(chunk) = chunks.get_mut(chunk) {
            chunk.fresh.push(edge);
        }
    }
}
