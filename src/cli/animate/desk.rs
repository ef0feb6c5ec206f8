//! How jobs reach who computes, and end what runs.
//!
//! In: jobs, from another thread. Out: the same, in order, and two wishes to stop: one for what is computed beside jobs, as soon as a
//! job waits, and one for everything, until the job that says so is read. No wish is lost, whoever comes first.

use super::news::Job;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::time::Duration;

/// Where jobs are put down.
pub(super) struct Desk {
    jobs: Sender<Job>,
    shared: Shared,
}

/// Where they are taken from.
pub(super) struct Tray {
    jobs: Receiver<Job>,
    read: u64,
    shared: Shared,
}

#[derive(Clone, Default)]
struct Shared {
    /// Jobs that were put down, or are just about to be.
    put: Arc<AtomicU64>,
    /// Whether a job waits.
    waiting: Arc<AtomicBool>,
    /// Whether all that was put down is not wanted any more.
    stop: Arc<AtomicBool>,
}

/// Both ends.
pub(super) fn desk() -> (Desk, Tray) {
    let (to, from) = channel();
    let shared = Shared::default();
    (Desk { jobs: to, shared: shared.clone() }, Tray { jobs: from, read: 0, shared })
}

impl Desk {
    /// Puts down a job; whether somebody is there to do it.
    pub(super) fn put(&self, job: Job) -> bool {
        self.shared.put.fetch_add(1, Ordering::SeqCst);
        self.shared.waiting.store(true, Ordering::SeqCst);
        if matches!(job, Job::Stop) {
            self.shared.stop.store(true, Ordering::SeqCst);
        }
        self.jobs.send(job).is_ok()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        // Nobody reads what comes of it.
        self.shared.waiting.store(true, Ordering::SeqCst);
        self.shared.stop.store(true, Ordering::SeqCst);
    }
}

impl Tray {
    /// Ends what is computed beside jobs.
    pub(super) fn waiting(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.shared.waiting)
    }

    /// Ends jobs.
    pub(super) fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.shared.stop)
    }

    /// Waits for the next job; `None` if no more will come.
    pub(super) fn next(&mut self) -> Option<Job> {
        let job = self.jobs.recv().ok()?;
        Some(self.taken(job))
    }

    /// The next job if it is there, or within this time.
    pub(super) fn next_within(&mut self, time: Duration) -> Next {
        let job = match time {
            Duration::ZERO => self.jobs.try_recv().map_err(|e| e == TryRecvError::Disconnected),
            time => self.jobs.recv_timeout(time).map_err(|e| e == RecvTimeoutError::Disconnected),
        };
        match job {
            Ok(job) => Next::Job(self.taken(job)),
            Err(true) => Next::End,
            Err(false) => Next::None,
        }
    }

    fn taken(&mut self, job: Job) -> Job {
        self.read += 1;
        self.shared.waiting.store(false, Ordering::SeqCst);
        if self.shared.put.load(Ordering::SeqCst) > self.read {
            self.shared.waiting.store(true, Ordering::SeqCst);
        }
        if matches!(job, Job::Stop) {
            self.shared.stop.store(false, Ordering::SeqCst);
        }
        job
    }
}

/// What is there.
pub(super) enum Next {
    /// A job.
    Job(Job),
    /// Nothing yet.
    None,
    /// Nothing any more.
    End,
}
