//! States that wait to be expanded, in order.
//!
//! In: packed states. Out: the same, in blocks. Blocks that have been expanded are used again, so that a level and
//! the next one together take no more memory than their states (one long vector would need twice as much
//! while it grows).

use std::collections::VecDeque;

/// States of a block.
const BLOCK: usize = 1 << 13;

/// The states of a level, or of what is known of it.
#[derive(Debug, Default)]
pub(super) struct Frontier {
    width: usize,
    blocks: VecDeque<Vec<u64>>,
    free: Vec<Vec<u64>>,
    states: usize,
}

impl Frontier {
    /// Of states of so many words.
    pub(super) fn new(width: usize) -> Self {
        Self { width, ..Self::default() }
    }

    /// Goes on to the next level: `self`, the states found, takes the place of `level`, whose states are all taken out,
    /// and starts again empty. Levels may be small and many, so no memory is given back.
    pub(super) fn next_level(&mut self, level: &mut Self) {
        std::mem::swap(self, level);
        std::mem::swap(&mut self.free, &mut level.free);
        self.blocks.clear();
        self.states = 0;
    }

    /// Number of states.
    pub(super) fn len(&self) -> usize {
        self.states
    }

    /// Adds a state.
    #[inline]
    pub(super) fn push(&mut self, state: &[u64]) {
        self.states += 1;
        match self.blocks.back_mut() {
            Some(last) if last.len() < BLOCK * self.width => last.extend_from_slice(state),
            _ => {
                let mut block = self.free.pop().unwrap_or_default();
                block.extend_from_slice(state);
                self.blocks.push_back(block);
            }
        }
    }

    /// Moves the first blocks of states, at most so many, to `blocks`.
    pub(super) fn pop(&mut self, most: usize, blocks: &mut Vec<Vec<u64>>) {
        while blocks.len() < most
            && let Some(block) = self.blocks.pop_front()
        {
            // Mostly there is one block; a division takes longer than all the rest.
            self.states -= if self.blocks.is_empty() { self.states } else { block.len() / self.width.max(1) };
            blocks.push(block);
        }
    }

    /// Gives back the memory of blocks.
    pub(super) fn recycle(&mut self, blocks: &mut Vec<Vec<u64>>) {
        while let Some(mut block) = blocks.pop() {
            block.clear();
            self.free.push(block);
        }
    }
}
