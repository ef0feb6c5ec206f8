//! A set of keys, insert only: what the search has stored.
//!
//! Keys are hashes of 128 bits, which must be well mixed, or codes of 64 ([`Keys::new`]). Codes first have a slot
//! each; in a large set, codes that differ by few directions share blocks of 64 if that takes less memory (`basis`),
//! which is exact, too. In a large set about 22 bytes a hash, 11 a code, 2 to 6 a code in blocks; in one of few
//! megabytes up to four times as many. Siblings: `table` (open addressing), `growth`, `lines` (what a cache line holds), `basis`
//! (which codes share a block).

mod basis;
mod growth;
mod lines;
mod table;

use basis::Basis;
use lines::{Narrow, Packed, Wide};
use table::Table;
pub use table::{Part, Shards};

/// The codes found last, from which directions are learned: so many.
const RECENT: usize = 4096;

/// At how many codes directions are learned first, and how many times as many until the next attempt. Smaller sets
/// lie in caches anyway.
const LEARN: usize = 1 << 17;
const AGAIN: usize = 8;

/// Threads for a shard: to insert is less than a third of the work, so a thread finds something else to do while another one
/// inserts; and to divide keys among shards costs as much as a third of inserting them.
const THREADS: usize = 2;

/// Codes looked at in learning.
const SAMPLE: usize = 64;

/// Blocks take twice the memory of codes, and are less full: they must hold so many codes.
const DENSE: f64 = 2.4;

/// The whole set.
#[derive(Clone, Debug)]
pub struct Keys(Form);

#[derive(Clone, Debug)]
enum Form {
    Wide(Table<Wide>),
    Narrow(Table<Narrow>, Recent),
    Packed(Table<Packed>),
}

/// The codes found last.
#[derive(Clone, Debug)]
struct Recent {
    codes: Vec<u64>,
    /// Where the next one goes, once there are enough.
    next: usize,
    /// Size of the set at which directions are learned.
    learn: usize,
}

impl Recent {
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "codes are words")]
    fn push(&mut self, code: u128) {
        if self.codes.len() < RECENT {
            return self.codes.push(code as u64);
        }
        if let Some(slot) = self.codes.get_mut(self.next) {
            *slot = code as u64;
        }
        self.next = (self.next + 1) % RECENT;
    }
}

/// The same for all forms.
macro_rules! table {
    ($set:expr, $t:ident => $what:expr) => {
        match $set {
            Form::Wide($t) => $what,
            Form::Narrow($t, _) => $what,
            Form::Packed($t) => $what,
        }
    };
}

impl Keys {
    /// An empty set for so many threads: of codes (words that tell states apart), or of hashes.
    #[must_use]
    pub fn new(codes: bool, threads: usize) -> Self {
        let shards = threads.div_ceil(THREADS).max(1);
        if !codes {
            return Self(Form::Wide(Table::new(shards, ())));
        }
        Self(Form::Narrow(Table::new(shards, ()), Recent { codes: Vec::new(), next: 0, learn: LEARN }))
    }

    /// An empty set of codes that share blocks as in another one ([`Self::directions`]); as [`Self::new`] if there are no directions.
    #[must_use]
    pub fn alike(codes: bool, directions: &[u64], threads: usize) -> Self {
        let mut keys = Self::new(codes, threads);
        if let (Form::Narrow(table, _), false) = (&keys.0, directions.is_empty()) {
            keys.0 = Form::Packed(Table::new(table.shards(), Basis::of(directions)));
        }
        keys
    }

    /// By what codes that share a block differ; nothing if none do.
    #[must_use]
    pub fn directions(&self) -> Vec<u64> {
        match &self.0 {
            Form::Packed(table) => table.coder().directions(),
            Form::Wide(_) | Form::Narrow(..) => Vec::new(),
        }
    }

    /// Inserts a key; whether it was new.
    pub fn insert(&mut self, key: u128) -> bool {
        let mut new = false;
        self.insert_all(&[key], |_| new = true);
        new
    }

    /// Inserts keys in order; calls `fresh` with the position of each that was new.
    pub fn insert_all(&mut self, keys: &[u128], mut fresh: impl FnMut(usize)) {
        match &mut self.0 {
            Form::Wide(t) => t.insert_all(keys, &mut fresh),
            Form::Packed(t) => t.insert_all(keys, &mut fresh),
            Form::Narrow(t, recent) => t.insert_all(keys, &mut remembering(recent, keys, &mut fresh)),
        }
        self.learn();
    }

    /// Lets several threads insert: `work` has the shards, and what it is to call with the keys that were new, if any. Of equal
    /// keys the first is new, whatever the number of threads, if lists are inserted into each shard in order.
    pub fn share<R>(&mut self, work: impl FnOnce(&dyn Shards, Option<&mut dyn FnMut(u128)>) -> R) -> R {
        let result = match &mut self.0 {
            Form::Wide(t) => work(&t.apart(), None),
            Form::Packed(t) => work(&t.apart(), None),
            Form::Narrow(t, recent) => work(&t.apart(), Some(&mut |key| recent.push(key))),
        };
        self.learn();
        result
    }

    /// Puts codes into blocks if it is time to, and if that takes less memory.
    fn learn(&mut self) {
        let Form::Narrow(table, recent) = &mut self.0 else { return };
        if table.len() < recent.learn {
            return;
        }
        recent.learn = table.len() * AGAIN;
        recent.codes.rotate_left(recent.next);
        recent.next = 0;
        let each = (table.len() / SAMPLE).max(1);
        let sample: Vec<u64> = table.slots().0.step_by(each).collect();
        let (basis, density) = Basis::learn(&recent.codes, &sample, &|code| table.has(code.into()));
        if density >= DENSE {
            self.0 = Form::Packed(packed(table, basis, density));
        }
    }

    /// Calls `f` with every key that the set has been given, until that fails; in an order that fills the lines of another set evenly.
    ///
    /// # Errors
    /// Those of `f`.
    pub fn each<E>(&self, f: &mut impl FnMut(u128) -> Result<(), E>) -> Result<(), E> {
        table!(&self.0, t => t.each(f))
    }

    /// Number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        table!(&self.0, t => t.len())
    }

    /// Whether there is no key.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        table!(&self.0, t => t.bytes())
    }
}

/// Calls `fresh`, and keeps the new codes.
fn remembering(recent: &mut Recent, keys: &[u128], fresh: &mut impl FnMut(usize)) -> impl FnMut(usize) {
    |i| {
        if let Some(code) = keys.get(i) {
            recent.push(*code);
        }
        fresh(i);
    }
}

/// The same codes in blocks that hold about so many.
fn packed(table: &Table<Narrow>, basis: Basis, density: f64) -> Table<Packed> {
    let mut out = Table::new(table.shards(), basis);
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    out.reserve((table.len() as f64 / density) as usize);
    let (slots, apart) = table.slots();
    let mut batch: Vec<u128> = apart.then_some(0).into_iter().collect();
    for slot in slots {
        batch.push(slot.into());
        if batch.len() == RECENT {
            out.insert_all(&batch, &mut |_| {});
            batch.clear();
        }
    }
    out.insert_all(&batch, &mut |_| {});
    out
}

#[cfg(test)]
mod tests {
    use super::super::crew::Alone;
    use super::*;
    use std::collections::HashSet;

    /// A small generator of well-mixed numbers (splitmix64), so that the test repeats.
    fn mixed(n: u64) -> u128 {
        let mix = |x: u64| {
            let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            x ^ x >> 31
        };
        let a = mix(n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        u128::from(a) << 64 | u128::from(mix(a ^ 0x1234))
    }

    /// Inserts keys in lists of 100; the positions of those that were new.
    fn divided(keys: &mut Keys, batch: &[u128]) -> Vec<usize> {
        keys.share(|shards, remember| {
            let mut new = Vec::new();
            let mut parts = Vec::new();
            for (number, list) in batch.chunks(100).enumerate() {
                shards.divide(list, &mut parts);
                parts.iter_mut().enumerate().for_each(|(shard, part)| shards.insert(shard, part, &Alone));
                new.extend(parts.iter().flat_map(|p| &p.fresh).map(|at| number * 100 + *at as usize));
            }
            new.sort_unstable();
            if let Some(remember) = remember {
                new.iter().for_each(|at| remember(batch[*at]));
            }
            new
        })
    }

    #[test]
    fn agrees_with_the_standard_set() {
        for (narrow, bytes) in [(true, 20), (false, 80)] {
            let [mut keys, mut whole, mut shared] = [1, 2, 3].map(|threads| Keys::new(narrow, threads));
            let mut model = HashSet::new();
            // Every key comes about three times, in an order that mixes new and old.
            let sequence: Vec<u128> = (0..90_000u64).map(|i| mixed(i * 7919 % 30_011)).collect();
            for batch in sequence.chunks(1097) {
                let expected: Vec<usize> =
                    batch.iter().enumerate().filter(|(_, k)| model.insert(**k)).map(|(i, _)| i).collect();
                let mut got = Vec::new();
                keys.insert_all(batch, |i| got.push(i));
                assert_eq!(got, expected);
                assert_eq!(divided(&mut shared, batch), expected);
                got.clear();
                whole.share(|shards, _| {
                    assert_eq!(shards.count(), 1);
                    shards.insert_all(batch, &Alone, &mut |i| got.push(i));
                });
                assert_eq!(got, expected);
            }
            assert_eq!([keys.len(), whole.len(), shared.len()], [model.len(); 3]);
            assert!(model.iter().all(|k| !keys.insert(*k)));
            assert!(keys.insert(mixed(999_999)));
            assert!(keys.bytes() < bytes * keys.len() + 2048);
        }
    }

    fn all(keys: &Keys) -> Vec<u128> {
        let mut all = Vec::new();
        let each: Result<(), ()> = keys.each(&mut |key| {
            all.push(key);
            Ok(())
        });
        assert_eq!((each, all.len()), (Ok(()), keys.len()));
        all
    }

    /// Of each form: hashes, codes, codes in blocks.
    #[test]
    fn every_key_is_told_once() {
        let hash = |n: u64| mixed(n) & !u128::from(u64::from(n.is_multiple_of(5)) * u64::MAX);
        let few: Vec<u128> = (0..5000).map(|n| mixed(n) & u128::from(u64::MAX) & !1).chain([0, 1]).collect();
        let blocks: Vec<u128> = (0..1u128 << 18).map(|n| n * 5).collect();
        for (codes, keys) in [(false, (0..5000).map(hash).collect()), (true, few), (true, blocks)] {
            let mut set = Keys::new(codes, 2);
            set.insert_all(&keys, |_| ());
            let mut again = Keys::alike(codes, &set.directions(), 1);
            assert_eq!(again.directions(), set.directions());
            again.insert_all(&all(&set), |_| ());
            assert_eq!(again.len(), set.len());
            assert!(keys.iter().all(|k| !again.insert(*k)));
        }
    }

    /// Keys whose lines are full wait for others, but not for their equals.
    #[test]
    fn the_first_of_equal_keys_is_new() {
        for narrow in [true, false] {
            let mut keys = Keys::new(narrow, 1);
            let twice: Vec<u128> = (0..60_000).flat_map(|i| [mixed(i); 2]).collect();
            for batch in twice.chunks(300) {
                let mut got = Vec::new();
                keys.insert_all(batch, |i| got.push(i));
                assert!(got.into_iter().eq((0..batch.len()).step_by(2)));
            }
            assert_eq!(keys.len(), 60_000);
        }
    }

    #[test]
    fn codes_in_blocks() {
        const ALL: u64 = 3u64.pow(12);
        // Processes in three conditions each, two bits for one; the codes come in no order, and twice.
        let code = |n: u64| (0..12).fold(0, |code, i| code | u128::from(n / 3u64.pow(i) % 3) << (5 * i));
        let codes: Vec<u128> = (0..2 * ALL).map(|i| code(i % (ALL / 2) * 7919 % ALL)).collect();
        let (mut keys, mut shared) = (Keys::new(true, 1), Keys::new(true, 3));
        let mut model = HashSet::new();
        for batch in codes.chunks(10_007) {
            let expected: Vec<usize> =
                batch.iter().enumerate().filter(|(_, k)| model.insert(**k)).map(|(i, _)| i).collect();
            let mut got = Vec::new();
            keys.insert_all(batch, |i| got.push(i));
            assert_eq!((&got, &divided(&mut shared, batch)), (&expected, &expected));
        }
        assert!(matches!((&keys.0, &shared.0), (Form::Packed(_), Form::Packed(_))));
        assert_eq!((keys.len(), shared.len()), (model.len(), model.len()));
        // Less than slots of their own would take, although a table of this size may be nearly empty.
        assert!(keys.bytes() < 8 * keys.len());
        assert!(keys.insert(u128::from(u64::MAX)) && !keys.insert(u128::from(u64::MAX)));
    }

    #[test]
    fn zero_is_a_key() {
        for narrow in [true, false] {
            for threads in [1, 2] {
                let mut keys = Keys::new(narrow, threads);
                assert!(keys.insert(0));
                assert!(!keys.insert(0));
                assert!(divided(&mut keys, &[0; 600]).is_empty());
                assert_eq!(keys.len(), 1);
            }
        }
    }
}
