//! Looking ahead: some states of the first valuations while the others are still being looked for.
//!
//! In: a system, the valuations found so far, a way to make reducers like that of the search. Out: a violation, which ends the
//! search at once, or how far this came, for the case that a limit ends the search before all valuations are
//! found. Else nothing: the search itself begins anew when it knows all valuations, and takes them in their order, so a finished
//! search has the same numbers whether or not somebody looked ahead. When that is done depends on the
//! numbers of valuations and of steps of their search, not on time.

use super::search::{Progress, run};
use super::trace::Parents;
use super::{Finding, Options, Outcome, Stop};
use crate::model::System;
use crate::symmetry::Reducer;

/// Valuations found before the first look, looked at then, and states stored then. There are so many times as many
/// before the next look, which is at more valuations with more states of each.
const FOUND: usize = 16;
const LOOKED_AT: usize = 4;
const STATES: u64 = 64;
const FOUND_AGAIN: usize = 4;
const LOOKED_AT_AGAIN: usize = 2;
const STATES_AGAIN: u64 = 4;

/// Makes a reducer like that of the search, which counts for itself.
pub(crate) type Fresh<'f> = &'f dyn Fn() -> Option<Box<dyn Reducer>>;

/// What a look has come to: an outcome with what it rests on.
pub(super) struct Seen {
    pub(super) outcome: Outcome,
    pub(super) parents: Parents,
    pub(super) reducer: Box<dyn Reducer>,
}

/// Looks ahead from time to time.
pub(super) struct Early<'f> {
    fresh: Fresh<'f>,
    found: usize,
    looked_at: usize,
    states: u64,
    /// The look that came farthest, or to a violation.
    best: Option<Seen>,
    decided: bool,
}

impl<'f> Early<'f> {
    pub(super) fn new(fresh: Fresh<'f>) -> Self {
        let (found, looked_at, states) = (FOUND, LOOKED_AT, STATES);
        Self { fresh, found, looked_at, states, best: None, decided: false }
    }

    /// Whether it is time to look: so many valuations have been found, or the next one takes long.
    pub(super) fn is_time(&self, found: usize, waiting: bool) -> bool {
        found >= self.found || waiting && found > 0
    }

    /// Whether a violation was found.
    pub(super) fn is_decided(&self) -> bool {
        self.decided
    }

    /// States stored by the best look.
    pub(super) fn states(&self) -> u64 {
        self.best.as_ref().map_or(0, |b| b.outcome.states)
    }

    /// Looks at the first of these valuations; whether the search is to go on.
    pub(super) fn look(
        &mut self,
        system: &dyn System,
        options: &Options,
        valuations: &[u32],
        observer: &mut dyn FnMut(Progress),
    ) -> bool {
        let Some(reducer) = (self.fresh)() else { return true };
        let (first, _) = valuations.split_at(valuations.len().min(self.looked_at));
        let most = options.max_states.map_or(self.states, |m| m.min(self.states));
        let few = Options { max_states: Some(most), audit: None, threads: 1, ..options.clone() };
        let (outcome, parents) =
            run(system, &*reducer, &*reducer, &few, observer, (First::These(first), None, None));
        self.found = self.found.max(valuations.len()).saturating_mul(FOUND_AGAIN);
        self.looked_at = self.looked_at.saturating_mul(LOOKED_AT_AGAIN);
        self.states = self.states.saturating_mul(STATES_AGAIN);
        let violated = |f: &Finding| f.kind.is_violation();
        self.decided = outcome.stopped == Some(Stop::Violation) && outcome.findings.iter().any(violated);
        let on = !self.decided && outcome.stopped != Some(Stop::Interrupted);
        if self.decided || outcome.states >= self.states() {
            self.best = Some(Seen { outcome, parents, reducer });
        }
        on
    }

    /// What is told instead of a search that has stopped before it knew all valuations; nothing if nothing was looked at. What
    /// was not looked at is not known.
    pub(super) fn told(self, stopped: Option<Stop>) -> Option<Seen> {
        let mut best = self.best?;
        if !self.decided {
            best.outcome.stopped = stopped;
        }
        (best.outcome.full_states, best.outcome.full_transitions) = (None, None);
        Some(best)
    }
}

/// Which valuations a search begins with.
pub(super) enum First<'v, 'f> {
    /// All that the system has.
    All,
    /// All, looking ahead meanwhile.
    AllAnd(&'v mut Early<'f>),
    /// These, which are different under its reducer.
    These(&'v [u32]),
}
