//! Many states expanded by several threads: a belt of chunks, each of which goes through the same stages.
//!
//! In: states, what to expand them with, the set of keys in shards. Out: the chunks that one thread would make, handed
//! over in order to the thread that called. A chunk is expanded; then each shard takes its keys, chunk after chunk, so
//! that of equal keys the first is new whoever was faster; then its new states are checked; then it is taken over. No
//! stage waits for all chunks to have come through another: a thread does what is to be done next, and every lock but
//! that of the stages is free whenever it is asked for.

use super::crew::{Alone, Both, Crew};
use super::expand::{After, Chunk, Work};
use super::keys::{Part, Shards};
use rayon::ThreadPool;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Chunks on the belt for each thread: enough that nobody waits for a slow one, few enough for a cache.
const SLOTS: usize = 8;

/// How often a thread that has nothing to do looks whether there is news, before it sleeps: about as long as most jobs
/// take, which is less than to be woken.
const LOOKS: usize = 1 << 9;

/// A place on the belt.
#[derive(Debug, Default)]
struct Slot {
    chunk: Mutex<Chunk>,
    /// The keys of each shard.
    parts: Vec<Mutex<Part>>,
}

/// Chunks on their way; keeps its memory from run to run.
#[derive(Debug, Default)]
pub(super) struct Belt {
    slots: Vec<Slot>,
}

/// What a thread does next, with the chunk of this number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Job {
    /// Its edges and their keys.
    Expand(usize),
    /// The keys of this shard.
    Insert(usize, usize),
    /// Its new states.
    Check(usize),
    /// Hands it over.
    Merge(usize),
}

/// Where the chunk in a slot is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum At {
    /// Not on the belt, or being expanded.
    Start,
    /// Expanded by a thread: its keys may be inserted, its new states checked once they are.
    Expanded(usize),
    /// Being checked.
    Begun,
    /// To be handed over.
    Checked,
}

/// How far the chunks are. Each number is the first chunk for which the stage has not begun.
#[derive(Debug)]
struct Stages {
    chunks: usize,
    expand: usize,
    slots: Vec<At>,
    /// For each shard the first chunk whose keys are not in, and whether a thread is at it.
    insert: Vec<(usize, bool)>,
    merge: usize,
    stopped: bool,
    /// Threads that have not begun yet.
    late: usize,
    /// Threads that wait for something to do.
    idle: usize,
    /// Threads that hand out halves of what they do, to those of the pool.
    gathered: usize,
}

impl Stages {
    fn new(chunks: usize, slots: usize, shards: usize, threads: usize) -> Self {
        Self {
            chunks,
            expand: 0,
            slots: vec![At::Start; slots],
            insert: vec![(0, false); shards],
            merge: 0,
            stopped: false,
            late: threads,
            idle: 0,
            gathered: 0,
        }
    }

    fn over(&self) -> bool {
        self.stopped || self.merge == self.chunks
    }

    fn set(&mut self, chunk: usize, at: At) {
        let slots = self.slots.len();
        self.slots[chunk % slots] = at;
    }

    fn at(&self, chunk: usize) -> At {
        self.slots[chunk % self.slots.len()]
    }

    /// Whether the shard has keys to insert.
    fn has_keys(&self, shard: usize) -> bool {
        let (chunk, busy) = self.insert[shard];
        !busy && chunk < self.expand && matches!(self.at(chunk), At::Expanded(_))
    }

    /// The next job for a thread, begun. What is further along the belt comes first, but only where its lines are likely to be
    /// in the thread's cache: a shard that is its own, a chunk that it has expanded itself. What others left comes
    /// last. Only the first thread hands over.
    fn next(&mut self, thread: usize) -> Option<Job> {
        if thread == 0 && self.at(self.merge) == At::Checked {
            return Some(Job::Merge(self.merge));
        }
        let shards = self.insert.len();
        if thread < shards && self.has_keys(thread) {
            return Some(self.begin_insert(thread));
        }
        if let Some(own) = self.inserted().find(|n| self.at(*n) == At::Expanded(thread)) {
            return Some(self.begin_check(own));
        }
        if self.expand < self.chunks && self.expand - self.merge < self.slots.len() {
            self.expand += 1;
            return Some(Job::Expand(self.expand - 1));
        }
        if let Some(other) = self.inserted().find(|n| matches!(self.at(*n), At::Expanded(_))) {
            return Some(self.begin_check(other));
        }
        (0..shards).find(|s| self.has_keys(*s)).map(|other| self.begin_insert(other))
    }

    /// The chunks on the belt whose keys are in.
    fn inserted(&self) -> std::ops::Range<usize> {
        self.merge..self.insert.iter().map(|(chunk, _)| *chunk).min().unwrap_or(0)
    }

    fn begin_insert(&mut self, shard: usize) -> Job {
        self.insert[shard].1 = true;
        Job::Insert(shard, self.insert[shard].0)
    }

    fn begin_check(&mut self, chunk: usize) -> Job {
        self.set(chunk, At::Begun);
        Job::Check(chunk)
    }

    /// Notes how to go on.
    fn go_on(&mut self, after: After) {
        match after {
            After::More => {}
            After::Begun => self.chunks = self.expand,
            After::Nothing => self.stopped = true,
        }
    }

    /// Notes that a thread has done a job.
    fn done(&mut self, thread: usize, job: Job) {
        match job {
            Job::Expand(chunk) => self.set(chunk, At::Expanded(thread)),
            Job::Insert(shard, chunk) => self.insert[shard] = (chunk + 1, false),
            Job::Check(chunk) => self.set(chunk, At::Checked),
            Job::Merge(chunk) => {
                self.set(chunk, At::Start);
                self.merge += 1;
            }
        }
    }
}

/// A count in cache lines of its own: who looks at it must not take away what lies beside it from who works.
#[derive(Debug, Default)]
#[repr(align(128))]
struct News(AtomicUsize);

/// One run of the belt.
struct Run<'a> {
    pool: &'a ThreadPool,
    work: &'a Work<'a>,
    states: &'a [&'a [u64]],
    shards: &'a dyn Shards,
    slots: &'a [Slot],
    stages: Mutex<Stages>,
    /// Counts what may give a thread something to do; written while the stages are locked.
    news: News,
    more: Condvar,
}

impl Belt {
    /// Expands states, chunk by chunk, by the calling thread and those of a pool. Calls `merge` with every chunk in
    /// order; it says how to go on.
    pub(super) fn run(
        &mut self,
        pool: &ThreadPool,
        work: &Work<'_>,
        states: &[&[u64]],
        shards: &dyn Shards,
        merge: &mut dyn FnMut(&mut Chunk) -> After,
    ) {
        let helpers = pool.current_num_threads();
        self.slots.resize_with((helpers + 1) * SLOTS, Slot::default);
        for slot in &mut self.slots {
            slot.parts.resize_with(shards.count(), Mutex::default);
        }
        let stages = Mutex::new(Stages::new(states.len(), self.slots.len(), shards.count(), helpers + 1));
        let run = Run {
            pool,
            work,
            states,
            shards,
            slots: &self.slots,
            stages,
            news: News::default(),
            more: Condvar::new(),
        };
        let run = &run;
        pool.in_place_scope(|scope| {
            for thread in 1..=helpers {
                scope.spawn(move |_| run.all(thread, &mut |_| After::Nothing));
            }
            run.all(0, merge);
        });
    }
}

/// Stops all threads if one of them panics.
struct Alarm<'a>(&'a Run<'a>);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            own(&self.0.stages).stopped = true;
            self.0.more.notify_all();
        }
    }
}

/// What a lock guards. It is taken over from a thread that panicked, too: then all stop.
fn own<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// While a shard grows, threads of the pool that have nothing else to do look for jobs of the pool. These must be nothing but
/// halves: who waits for one may have to do another, and a run only ends when nobody waits.
impl Crew for Run<'_> {
    fn gather(&self, work: &mut dyn FnMut(Both<'_>)) {
        let mut stages = own(&self.stages);
        if stages.late > 0 {
            drop(stages);
            return Alone.gather(work);
        }
        stages.gathered += 1;
        self.tell(&stages);
        drop(stages);
        work(&|one, other| {
            self.pool.in_place_scope(|scope| {
                scope.spawn(|_| other());
                one();
            });
        });
        own(&self.stages).gathered -= 1;
    }
}

impl Run<'_> {
    /// Does one job after the other until there are no more.
    fn all(&self, thread: usize, merge: &mut dyn FnMut(&mut Chunk) -> After) {
        let _alarm = Alarm(self);
        let mut stages = own(&self.stages);
        stages.late -= 1;
        while !stages.over() {
            let Some(job) = stages.next(thread) else {
                if stages.gathered > 0 && thread > 0 {
                    drop(stages);
                    rayon::yield_now();
                    stages = own(&self.stages);
                    continue;
                }
                if thread > 0 && self.work.spare.wanted() {
                    drop(stages);
                    self.work.spare.prepare();
                    stages = own(&self.stages);
                    continue;
                }
                stages = self.pause(stages);
                continue;
            };
            drop(stages);
            let after = self.does(job, merge);
            stages = own(&self.stages);
            stages.done(thread, job);
            stages.go_on(after);
            self.tell(&stages);
        }
    }

    /// Tells the threads that have nothing to do that there is news.
    fn tell(&self, stages: &Stages) {
        self.news.0.fetch_add(1, Ordering::Relaxed);
        if stages.idle > 0 {
            self.more.notify_all();
        }
    }

    /// Waits for news. None is missed: before a thread sleeps it looks once more, with the stages locked as they are for
    /// whoever tells.
    fn pause<'a>(&'a self, stages: MutexGuard<'a, Stages>) -> MutexGuard<'a, Stages> {
        let before = self.news.0.load(Ordering::Relaxed);
        drop(stages);
        let news = || self.news.0.load(Ordering::Relaxed) != before;
        let soon = (0..LOOKS).any(|_| {
            std::hint::spin_loop();
            news()
        });
        let mut stages = own(&self.stages);
        if !soon && !news() && !stages.over() {
            stages.idle += 1;
            stages = self.more.wait(stages).unwrap_or_else(PoisonError::into_inner);
            stages.idle -= 1;
        }
        stages
    }

    /// Whether there is one shard, so that keys need not be divided.
    fn whole(&self) -> bool {
        self.shards.count() == 1
    }

    /// Does a job; how to go on.
    fn does(&self, job: Job, merge: &mut dyn FnMut(&mut Chunk) -> After) -> After {
        let slot = |chunk: usize| &self.slots[chunk % self.slots.len()];
        match job {
            Job::Expand(n) => {
                let Slot { chunk, parts } = slot(n);
                let mut chunk = own(chunk);
                chunk.expand(self.work, self.states[n]);
                if !self.whole() {
                    chunk.divide(self.shards, parts.iter().map(own));
                }
            }
            Job::Insert(_, n) if self.whole() => own(&slot(n).chunk).insert_whole(self.shards, self),
            Job::Insert(shard, n) => self.shards.insert(shard, &mut own(&slot(n).parts[shard]), self),
            Job::Check(n) => {
                let Slot { chunk, parts } = slot(n);
                let mut chunk = own(chunk);
                if !self.whole() {
                    chunk.gather(parts.iter().map(own));
                }
                chunk.check_aside(self.work);
            }
            Job::Merge(n) => return merge(&mut own(&slot(n).chunk)),
        }
        After::More
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three threads in turn, each with its job unfinished until it has the next turn.
    #[test]
    fn stages_come_in_order() {
        let (chunks, slots) = (100, 8);
        let mut stages = Stages::new(chunks, slots, 2, 3);
        let mut open: [Option<Job>; 3] = [None; 3];
        let mut log = Vec::new();
        for turn in 0.. {
            if stages.over() {
                break;
            }
            assert!(turn < 10_000, "{stages:?}");
            let thread = turn * 7 % 3;
            if let Some(job) = open[thread].take() {
                stages.done(thread, job);
                log.push(job);
            }
            open[thread] = stages.next(thread);
        }
        let at = |job: Job| log.iter().position(|j| *j == job).expect("every job is done");
        for n in 0..chunks {
            let inserted = [0, 1].map(|shard| at(Job::Insert(shard, n)));
            assert!(inserted.iter().all(|i| at(Job::Expand(n)) < *i && *i < at(Job::Check(n))));
            assert!(at(Job::Check(n)) < at(Job::Merge(n)));
            if n > 0 {
                assert!((0..2).all(|shard| at(Job::Insert(shard, n - 1)) < inserted[shard]));
                assert!(at(Job::Merge(n - 1)) < at(Job::Merge(n)));
            }
            if n >= slots {
                assert!(at(Job::Merge(n - slots)) < at(Job::Expand(n)), "the slot was in use");
            }
        }
        assert_eq!(log.len(), chunks * 5);
    }
}
