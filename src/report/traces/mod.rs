//! Traces in files of other tools: one file per format, one row each; and reading them back.
//!
//! In: a [`Report`] with its first violation (or goal). Out: the text of a file, whose elements are renamed so
//! that constants use the lowest numbers first, as `ProB` numbers them. Reading gives [`Recorded`] steps with
//! values in B text; replay is done by who has the machine. Siblings: `prob2`, `itf`, `json` (the traces inside
//! a report), `tree` (values between B text and JSON), `number` (the renaming).

pub mod itf;
pub mod json;
mod number;
pub mod prob2;
pub mod tree;

use super::{Report, TraceStep, Violation};
use crate::explore::trace::abbreviated;
pub use crate::explore::trace::{INITIALISATION, SETUP};

/// A format of traces.
pub struct TraceFormat {
    /// End of the file's name.
    pub ending: &'static str,
    /// Writes a trace; `None` if the format is only read.
    pub write: Option<fn(&Report, &Violation, &[TraceStep]) -> String>,
    /// Reads the traces of a file.
    pub read: fn(&str) -> Result<Vec<Recorded>, String>,
}

/// All formats; the first whose ending fits counts.
pub const FORMATS: &[TraceFormat] = &[
    TraceFormat { ending: ".prob2trace", write: Some(prob2::write), read: prob2::read },
    TraceFormat { ending: ".itf.json", write: Some(itf::write), read: itf::read },
    TraceFormat { ending: ".json", write: None, read: json::read },
];

/// A trace to be replayed.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// What the last state is to show, as the kind of a violation, if the file says so.
    pub kind: Option<String>,
    /// The steps.
    pub steps: Vec<RecordedStep>,
    /// How many steps come before those that are taken again and again, if the file says so.
    pub back: Option<usize>,
    /// Whether what it shows lies in its steps, however it goes on: the last state need not show it.
    pub prefix: bool,
    /// What the last state satisfies where it shows what it is to show, if the file says so.
    pub end: Option<String>,
}

/// A step as far as the file describes it.
#[derive(Clone, Debug, Default)]
pub struct RecordedStep {
    /// `SETUP_CONSTANTS`, `INITIALISATION`, an operation; `None` if the file does not say.
    pub operation: Option<String>,
    /// Arguments, results and values afterwards; only those in the file.
    pub arguments: Vec<(String, String)>,
    /// Results.
    pub results: Vec<(String, String)>,
    /// Variables (after the set-up: constants) after the step.
    pub values: Vec<(String, String)>,
    /// Predicates that the step satisfies: about its arguments, its results, and the state before or after it.
    pub predicates: Vec<String>,
    /// Predicates that the state after the step satisfies.
    pub after: Vec<String>,
    /// Whether evaluation is to meet a fault in this step.
    pub fault: bool,
}

/// The format of a file name.
#[must_use]
pub fn find(name: &str) -> Option<&'static TraceFormat> {
    FORMATS.iter().find(|f| name.ends_with(f.ending))
}

/// What a trace is written of: the first violation, else the goal.
#[must_use]
pub fn first(r: &Report) -> Option<&Violation> {
    // Steps of pairs of states are none of the machine.
    r.violations
        .iter()
        .filter(|v| v.kind != "refinement")
        .find(|v| !v.trace.is_empty())
        .or(r.goal.as_ref().filter(|g| !g.untraced))
}

/// Whether all values of the first trace are there: those of a very large one may be abbreviated.
#[must_use]
pub fn is_whole(r: &Report) -> bool {
    let values =
        |v: &Violation| v.trace.iter().flat_map(|s| &s.values).all(|(_, t)| abbreviated(t).is_none());
    first(r).is_none_or(values)
}

/// The file's text for a report's first trace.
#[must_use]
pub fn write(format: &TraceFormat, r: &Report) -> Option<String> {
    let violation = first(r)?;
    let steps = number::lowest_first(&violation.trace, &r.elements);
    Some((format.write?)(r, violation, &steps))
}

/// The options that give `ProB` and bsym the sizes of this run.
#[must_use]
pub fn hint(r: &Report) -> String {
    let sizes: Vec<String> = r.sets.iter().map(|s| format!("{}={}", s.name, s.size)).collect();
    let cards: Vec<String> = r.sets.iter().map(|s| format!("-card {} {}", s.name, s.size)).collect();
    let scopes: Vec<String> = r.sets.iter().map(|s| format!("scope_{} == {}", s.name, s.size)).collect();
    if sizes.is_empty() {
        return "no deferred sets: no sizes to give".to_owned();
    }
    format!(
        "bsym: --card {}; ProB: {} (or DEFINITIONS {})",
        sizes.join(","),
        cards.join(" "),
        scopes.join("; ")
    )
}
