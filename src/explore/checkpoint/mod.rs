//! Checkpoints: a search as it is between two chunks, kept in a file from which it goes on.
//!
//! In: where a search is ([`Image`]), and what those around it want to be kept with it ([`About`]). Out: a file, whole or not at all;
//! from such a file, once all of it was checked, what a search needs to go on as if it had never stopped ([`Saved`]). States,
//! keys and parents are kept as they lie in memory, so they mean something only to the same program with the same layout and pool: whoever
//! asks must have made sure of that. Absent: what looks on while a search goes on (`kept`, `audit`). Child: `file` (sections, checksums).

mod file;

use super::frontier::Frontier;
use super::keys::Keys;
use super::spare::Pile;
use super::trace::{Parents, ROOT};
use super::{Outcome, Passed};
use file::{Reader, Writer};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

pub use file::Damage;

/// The names of sections, in their order.
const ABOUT: &str = "about";
const VALUES: &str = "values";
const SEARCH: &str = "search";
const PASSED: &str = "passed";
const PARENTS: &str = "parents";
const KEYS: &str = "keys";
const LEVEL: &str = "level";
const FOUND: &str = "found";

/// Keys that are inserted at once.
const BATCH: usize = 1 << 12;

/// What is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Due {
    /// To go on.
    Nothing,
    /// To keep an image and go on.
    Image,
    /// To keep an image and stop.
    LastImage,
}

/// How a search is kept, and what it goes on from.
pub struct Checkpoints<'a> {
    /// What is due; asked after each chunk.
    pub due: &'a dyn Fn() -> Due,
    /// Keeps an image.
    pub keep: &'a dyn Fn(&Image<'_>),
    /// Where an earlier search was, which is gone on with; taken by the search that does.
    pub from: std::cell::Cell<Option<Saved>>,
}

/// What is kept for those around the search, which it does not read.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// What belongs to which machine, and how it is run.
    pub about: &'a str,
    /// The values of the pool.
    pub values: &'a [u8],
}

/// What a search knows besides states, keys and parents.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Known {
    pub(super) outcome: Outcome,
    /// States and transitions of the graph without reduction, in digits; none if they are not counted.
    pub(super) full: Option<(String, String)>,
    /// Whether what was remembered is all.
    pub(super) remembers_all: bool,
    pub(super) undecided: bool,
    pub(super) unsure: bool,
    pub(super) found_valuations: u64,
    pub(super) all_valuations: bool,
    pub(super) limits: u64,
    /// The node of the first state of the level that is not expanded.
    pub(super) node: u32,
    /// Words of a state.
    pub(super) width: usize,
    /// How codes share blocks.
    pub(super) directions: Vec<u64>,
    /// What the reducer has learned, and the one that it has settled on.
    pub(super) memories: [Vec<u64>; 2],
}

/// Where a search is.
pub struct Image<'a> {
    pub(super) known: Known,
    pub(super) passed: &'a [u64],
    pub(super) parents: &'a Parents,
    pub(super) keys: &'a Keys,
    /// The states of the level that are not expanded: those of some blocks, then the rest.
    pub(super) begun: &'a [Vec<u64>],
    pub(super) rest: &'a Frontier,
    /// Those found for the next level.
    pub(super) found: &'a Frontier,
}

/// Where a search was.
pub struct Saved {
    pub(super) known: Known,
    pub(super) passed: Passed,
    pub(super) parents: Parents,
    pub(super) keys: Keys,
    pub(super) level: Frontier,
    pub(super) found: Frontier,
}

impl Image<'_> {
    fn level_words(&self) -> usize {
        self.begun.iter().map(Vec::len).sum::<usize>() + self.rest.len() * self.known.width
    }

    /// Writes it to a file, which is replaced when all of it is on the disk.
    ///
    /// # Errors
    /// What the operating system says; the file that was there before is left as it was.
    pub fn write(&self, path: &Path, about: About<'_>) -> io::Result<()> {
        let mut out = Writer::create(path)?;
        out.bytes(ABOUT, about.about.as_bytes())?;
        out.bytes(VALUES, about.values)?;
        out.bytes(SEARCH, &serde_json::to_vec(&self.known).map_err(io::Error::other)?)?;
        out.words(PASSED, self.passed.len(), &mut |put| self.passed.iter().try_for_each(|w| put(*w)))?;
        out.words(PARENTS, self.parents.len(), &mut |put| {
            self.parents.iter().try_for_each(|(node, nth)| put(u64::from(node) << 32 | u64::from(nth)))
        })?;
        let each = if self.known.outcome.coded { 1 } else { 2 };
        out.words(KEYS, self.keys.len() * each, &mut |put| {
            self.keys.each(&mut |key| {
                #[allow(clippy::cast_possible_truncation, reason = "halves of a key")]
                let (low, high) = (key as u64, (key >> 64) as u64);
                put(low)?;
                if each == 2 { put(high) } else { Ok(()) }
            })
        })?;
        out.words(LEVEL, self.level_words(), &mut |put| {
            self.begun.iter().chain(self.rest.blocks()).flatten().try_for_each(|w| put(*w))
        })?;
        out.words(FOUND, self.found.len() * self.known.width, &mut |put| {
            self.found.blocks().flatten().try_for_each(|w| put(*w))
        })?;
        out.finish()
    }
}

/// A file of a checkpoint, checked from its beginning to its end.
pub struct Checkpoint {
    file: Reader,
    /// See [`About::about`].
    pub about: String,
    /// See [`About::values`].
    pub values: Vec<u8>,
}

impl Checkpoint {
    /// Opens a file.
    ///
    /// # Errors
    /// A file that cannot be read, is no checkpoint, or is damaged.
    pub fn open(path: &Path) -> Result<Self, Damage> {
        let mut file = Reader::open(path)?;
        file.check()?;
        let about = String::from_utf8(file.bytes(ABOUT)?).map_err(|_| Damage::Content)?;
        let values = file.bytes(VALUES)?;
        Ok(Self { file, about, values })
    }

    /// Reads where the search was, for a search by so many threads.
    ///
    /// # Errors
    /// As for [`Self::open`].
    pub fn saved(&mut self, threads: usize) -> Result<Saved, Damage> {
        let file = &mut self.file;
        let known: Known = serde_json::from_slice(&file.bytes(SEARCH)?).map_err(|_| Damage::Content)?;
        let mut states = Vec::new();
        file.words(PASSED, &mut |w| states.push(w))?;
        let passed = Passed { states, all: known.remembers_all };
        let mut parents = Parents::default();
        let mut fits = true;
        #[allow(clippy::cast_possible_truncation, reason = "two numbers of half a word")]
        file.words(PARENTS, &mut |w| {
            let (parent, nth) = ((w >> 32) as u32, w as u32);
            fits &= parent == ROOT || (parent as usize) < parents.len();
            parents.push(parent, nth);
        })?;
        let coded = known.outcome.coded;
        let mut keys = Keys::alike(coded, &known.directions, threads);
        let (mut half, mut batch) = (None, Vec::with_capacity(BATCH));
        file.words(KEYS, &mut |w| {
            match (coded, half.take()) {
                (true, _) => batch.push(w.into()),
                (false, None) => half = Some(w),
                (false, Some(low)) => batch.push(u128::from(w) << 64 | u128::from(low)),
            }
            if batch.len() == BATCH {
                keys.insert_all(&batch, |_| ());
                batch.clear();
            }
        })?;
        keys.insert_all(&batch, |_| ());
        let width = known.width;
        let mut read = |name| -> Result<Frontier, Damage> {
            let mut all = Frontier::new(width, Pile::default());
            let mut state = Vec::with_capacity(width);
            file.words(name, &mut |w| {
                state.push(w);
                if state.len() == width {
                    all.push(&state);
                    state.clear();
                }
            })?;
            Ok(all)
        };
        let (level, found) = (read(LEVEL)?, read(FOUND)?);
        let first = if known.node == ROOT { 0 } else { known.node as usize };
        // What was not damaged by chance has other contents that do not fit together.
        if !fits || first + level.len() + found.len() > parents.len() {
            return Err(Damage::Content);
        }
        Ok(Saved { known, passed, parents, keys, level, found })
    }
}
