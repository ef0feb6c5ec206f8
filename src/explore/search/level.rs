//! The states of one level, expanded block by block.
//!
//! In: a search, the states that it found last. Out: all that they lead to taken over, in their order. Between two chunks a
//! search may be kept (`keep`): what is begun by then is taken over first.

use super::super::Passed;
use super::super::checkpoint::Due;
use super::super::expand::{After, Expander};
use super::super::frontier::Frontier;
use super::super::keys::Keys;
use super::super::trace::ROOT;
use super::{Search, Stop};

impl Search<'_> {
    /// Begins to expand the states found last, of which there are so many; the first of them, if the search may go there.
    fn deeper(&mut self, count: usize) -> Option<u32> {
        if self.options.max_depth.is_some_and(|d| self.out.depth >= d) {
            self.stop(Stop::Depth);
            return None;
        }
        self.out.depth += 1;
        Some(u32::try_from(self.parents.len() - count).unwrap_or(ROOT))
    }

    /// Remembers states, the first ones if there are too many.
    fn remember(&mut self, more: usize, append: impl FnOnce(&mut Vec<u64>, usize)) {
        let Passed { states, all } = &mut self.out.passed;
        if !*all {
            return;
        }
        let most = self.options.remember.saturating_mul(self.width);
        *all = states.len() + more * self.width <= most;
        append(states, most);
        states.truncate(most);
    }

    /// Expands the only state found last. Searches of a million levels of one state each need not be held up by what many
    /// states are taken care of with.
    pub(super) fn only(&mut self, state: &[u64], expander: &mut Expander<'_>, seen: &mut Keys) {
        let Some(node) = self.deeper(1) else { return self.frontier.push(state) };
        self.remember(1, |all, _| all.extend_from_slice(state));
        expander.begin(1, self.sound());
        self.waiting = 0;
        if self.running() {
            self.merge(expander.expand_here(state, seen), node);
        }
    }

    /// Expands all states found last; they become `level`, which is empty before and after.
    pub(super) fn level(&mut self, level: &mut Frontier, expander: &mut Expander<'_>, seen: &mut Keys) {
        let Some(node) = self.deeper(self.frontier.len()) else { return };
        self.frontier.next_level(level);
        let count = level.len();
        self.remember(count, |all, most| level.append_to(all, most));
        self.report();
        self.rest(level, node, expander, seen);
    }

    /// Expands what is left of a level; `node` is the first of these states.
    pub(super) fn rest(
        &mut self,
        level: &mut Frontier,
        mut node: u32,
        expander: &mut Expander<'_>,
        seen: &mut Keys,
    ) {
        let window = expander.begin(level.len(), self.sound());
        let mut blocks = std::mem::take(&mut self.blocks);
        while self.running() && !(blocks.is_empty() && level.len() == 0) {
            if blocks.is_empty() {
                level.pop(window, &mut blocks);
            }
            self.waiting = level.len() as u64;
            let first = node;
            expander.expand(&blocks, seen, &mut |chunk| {
                node = self.merge(chunk, node);
                self.after()
            });
            // What a stop has cut short is not what was begun.
            if self.due == Due::Nothing || self.out.stopped.is_some() {
                self.frontier.recycle(&mut blocks);
                continue;
            }
            let done = (node - first) as usize * self.width;
            self.frontier.recycle_first(&mut blocks, done);
            self.keep(&blocks, level, node, seen);
        }
        self.frontier.recycle(&mut blocks);
        self.blocks = blocks;
    }

    /// How to go on after a chunk.
    fn after(&mut self) -> After {
        if self.out.stopped.is_some() {
            After::Nothing
        } else if self.is_due() {
            After::Begun
        } else {
            After::More
        }
    }
}
