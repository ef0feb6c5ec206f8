//! All states in which the goal holds, one of each class.
//!
//! In: what a search has kept of them, what tells classes apart. Out: a line of text and a JSON object for each, with its values and
//! how many states of the full graph it stands for. Not here: the way to the first of them, which is told as violations are.

use super::Report;
use super::text::grouped;
use crate::explore::Outcome;
use crate::model::System;
use crate::symmetry::Reducer;
use hashbrown::HashSet;
use num_bigint::BigUint;
use serde_json::{Map, Value as Json, json};
use std::fmt::Write as _;

/// A state in which the goal holds.
#[derive(Clone, Debug)]
pub struct GoalLine {
    /// Names and values of the variables.
    pub values: Vec<(String, String)>,
    /// States that it stands for, itself included, if the strategy can tell.
    pub stands_for: Option<BigUint>,
}

/// All that a search has kept, each for itself.
#[must_use]
pub fn each(outcome: &Outcome, system: &dyn System) -> Vec<GoalLine> {
    outcome.goals.iter().map(|state| GoalLine::new(system, state, Some(1u8.into()))).collect()
}

/// One of each class of those that a search has kept: it may have kept several.
#[must_use]
pub fn classes(outcome: &Outcome, system: &dyn System, reducer: &dyn Reducer) -> Vec<GoalLine> {
    let mut seen = HashSet::new();
    let first = outcome.goals.iter().filter(|state| seen.insert(reducer.key(state)));
    let size = |state| reducer.every_orbit().or_else(|| reducer.orbit_size(state)).map(BigUint::from);
    first.map(|state| GoalLine::new(system, state, size(state))).collect()
}

/// All of them as text, each on a line of its own; nothing if they are not wanted.
pub(super) fn text(r: &Report) -> String {
    let Some(goals) = r.goals.as_ref().filter(|all| !all.is_empty()) else { return String::new() };
    let all: Option<BigUint> = goals.iter().map(|g| g.stands_for.as_ref()).sum();
    let stand = all
        .filter(|n| *n != BigUint::from(goals.len()))
        .map_or_else(String::new, |n| format!(", which stand for {}", grouped(&n.to_string())));
    let mut out = format!("\nstates that satisfy the goal{stand}:\n");
    for (i, g) in goals.iter().enumerate() {
        let of = match &g.stands_for {
            Some(n) if *n != BigUint::from(1u8) => format!(" (stands for {})", grouped(&n.to_string())),
            _ => String::new(),
        };
        let values: Vec<String> = g.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let _ = writeln!(out, "{:>4}{of}: {}", i + 1, values.join(", "));
    }
    out
}

impl GoalLine {
    fn new(system: &dyn System, state: &[u64], stands_for: Option<BigUint>) -> Self {
        Self { values: system.show_state_in(usize::MAX, state), stands_for }
    }

    /// The JSON object.
    pub(super) fn json(&self) -> Json {
        let values: Map<String, Json> =
            self.values.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let stands_for = self
            .stands_for
            .as_ref()
            .map(|n| u64::try_from(n).map_or_else(|_| json!(n.to_string()), Json::from));
        json!({"state": values, "stands_for": stands_for})
    }
}
