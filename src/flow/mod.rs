//! What is wrong with substitutions whatever they are run on: assigned twice in parallel, read before it is assigned,
//! never assigned.
//!
//! In: a machine in the IR. Out: diagnostics, errors where every path shows the mistake and warnings where some do. Nothing
//! is evaluated, so nothing here depends on whether an operation is ever possible. Siblings: `walk` (one substitution),
//! `effect` (what it assigns), `reads` (what formulas read).

mod effect;
mod reads;
#[cfg(test)]
mod tests;
mod walk;

use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Machine, Operation, Place, VarId};
use walk::Walk;

/// What is wrong with the substitutions of a machine, in the order of its text.
#[must_use]
pub fn check(machine: &Machine) -> Vec<Diagnostic> {
    let mut walk = Walk::new(machine);
    let start = walk.initialisation();
    let never =
        (0u32..).zip(&machine.variables).filter(|(i, _)| !start.0.contains_key(&Place::Var(VarId(*i))));
    let never: Vec<Diagnostic> = never
        .map(|(_, decl)| {
            let text = format!("nothing in INITIALISATION assigns `{}`", decl.name);
            let d = Diagnostic::error(Code::NeverAssigned, decl.span, text)
                .with_label("it has no value to begin with")
                .with_help(format!("add `{0} := E` or `{0} :: S` to INITIALISATION", decl.name));
            match machine.initialisation.body.span {
                at if at == crate::source::Span::default() => d,
                at => d.with_other(at, "INITIALISATION"),
            }
        })
        .collect();
    walk.found.extend(never);
    for (number, operation) in (0u32..).zip(&machine.operations) {
        let assigned = walk.operation(number);
        let results = results(operation, &assigned);
        walk.found.extend(results);
    }
    let mut found = walk.found;
    found.sort_by_key(|d| d.span.map(|s| (s.file, s.lo, s.hi)));
    // Copies of a machine share their text.
    found.dedup_by(|a, b| a.span == b.span && a.code == b.code && a.severity == b.severity);
    found
}

/// Results that no path assigns, or not every path.
fn results(operation: &Operation, assigned: &effect::Effect) -> Vec<Diagnostic> {
    let name = &operation.name;
    let of = |r: &crate::ir::Local| match assigned.0.get(&Place::Local(r.id)) {
        None => Some(
            Diagnostic::error(
                Code::NeverAssigned,
                r.span,
                format!("the result `{}` of `{name}` is never assigned", r.name),
            )
            .with_label("no path of the operation assigns it")
            .with_help(format!("add `{0} := E`, or leave `{0}` out of the results", r.name)),
        ),
        Some(a) if !a.surely => Some(
            Diagnostic::warning(
                Code::NeverAssigned,
                r.span,
                format!("the result `{}` of `{name}` is not assigned on every path", r.name),
            )
            .with_other(a.at, "assigned here"),
        ),
        Some(_) => None,
    };
    operation.results.iter().filter_map(of).collect()
}
