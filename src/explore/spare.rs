//! Memory that is ready to be written.
//!
//! In: how many items a piece holds. Out: empty pieces whose memory has been written before. The system clears a page when
//! it is first written, which takes longer than to write it: one thread stores all states, so others, when they have nothing else to
//! do, write what it will need next. Nothing but time depends on whether there is a piece.

use std::sync::{Arc, Mutex, PoisonError};

/// Pieces that are kept ready: the thread that stores takes one now and then.
const READY: usize = 2;

/// Pieces for so many items each. Clones are the same pile.
#[derive(Clone, Debug, Default)]
pub(super) struct Pile<T> {
    items: usize,
    ready: Arc<Mutex<Vec<Vec<T>>>>,
}

impl<T: Clone + Default> Pile<T> {
    pub(super) fn new(items: usize) -> Self {
        Self { items, ready: Arc::default() }
    }

    /// An empty piece, if one is ready.
    pub(super) fn take(&self) -> Option<Vec<T>> {
        self.with(Vec::pop)
    }

    fn wanted(&self) -> bool {
        self.with(|ready| ready.len() < READY)
    }

    /// Makes a piece ready.
    fn add(&self) {
        let mut piece = Vec::with_capacity(self.items);
        piece.resize(self.items, T::default());
        piece.clear();
        self.with(|ready| ready.push(piece));
    }

    fn with<R>(&self, f: impl FnOnce(&mut Vec<Vec<T>>) -> R) -> R {
        f(&mut self.ready.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The piles of a search.
#[derive(Clone, Debug)]
pub(super) struct Spare {
    /// For parents of nodes.
    pub(super) nodes: Pile<(u32, u32)>,
    /// For words of states.
    pub(super) states: Pile<u64>,
}

impl Spare {
    /// Whether pieces are missing.
    pub(super) fn wanted(&self) -> bool {
        self.nodes.wanted() || self.states.wanted()
    }

    /// Makes a piece ready.
    pub(super) fn prepare(&self) {
        if self.nodes.wanted() { self.nodes.add() } else { self.states.add() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_empty_and_large_enough() {
        let spare = Spare { nodes: Pile::new(100), states: Pile::new(30) };
        let again = spare.clone();
        let prepared = std::iter::from_fn(|| spare.wanted().then(|| spare.prepare()));
        assert_eq!(prepared.take(9).count(), 2 * READY);
        for _ in 0..READY {
            assert!(again.nodes.take().is_some_and(|p| p.is_empty() && p.capacity() >= 100));
            assert!(again.states.take().is_some_and(|p| p.is_empty() && p.capacity() >= 30));
        }
        assert!(spare.nodes.take().is_none() && spare.states.take().is_none());
    }
}
