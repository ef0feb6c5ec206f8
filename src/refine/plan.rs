//! What is compared with what: the numbers of operations, variables and conjuncts in the machine that holds both.

use crate::ir::{Machine, Routine, Subst, SubstKind};
use crate::resolve::flat::{Joint, Notion};
use crate::source::Span;
use std::ops::Range;
use std::sync::Arc;

/// What a refinement check compares.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What steps are compared by.
    pub notion: Notion,
    /// The refined machine.
    pub refined: String,
    /// By variable, whether it is the refined machine's.
    pub refined_variables: Vec<bool>,
    /// The operations that are compared, by their numbers in the joint system.
    pub operations: Vec<Compared>,
    /// The conjuncts of the invariants that are the gluing invariant.
    pub gluing: Range<usize>,
    /// How the refinement begins, with all that is seen.
    pub own_begin: Routine,
    /// How the refined machine begins, where the rest has begun.
    pub refined_begin: Routine,
}

/// An operation of the refinement and what it refines, by their numbers among the offered ones.
#[derive(Clone, Debug)]
pub struct Compared {
    /// Its name.
    pub name: String,
    /// The refined operation; without one it refines doing nothing.
    pub refined: Option<u32>,
    /// The refinement's, under the refined precondition.
    pub own: u32,
    /// What is possible with the arguments that the refined operation accepts and the refinement's does not.
    pub gap: Option<u32>,
    /// Whether it is that of a machine which both see: neither's to do or refuse.
    pub outside: bool,
}

impl Plan {
    /// The numbers of the operations.
    pub(super) fn numbers(&self) -> std::ops::Range<u32> {
        0..u32::try_from(self.operations.len()).unwrap_or(u32::MAX)
    }

    /// The plan for a machine made of two; puts the texts of the equations of kept variables into it.
    #[must_use]
    pub fn new(machine: &mut Machine, joint: &Joint) -> Self {
        let end = machine.invariants.len();
        let gluing = end.saturating_sub(joint.gluing)..end;
        let equations = end.saturating_sub(joint.kept.len())..end;
        for (formula, text) in machine.invariants[equations].iter_mut().zip(&joint.kept) {
            formula.text = Arc::from(text.as_str());
        }
        let offered: Vec<usize> = (0..machine.operations.len())
            .filter(|i| machine.operations.get(*i).is_some_and(|o| o.offered.is_some()))
            .collect();
        let number = |index: u32| {
            let at = offered.iter().position(|i| *i == index as usize)?;
            u32::try_from(at).ok()
        };
        let one = |o: &crate::resolve::flat::JointOperation| {
            Some(Compared {
                name: o.name.to_string(),
                refined: o.refined.and_then(number),
                own: number(o.own)?,
                gap: o.gap.and_then(number),
                outside: o.outside,
            })
        };
        let (own_begin, refined_begin) = begins(&machine.initialisation, &joint.refined_initialisations);
        let gluing = if joint.notion.is_of_labels() {
            // They say how large values are.
            machine.typing.append(&mut machine.invariants);
            0..0
        } else {
            gluing
        };
        Self {
            notion: joint.notion,
            refined: joint.refined.to_string(),
            refined_variables: joint.refined_variables.clone(),
            operations: joint.operations.iter().filter_map(one).collect(),
            gluing,
            own_begin,
            refined_begin,
        }
    }
}

impl Plan {
    /// The places of the initialisations that are not the refined machine's.
    pub(super) fn own_begins(&self) -> impl Iterator<Item = Span> {
        let parts = match &self.own_begin.body.kind {
            SubstKind::Seq(parts) => parts.as_slice(),
            _ => &[],
        };
        parts.iter().map(|p| p.span)
    }
}

/// The initialisation in two parts: what is not the refined machine's, and what is.
fn begins(whole: &Routine, refined: &[bool]) -> (Routine, Routine) {
    let parts: Vec<Subst> = match &whole.body.kind {
        SubstKind::Seq(parts) if refined.len() > 1 => parts.clone(),
        _ => vec![whole.body.clone()],
    };
    let of = |side: bool| {
        let own = parts.iter().zip(refined).filter(|(_, r)| **r == side).map(|(p, _)| p.clone());
        let span = whole.body.span;
        let own: Vec<Subst> = own.collect();
        let kind = if own.is_empty() { SubstKind::Skip } else { SubstKind::Seq(own) };
        Routine { body: Subst { kind, span }, frame: whole.frame }
    };
    (of(false), of(true))
}
