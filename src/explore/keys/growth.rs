//! A shard that grows where it lies, by as many threads as have time.
//!
//! In: a shard, how many more keys it is to take, a crew. Out: room for them; where every key lies does not depend on the
//! crew. Homes keep the order of keys, so what is in the last lines goes to lines behind all of them: lines are emptied
//! section by section, from the last one on, each into lines that are empty by then, and both halves of a section at the same
//! time. No second table is ever needed.
#![allow(clippy::cast_possible_truncation, reason = "what is scaled down fits")]

use super::super::crew::{Both, Crew, one_after_the_other};
use super::super::huge::widen;
use super::lines::Line;
use super::table::{Shard, home_of};

/// Lines of the smallest table: enough for two batches.
const LEAST: usize = 32;

/// A table of fewer bytes than this grows to four times its size, one of fewer than that doubles, a larger one grows by
/// a third: less is moved, or less is empty.
const TINY: usize = 4 << 20;
const SMALL: usize = 16 << 20;

/// Fewer lines are not worth a second thread.
const WORTH: usize = 1 << 12;

/// Lines to be emptied, and those behind them that take their keys.
struct Section<'a, L> {
    from: &'a mut [L],
    to: &'a mut [L],
    /// The number of the first line in `to`.
    first: usize,
}

impl<L: Line> Section<'_, L> {
    /// Empties the lines, from the last one on. The keys that belong elsewhere, or find no room, wait.
    fn empty(&mut self, home_of: impl Fn(L::Key) -> usize, waiting: &mut Vec<L::Key>) {
        for line in self.from.iter_mut().rev() {
            let line = std::mem::replace(line, L::EMPTY);
            waiting.extend(line.slots().filter(|key| {
                let home = home_of(*key).checked_sub(self.first);
                let behind = home.and_then(|home| self.to.get_mut(home..)).unwrap_or_default();
                !behind.iter_mut().any(|line| line.put(*key))
            }));
        }
    }

    /// Two sections: the keys of the lines from `from` on belong to those from `to` on.
    fn halves(self, from: usize, to: usize) -> (Self, Self) {
        let (from, last) = self.from.split_at_mut(from.min(self.from.len()));
        let to = to.saturating_sub(self.first).min(self.to.len());
        let (to, behind) = self.to.split_at_mut(to);
        let first = self.first + to.len();
        (Self { from, to, first: self.first }, Self { from: last, to: behind, first })
    }
}

/// Which line is what this one was before their number changed.
fn scaled(line: usize, before: usize, after: usize) -> usize {
    (line as u128 * after as u128 / before.max(1) as u128) as usize
}

impl<L: Line> Shard<L> {
    /// Grows until there is room for so many more keys; whether it has grown.
    #[inline]
    pub(super) fn make_room(&mut self, more: usize, crew: &dyn Crew) -> bool {
        let before = self.lines.len();
        while (self.used + more) * 20 > self.lines.len() * (L::SLOTS * L::FILL) {
            let lines = self.lines.len();
            let more = match size_of_val(self.lines.as_slice()) {
                ..TINY => lines * 3,
                TINY..SMALL => lines,
                SMALL.. => lines / 3,
            };
            self.grow(more, crew);
        }
        self.lines.len() > before
    }

    /// Adds so many lines, and moves the keys to where they belong then.
    #[cold]
    pub(super) fn grow(&mut self, more: usize, crew: &dyn Crew) {
        let mut waiting = Vec::new();
        if self.lines.len() < WORTH {
            self.stretch(more, &one_after_the_other, &mut waiting);
        } else {
            crew.gather(&mut |both| self.stretch(more, both, &mut waiting));
        }
        let len = self.len;
        self.used -= waiting.len();
        for key in waiting {
            self.insert(key, self.home_of(key));
        }
        self.len = len;
    }

    /// The same, but for few keys that wait: those far from home near the beginning of a section, and those that ran over
    /// its end.
    fn stretch(&mut self, more: usize, both: Both<'_>, waiting: &mut Vec<L::Key>) {
        let (old, new) = (self.lines.len(), (self.lines.len() + more).max(LEAST));
        widen(&mut self.lines, L::EMPTY, new, both);
        let shards = self.shards;
        let home_of = |key| home_of::<L>(key, shards, new);
        let mut end = old;
        while end > 0 {
            // Of keys that were at home in a line after this one, no home is before `end` now.
            let start = (scaled(end, new, old) + 1).min(end - 1);
            let (before, to) = self.lines.split_at_mut(end);
            let from = before.get_mut(start..).unwrap_or_default();
            let mut all = Section { from, to, first: end };
            if end - start < WORTH {
                all.empty(home_of, waiting);
            } else {
                let middle = start + (end - start) / 2;
                let (mut one, mut other) = all.halves(middle - start, scaled(middle, old, new));
                let mut late = Vec::new();
                both(&mut || one.empty(home_of, waiting), &mut || other.empty(home_of, &mut late));
                waiting.append(&mut late);
            }
            end = start;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lines::{Narrow, Wide};
    use super::super::table::{Shards, Table};
    use super::*;
    use crate::explore::crew::Alone;

    /// Another thread for each second job.
    struct Two;

    impl Crew for Two {
        fn gather(&self, work: &mut dyn FnMut(Both<'_>)) {
            work(&|one, other| {
                std::thread::scope(|scope| {
                    scope.spawn(other);
                    one();
                });
            });
        }
    }

    fn lies_the_same_whoever_helps<L: Line<Coder = ()>>() {
        const KEYS: u64 = 100_000;
        let key = |i: u64| u128::from(i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        let mut tables = [Table::<L>::new(1, ()), Table::new(1, ())];
        for (table, crew) in tables.iter_mut().zip([&Alone as &dyn Crew, &Two]) {
            for first in (0..KEYS).step_by(1000) {
                let keys: Vec<u128> = (first..first + 1000).map(key).collect();
                let mut new = 0;
                table.apart().insert_all(&keys, crew, &mut |_| new += 1);
                assert_eq!(new, 1000);
            }
        }
        let [one, other] = tables;
        assert!(other.bytes() / size_of::<L>() > 2 * WORTH);
        assert!((0..KEYS).all(|i| other.has(key(i))) && !other.has(key(KEYS)));
        assert!(one.slots().0.map(L::word).eq(other.slots().0.map(L::word)));
    }

    #[test]
    fn grows_by_two_threads() {
        lies_the_same_whoever_helps::<Wide>();
        lies_the_same_whoever_helps::<Narrow>();
    }
}
