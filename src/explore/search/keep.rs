//! Checkpoints of a search: what is kept between two chunks, and how a search goes on from it.
//!
//! In: a search at a place where all that was begun is taken over. Out: an image of it, whoever keeps that; or the search as an
//! image says. Valuations and initial states are found anew by a search that goes on, so that what stands for them outside is there; all else
//! is as it was.

use super::super::checkpoint::{Due, Image, Known, Saved};
use super::super::frontier::Frontier;
use super::super::keys::Keys;
use super::{Full, Search, Stop};
use crate::symmetry::Reducer;
use num_bigint::BigUint;

impl Search<'_> {
    /// Whether something is due. What is due remains so until it is done.
    #[inline]
    pub(super) fn is_due(&mut self) -> bool {
        let Some(checkpoints) = self.checkpoints else { return false };
        if self.due == Due::Nothing {
            self.due = (checkpoints.due)();
        }
        self.due != Due::Nothing
    }

    /// Does what is due, where all that was begun is taken over. What is not expanded of the level are the states of some blocks,
    /// of which `node` is the first, and the rest.
    pub(super) fn keep(&mut self, begun: &[Vec<u64>], rest: &Frontier, node: u32, seen: &Keys) {
        let Some(checkpoints) = self.checkpoints else { return };
        let digits = |full: &Full| (full.states.to_string(), full.transitions.to_string());
        let passed = std::mem::take(&mut self.out.passed);
        let known = Known {
            outcome: self.out.clone(),
            full: self.full.as_ref().map(digits),
            remembers_all: passed.all,
            undecided: self.undecided,
            unsure: self.unsure,
            found_valuations: self.found_valuations,
            all_valuations: self.all_valuations,
            limits: self.limits,
            node,
            width: self.width,
            directions: seen.directions(),
            memories: [self.asked, self.reducer].map(Reducer::memory),
        };
        (checkpoints.keep)(&Image {
            known,
            passed: &passed.states,
            parents: &self.parents,
            keys: seen,
            begun,
            rest,
            found: &self.frontier,
        });
        self.out.passed = passed;
        if self.due == Due::LastImage {
            self.stop(Stop::Interrupted);
        }
        self.due = Due::Nothing;
    }

    /// If there is an image to go on from, takes it over; the first of the states in `level` then.
    pub(super) fn go_on(&mut self, seen: &mut Keys, level: &mut Frontier) -> Option<u32> {
        let saved = self.checkpoints?.from.take().filter(|s| s.known.width == self.width)?;
        let Saved { known, passed, parents, keys, level: rest, found } = saved;
        if self.out.stopped.is_some() {
            return None;
        }
        let number = |digits: &str| digits.parse::<BigUint>().ok().map(Into::into);
        let full = known.full.as_ref().and_then(|(states, transitions)| {
            Some(Full { states: number(states)?, transitions: number(transitions)? })
        });
        (self.undecided, self.unsure, self.limits) = (known.undecided, known.unsure, known.limits);
        (self.found_valuations, self.all_valuations) = (known.found_valuations, known.all_valuations);
        self.full = full;
        for (reducer, memory) in [self.asked, self.reducer].iter().zip(&known.memories) {
            reducer.recall(memory);
        }
        self.out = known.outcome;
        self.out.passed = passed;
        self.parents = parents;
        self.frontier = found;
        *seen = keys;
        *level = rest;
        self.report();
        Some(known.node)
    }
}
