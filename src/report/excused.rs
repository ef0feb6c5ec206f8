//! What is no violation of a refinement, as the doing of who called an operation where nobody may.
//!
//! In: what a search has excused ([`Kind::is_of_call`]). Out: a note for each, and whether states may be missing for it.

use super::{Message, Violation};
use crate::diagnostic::{Code, Severity};
use crate::explore::{Finding, Kind, Place};
use crate::ir::Machine;
use crate::model::System;

/// Why it is no violation.
const OUTSIDE: &str = "outside the preconditions of the refined machine: no violation";

/// Whether operations may be called where they are called by themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callers {
    /// They may.
    May,
    /// Where something is wrong they may not: the refinement check has looked at all calls that are allowed.
    MayNot,
    /// Where something is wrong they may not, as far as it has looked.
    Unknown,
}

/// The note on what would be a violation.
pub(super) fn note(v: Violation, callers: Callers) -> Message {
    let why = match callers {
        Callers::Unknown => "if nobody may, which is not known",
        Callers::May | Callers::MayNot => "since nobody may",
    };
    Message {
        severity: Severity::Note,
        code: Code::Ignored.as_str(),
        meaning: Code::Ignored.meaning(),
        message: format!("{} where an operation was called {OUTSIDE}, {why}", v.message),
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
