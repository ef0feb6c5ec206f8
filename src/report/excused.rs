//! What is no violation of a refinement, as the doing of who called an operation where nobody may.
//!
//! In: what a search has excused ([`Kind::is_of_call`]). Out: a note for each, and whether states may be missing for it.

use super::{Message, Violation};
use crate::diagnostic::{Code, Severity};
use crate::explore::{Finding, Kind, Place};
use crate::ir::Machine;
use crate::model::System;

/// Why it is no violation.
const OUTSIDE: &str = "outside the preconditions of the refined machine: no violation, since nobody may";

/// The note on what would be a violation.
pub(super) fn note(v: Violation) -> Message {
    Message {
        severity: Severity::Note,
        code: Code::Ignored.as_str(),
        meaning: Code::Ignored.meaning(),
        message: format!("{} where an operation was called {OUTSIDE}", v.message),
        location: v.location,
        help: None,
    }
}

/// Whether states may be missing: a fault while arguments are listed hides other calls.
pub(super) fn hides_states(excused: &[Finding], system: &dyn System, machine: &Machine) -> bool {
    let lists = |op: u32| {
        let name = system.operations().get(op as usize);
        let of_name = machine.operations.iter().find(|o| name.is_some_and(|n| **n == *o.name));
        of_name.is_none_or(|o| !o.params.is_empty())
    };
    excused.iter().any(
        |f| matches!(&f.kind, Kind::Fault(Place::Operation(op, args), _) if args.is_empty() && lists(*op)),
    )
}
