//! What of a machine's properties does not hold in a state, with reasons, as lines of text.

use crate::explore::Place;
use crate::ir::Machine;
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

/// What there is to say of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    /// A property is false.
    Violated,
    /// A property has no value.
    Fault,
    /// It is not known whether a property holds.
    Open,
    /// The goal holds.
    Goal,
}

/// It in one line, with the property.
pub(super) struct Line {
    /// What there is to say.
    pub mark: Mark,
    /// The property, unless it is the goal.
    pub of: Option<PropertyId>,
    /// In words.
    pub text: String,
}

/// Lines without reasons; none of what holds.
pub(super) fn lines(found: &Findings, machine: &Machine) -> Vec<Line> {
    let text = |id: PropertyId| id.formula(machine).map_or("", |f| &f.text);
    let line = |mark, of, text| Line { mark, of: Some(of), text };
    let invariants = found.invariants.iter().map(|i| PropertyId::Invariant(*i));
    let violated = invariants.chain(found.assertions.iter().map(|i| PropertyId::Assertion(*i))).map(|id| {
        let what = if matches!(id, PropertyId::Invariant(_)) { "invariant" } else { "assertion" };
        line(Mark::Violated, id, format!("{what} violated: `{}`", text(id)))
    });
    let faults = found.faults.iter().map(|fault| {
        let open = fault.fault.is_open();
        let (mark, what) = if open { (Mark::Open, "not decided") } else { (Mark::Fault, "no value") };
        line(mark, fault.of, format!("{what}: `{}`: {}", text(fault.of), fault.fault.0.message))
    });
    let undecided = found.undecided.iter();
    let undecided =
        undecided.map(|id| line(Mark::Open, *id, format!("not decided in its time: `{}`", text(*id))));
    let goal = Line { mark: Mark::Goal, of: None, text: "the goal is reached".to_owned() };
    violated.chain(faults).chain(undecided).chain(found.goal.then_some(goal)).collect()
}

/// In words, with reasons; nothing of what holds.
pub(super) fn told(found: &Findings, words: &[u64], system: &MachineSystem, witness: &Witness<'_>) -> String {
    let machine = &system.evaluator().machine;
    let mut out = String::new();
    for line in lines(found, machine) {
        let _ = writeln!(out, "{}", line.text);
        let formula = line.of.filter(|_| line.mark == Mark::Violated).and_then(|id| id.formula(machine));
        out += &formula.map_or_else(String::new, |f| witness.because(f, &system.env(words), false));
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
    let place =
        if begins { Place::Initialisation } else { Place::Operation(fault.op, fault.arguments.clone()) };
    let why = witness.because_of(&place, &fault.fault, words);
    format!("{}\n{why}", fault_line(fault, words, system))
}

/// The same in one line, without reasons.
pub(super) fn fault_line(fault: &StepFault, words: &[u64], system: &MachineSystem) -> String {
    let begins = words.len() < system.width();
    let name = system.operations().get(fault.op as usize).filter(|_| !begins);
    let call = labelled(name.map_or(INITIALISATION, String::as_str), &fault.arguments, &[]);
    let what = if fault.fault.is_open() { "not known of" } else { "error in" };
    format!("{what} {call}: {}", fault.fault.0.message)
}

/// The kind of what was found first, as in reports of checks.
pub(super) fn kind(found: &Findings) -> &'static str {
    match found {
        f if !f.invariants.is_empty() => "invariant",
        f if !f.assertions.is_empty() => "assertion",
        _ => "error",
    }
}
