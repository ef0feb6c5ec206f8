//! Successors of many states at once, by one thread or several.
//!
//! In: packed states. Out: chunks with all their edges, which of these lead to new states, what checking those
//! found, and faults, in the order of the states. Three stages of a chunk: edges and their keys; keys into the set of
//! stored ones; checks of the new states. With several threads chunks go through them on a `belt`.

use super::Options;
use super::belt::Belt;
use super::crew::Crew;
use super::elsewhere::Elsewhere;
use super::keys::{Keys, Part, Shards};
use super::spare::Spare;
use super::summary::Summary;
use super::within::{Within, watched};
use crate::model::{Findings, Steps, System};
use crate::ops::Interrupt;
use crate::symmetry::{Count, Reducer};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ops::DerefMut;

/// States per chunk, and per chunk of those on a belt, where every chunk costs some locks.
const CHUNK: usize = 64;
const LARGE: usize = 128;

/// Words of the edges of a chunk that its states are expected to have: 8 MiB, with which small states come nowhere near. More
/// would not stay in a cache, and a chunk of machines with thousands of operations and variables takes gigabytes.
const ROOM: usize = 1 << 20;

/// Blocks of states that are shared at once: between two times the set may be put into another form, and the memory of the
/// blocks is used again.
const WINDOW: usize = 32;

/// Levels smaller than this are not worth waking threads for.
const WORTH: usize = 256;

/// Stack of a thread.
const STACK: usize = 256 << 20;

/// The edges of some states that follow each other.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    /// The edges, and faults.
    pub(super) steps: Steps,
    /// The size of each state's orbit, if the reducer looks inside states.
    pub(super) orbits: Vec<Option<Count>>,
    /// Keys of the targets, of those elsewhere.
    pub(super) keys: Vec<u128>,
    /// The edges that lead to states that are new, in order.
    pub(super) fresh: Vec<u32>,
    /// What checking new states found, by edge, in order.
    pub(super) found: Vec<(u32, Findings)>,
    /// What an onlooker found there, which the search does not look at.
    pub(super) about: Vec<(u32, Findings)>,
    /// The states that have no edges since the machine's scope excludes them, in order.
    pub(super) outside: Vec<usize>,
    /// What there is to take over, as [`Self::summary`] says.
    summary: Summary,
    /// The keys of each shard, until they are divided.
    parts: Vec<Part>,
    within: Within,
    elsewhere: Elsewhere,
}

impl Chunk {
    /// Edges and keys; what the scope excludes.
    pub(super) fn expand(&mut self, work: &Work<'_>, states: &[u64]) {
        self.edges(work, states);
        if work.system.has_scope() {
            let mut first = 0;
            for (source, (state, &end)) in states.chunks(work.width).zip(self.steps.ends()).enumerate() {
                if first == end && work.system.is_outside(state) {
                    self.outside.push(source);
                }
                first = end;
            }
        }
    }

    /// After an interrupt keys may be missing; the search then takes nothing over.
    fn edges(&mut self, work: &Work<'_>, states: &[u64]) {
        let Work { system, reducer, interrupt, width, all, counts, operations, .. } = *work;
        let Self { steps, orbits, keys, fresh, found, about, within, elsewhere, .. } = self;
        orbits.clear();
        keys.clear();
        fresh.clear();
        found.clear();
        about.clear();
        self.outside.clear();
        if reducer.looks_inside() {
            steps.clear();
            elsewhere.begin();
            for state in states.chunks(width) {
                orbits.push(within.successors(system, reducer, state, steps).orbit);
                let unweighed = steps.unweighed();
                let targets = elsewhere.next(state, steps.open_targets(width), all || unweighed);
                within.keys(reducer, interrupt, targets, width, unweighed, keys);
                if unweighed {
                    within.weigh(steps);
                }
                steps.close();
            }
            return;
        }
        steps.clear_to_count(operations);
        system.successors_of(states, steps);
        if !all {
            elsewhere.look(counts, (states, width), steps.ends(), &steps.targets);
        }
        for targets in watched(elsewhere.of(&steps.targets), width, interrupt) {
            reducer.keys(targets, width, keys);
        }
    }

    /// Inserts the keys one after the other, with those that the reducer wants to be known as well.
    fn insert(&mut self, work: &Work<'_>, seen: &mut Keys) {
        let Self { steps, keys, fresh, elsewhere, .. } = self;
        if !work.reducer.floods() {
            seen.insert_all(keys, |i| fresh.push(elsewhere.edge(i)));
            return;
        }
        for (i, (key, target)) in keys.iter().zip(steps.targets.chunks(work.width)).enumerate() {
            if seen.insert(*key) {
                fresh.push(elsewhere.edge(i));
                work.reducer.further_keys(target, &mut |k| {
                    seen.insert(k);
                });
            }
        }
    }

    /// How many edges a state has.
    fn edges_each(&self) -> usize {
        self.steps.len().div_ceil(self.steps.ends().len().max(1))
    }

    /// The edges that have keys, with these.
    pub(super) fn keyed(&self) -> impl Iterator<Item = (u32, u128)> {
        self.keys.iter().enumerate().map(|(at, key)| (self.elsewhere.edge(at), *key))
    }

    /// The keys that were new.
    pub(super) fn new_keys(&self) -> impl Iterator<Item = u128> {
        let key = |edge: &u32| self.elsewhere.target(*edge).and_then(|at| self.keys.get(at).copied());
        self.fresh.iter().filter_map(key)
    }

    /// Divides the keys: each shard's into one of `parts`.
    pub(super) fn divide(
        &mut self,
        shards: &dyn Shards,
        parts: impl Iterator<Item = impl DerefMut<Target = Part>>,
    ) {
        shards.divide(&self.keys, &mut self.parts);
        self.parts.iter_mut().zip(parts).for_each(|(own, mut part)| std::mem::swap(own, &mut *part));
    }

    /// Inserts the keys into the only shard.
    pub(super) fn insert_whole(&mut self, shards: &dyn Shards, crew: &dyn Crew) {
        let Self { keys, fresh, elsewhere, .. } = self;
        shards.insert_all(keys, crew, &mut |i| fresh.push(elsewhere.edge(i)));
    }

    /// Takes over from `parts` which keys were new.
    pub(super) fn gather(&mut self, parts: impl Iterator<Item = impl DerefMut<Target = Part>>) {
        let Self { fresh, elsewhere, .. } = self;
        parts.for_each(|part| fresh.extend(part.fresh.iter().map(|at| elsewhere.edge(*at as usize))));
        #[allow(clippy::stable_sort_primitive, reason = "a rising run from each part: merged as they are")]
        self.fresh.sort();
    }

    /// As [`Self::check`], where another thread takes over what there is.
    pub(super) fn check_aside(&mut self, work: &Work<'_>) {
        self.check(work);
        if self.is_smooth() {
            self.summary.put_aside(work.width, &self.steps.targets, &self.fresh);
        }
    }

    /// Checks the new states.
    fn check(&mut self, work: &Work<'_>) {
        let Self { steps, fresh, found, about, .. } = self;
        if work.checks {
            work.system.check_reached(steps, fresh, work.sound, &mut |edge, f| found.push((edge, f)));
        }
        if let Some(onlooker) = work.onlooker {
            onlooker.check_these(&steps.targets, fresh, &mut |edge, f| about.push((edge, f)));
        }
        if self.is_smooth()
            && let Some(rows) = self.steps.rows()
        {
            self.summary.make(rows, self.steps.ends(), &self.fresh);
        }
    }

    /// Whether nothing is amiss, and edges are counted, which they are if orbits are not asked for.
    fn is_smooth(&self) -> bool {
        let smooth = self.steps.faulty.is_empty() && self.found.is_empty() && self.outside.is_empty();
        smooth && self.steps.rows().is_some()
    }

    /// What there is to take over once new states are checked, if nothing is amiss but for deadlocks.
    pub(super) fn summary(&self) -> Option<&Summary> {
        self.is_smooth().then_some(&self.summary)
    }
}

/// How to go on after a chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum After {
    /// With the next one.
    More,
    /// With those that are begun: they are handed over, and no others.
    Begun,
    /// Not at all: what is begun is lost.
    Nothing,
}

/// What all chunks are expanded with.
pub(super) struct Work<'a> {
    pub(super) system: &'a dyn System,
    reducer: &'a dyn Reducer,
    interrupt: &'a Interrupt,
    width: usize,
    operations: usize,
    /// Whether edges that lead back to their states have keys as well.
    all: bool,
    /// Whether keys that are asked for are counted: which these are must not depend on what is expanded together.
    counts: bool,
    /// Whether new states are checked.
    checks: bool,
    /// Who looks at them as well.
    onlooker: Option<&'a dyn System>,
    /// Whether all states expanded satisfy invariant and assertions.
    sound: bool,
    /// Memory for those who have nothing else to do.
    pub(super) spare: Spare,
}

/// Expands states; keeps its memory from call to call.
pub(super) struct Expander<'a> {
    work: Work<'a>,
    threads: usize,
    /// The other threads: made when there is a level that is worth it.
    pool: Option<ThreadPool>,
    /// One chunk for states that are not shared.
    single: Chunk,
    /// How many edges a state had in the last chunk; at first, one for each operation.
    edges: usize,
    belt: Belt,
}

impl<'a> Expander<'a> {
    pub(super) fn new(
        system: &'a dyn System,
        reducer: &'a dyn Reducer,
        options: &'a Options,
        spare: Spare,
        onlooker: Option<&'a dyn System>,
    ) -> Self {
        let interrupt = &options.interrupt;
        let all = options.audit.is_some() || reducer.floods();
        let (width, operations, checks) = (system.width().max(1), system.operations().len(), options.checks);
        Self {
            work: Work {
                system,
                reducer,
                interrupt,
                width,
                operations,
                all,
                counts: !reducer.counters().is_empty(),
                checks,
                onlooker,
                sound: false,
                spare,
            },
            // What flooding stores depends on the order of states.
            threads: if reducer.floods() { 1 } else { options.threads.max(1) },
            pool: None,
            single: Chunk::default(),
            edges: operations,
            belt: Belt::default(),
        }
    }

    /// Begins a level of so many states, which are `sound` if all of them satisfy invariant and assertions. How many blocks of
    /// it are worth handing over at once.
    pub(super) fn begin(&mut self, level: usize, sound: bool) -> usize {
        self.work.sound = sound;
        if self.threads > 1 && level >= WORTH { WINDOW } else { 1 }
    }

    /// Expands the states of some blocks. Calls `merge` with chunks in order; it says how to go on.
    pub(super) fn expand(
        &mut self,
        blocks: &[Vec<u64>],
        seen: &mut Keys,
        merge: &mut dyn FnMut(&mut Chunk) -> After,
    ) {
        let width = self.work.width;
        let most = (ROOM / width / self.edges.max(1)).max(1);
        let chunks = |states: usize| blocks.iter().flat_map(move |b| b.chunks(states.min(most) * width));
        if let Some(pool) = self.helpers(blocks) {
            let Self { work, belt, edges, .. } = self;
            let large: Vec<&[u64]> = chunks(LARGE).collect();
            seen.share(|shards, mut remember| {
                belt.run(&pool, work, &large, shards, &mut |chunk| {
                    if let Some(remember) = &mut remember {
                        chunk.new_keys().for_each(remember);
                    }
                    *edges = chunk.edges_each();
                    merge(chunk)
                });
            });
            self.pool = Some(pool);
            return;
        }
        let _stopped = chunks(CHUNK).all(|part| merge(self.expand_here(part, seen)) == After::More);
    }

    /// Expands few states.
    pub(super) fn expand_here(&mut self, states: &[u64], seen: &mut Keys) -> &mut Chunk {
        let Self { work, single, edges, .. } = self;
        single.expand(work, states);
        single.insert(work, seen);
        single.check(work);
        *edges = single.edges_each();
        single
    }

    /// The other threads, if the blocks are to be shared; the caller gives them back.
    fn helpers(&mut self, blocks: &[Vec<u64>]) -> Option<ThreadPool> {
        let states = || blocks.iter().map(Vec::len).sum::<usize>() / self.work.width;
        if self.threads == 1 || states() < WORTH {
            return None;
        }
        let builder = || ThreadPoolBuilder::new().num_threads(self.threads - 1).stack_size(STACK);
        self.pool.take().or_else(|| builder().build().ok())
    }
}
