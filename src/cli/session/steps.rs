//! Steps in words: those that are possible, those that met errors, those that were taken.

use super::Session;
use crate::cli::found;
use crate::explore::trace::{Step, StepKind, Trace};
use crate::model::{Label, StepFault, System as _};
use crate::ops::Fault;
use crate::report::TraceStep;
use crate::report::build;
use crate::report::text;
use crate::report::why::Witness;
use crate::walk::{Choice, Node};

/// Valuations of the constants that are looked for.
pub(in crate::cli) const VALUATIONS: usize = 100;

/// The step as traces show it.
pub(in crate::cli) fn shown(steps: Vec<Step>) -> Vec<TraceStep> {
    build::steps(Trace { steps, broken_off: false, state: Vec::new() })
}

/// A step in one line: the call, and where it leads if several with this label do.
pub(in crate::cli) fn line(session: &Session<'_>, choice: &Choice) -> String {
    match &choice.target {
        Node::State(words) if choice.kind == StepKind::Initialisation => {
            format!("INITIALISATION: {}", values(&session.walk.system().show_state_in(VALUE, words)))
        }
        Node::Valuation(v) => {
            format!("SETUP_CONSTANTS: {}", values(&session.walk.system().show_valuation_in(VALUE, *v)))
        }
        _ => {
            let Label { operation, arguments, results } = &choice.label;
            text::labelled(operation, arguments, results)
        }
    }
}

/// Bytes of a value in a list of steps.
const VALUE: usize = 100;

fn values(all: &[(String, String)]) -> String {
    all.iter().map(|(n, v)| format!("{n} = {v}")).collect::<Vec<_>>().join(", ")
}

/// The error that PROPERTIES have met, in a line.
pub(in crate::cli) fn of_properties(fault: Option<Fault>) -> String {
    fault.map_or_else(String::new, |f| {
        let what = if f.is_open() { "PROPERTIES are not known to hold" } else { "PROPERTIES have no value" };
        format!("{what}: {}\n", f.0.message)
    })
}

/// Whether there may be more than was found.
pub(in crate::cli) fn is_unknown(setup: Option<&Fault>, faults: &[StepFault]) -> bool {
    setup.is_some_and(Fault::is_open) || faults.iter().any(|f| f.fault.is_open())
}

/// Steps that have met errors.
pub(in crate::cli) fn told(faults: &[StepFault], session: &Session<'_>) -> String {
    let witness = Witness::new(session.walk.system(), &session.setup.sizes, session.sources());
    let words = session.walk.words();
    faults.iter().map(|f| found::fault(f, &words, session.walk.system(), &witness)).collect()
}
