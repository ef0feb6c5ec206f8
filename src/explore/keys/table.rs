//! Lines by the million: open addressing.
//!
//! In: keys in order. Out: which of them are new. Lines are found by multiplication ("fastrange"), so a shard may have
//! any number of lines, and homes keep the order of keys (`growth` needs both). There are shards for threads; which one
//! has a key makes no difference to anybody else.
#![allow(clippy::cast_possible_truncation, reason = "bits are picked out of words on purpose")]

use super::super::crew::{Alone, Crew};
use super::super::huge::prefetch;
use super::lines::{Inserted, Line};
use std::sync::{Mutex, PoisonError};

/// How many keys are read ahead: as many as a word has bits that says which of them are new.
const BATCH: usize = u32::BITS as usize;

/// So many are not worth getting a batch ready: searches of a million levels have one or two a level.
const FEW: usize = 4;

/// One shard.
#[derive(Clone, Debug)]
pub(super) struct Shard<L> {
    /// How many there are.
    pub(super) shards: usize,
    pub(super) lines: Vec<L>,
    /// Slots in use.
    pub(super) used: usize,
    /// Keys.
    pub(super) len: usize,
    /// Whether the key that looks like a slot not in use is in.
    apart: bool,
}

/// The shard of a key, and the bits that choose a line there: the more significant, the more they say about its place.
#[inline]
fn spread<L: Line>(key: L::Key, shards: usize) -> (usize, u64) {
    if shards == 1 {
        return (0, L::place(key));
    }
    let product = u128::from(L::place(key)) * shards as u128;
    ((product >> 64) as usize, product as u64)
}

/// Which of so many lines is chosen by these bits.
#[inline]
fn chosen(bits: u64, lines: usize) -> usize {
    ((u128::from(bits) * lines as u128) >> 64) as usize
}

/// The first line of a key, of so many that its shard has.
#[inline]
pub(super) fn home_of<L: Line>(key: L::Key, shards: usize, lines: usize) -> usize {
    chosen(spread::<L>(key, shards).1, lines)
}

impl<L: Line> Shard<L> {
    /// Inserts a key of this shard for which there is room; whether it was new.
    #[inline]
    pub(super) fn insert(&mut self, key: L::Key, home: usize) -> bool {
        if L::is_apart(key) {
            let inserted = self.insert_apart();
            return self.count(inserted);
        }
        let mut at = home;
        while let Some(line) = self.lines.get_mut(at) {
            match line.insert(key) {
                Inserted::Full => at = self.after(at),
                inserted => return self.count(inserted),
            }
        }
        false
    }

    /// Inserts keys of this shard in order; calls `fresh` with what stands beside each that was new. The lines of a
    /// batch are fetched while the batch before is inserted: large tables are bound by the latency of memory.
    fn insert_all<P: Copy + Default>(
        &mut self,
        mut keys: impl Iterator<Item = (P, L::Key)>,
        crew: &dyn Crew,
        fresh: &mut impl FnMut(P),
    ) {
        let empty = || Batch {
            beside: [P::default(); BATCH],
            keys: [L::Key::default(); BATCH],
            lines: [0; BATCH],
            open: [0; BATCH],
            length: 0,
        };
        let (mut one, mut other) = (empty(), empty());
        let (mut now, mut next) = (&mut one, &mut other);
        self.fetch(&mut keys, now);
        while now.length > 0 {
            // Where keys belong changes when the table grows.
            if self.make_room(BATCH, crew) {
                now.lines.iter_mut().zip(&now.keys).for_each(|(line, key)| *line = self.home_of(*key));
            }
            self.fetch(&mut keys, next);
            let mut new = self.insert_batch(now);
            while new != 0 {
                fresh(now.beside[new.trailing_zeros() as usize]);
                new &= new - 1;
            }
            std::mem::swap(&mut now, &mut next);
        }
    }

    /// Inserts the keys of a batch; a bit for each that was new. A key whose line is full waits until the others have been looked
    /// for: by then its next line has come. To wait for one line after the other took most of the time. Of
    /// equal keys the first is new: lines stay full, so equal keys go the same way, one after the other.
    #[inline]
    fn insert_batch<P>(&mut self, batch: &mut Batch<P, L::Key>) -> u32 {
        let mut new = 0;
        let mut open = batch.length;
        batch.open = std::array::from_fn(|i| i as u8);
        while open > 0 {
            let mut full = 0;
            for nth in 0..open {
                let i = usize::from(batch.open[nth]) % BATCH;
                let (key, at) = (batch.keys[i], batch.lines[i]);
                let inserted = if L::is_apart(key) {
                    self.insert_apart()
                } else {
                    self.lines.get_mut(at).map_or(Inserted::Known, |line| line.insert(key))
                };
                if inserted == Inserted::Full {
                    batch.lines[i] = self.after(at);
                    self.lines.get(batch.lines[i]).inspect(|line| prefetch(*line));
                    batch.open[full] = i as u8;
                    full += 1;
                } else {
                    new |= u32::from(self.count(inserted)) << i;
                }
            }
            open = full;
        }
        new
    }

    /// The key that looks like a slot not in use.
    #[cold]
    fn insert_apart(&mut self) -> Inserted {
        // It shares no slot, but takes none.
        if std::mem::replace(&mut self.apart, true) { Inserted::Known } else { Inserted::Joined }
    }

    /// Counts a key that was inserted; whether it was new.
    #[inline]
    fn count(&mut self, inserted: Inserted) -> bool {
        let new = inserted != Inserted::Known;
        self.used += usize::from(inserted == Inserted::Placed);
        self.len += usize::from(new);
        new
    }

    /// The line after another.
    #[inline]
    fn after(&self, line: usize) -> usize {
        if line + 1 == self.lines.len() { 0 } else { line + 1 }
    }

    /// Inserts keys as reducers give them, of a set that has no other shard; calls `fresh` with the position of each that was
    /// new.
    fn insert_coded(
        &mut self,
        coder: &L::Coder,
        keys: &[u128],
        crew: &dyn Crew,
        fresh: &mut impl FnMut(usize),
    ) {
        self.insert_all(keys.iter().map(|key| L::key(coder, *key)).enumerate(), crew, fresh);
    }

    /// Takes keys for a batch, and asks for their lines.
    #[inline]
    fn fetch<P>(&self, keys: &mut impl Iterator<Item = (P, L::Key)>, batch: &mut Batch<P, L::Key>) {
        let mut length = 0;
        let slots = batch.beside.iter_mut().zip(&mut batch.keys).zip(&mut batch.lines);
        for ((beside, slot), line) in slots {
            let Some((by, key)) = keys.next() else { break };
            (*beside, *slot) = (by, key);
            *line = self.home_of(*slot);
            self.lines.get(*line).inspect(|line| prefetch(*line));
            length += 1;
        }
        batch.length = length;
    }

    /// Whether a key is in.
    fn has(&self, key: L::Key, home: usize) -> bool {
        if L::is_apart(key) {
            return self.apart;
        }
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

    /// The first line of a key that these bits choose.
    #[inline]
    fn home(&self, bits: u64) -> usize {
        chosen(bits, self.lines.len())
    }

    /// The first line of a key of this shard.
    #[inline]
    pub(super) fn home_of(&self, key: L::Key) -> usize {
        home_of::<L>(key, self.shards, self.lines.len())
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
        if let ([shard], true) = (self.shards.as_mut_slice(), keys.len() > FEW) {
            return shard.insert_coded(&self.coder, keys, &Alone, fresh);
        }
        for (i, key) in keys.iter().enumerate() {
            if self.insert(*key) {
                fresh(i);
            }
        }
    }

    /// A key as it is stored, its shard, and the bits that choose a line there.
    #[inline]
    fn locate(&self, key: u128) -> (L::Key, usize, u64) {
        let key = L::key(&self.coder, key);
        let (shard, bits) = spread::<L>(key, self.shards.len());
        (key, shard, bits)
    }

    fn insert(&mut self, key: u128) -> bool {
        let (key, shard, bits) = self.locate(key);
        self.shards.get_mut(shard).is_some_and(|s| {
            s.make_room(1, &Alone);
            s.insert(key, s.home(bits))
        })
    }

    /// The set as several threads use it.
    pub(super) fn apart(&mut self) -> Apart<'_, L> {
        Apart { shards: self.shards.iter_mut().map(Mutex::new).collect(), coder: &self.coder }
    }

    /// Whether a key is in.
    pub(super) fn has(&self, key: u128) -> bool {
        let (key, shard, bits) = self.locate(key);
        self.shards.get(shard).is_some_and(|s| s.has(key, s.home(bits)))
    }

    /// Makes room for so many slots in all.
    pub(super) fn reserve(&mut self, slots: usize) {
        let each = slots / self.shards.len().max(1);
        for shard in &mut self.shards {
            let lines = each * 20 / (L::SLOTS * L::FILL);
            shard.grow(lines.saturating_sub(shard.lines.len()), &Alone);
        }
    }

    /// What the slots in use hold, but for the key that looks like none, and whether that is in.
    pub(super) fn slots(&self) -> (impl Iterator<Item = L::Key> + '_, bool) {
        let lines = self.shards.iter().flat_map(|s| &s.lines);
        (lines.flat_map(L::slots), self.shards.iter().any(|s| s.apart))
    }

    /// Calls `f` with every key, as it is inserted, until that fails.
    pub(super) fn each<E>(&self, f: &mut impl FnMut(u128) -> Result<(), E>) -> Result<(), E> {
        if self.shards.iter().any(|s| s.apart) {
            f(0)?;
        }
        // Keys in the order of their lines would all be for the first lines of a table that grows as they come.
        for Shard { lines, .. } in &self.shards {
            let step = scattering(lines.len());
            let scattered = (0..lines.len())
                .filter_map(|i| lines.get((i as u128 * step as u128 % lines.len() as u128) as usize));
            for slot in scattered.flat_map(L::slots) {
                L::keys(&self.coder, slot).try_for_each(&mut *f)?;
            }
        }
        Ok(())
    }

    /// What is to be known to make keys as they are stored.
    pub(super) fn coder(&self) -> &L::Coder {
        &self.coder
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

/// A step that leads from line to line to all of so many, far from the last one: about the golden part of them, and no common
/// divisor.
fn scattering(lines: usize) -> usize {
    let first = ((lines as u128 * 0x9e37_79b9) >> 32) as usize;
    (first.max(1)..=lines).find(|step| num_integer::gcd(*step, lines) == 1).unwrap_or(1)
}

/// The keys of a list that are one shard's.
#[derive(Debug, Default)]
pub struct Part {
    /// As they are stored.
    keys: Vec<u128>,
    /// Their positions in the list, in order.
    positions: Vec<u32>,
    /// Once inserted, the positions of those that were new, in order.
    pub fresh: Vec<u32>,
}

/// A set in shards, each of which one thread at a time inserts into.
pub trait Shards: Sync {
    /// How many.
    fn count(&self) -> usize;
    /// Makes parts of a list of keys, one for each shard.
    fn divide(&self, keys: &[u128], parts: &mut Vec<Part>);
    /// Inserts the keys of a shard's part in order.
    fn insert(&self, shard: usize, part: &mut Part, crew: &dyn Crew);
    /// Inserts keys in order if there is one shard, which needs no parts: calls `fresh` with the position of each that was
    /// new.
    fn insert_all(&self, keys: &[u128], crew: &dyn Crew, fresh: &mut dyn FnMut(usize));
}

/// The shards of a table.
pub(super) struct Apart<'a, L: Line> {
    shards: Vec<Mutex<&'a mut Shard<L>>>,
    coder: &'a L::Coder,
}

impl<L: Line> Shards for Apart<'_, L> {
    fn count(&self) -> usize {
        self.shards.len()
    }

    fn divide(&self, keys: &[u128], parts: &mut Vec<Part>) {
        parts.resize_with(self.shards.len(), Part::default);
        for part in &mut *parts {
            part.keys.clear();
            part.positions.clear();
        }
        for (position, key) in (0u32..).zip(keys) {
            let key = L::key(self.coder, *key);
            if let Some(part) = parts.get_mut(spread::<L>(key, self.shards.len()).0) {
                part.keys.push(L::word(key));
                part.positions.push(position);
            }
        }
    }

    fn insert(&self, shard: usize, part: &mut Part, crew: &dyn Crew) {
        let Part { keys, positions, fresh } = part;
        fresh.clear();
        let Some(shard) = self.shards.get(shard) else { return };
        let keys = positions.iter().copied().zip(keys.iter().map(|key| L::of_word(*key)));
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        shard.insert_all(keys, crew, &mut |at| fresh.push(at));
    }

    fn insert_all(&self, keys: &[u128], crew: &dyn Crew, fresh: &mut dyn FnMut(usize)) {
        let Some(shard) = self.shards.first() else { return };
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        shard.insert_coded(self.coder, keys, crew, &mut |at| fresh(at));
    }
}

/// Keys whose lines are on their way.
struct Batch<P, K> {
    /// What stands beside each.
    beside: [P; BATCH],
    keys: [K; BATCH],
    /// In which line each is to be looked for next.
    lines: [usize; BATCH],
    /// Those not found yet, nor inserted, in order.
    open: [u8; BATCH],
    length: usize,
}
