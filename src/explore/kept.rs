//! States and edges handed on while a search goes on, for whoever wants the graph.
//!
//! In: initial states, chunks that the search has taken over, in its order; a system that looks at every state beside that of the search ([`Onlooker`]). Out: calls
//! of a [`Keeper`]: every state with what the onlooker found, then the edges of every expanded one with the numbers of the states they lead to. Keys are stored once
//! more, with numbers. States are numbered in the order of the search, valuations not counted, so that nothing depends on threads. The search itself takes no
//! notice: what it finds and where it stops is the same. Siblings: `search`, `expand`, `numbers`.

use super::expand::Chunk;
use super::numbers::Numbers;
use crate::model::{Findings, Run, System};
use crate::symmetry::Reducer;

/// Who looks on while a search goes on.
pub struct Onlooker<'a> {
    /// Checks the states of the search, which are states of its own as well: what that finds is not reported.
    pub system: &'a dyn System,
    /// Is told of it.
    pub keeper: &'a mut dyn Keeper,
}

/// Whoever is told of states and edges.
pub trait Keeper {
    /// The next state was stored; what the onlooker has found there, if anything.
    fn state(&mut self, state: &[u64], initial: bool, found: Option<&Findings>);
    /// The next state was expanded.
    fn edges(&mut self, edges: &Edges<'_>);
}

/// The edges of a state. Of edges that permutations of twins take to each other only one need be there.
#[derive(Clone, Copy)]
pub struct Edges<'a> {
    /// How many there are of each operation, in order.
    pub runs: &'a [Run],
    /// Where they lead, the states themselves.
    pub targets: &'a [u64],
    /// The numbers of the stored states that stand for these; [`UNSTORED`].
    pub numbers: &'a [u32],
    /// Whether evaluation met a fault.
    pub faulty: bool,
    /// Whether the scope excludes what follows the state.
    pub outside: bool,
    /// The number of the stored state that stands for another one.
    pub number: &'a dyn Fn(&[u64]) -> Option<u32>,
}

/// The number of a state that was not stored.
pub const UNSTORED: u32 = u32::MAX;

/// What is known of stored states while they are handed on.
pub(super) struct Kept<'k> {
    onlooker: Onlooker<'k>,
    known: Numbers,
    count: u32,
    /// States expanded, which are the first ones.
    expanded: u32,
    faulty: Vec<usize>,
    numbers: Vec<u32>,
    runs: Vec<Run>,
}

impl<'k> Kept<'k> {
    pub(super) fn new(onlooker: Onlooker<'k>) -> Self {
        let (numbers, runs) = (Vec::new(), Vec::new());
        let known = Numbers::new();
        Self { onlooker, known, count: 0, expanded: 0, faulty: Vec::new(), numbers, runs }
    }

    /// A stored state that a search begins with.
    pub(super) fn initial(&mut self, reducer: &dyn Reducer, key: u128, state: &[u64]) {
        self.know(reducer, key, state);
        let mut found = None;
        self.onlooker.system.check_these(state, &[0], &mut |_, f| found = Some(f));
        self.onlooker.keeper.state(state, true, found.as_ref());
    }

    fn know(&mut self, reducer: &dyn Reducer, key: u128, state: &[u64]) {
        let number = self.count;
        self.known.insert(key, number);
        if reducer.floods() {
            reducer.further_keys(state, &mut |k| self.known.insert(k, number));
        }
        self.count += 1;
    }

    /// A chunk is about to be taken over, which empties it of faults.
    pub(super) fn before(&mut self, chunk: &Chunk) {
        self.faulty.clear();
        self.faulty.extend(chunk.steps.faulty.iter().map(|(source, _)| *source));
    }

    /// A chunk was taken over: the first `stored` of its new states are stored.
    pub(super) fn chunk(&mut self, reducer: &dyn Reducer, chunk: &Chunk, width: usize, stored: usize) {
        let Chunk { steps, fresh, about, outside, .. } = chunk;
        let target = |edge: usize| steps.targets.get(edge * width..(edge + 1) * width).unwrap_or_default();
        let mut about = about.iter().peekable();
        for (edge, key) in fresh.iter().zip(chunk.new_keys()).take(stored) {
            let at = *edge as usize;
            self.know(reducer, key, target(at));
            let found = about.next_if(|(e, _)| e == edge).map(|(_, f)| f);
            self.onlooker.keeper.state(target(at), false, found);
        }
        let Self { onlooker, known, expanded, faulty, numbers, runs, .. } = self;
        numbers.clear();
        // Edges without keys lead back.
        for (source, end) in (*expanded..).zip(steps.ends()) {
            numbers.resize(*end, source);
        }
        *expanded += u32::try_from(steps.ends().len()).unwrap_or(u32::MAX);
        known.all(chunk.keyed(), |edge, found| {
            if let Some(number) = numbers.get_mut(edge as usize) {
                *number = found.unwrap_or(UNSTORED);
            }
        });
        let number = |state: &[u64]| known.get(reducer.key(state));
        let mut all = steps.runs().peekable();
        let mut first = 0;
        for (source, &last) in steps.ends().iter().enumerate() {
            runs.clear();
            let mut rest = last - first;
            while let Some(run) = all.next_if(|_| rest > 0) {
                rest = rest.saturating_sub(run.edges as usize);
                runs.push(run);
            }
            onlooker.keeper.edges(&Edges {
                runs,
                targets: steps.targets.get(first * width..last * width).unwrap_or_default(),
                numbers: numbers.get(first..last).unwrap_or_default(),
                faulty: faulty.binary_search(&source).is_ok(),
                outside: outside.binary_search(&source).is_ok(),
                number: &number,
            });
            first = last;
        }
    }
}
