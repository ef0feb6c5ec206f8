//! The errors that `-expcterr` can ask for, a row each, and what of them makes an exit code.
//!
//! In: the name of an error, or what ran and how it ended. Out: rows; the exit code of a command line that expects some.

use super::wanted::wrong;
use crate::cli::exit::Exit;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::nearest;

/// An error.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Error {
    /// The name that is printed, and others.
    pub names: &'static [&'static str],
    /// What it is.
    pub help: &'static str,
}

impl Error {
    /// As it is printed.
    pub(super) fn name(&self) -> &'static str {
        self.names.first().copied().unwrap_or_default()
    }
}

const fn row(names: &'static [&'static str], help: &'static str) -> Error {
    Error { names, help }
}

pub(super) static INVARIANT: Error = row(&["invariant_violation"], "the invariant is false");
pub(super) static DEADLOCK: Error = row(&["deadlock"], "no operation is possible");
pub(super) static ASSERTION: Error =
    row(&["assertion_violation", "assertions_false", "check_assertions"], "an assertion is false");
pub(super) static GOAL: Error = row(&["goal_found"], "the goal is reached");
pub(super) static LTL: Error = row(&["ltl", "ltl_formula_false"], "a formula of linear time is false");
pub(super) static CTL: Error = row(&["ctl", "ctl_formula_false"], "a formula of branching time is false");
pub(super) static FAULT: Error = row(
    &["state_error", "well_definedness_error", "well_def_error", "abort_error"],
    "a formula has no value",
);
pub(super) static PROPERTIES: Error = row(
    &["setup_constants_fails", "setup_constants_inconsistent", "no_constants"],
    "no values of the constants satisfy PROPERTIES",
);
pub(super) static INITIALISATION: Error =
    row(&["initialisation_fails", "initialization_fails"], "INITIALISATION has no outcome");
pub(super) static REFINEMENT: Error =
    row(&["refinement_violation", "refinement_check_fails"], "a step is none of the refined machine");
pub(super) static UNCOVERED: Error =
    row(&["uncovered_operations", "check_op_cover"], "an operation is never possible");
pub(super) static INCOMPLETE: Error =
    row(&["model_check_incomplete", "time_out", "check_complete"], "a limit stopped it");
pub(super) static BOUNDS: Error =
    row(&["enumeration_warning", "virtual_time_out"], "values of infinite types were left out");
pub(super) static TRACE: Error =
    row(&["trace_replay_fails", "trace_replay"], "a trace is none of the machine");
pub(super) static REFUSED: Error = row(
    &["load_main_file", "type_check", "type_error", "type_expression_error", "parse_error", "syntax_error"],
    "the machine, or something on the command line, is refused",
);

/// All of them.
pub(super) static ERRORS: [&Error; 15] = [
    &INVARIANT,
    &DEADLOCK,
    &ASSERTION,
    &GOAL,
    &LTL,
    &CTL,
    &FAULT,
    &PROPERTIES,
    &INITIALISATION,
    &REFINEMENT,
    &UNCOVERED,
    &INCOMPLETE,
    &BOUNDS,
    &TRACE,
    &REFUSED,
];

/// The error of a name.
///
/// # Errors
/// There is none.
pub(super) fn find(name: &str) -> Result<&'static Error, Diagnostic> {
    let known = ERRORS.iter().find(|e| e.names.contains(&name));
    known.copied().ok_or_else(|| {
        let help = match nearest(name, ERRORS.iter().flat_map(|e| e.names.iter().copied())) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", ERRORS.map(Error::name).join(", ")),
        };
        wrong(format!("`-expcterr {name}`: bsym finds no such error")).with_help(help)
    })
}

/// What a command has shown that says no more than its exit code.
pub(super) fn of_exit(exit: Exit, replayed: bool) -> Option<&'static Error> {
    match exit {
        Exit::Violated if replayed => Some(&TRACE),
        Exit::Fine | Exit::Violated | Exit::Bug => None,
        Exit::Refused => Some(&REFUSED),
        Exit::Limit => Some(&INCOMPLETE),
        Exit::Fault => Some(&FAULT),
        Exit::Bounds => Some(&BOUNDS),
    }
}

/// The exit code where some errors are expected and some were found, and what is to be said of it.
pub(super) fn judged(exit: Exit, expected: &[&Error], found: &[&Error]) -> (Exit, Vec<String>) {
    if expected.is_empty() || exit == Exit::Bug {
        return (exit, Vec::new());
    }
    let names = |all: &[&Error]| all.iter().map(|e| e.name()).collect::<Vec<_>>().join(", ");
    let missing: Vec<&Error> = expected.iter().copied().filter(|e| !found.contains(e)).collect();
    if !missing.is_empty() {
        let instead = if found.is_empty() { "none".to_owned() } else { names(found) };
        let text = format!("the expected error was not found: {}; found: {instead}", names(&missing));
        return (if exit == Exit::Fine { Exit::Violated } else { exit }, vec![text]);
    }
    // What ends a search early says no more than that it ended at what was expected.
    let others: Vec<&Error> =
        found.iter().copied().filter(|e| !expected.contains(e) && **e != GOAL).collect();
    if others.is_empty() {
        return (Exit::Fine, Vec::new());
    }
    (exit, vec![format!("beside the expected error there is another: {}", names(&others))])
}
