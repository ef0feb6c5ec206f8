//! The report of a run that had to be ended in the middle of something.
//!
//! In: what is known from outside: the file, the options, what was being done, how far the search had come. Out: an ordinary
//! [`Report`] without traces. A violation that had been found stays one.

use super::{Property, Report, Verdict, Violation, text};
use crate::symmetry::{Basis, Guarantee};

/// What is known of the run.
#[derive(Clone, Debug, Default)]
pub struct Broken {
    /// File of the machine.
    pub file: String,
    /// Name of the machine, or its file's if it has not been read.
    pub machine: String,
    /// MAXINT and MININT, as far as they are known.
    pub integers: (i64, i64),
    /// Strategy.
    pub symmetry: String,
    /// Which valuations.
    pub constants: &'static str,
    /// What ended the run.
    pub stopped_by: &'static str,
    /// What was being done.
    pub at_work: String,
    /// States stored, edges, steps from the root, when last reported.
    pub states: u64,
    /// Edges.
    pub transitions: u64,
    /// Steps from the root.
    pub depth: u64,
    /// The kind of the first violation, if one had been found.
    pub found: Option<&'static str>,
    /// Seconds since the beginning.
    pub seconds: f64,
}

/// The report.
#[must_use]
pub fn report(b: Broken) -> Report {
    let verdict = match b.found {
        // Whether a cut or an assumed size takes part in that nothing begins is found last.
        None | Some("setup") => Verdict::Incomplete,
        Some("error") => Verdict::Error,
        Some(_) => Verdict::Violated,
    };
    let violation = |kind| Violation {
        kind,
        message: format!("found, and not described: {} came first", b.stopped_by),
        count: 1,
        untraced: true,
        ..Violation::default()
    };
    let states_with = |kind| u64::from(b.found == Some(kind));
    Report {
        machine: b.machine,
        file: b.file,
        sets: Vec::new(),
        integers: b.integers,
        limits: Vec::new(),
        symmetry: b.symmetry,
        constants: b.constants,
        // What was looked at is not known here, so nothing is promised of it.
        guarantee: Guarantee::Approximate,
        basis: Basis::None,
        audit: None,
        collision_probability: 0.0,
        coded: false,
        verdict,
        complete: false,
        stopped_by: Some(b.stopped_by),
        at_work: Some(b.at_work),
        states: b.states,
        full_states: None,
        full_transitions: None,
        transitions: b.transitions,
        valuations: 0,
        initial_states: 0,
        depth: b.depth,
        outside_scope: 0,
        invariant_violations: states_with("invariant"),
        deadlocks: states_with("deadlock") + states_with("setup"),
        deadlock_checked: false,
        assertion_violations: states_with("assertion"),
        errors: states_with("error"),
        refinement_violations: states_with("refinement"),
        refines: None,
        goal_states: None,
        operations: Vec::new(),
        violations: b.found.into_iter().map(violation).collect(),
        open: Vec::new(),
        undecided: Vec::new(),
        goal: None,
        bounds: Vec::new(),
        one_of: Vec::new(),
        warnings: Vec::new(),
        notes: Vec::new(),
        coverage: None,
        // Which conjunct it was is not known here.
        properties: b.found.into_iter().map(|kind| Property { kind, text: None, location: None }).collect(),
        formulas: Vec::new(),
        columns: text::WIDTH,
        full: false,
        symmetry_sets: Vec::new(),
        counters: Vec::new(),
        types: Vec::new(),
        elements: Vec::new(),
        load_seconds: b.seconds,
        explore_seconds: 0.0,
        peak_bytes: 0,
    }
}
