//! Along a recorded trace, step by step: where a run comes to that takes the steps it describes.
//!
//! In: a run at its beginning, a trace. Out: the run at the end of the trace, or where it was lost. Of several steps that are as the trace
//! says the first is taken: traces that say little are better replayed (`trace`), where all are.

use super::trace;
use crate::model::{Plain as _, System as _};
use crate::report::traces::{Recorded, RecordedStep};
use crate::walk::{Choice, Node, Walk};
use std::path::Path;

/// How far a trace was followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Followed {
    /// As far as was wanted.
    All,
    /// To before the step with this number, from 0, which is to meet an error.
    Error(usize),
    /// To before the step with this number, from 0, which is none that was found.
    Lost(usize),
}

/// The first trace of a file.
///
/// # Errors
/// What is wrong with the file.
pub(super) fn first(path: &Path) -> Result<Recorded, String> {
    let all = trace::read(path).map_err(|d| d.message)?;
    all.into_iter().next().ok_or_else(|| format!("there is no trace in `{}`", path.display()))
}

/// Takes so many steps of a trace from the beginning on; an error comes at the end, in a step that leads nowhere.
///
/// # Errors
/// Which step is none of the machine.
pub(super) fn to(walk: &mut Walk, trace: &Recorded, steps: usize) -> Result<(), String> {
    match follow(walk, trace, steps) {
        Followed::All | Followed::Error(_) => Ok(()),
        Followed::Lost(i) => {
            let what = format!("step {} of the trace is none that is found in the machine", i + 1);
            Err(format!("{what}; `bsym trace` says why a trace fails"))
        }
    }
}

/// Takes so many steps of a trace from the beginning on.
pub(super) fn follow(walk: &mut Walk, trace: &Recorded, steps: usize) -> Followed {
    walk.back_to(0);
    for (i, step) in trace.steps.iter().enumerate().take(steps) {
        if step.fault {
            return Followed::Error(i);
        }
        match next(walk, step) {
            Some(choice) => walk.take(choice),
            None => return Followed::Lost(i),
        }
    }
    Followed::All
}

/// The step that a trace describes.
pub(super) fn next(walk: &Walk, step: &RecordedStep) -> Option<Choice> {
    let choices = match walk.node() {
        Node::State(_) => {
            let name = step.operation.as_deref()?;
            let at = walk.system().operations().iter().position(|o| o == name)?;
            walk.choices_of(u32::try_from(at).ok()?)
        }
        // The valuation of a trace may be any of them.
        Node::Root | Node::Valuation(_) => walk.choices(usize::MAX),
    };
    choices.all.into_iter().find(|choice| fits(walk, choice, step))
}

/// Whether a step that leads to where a run has been is as a trace describes it.
pub(super) fn is(walk: &Walk, choice: &Choice, step: &RecordedStep) -> bool {
    let operation = &choice.label.operation;
    let named = operation.is_empty() || step.operation.as_deref() == Some(operation);
    named && !step.fault && fits(walk, choice, step)
}

fn fits(walk: &Walk, choice: &Choice, step: &RecordedStep) -> bool {
    let system = walk.system();
    let values = match &choice.target {
        Node::Root => Vec::new(),
        Node::Valuation(v) => system.show_valuation(*v),
        Node::State(words) => system.show_state(words),
    };
    // A file may give variables that it keeps, and constants, with all others.
    let names = |name: &str| system.machine().variables.iter().any(|d| *d.name == *name);
    let of_state = matches!(choice.target, Node::State(_));
    let among = |said: &[(String, String)], real: &[(String, String)]| {
        said.iter()
            .filter(|(name, _)| !of_state || names(name) || real.iter().any(|(n, _)| n == name))
            .all(|s| real.contains(s))
    };
    among(&step.arguments, &choice.label.arguments)
        && among(&step.results, &choice.label.results)
        && among(&step.values, &values)
}
