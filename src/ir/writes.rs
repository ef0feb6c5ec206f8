//! Which variables of the state an operation may write.
//!
//! In: the IR. Out: every variable that some assignment of the operation, or of one that it calls, has as its target, whether
//! that is ever reached or not.

use super::{Machine, Place, Subst, SubstKind, Target, VarId};
use std::collections::BTreeSet;

impl Machine {
    /// The variables that the offered body of an operation may write.
    #[must_use]
    pub fn writes(&self, operation: u32) -> BTreeSet<VarId> {
        let mut walk = Walk { machine: self, called: BTreeSet::new(), found: BTreeSet::new() };
        if let Some(body) = self.operations.get(operation as usize).and_then(|o| o.offered.as_ref()) {
            walk.subst(body);
        }
        walk.found
    }
}

struct Walk<'a> {
    machine: &'a Machine,
    called: BTreeSet<u32>,
    found: BTreeSet<VarId>,
}

impl Walk<'_> {
    fn targets<'t>(&mut self, targets: impl IntoIterator<Item = &'t Target>) {
        self.found.extend(targets.into_iter().filter_map(|t| match t.place {
            Place::Var(v) => Some(v),
            Place::Local(_) => None,
        }));
    }

    fn all<'s>(&mut self, parts: impl IntoIterator<Item = &'s Subst>) {
        parts.into_iter().for_each(|s| self.subst(s));
    }

    fn subst(&mut self, s: &Subst) {
        match &s.kind {
            SubstKind::Skip => {}
            SubstKind::Assign(list) => self.targets(list.iter().map(|(t, _)| t)),
            SubstKind::BecomesIn(targets, _) | SubstKind::BecomesSuch(targets, _) => self.targets(targets),
            SubstKind::Choice(parts) | SubstKind::Seq(parts) | SubstKind::Par(parts) => self.all(parts),
            SubstKind::Select(branches, rest) | SubstKind::If(branches, rest) => {
                self.all(branches.iter().map(|(_, s)| s).chain(rest.as_deref()));
            }
            SubstKind::Case(_, branches, rest) => {
                self.all(branches.iter().map(|(_, s)| s).chain(rest.as_deref()));
            }
            SubstKind::Pre(_, s)
            | SubstKind::Assert(_, s)
            | SubstKind::Any(_, s)
            | SubstKind::Let(_, s)
            | SubstKind::Var(_, s)
            | SubstKind::While { body: s, .. } => self.subst(s),
            SubstKind::Call { op, results, .. } => {
                self.targets(results);
                let machine = self.machine;
                if self.called.insert(*op)
                    && let Some(o) = machine.operations.get(*op as usize)
                {
                    self.subst(&o.called);
                }
            }
        }
    }
}
