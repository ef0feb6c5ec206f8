//! What of a machine's properties does not hold in a state, with reasons, as lines of text.

use crate::explore::Place;
use crate::model::{Findings, MachineSystem, PropertyId, StepFault, System as _};
use crate::report::text::labelled;
use crate::report::traces::INITIALISATION;
use crate::report::why::Witness;
use std::fmt::Write as _;

/// What checking a state, or a valuation (a slice of one word), has found.
pub(super) fn found(words: &[u64], system: &MachineSystem, is_state: bool) -> Findings {
    let mut found = Findings::default();
    if is_state {
        system.check(words, &mut found);
    }
    if !words.is_empty() {
        system.check_assertions(words, &mut found);
    }
    found
}

/// In words; nothing of what holds.
pub(super) fn told(found: &Findings, words: &[u64], system: &MachineSystem, witness: &Witness<'_>) -> String {
    let machine = &system.evaluator().machine;
    let mut out = String::new();
    let invariants = found.invariants.iter().map(|i| PropertyId::Invariant(*i));
    for id in invariants.chain(found.assertions.iter().map(|i| PropertyId::Assertion(*i))) {
        let Some(formula) = id.formula(machine) else { continue };
        let what = if matches!(id, PropertyId::Invariant(_)) { "invariant" } else { "assertion" };
        let _ = writeln!(out, "{what} violated: `{}`", formula.text);
        out += &witness.because(formula, &system.env(words), false);
    }
    for fault in &found.faults {
        let text = fault.of.formula(machine).map_or("", |f| &f.text);
        let what = if fault.fault.is_open() { "not decided" } else { "no value" };
        let _ = writeln!(out, "{what}: `{text}`: {}", fault.fault.0.message);
    }
    for id in &found.undecided {
        let text = id.formula(machine).map_or("", |f| &f.text);
        let _ = writeln!(out, "not decided in its time: `{text}`");
    }
    if found.goal {
        out += "the goal is reached\n";
    }
    out
}

/// An error of a step that leaves a state, or that begins a run under a valuation (a slice of one word), with reasons.
pub(super) fn fault(
    fault: &StepFault,
    words: &[u64],
    system: &MachineSystem,
    witness: &Witness<'_>,
) -> String {
    let begins = words.len() < system.width();
    let name = system.operations().get(fault.op as usize).filter(|_| !begins);
    let name = name.map_or(INITIALISATION, String::as_str);
    let call = labelled(name, &fault.arguments, &[]);
    let place =
        if begins { Place::Initialisation } else { Place::Operation(fault.op, fault.arguments.clone()) };
    let why = witness.because_of(&place, &fault.fault, words);
    let what = if fault.fault.is_open() { "not known of" } else { "error in" };
    format!("{what} {call}: {}\n{why}", fault.fault.0.message)
}

/// The kind of what was found first, as in reports of checks.
pub(super) fn kind(found: &Findings) -> &'static str {
    match found {
        f if !f.invariants.is_empty() => "invariant",
        f if !f.assertions.is_empty() => "assertion",
        _ => "error",
    }
}
