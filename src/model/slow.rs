//! What steps that take long have come to, so that nobody takes them twice: the search takes a step, and every trace
//! that leads through it asks for its target and for its label.
//!
//! In: the edges of one operation in one state, and how long they took. Out: the same edges. Quick steps, steps with
//! faults and what exceeds a moderate room are not kept.

use super::PlainEdge;
use crate::value::Value;
use hashbrown::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
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

/// What initialisations have come to that the layout had no room for. Whoever makes a wider one asks for the same states
/// again, and takes this over.
#[derive(Debug, Default)]
pub struct Void(Mutex<HashMap<u32, (Duration, Outcomes)>>);

/// Most outcomes of an initialisation that are kept: they hold their values as they are.
const FEW: usize = 64;

/// The values of the variables in each outcome, in order, as long as there are few.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcomes(Vec<Arc<Vec<Option<Value>>>>);

impl Outcomes {
    /// Adds an outcome.
    pub(super) fn note(&mut self, vars: &Arc<Vec<Option<Value>>>) {
        if self.0.len() <= FEW {
            self.0.push(Arc::clone(vars));
        }
    }

    /// Calls `f` with each outcome.
    pub(super) fn each(&self, f: &mut dyn FnMut(&Arc<Vec<Option<Value>>>)) {
        self.0.iter().for_each(f);
    }
}

impl Void {
    /// Takes the outcomes under a valuation, if they are kept, and how long they took.
    pub(super) fn take(&self, valuation: u32) -> Option<(Duration, Outcomes)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&valuation)
    }

    /// Keeps all outcomes under a valuation that took so long, if that is slow and there are few.
    pub(super) fn keep(&self, valuation: u32, took: Duration, outcomes: Outcomes) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if took >= SLOW && outcomes.0.len() <= FEW && kept.len() < FEW {
            kept.insert(valuation, (took, outcomes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
