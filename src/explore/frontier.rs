//! States that wait to be expanded, in order.
//!
//! In: packed states. Out: the same, in blocks. Blocks that have been expanded are used again, so that a level and
//! the next one together take no more memory than their states (one long vector would need twice as much
//! while it grows).

use super::spare::Pile;
use std::collections::VecDeque;

/// States of a block.
pub(super) const BLOCK: usize = 1 << 13;

/// The states of a level, or of what is known of it.
#[derive(Debug, Default)]
pub(super) struct Frontier {
    width: usize,
    blocks: VecDeque<Vec<u64>>,
    free: Vec<Vec<u64>>,
    states: usize,
    spare: Pile<u64>,
}

impl Frontier {
    /// Of states of so many words; blocks that are ready come from a pile.
    pub(super) fn new(width: usize, spare: Pile<u64>) -> Self {
        Self { width, spare, ..Self::default() }
    }

    /// Goes on to the next level: `self`, the states found, takes the place of `level`, whose states are all taken out,
    /// and starts again empty. Levels may be small and many, so no memory is given back.
    pub(super) fn next_level(&mut self, level: &mut Self) {
        std::mem::swap(self, level);
        std::mem::swap(&mut self.free, &mut level.free);
        self.blocks.clear();
        self.states = 0;
    }

    /// If there is one state, moves it to `out`, which is overwritten; whether there was.
    pub(super) fn take_only(&mut self, out: &mut Vec<u64>) -> bool {
        if self.states != 1 {
            return false;
        }
        let Some(block) = self.blocks.front_mut() else { return false };
        out.clear();
        out.append(block);
        self.states = 0;
        true
    }

    /// Number of states.
    pub(super) fn len(&self) -> usize {
        self.states
    }

    /// Adds a state.
    #[inline]
    pub(super) fn push(&mut self, state: &[u64]) {
        self.states += 1;
        self.room().extend_from_slice(state);
    }

    /// Adds some of several states, by their numbers.
    pub(super) fn extend(&mut self, states: &[u64], which: &[u32]) {
        let width = self.width;
        // Searches of a million levels find one state a level.
        if let [one] = which
            && let Some(state) = states.get(*one as usize * width..(*one as usize + 1) * width)
        {
            return self.push(state);
        }
        self.fill(which, 1, |now, block| append(width, states, now, block));
    }

    /// Adds states.
    pub(super) fn extend_by(&mut self, states: &[u64]) {
        self.fill(states, self.width, |now, block| block.extend_from_slice(now));
    }

    /// Divides items, so many for a state, among blocks.
    fn fill<T>(&mut self, mut items: &[T], each: usize, mut add: impl FnMut(&[T], &mut Vec<u64>)) {
        let width = self.width.max(1);
        self.states += items.len() / each.max(1);
        while !items.is_empty() {
            let block = self.room();
            let (now, later) = items.split_at(items.len().min((BLOCK - block.len() / width) * each));
            add(now, block);
            items = later;
        }
    }

    /// A block that has room for a state.
    fn room(&mut self) -> &mut Vec<u64> {
        let full = BLOCK * self.width;
        if self.blocks.back().is_none_or(|last| last.len() >= full) {
            let block = match (self.free.pop(), self.blocks.len()) {
                (Some(block), _) => block,
                (None, 0) => Vec::new(),
                _ => self.spare.take().unwrap_or_default(),
            };
            self.blocks.push_back(block);
        }
        let last = self.blocks.len() - 1;
        &mut self.blocks[last]
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

    /// The states, several in each block, in order.
    pub(super) fn blocks(&self) -> impl Iterator<Item = &Vec<u64>> {
        self.blocks.iter()
    }

    /// Adds all states to `out`, in order.
    pub(super) fn append_to(&self, out: &mut Vec<u64>, most: usize) {
        for block in &self.blocks {
            let room = most.saturating_sub(out.len()).min(block.len());
            out.extend_from_slice(block.get(..room).unwrap_or_default());
        }
    }

    /// Takes so many words off the front of blocks, and gives back the memory of those that are empty then.
    pub(super) fn recycle_first(&mut self, blocks: &mut Vec<Vec<u64>>, mut words: usize) {
        let whole = blocks.iter().take_while(|b| {
            let gone = b.len() <= words;
            words -= if gone { b.len() } else { 0 };
            gone
        });
        let whole = whole.count();
        let mut gone: Vec<Vec<u64>> = blocks.drain(..whole).collect();
        self.recycle(&mut gone);
        if let Some(first) = blocks.first_mut() {
            first.drain(..words.min(first.len()));
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

/// Adds some of several states, by their numbers, to `out`.
pub(super) fn append(width: usize, states: &[u64], which: &[u32], out: &mut Vec<u64>) {
    match width {
        2 => copy::<2>(states, which, out),
        3 => copy::<3>(states, which, out),
        4 => copy::<4>(states, which, out),
        5 => copy::<5>(states, which, out),
        6 => copy::<6>(states, which, out),
        _ => {
            let state = |n: &u32| states.get(*n as usize * width..(*n as usize + 1) * width);
            which.iter().filter_map(state).for_each(|s| out.extend_from_slice(s));
        }
    }
}

/// Adds some states of `N` words to a block: without a call for each.
fn copy<const N: usize>(states: &[u64], which: &[u32], block: &mut Vec<u64>) {
    let (states, _) = states.as_chunks::<N>();
    let before = block.len();
    block.resize(before + which.len() * N, 0);
    let (slots, _) = block.get_mut(before..).unwrap_or_default().as_chunks_mut::<N>();
    for (slot, n) in slots.iter_mut().zip(which) {
        *slot = states.get(*n as usize).copied().unwrap_or([0; N]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_are_added_as_one_by_one() {
        for width in 1..6 {
            let states: Vec<u64> = (0..40 * width as u64).collect();
            let which: Vec<u32> = (0..40).filter(|i| i % 3 != 1).collect();
            let [mut one, mut many, mut aside] = [0; 3].map(|_| Frontier::new(width, Pile::default()));
            // Beyond a block.
            for _ in 0..2 * BLOCK / which.len() {
                many.extend(&states, &which);
                let mut chosen = Vec::new();
                append(width, &states, &which, &mut chosen);
                aside.extend_by(&chosen);
                which.iter().for_each(|n| one.push(&states[*n as usize * width..][..width]));
            }
            assert!(one.blocks.len() > 1);
            assert_eq!((&one.blocks, one.len()), (&many.blocks, many.len()));
            assert_eq!((&one.blocks, one.len()), (&aside.blocks, aside.len()));
        }
    }
}
