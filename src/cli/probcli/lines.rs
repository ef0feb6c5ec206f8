//! The lines that scripts look for, as `probcli` words them, and the errors that they speak of.
//!
//! In: what a check or a walk has found. Out: text and errors. That all states were visited is said only if nothing was left out:
//! no state, no value, no valuation, and nothing taken for something else.

use super::errors::{self, Error};
use super::steps::Kind;
use crate::report::formulas::Outcome;
use crate::report::simulated::Simulated;
use crate::report::traces::{INITIALISATION, SETUP};
use crate::report::{Report, TraceStep, Verdict, Violation};
use crate::symmetry::Guarantee;
use std::fmt::Write as _;

/// What there is to say of a command.
#[derive(Default)]
pub(super) struct Lines {
    /// The lines.
    pub text: String,
    /// The errors.
    pub found: Vec<&'static Error>,
}

impl Lines {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn add(&mut self, error: &'static Error) {
        if !self.found.contains(&error) {
            self.found.push(error);
        }
    }

    /// A counterexample with its trace; where nothing can begin, its name alone.
    fn counterexample(&mut self, error: &'static Error, trace: &[TraceStep]) {
        self.add(error);
        if *error != errors::PROPERTIES && *error != errors::INITIALISATION {
            self.line("*** COUNTER EXAMPLE FOUND ***");
        }
        self.line(error.name());
        if !trace.is_empty() {
            self.line(&format!("*** TRACE (length={}):", trace.len()));
            for (step, n) in trace.iter().zip(1..) {
                self.line(&format!(" {n}: {}", call(step)));
            }
        }
    }
}

/// What a check has found.
pub(super) fn of_check(r: &Report, kind: Kind) -> Lines {
    let mut out = Lines::default();
    let checked = kind == Kind::ModelCheck;
    if checked {
        out.line(&format!("States analysed: {}", r.states));
        out.line(&format!("Transitions fired: {}", r.transitions));
    }
    formulas(r, &mut out);
    let not_formulas = |v: &&Violation| !matches!(v.kind, "ltl" | "ctl");
    for v in r.violations.iter().filter(not_formulas).chain(&r.goal) {
        out.counterexample(error(v), &v.trace);
    }
    if !r.bounds.is_empty() || r.verdict == Verdict::HoldsWithinBounds {
        out.add(&errors::BOUNDS);
    }
    if matches!(r.verdict, Verdict::Incomplete) {
        out.add(&errors::INCOMPLETE);
    }
    if checked
        && r.goal.is_none()
        && matches!(r.verdict, Verdict::Holds | Verdict::HoldsWithinBounds | Verdict::Incomplete)
    {
        out.line(if is_whole(r) {
            "No counter example found. ALL states visited."
        } else if r.verdict == Verdict::Incomplete {
            "No counter example found, not all states visited."
        } else {
            "No counter example found among the states and values that were tried."
        });
    }
    if checked {
        covered(r, &mut out);
    }
    out
}

/// Whether a check without a violation has seen every state that there is.
fn is_whole(r: &Report) -> bool {
    r.verdict == Verdict::Holds
        && r.complete
        && r.guarantee == Guarantee::Fingerprint
        && r.bounds.is_empty()
        && r.open.is_empty()
        && r.undecided.is_empty()
        && r.one_of.is_empty()
        && r.outside_scope == 0
        && r.errors == 0
}

fn formulas(r: &Report, out: &mut Lines) {
    for f in &r.formulas {
        out.line(&format!("% {}: {}", f.kind, f.text.split_whitespace().collect::<Vec<_>>().join(" ")));
        match f.outcome {
            Outcome::Held => out.line("Formula TRUE."),
            Outcome::Violated => {
                out.line("Formula FALSE.");
                out.add(if f.kind == "ctl" { &errors::CTL } else { &errors::LTL });
            }
            Outcome::HeldWithinBounds => out.line("Formula UNKNOWN: true among the values that were tried."),
            Outcome::Undecided => out.line("Formula UNKNOWN."),
            Outcome::Error => {
                out.line("Formula UNKNOWN: an error of evaluation.");
                out.add(&errors::FAULT);
            }
        }
    }
}

fn covered(r: &Report, out: &mut Lines) {
    if r.operations.is_empty() {
        return;
    }
    let never: Vec<&str> = r.operations.iter().filter(|o| o.transitions == 0).map(|o| &*o.name).collect();
    if never.is_empty() {
        out.line("ALL OPERATIONS COVERED");
    } else {
        out.line(&format!("Operations not covered: {}", never.join(", ")));
    }
}

/// The error that a violation is.
fn error(v: &Violation) -> &'static Error {
    of_kind(v.kind, &v.message)
}

fn of_kind(kind: &str, message: &str) -> &'static Error {
    match kind {
        "invariant" => &errors::INVARIANT,
        "assertion" => &errors::ASSERTION,
        "deadlock" => &errors::DEADLOCK,
        "goal" => &errors::GOAL,
        "refinement" => &errors::REFINEMENT,
        "coverage" => &errors::UNCOVERED,
        "ltl" => &errors::LTL,
        "ctl" => &errors::CTL,
        "setup" if message.contains("INITIALISATION") => &errors::INITIALISATION,
        "setup" => &errors::PROPERTIES,
        "unsupported" => &errors::BOUNDS,
        _ => &errors::FAULT,
    }
}

/// What a walk has met.
pub(super) fn of_walk(s: &Simulated) -> Lines {
    let mut out = Lines::default();
    match &s.found {
        Some(found) => out.counterexample(of_kind(found.kind, &found.text), &found.trace),
        None if !s.is_whole() => {
            out.add(if s.bounds.is_empty() { &errors::INCOMPLETE } else { &errors::BOUNDS });
        }
        None => {
            let _ = writeln!(out.text, "% {} steps by chance, nothing was found on the way", s.steps);
        }
    }
    out
}

/// The first trace of a check as a history: a step on each line.
pub(super) fn history(trace: &[TraceStep]) -> String {
    trace.iter().map(|step| format!("{}\n", call(step))).collect()
}

/// The state that a trace ends in, as a predicate: constants have the values of their set-up.
pub(super) fn state(trace: &[TraceStep]) -> String {
    let mut values: Vec<&(String, String)> = Vec::new();
    let setup = trace.iter().filter(|s| s.operation == SETUP);
    for pair in setup.chain(trace.iter().rev().find(|s| !s.values.is_empty())).flat_map(|s| &s.values) {
        if values.iter().all(|(name, _)| *name != pair.0) {
            values.push(pair);
        }
    }
    let lines: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    format!("{}\n", lines.join(" &\n"))
}

/// `op(a,b)-->(r)`, as `probcli` writes steps; of those that begin a run, the values.
fn call(step: &TraceStep) -> String {
    let values =
        |list: &[(String, String)]| list.iter().map(|(_, v)| v.clone()).collect::<Vec<_>>().join(",");
    if step.operation == INITIALISATION || step.operation == SETUP {
        let set: Vec<String> = step.changes.iter().map(|c| format!("{}={}", c.name, c.after)).collect();
        return format!("{}({})", step.operation, set.join(","));
    }
    let arguments =
        if step.arguments.is_empty() { String::new() } else { format!("({})", values(&step.arguments)) };
    let results =
        if step.results.is_empty() { String::new() } else { format!("-->({})", values(&step.results)) };
    format!("{}{arguments}{results}", step.operation)
}
