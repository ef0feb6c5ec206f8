//! Which copy of a machine a fault is about.
//!
//! In: a fault, the substitutions around its place from the inside out. Out: the same fault with the prefix of the first of them
//! that is one of a renamed machine: the place alone stands for all copies.

use crate::eval::{Evaluator, walk};
use crate::ir::{ExprKind, Place, Pred, Subst, SubstKind, Target, VarId};
use crate::ops::Fault;

impl Evaluator {
    /// A fault that has passed through a substitution.
    pub(super) fn of_copy(&self, mut fault: Fault, s: &Subst) -> Fault {
        if fault.0.copy.is_some() || !self.machine.variables.iter().any(|v| v.name.contains('.')) {
            return fault;
        }
        let prefix = |name: &str| name.rsplit_once('.').map(|(prefix, _)| prefix.into());
        if let SubstKind::Call { op, .. } = &s.kind {
            fault.0.copy = self.machine.operations.get(*op as usize).and_then(|o| prefix(&o.name));
            return fault;
        }
        let name = variable(s).and_then(|v| self.machine.variables.get(v.0 as usize));
        fault.0.copy = name.and_then(|v| prefix(&v.name));
        fault
    }
}

/// The first variable that a substitution itself writes or asks about; parts of it have been looked at before.
fn variable(s: &Subst) -> Option<VarId> {
    let written = |targets: &[Target]| {
        targets.iter().find_map(|t| if let Place::Var(v) = t.place { Some(v) } else { None })
    };
    let asked = |p: &Pred| {
        let mut first = None;
        walk::pred(p, &mut |e| {
            if let (ExprKind::Var(v), None) = (&e.kind, first) {
                first = Some(*v);
            }
        });
        first
    };
    match &s.kind {
        SubstKind::Assign(pairs) => pairs.iter().find_map(|(t, _)| written(std::slice::from_ref(t))),
        SubstKind::BecomesIn(targets, _) | SubstKind::BecomesSuch(targets, _) => written(targets),
        SubstKind::Pre(p, _) | SubstKind::Assert(p, _) | SubstKind::While { cond: p, .. } => asked(p),
        SubstKind::Any(binder, _) => asked(&binder.pred),
        SubstKind::Select(branches, _) | SubstKind::If(branches, _) => {
            branches.iter().find_map(|(p, _)| asked(p))
        }
        _ => None,
    }
}
