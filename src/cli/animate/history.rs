//! The steps of a run as one goes back and forth along them, and along a trace in a file.
//!
//! In: a walk, steps that are taken. Out: the walk elsewhere. Steps that were taken back stay, to be taken again, until another one is
//! taken in their place.

use crate::cli::follow;
use crate::explore::trace::StepKind;
use crate::explore::trace::abbreviate;
use crate::report::text::labelled;
use crate::report::traces::{INITIALISATION, Recorded, SETUP};
use crate::walk::{Choice, Walk};

/// Bytes of a step in the list of those taken.
const SHOWN: usize = 300;

/// The steps taken, and those taken back.
#[derive(Default)]
pub(super) struct History {
    line: Vec<Choice>,
    names: Vec<String>,
}

/// A trace, as far as its steps are known to be steps here.
pub(super) struct Trace {
    recorded: Recorded,
    found: Vec<Choice>,
}

/// Why a trace was left before the place that was asked for.
pub(super) enum Left {
    /// The step with this number, from 1, meets an error.
    Error(usize),
    /// The step with this number, from 1, is none that is found.
    Lost(usize),
    /// A limit.
    Stopped,
}

/// A step in full, on one line.
pub(super) fn call(choice: &Choice) -> String {
    match choice.kind {
        StepKind::Setup => SETUP.to_owned(),
        StepKind::Initialisation => INITIALISATION.to_owned(),
        StepKind::Operation => {
            labelled(&choice.label.operation, &choice.label.arguments, &choice.label.results)
        }
    }
}

/// A text of at most about so many bytes.
pub(super) fn short(text: String, bytes: usize) -> String {
    if text.len() > bytes { abbreviate(&text, bytes) } else { text }
}

fn same(a: &Choice, b: &Choice) -> bool {
    a.kind == b.kind && a.target == b.target && a.label == b.label
}

impl History {
    /// All steps, in short.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// A step by its number, from 0.
    pub(super) fn step(&self, number: usize) -> Option<&Choice> {
        self.line.get(number)
    }

    /// Takes a step.
    pub(super) fn take(&mut self, walk: &mut Walk, choice: Choice) {
        let at = walk.len();
        if self.line.get(at).is_none_or(|next| !same(next, &choice)) {
            self.line.truncate(at);
            self.names.truncate(at);
            self.names.push(short(call(&choice), SHOWN));
            self.line.push(choice.clone());
        }
        walk.take(choice);
    }

    /// Goes back or forth, to after so many steps.
    pub(super) fn to(&self, walk: &mut Walk, steps: usize) {
        walk.back_to(steps);
        let rest = self.line.iter().take(steps).skip(walk.len());
        rest.cloned().for_each(|choice| walk.take(choice));
    }
}

impl Trace {
    /// Nothing of it is known yet.
    pub(super) fn new(recorded: Recorded) -> Self {
        Self { recorded, found: Vec::new() }
    }

    /// Number of its steps.
    pub(super) fn len(&self) -> usize {
        self.recorded.steps.len()
    }

    /// How many steps of a run are its first.
    pub(super) fn along(&self, history: &History, walk: &Walk) -> usize {
        let taken = history.line.iter().take(walk.len());
        taken.zip(&self.found).take_while(|(a, b)| same(a, b)).count()
    }

    /// Knows steps of a run again that are the next ones of the trace.
    pub(super) fn recognise(&mut self, history: &History, walk: &Walk) {
        let mut at = self.along(history, walk);
        while at == self.found.len() && at < walk.len() {
            let (Some(taken), Some(step)) = (history.line.get(at), self.recorded.steps.get(at)) else {
                break;
            };
            if !follow::is(walk, taken, step) {
                break;
            }
            self.found.push(taken.clone());
            at += 1;
        }
    }

    /// Goes to after so many of its steps.
    pub(super) fn go(
        &mut self,
        history: &mut History,
        walk: &mut Walk,
        steps: usize,
        stopped: &dyn Fn() -> bool,
    ) -> Result<(), Left> {
        let along = self.along(history, walk);
        history.to(walk, along.min(steps));
        while walk.len() < steps {
            let at = walk.len();
            let Some(step) = self.recorded.steps.get(at) else { break };
            if let Some(known) = self.found.get(at) {
                history.take(walk, known.clone());
                continue;
            }
            if step.fault {
                return Err(Left::Error(at + 1));
            }
            let next = follow::next(walk, step);
            match next {
                _ if stopped() => return Err(Left::Stopped),
                None => return Err(Left::Lost(at + 1)),
                Some(choice) => {
                    self.found.push(choice.clone());
                    history.take(walk, choice);
                }
            }
        }
        Ok(())
    }
}
