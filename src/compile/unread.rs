//! Constants that nothing reads once PROPERTIES have given them values.
//!
//! In: a machine. Out: the constants that neither the initialisation nor an operation, an invariant, an assertion, the goal or the scope
//! mentions.

use super::lower::free;
use crate::ir::{ConstId, Expr, ExprKind, Machine};
use std::collections::BTreeSet;

/// The constants that only PROPERTIES mention.
#[must_use]
pub fn unread(machine: &Machine) -> Vec<ConstId> {
    let mut read = BTreeSet::new();
    let mut look = |e: &Expr| {
        if let ExprKind::Const(c) = e.kind {
            read.insert(c);
        }
    };
    let formulas = machine.invariants.iter().chain(&machine.assertions).chain(&machine.goal);
    formulas.chain(&machine.scope).for_each(|f| free::in_pred(&f.pred, &mut look));
    let bodies = machine.operations.iter().flat_map(|o| o.offered.iter().chain([&o.called]));
    for body in bodies.chain([&machine.initialisation.body]) {
        free::in_subst(body, &mut look, &mut |_| {});
    }
    (0u32..).map(ConstId).take(machine.constants.len()).filter(|c| !read.contains(c)).collect()
}
