//! The graph that formulas are about: states with truth values, steps with truth values.
//!
//! In: states and their steps, in order. Out: a [`Graph`]: bits of every state, and for every step where it leads and a label;
//! labels have bits, too. Eight bytes for a step. Who fills it is `record`; who reads it are `product` and `ctl`.

use crate::explore::{prefetch, room};
use std::collections::HashMap;

/// A step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// The state it leads to.
    pub target: u32,
    /// What it looks like.
    pub label: u32,
}

/// Rows of bits, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    words: usize,
    bits: Vec<u64>,
}

impl Rows {
    /// No rows yet; each has room for so many bits.
    #[must_use]
    pub fn new(bits: usize) -> Self {
        Self { words: bits.div_ceil(64).max(1), bits: Vec::new() }
    }

    /// Adds a row with these bits set.
    pub fn push(&mut self, set: impl IntoIterator<Item = u32>) {
        let row = u32::try_from(self.len()).unwrap_or(u32::MAX);
        room(&mut self.bits, self.words);
        self.bits.resize(self.bits.len() + self.words, 0);
        self.set(row, set);
    }

    /// Sets bits of a row that is there.
    fn set(&mut self, row: u32, bits: impl IntoIterator<Item = u32>) {
        let start = row as usize * self.words;
        for bit in bits {
            if let Some(word) = self.bits.get_mut(start + bit as usize / 64) {
                *word |= 1 << (bit % 64);
            }
        }
    }

    /// The words of a row.
    #[inline]
    #[must_use]
    pub fn row(&self, row: u32) -> &[u64] {
        let start = row as usize * self.words;
        self.bits.get(start..start + self.words).unwrap_or_default()
    }

    /// Whether a bit is set.
    #[inline]
    #[must_use]
    pub fn get(&self, row: u32, bit: u32) -> bool {
        let word = self.bits.get(row as usize * self.words + bit as usize / 64);
        word.is_some_and(|w| w >> (bit % 64) & 1 == 1)
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bits.len() / self.words
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bits.is_empty()
    }
}

/// A graph. States whose steps are not all known are no ends of paths.
#[derive(Clone, Debug)]
pub struct Graph {
    /// States that paths begin in.
    pub initial: Vec<u32>,
    /// Truth of atoms about states.
    pub states: Rows,
    /// Truth of atoms about steps, by label.
    pub labels: Rows,
    /// Where the steps of each state end among all.
    ends: Vec<usize>,
    edges: Vec<Edge>,
    /// States whose steps are not all known.
    open: Vec<u32>,
    /// By atom about states whether it is known only where all steps are: it may be true where it is not set.
    pub late: Vec<bool>,
    known: HashMap<Vec<u32>, u32>,
}

impl Graph {
    /// A graph without states, with so many atoms about states and about steps.
    #[must_use]
    pub fn new(about_states: usize, about_steps: usize) -> Self {
        Self {
            initial: Vec::new(),
            states: Rows::new(about_states),
            labels: Rows::new(about_steps),
            ends: Vec::new(),
            edges: Vec::new(),
            open: Vec::new(),
            late: vec![false; about_states],
            known: HashMap::new(),
        }
    }

    /// The label with these bits, the first of which tells it from labels that have the same truth values (an operation).
    pub fn label(&mut self, tag: u32, set: &[u32]) -> u32 {
        let mut key = vec![tag];
        key.extend_from_slice(set);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let label = u32::try_from(self.labels.len()).unwrap_or(u32::MAX);
        self.labels.push(set.iter().copied());
        self.known.insert(key, label);
        label
    }

    /// Adds a state with the atoms that are true there and its steps, which are sorted and listed once; `None` if not all of them
    /// are known.
    pub fn push(&mut self, set: impl IntoIterator<Item = u32>, steps: Option<&mut Vec<Edge>>) {
        self.discover(set);
        match steps {
            Some(steps) => self.expand([], steps, true),
            None => self.expand([], &mut Vec::new(), false),
        }
    }

    /// Adds a state whose steps come later, with atoms that are true there.
    pub fn discover(&mut self, set: impl IntoIterator<Item = u32>) {
        self.states.push(set);
    }

    /// Adds the steps of the next state that are known, whether these are all, and further atoms that are true there.
    pub fn expand(&mut self, set: impl IntoIterator<Item = u32>, steps: &mut Vec<Edge>, whole: bool) {
        let state = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
        self.states.set(state, set);
        if !steps.is_sorted_by(|a, b| a < b) {
            steps.sort_unstable();
            steps.dedup();
        }
        room(&mut self.edges, steps.len());
        self.edges.extend_from_slice(steps);
        if !whole {
            self.open.push(state);
        }
        room(&mut self.ends, 1);
        self.ends.push(self.edges.len());
    }

    /// The steps of all states that have none yet are not known.
    pub fn close(&mut self) {
        while self.ends.len() < self.len() {
            self.expand([], &mut Vec::new(), false);
        }
    }

    /// Where the steps of a state are will be asked for.
    #[inline]
    pub(super) fn ask_for(&self, state: u32) {
        self.ends.get(state as usize).inspect(|end| prefetch(*end));
    }

    /// The steps of a state.
    #[inline]
    #[must_use]
    pub fn edges(&self, state: u32) -> &[Edge] {
        let state = state as usize;
        let start = state.checked_sub(1).and_then(|s| self.ends.get(s)).copied().unwrap_or(0);
        let end = self.ends.get(state).copied().unwrap_or(start);
        self.edges.get(start..end).unwrap_or_default()
    }

    /// Whether a path ends in a state: there is no step, for certain.
    #[must_use]
    pub fn is_end(&self, state: u32) -> bool {
        self.edges(state).is_empty() && !self.is_open(state)
    }

    /// Whether a path may go on from a state in ways that are not known.
    #[must_use]
    pub fn is_open(&self, state: u32) -> bool {
        self.open.binary_search(&state).is_ok()
    }

    /// Whether an atom about a state is known to be so.
    #[inline]
    pub(super) fn is(&self, state: u32, atom: u32, positive: bool) -> bool {
        let known = positive || self.open.is_empty() || !self.late(atom) || !self.is_open(state);
        known && self.states.get(state, atom) == positive
    }

    /// Whether an atom about states may be true where it is not set, if not all steps are known.
    pub(super) fn late(&self, atom: u32) -> bool {
        self.late.get(atom as usize) == Some(&true)
    }

    /// Whether there is a state of that kind.
    #[must_use]
    pub fn has_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// The number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there is no state.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The number of steps.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.edges.len()
    }
}
