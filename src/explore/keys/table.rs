//! Lines by the million: open addressing, grown where it lies.
//!
//! In: keys in order. Out: which of them are new. Lines are found by multiplication ("fastrange"), so a shard may have any
//! number of lines and grows by a third instead of doubling. Homes keep the order of keys, so that from the last line on
//! nearly every key goes to a line that is already empty, and no second table is ever needed. There is a shard for
//! each thread; which one has a key makes no difference to anybody else.
#![allow(clippy::cast_possible_truncation, reason = "bits are picked out of words on purpose")]

use super::super::huge::{prefetch, widen};
use super::lines::{Inserted, Line};
use rayon::prelude::*;

/// How many keys are read ahead.
const BATCH: usize = 32;

/// So many are not worth getting a batch ready: searches of a million levels have one or two a level.
const FEW: usize = 4;

/// Lines of the smallest table: enough for a batch.
const LEAST: usize = 16;

/// One shard.
#[derive(Clone, Debug)]
struct Shard<L> {
    /// How many there are.
    shards: usize,
    lines: Vec<L>,
    /// Slots in use.
    used: usize,
    /// Keys.
    len: usize,
    /// Whether the key that looks like a slot not in use is in.
    apart: bool,
}

/// The shard of a key, and the bits that choose a line there: the more significant, the more they say about its place.
#[inline]
fn spread(place: u64, shards: usize) -> (usize, u64) {
    let product = u128::from(place) * shards as u128;
    ((product >> 64) as usize, product as u64)
}

impl<L: Line> Shard<L> {
    /// Inserts a key of this shard for which there is room; whether it was new.
    #[inline]
    fn insert(&mut self, key: L::Key, bits: u64) -> bool {
        if L::is_apart(key) {
            let new = !std::mem::replace(&mut self.apart, true);
            self.len += usize::from(new);
            return new;
        }
        let mut at = self.home(bits);
        while let Some(line) = self.lines.get_mut(at) {
            match line.insert(key) {
                Inserted::Known => return false,
                Inserted::Full => {}
                new => {
                    self.used += usize::from(new == Inserted::Placed);
                    self.len += 1;
                    return true;
                }
            }
            at = if at + 1 == self.lines.len() { 0 } else { at + 1 };
        }
        false
    }

    /// Whether a key is in.
    fn has(&self, key: L::Key, bits: u64) -> bool {
        if L::is_apart(key) {
            return self.apart;
        }
        let home = self.home(bits);
        let (before, after) = self.lines.split_at(home.min(self.lines.len()));
        for line in after.iter().chain(before) {
            match { *line }.insert(key) {
                Inserted::Known => return true,
                Inserted::Full => {}
                Inserted::Joined | Inserted::Placed => return false,
            }
        }
        false
    }

    /// The first line of a key.
    #[inline]
    fn home(&self, bits: u64) -> usize {
        ((u128::from(bits) * self.lines.len() as u128) >> 64) as usize
    }

    /// Grows until there is room for so many more keys.
    #[inline]
    fn make_room(&mut self, more: usize) {
        while (self.used + more) * 20 > self.lines.len() * (L::SLOTS * L::FILL) {
            self.grow(self.lines.len() / 3);
        }
    }

    /// Takes the keys out of line after line, from the last on, and puts each where it belongs now. A line that still
    /// holds old keys cannot take new ones: what belongs there waits. These are few: keys far from home near the
    /// beginning, and those that ran over the end.
    #[cold]
    fn grow(&mut self, more: usize) {
        let old = self.lines.len();
        widen(&mut self.lines, L::EMPTY, (old + more).max(LEAST));
        let mut waiting = Vec::new();
        for at in (0..old).rev() {
            let Some(line) = self.lines.get_mut(at) else { continue };
            let line = std::mem::replace(line, L::EMPTY);
            waiting.extend(line.slots().filter(|key| !self.settle(*key, at)));
        }
        let len = self.len;
        self.used -= waiting.len();
        for key in waiting {
            self.insert(key, spread(L::place(key), self.shards).1);
        }
        self.len = len;
    }

    /// Puts what a slot held into its place if that lies behind line `at`; whether it does.
    #[inline]
    fn settle(&mut self, key: L::Key, at: usize) -> bool {
        let home = self.home(spread(L::place(key), self.shards).1);
        let behind = if home > at { self.lines.get_mut(home..).unwrap_or(&mut []) } else { &mut [] };
        behind.iter_mut().any(|line| line.insert(key) != Inserted::Full)
    }
}

/// A set of keys in lines of one form.
#[derive(Clone, Debug)]
pub(super) struct Table<L: Line> {
    shards: Vec<Shard<L>>,
    coder: L::Coder,
}

impl<L: Line> Table<L> {
    /// An empty set.
    pub(super) fn new(shards: usize, coder: L::Coder) -> Self {
        let shard = Shard { shards, lines: Vec::new(), used: 0, len: 0, apart: false };
        Self { shards: vec![shard; shards], coder }
    }

    /// Inserts keys in order; calls `fresh` with the position of each that was new.
    pub(super) fn insert_all(&mut self, keys: &[u128], fresh: &mut impl FnMut(usize)) {
        if keys.len() <= FEW {
            for (i, key) in keys.iter().enumerate() {
                if self.insert(*key) {
                    fresh(i);
                }
            }
            return;
        }
        insert(&mut self.shards, 0, &self.coder, keys.iter().copied().enumerate(), fresh);
    }

    fn insert(&mut self, key: u128) -> bool {
        let key = L::key(&self.coder, key);
        let (shard, bits) = spread(L::place(key), self.shards.len());
        self.shards.get_mut(shard).is_some_and(|s| {
            s.make_room(1);
            s.insert(key, bits)
        })
    }

    /// Adds to `parts`, a list for each shard, the positions of the keys that are the shard's.
    pub(super) fn divide(&self, keys: &[u128], parts: &mut Vec<Vec<u32>>) {
        parts.resize_with(self.shards.len(), Vec::new);
        for (position, key) in (0u32..).zip(keys) {
            let (shard, _) = spread(L::place(L::key(&self.coder, *key)), self.shards.len());
            if let Some(part) = parts.get_mut(shard) {
                part.push(position);
            }
        }
    }

    /// Inserts keys that are divided, each shard's by a thread: for each shard the numbers of lists and the positions
    /// there of those that were new.
    pub(super) fn insert_divided(&mut self, lists: &[Divided<'_>]) -> Vec<Vec<(u32, u32)>> {
        let coder = &self.coder;
        let one = |(number, shard)| {
            let own = (0u32..).zip(lists).flat_map(|(n, list)| {
                let positions = list.parts.get(number).map_or(&[][..], Vec::as_slice).iter();
                positions.filter_map(move |&p| Some(((n, p), *list.keys.get(p as usize)?)))
            });
            let mut new = Vec::new();
            insert(std::slice::from_mut(shard), number, coder, own, &mut |at| new.push(at));
            new
        };
        self.shards.par_iter_mut().enumerate().map(one).collect()
    }

    /// Whether a key is in.
    pub(super) fn has(&self, key: u128) -> bool {
        let key = L::key(&self.coder, key);
        let (shard, bits) = spread(L::place(key), self.shards.len());
        self.shards.get(shard).is_some_and(|s| s.has(key, bits))
    }

    /// Makes room for so many slots in all.
    pub(super) fn reserve(&mut self, slots: usize) {
        let each = slots / self.shards.len().max(1);
        for shard in &mut self.shards {
            let lines = each * 20 / (L::SLOTS * L::FILL);
            shard.grow(lines.saturating_sub(shard.lines.len()));
        }
    }

    /// What the slots in use hold, but for the key that looks like none, and whether that is in.
    pub(super) fn slots(&self) -> (impl Iterator<Item = L::Key> + '_, bool) {
        let lines = self.shards.iter().flat_map(|s| &s.lines);
        (lines.flat_map(L::slots), self.shards.iter().any(|s| s.apart))
    }

    /// Number of keys.
    pub(super) fn len(&self) -> usize {
        self.shards.iter().map(|s| s.len).sum()
    }

    /// Number of shards.
    pub(super) fn shards(&self) -> usize {
        self.shards.len()
    }

    /// Bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        self.shards.iter().map(|s| size_of_val(s.lines.as_slice())).sum()
    }
}

/// A key that is ready to be inserted: what stands beside it, its shard, the bits that choose a line there.
type Ready<P, L> = (P, usize, u64, <L as Line>::Key);

/// Takes keys as far as there is room, and asks for their lines; how many.
#[inline]
fn fetch<L: Line, P: Copy>(
    shards: &[Shard<L>],
    keys: &mut impl Iterator<Item = Ready<P, L>>,
    into: &mut [Ready<P, L>],
) -> usize {
    let mut length = 0;
    for slot in into {
        let Some(key) = keys.next() else { break };
        *slot = key;
        if let Some(shard) = shards.get(key.1)
            && let Some(line) = shard.lines.get(shard.home(key.2))
        {
            prefetch(line);
        }
        length += 1;
    }
    length
}

/// Keys, and which are whose: for each shard their positions, in order.
#[derive(Clone, Copy, Debug)]
pub struct Divided<'a> {
    /// The keys.
    pub keys: &'a [u128],
    /// The positions.
    pub parts: &'a [Vec<u32>],
}

/// Inserts keys of some shards, of which `first` is the first, in order; calls `fresh` with what stands beside each that
/// was new. The lines of a batch are fetched while the batch before is inserted: large tables are bound by the latency of
/// memory.
fn insert<L: Line, P: Copy>(
    shards: &mut [Shard<L>],
    first: usize,
    coder: &L::Coder,
    mut keys: impl Iterator<Item = (P, u128)>,
    fresh: &mut impl FnMut(P),
) {
    let Some(count) = shards.first().map(|s| s.shards) else { return };
    let ready = |(at, key): (P, u128)| {
        let key = L::key(coder, key);
        let (shard, bits) = spread(L::place(key), count);
        (at, shard.wrapping_sub(first), bits, key)
    };
    let Some(some) = keys.next().map(ready) else { return };
    let (mut now, mut next) = ([some; BATCH], [some; BATCH]);
    let mut keys = std::iter::once(some).chain(keys.map(ready));
    let mut length = fetch(shards, &mut keys, &mut now);
    while length > 0 {
        let ahead = fetch(shards, &mut keys, &mut next);
        shards.iter_mut().for_each(|shard| shard.make_room(length));
        for &(at, shard, bits, key) in now.iter().take(length) {
            if shards.get_mut(shard).is_some_and(|s| s.insert(key, bits)) {
                fresh(at);
            }
        }
        length = ahead;
        std::mem::swap(&mut now, &mut next);
    }
}
