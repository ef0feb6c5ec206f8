//! Choices of which one meets a fault: the others are taken all the same, so that it makes no difference which comes first.
//!
//! In: what came of each choice. Out: whether to go on with the next, and at the end the first fault with its scene. What a limit
//! leaves open, or somebody has stopped, ends all of them. Siblings: `subst`, `assign`, `repeat` (where choices are made).

use crate::diagnostic::Code;
use crate::eval::Flow;
use crate::eval::witness::{self, Scene};
use crate::ops::Fault;
use std::ops::ControlFlow::Continue;

/// The choices at one place so far.
#[derive(Default)]
pub(super) struct Choices {
    first: Option<(Fault, Option<Scene>)>,
}

impl Choices {
    /// What comes after a choice: the next one, unless it is the end of all.
    pub(super) fn after(&mut self, flow: Flow) -> Flow {
        flow.or_else(|fault| self.met(fault).map(|()| Continue(())))
    }

    /// A choice has met a fault.
    ///
    /// # Errors
    /// The fault, if it is the end of all: but an earlier one rather than that something is left open.
    pub(super) fn met(&mut self, fault: Fault) -> Result<(), Fault> {
        if !passes(&fault) {
            let earlier = self.first.take().filter(|_| fault.is_open());
            return Err(earlier.map_or(fault, |(first, scene)| {
                witness::restore(scene);
                first
            }));
        }
        self.first.get_or_insert_with(|| (fault, witness::scene()));
        Ok(())
    }

    /// What comes of all choices: what is left open counts less than a fault.
    pub(super) fn end(self, flow: Flow) -> Flow {
        let counts = match &flow {
            Ok(flow) => flow.is_continue(),
            Err(fault) => fault.is_open(),
        };
        match self.first.filter(|_| counts) {
            Some((fault, scene)) => {
                witness::restore(scene);
                Err(fault)
            }
            None => flow,
        }
    }
}

/// Whether a fault says that one choice fails, and nothing of the others.
pub(super) fn passes(fault: &Fault) -> bool {
    !fault.is_open() && !matches!(fault.0.code, Code::Interrupted | Code::Disproved)
}
