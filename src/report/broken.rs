//! The report of a run that had to be ended in the middle of something.
//!
//! In: what is known from outside: the file, the options, what it says as far as it has been read, what was being done, how far
//! the search had come. Out: an ordinary [`Report`] without traces. A violation that had been found stays one.

use super::formulas::FormulaLine;
use super::refinement::RefinementLine;
use super::{Limit, Message, Property, Report, SetSize, Verdict, Violation, steps, text};
use crate::symmetry::{Basis, Guarantee};

/// What is known of the machine, once it has been read.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Name of the machine, or its file's if it has not been read.
    pub machine: String,
    /// MAXINT and MININT, as far as they are known.
    pub integers: (i64, i64),
    /// Those of them that the machine speaks of.
    pub limits: Vec<Limit>,
    /// Deferred sets with their sizes.
    pub sets: Vec<SetSize>,
    /// Warnings.
    pub warnings: Vec<Message>,
    /// Notes.
    pub notes: Vec<Message>,
    /// What was to be checked.
    pub properties: Vec<Property>,
    /// Temporal formulas, none of them decided.
    pub formulas: Vec<FormulaLine>,
    /// Levels of the chain of REFINES, none of them decided.
    pub refinements: Vec<RefinementLine>,
}

/// What is known of the run.
#[derive(Clone, Debug, Default)]
pub struct Broken {
    /// File of the machine.
    pub file: String,
    /// What the file says.
    pub known: Known,
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
    /// Most bytes of memory that were in use.
    pub peak_bytes: u64,
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
    let Known {
        machine,
        integers,
        limits,
        sets,
        warnings,
        notes,
        mut properties,
        mut formulas,
        mut refinements,
    } = b.known;
    let open = |l: &&mut RefinementLine| l.verdict == Verdict::Incomplete && l.reason.is_none();
    for level in refinements.iter_mut().filter(open) {
        level.reason = Some(format!("the search stopped ({})", b.stopped_by));
    }
    for formula in &mut formulas {
        formula.reason = Some(format!("the search stopped ({})", b.stopped_by));
    }
    let violations: Vec<Violation> = b.found.into_iter().map(violation).collect();
    // Which conjunct it was is not known here.
    let of = |v: &Violation| Property { kind: v.kind, text: None, location: None };
    let found = violations.iter().filter(|v| !properties.iter().any(|p| p.is_of(v))).map(of);
    properties.extend(found.collect::<Vec<_>>());
    let states_with = |kind| u64::from(b.found == Some(kind));
    Report {
        machine,
        file: b.file,
        sets,
        integers,
        limits,
        symmetry: b.symmetry,
        constants: b.constants,
        // What was looked at is not known here, so nothing is promised of it.
        guarantee: Guarantee::Approximate,
        basis: Basis::Unknown,
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
        excuses: false,
        invariant_violations: states_with("invariant"),
        deadlocks: states_with("deadlock") + states_with("setup"),
        deadlock_checked: false,
        assertion_violations: states_with("assertion"),
        errors: states_with("error"),
        refinement_violations: states_with("refinement"),
        refines: None,
        goal_states: None,
        operations: Vec::new(),
        violations,
        open: Vec::new(),
        undecided: Vec::new(),
        goals: None,
        goal: None,
        bounds: Vec::new(),
        one_of: Vec::new(),
        warnings,
        notes,
        coverage: None,
        properties,
        formulas,
        refinements,
        look: steps::Look { columns: text::WIDTH, all: false, verbose: false },
        full: false,
        symmetry_sets: Vec::new(),
        counters: Vec::new(),
        types: Vec::new(),
        elements: Vec::new(),
        load_seconds: b.seconds,
        explore_seconds: 0.0,
        peak_bytes: b.peak_bytes,
    }
}
