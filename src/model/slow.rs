//! What steps that take long have come to, so that nobody takes them twice: the search takes a step, and every trace
//! that leads through it asks for its target and for its label.
//!
//! In: the edges of one operation in one state, and how long they took. Out: the same edges. Quick steps, steps with
//! faults and what exceeds a moderate room are not kept.

use super::PlainEdge;
use hashbrown::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Steps that take less are taken again.
const SLOW: Duration = Duration::from_micros(50);

/// Most edges that are kept.
const ROOM: usize = 1 << 16;

type Key = (Box<[u64]>, u32);

/// The edges of slow steps by state and operation.
#[derive(Debug, Default)]
pub(super) struct Slow {
    /// Whether there are any: most machines have none, and nobody waits for the lock then.
    any: AtomicBool,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    edges: usize,
    steps: HashMap<Key, Vec<PlainEdge>>,
}

impl Slow {
    /// The edges of a step that was slow before.
    pub(super) fn get(&self, state: &[u64], op: u32) -> Option<Vec<PlainEdge>> {
        if !self.any.load(Ordering::Acquire) {
            return None;
        }
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.steps.get(&(state.into(), op)).cloned()
    }

    /// Keeps the edges of a step that took so long, if that is slow; else they are not asked for. They must be all its edges,
    /// and no fault.
    pub(super) fn keep(
        &self,
        state: &[u64],
        op: u32,
        took: Duration,
        edges: impl ExactSizeIterator<Item = PlainEdge>,
    ) {
        if took < SLOW || edges.len() > ROOM {
            return;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.edges + edges.len() < ROOM && kept.steps.len() < ROOM {
            kept.edges += edges.len();
            kept.steps.insert((state.into(), op), edges.collect());
            self.any.store(true, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    #[test]
    fn slow_steps_are_kept_and_quick_ones_are_not() {
        let slow = Slow::default();
        let edges: Vec<PlainEdge> = vec![(vec![Value::Int(3)], [7u64, 8].into())];
        assert!(slow.get(&[1, 2], 0).is_none());
        slow.keep(&[1, 2], 0, SLOW / 2, edges.iter().cloned());
        assert!(slow.get(&[1, 2], 0).is_none());
        slow.keep(&[1, 2], 0, 2 * SLOW, edges.iter().cloned());
        assert_eq!(slow.get(&[1, 2], 0), Some(edges));
        assert!(slow.get(&[1, 2], 1).is_none() && slow.get(&[1, 3], 0).is_none());
    }
}
