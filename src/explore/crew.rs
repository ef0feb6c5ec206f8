//! Threads that may have time for each other.
//!
//! In: work that can be done in two halves. Out: the work, done, by one thread or two. What is to be done never depends on
//! who does it.

/// A part of some work; done once.
pub(super) type Job<'a> = &'a mut (dyn FnMut() + Send);

/// Does two jobs, at the same time if somebody has time, and returns when both are done.
pub(super) type Both<'a> = &'a dyn Fn(Job<'_>, Job<'_>);

/// Threads that help.
pub trait Crew: Sync {
    /// Does work; who has nothing to do meanwhile takes over one of every two jobs that it hands out.
    fn gather(&self, work: &mut dyn FnMut(Both<'_>));
}

/// Nobody else.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alone;

impl Crew for Alone {
    fn gather(&self, work: &mut dyn FnMut(Both<'_>)) {
        work(&one_after_the_other);
    }
}

/// Does both jobs.
pub(super) fn one_after_the_other(one: Job<'_>, other: Job<'_>) {
    one();
    other();
}
