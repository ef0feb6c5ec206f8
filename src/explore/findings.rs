//! What a search finds besides numbers: violations, faults, the goal; each kind is kept once.
//!
//! In: findings of nodes. Out: a list in order of discovery, each with the node that showed it first and how
//! many nodes show it.

use crate::diagnostic::Code;
use crate::model::{PropertyId, StepFault};
use crate::ops::Fault;

/// What was found.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub enum Kind {
    /// A false invariant conjunct, by index.
    Invariant(u32),
    /// A false assertion, by index.
    Assertion(u32),
    /// No edge leaves the node.
    Deadlock,
    /// Exploration has nothing to begin with: no valuation of the constants at the root, or no initial state.
    Setup(Setup),
    /// The goal holds: no violation.
    Goal,
    /// Evaluation met a fault.
    Fault(Place, Fault),
    /// A property was not decided in the time that it has: no violation.
    Undecided(PropertyId),
}

/// What has no solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Setup {
    /// PROPERTIES.
    Properties,
    /// INITIALISATION, under the valuation of the node.
    Initialisation,
}

/// Where a fault happened.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Place {
    /// In PROPERTIES.
    Properties,
    /// In the initialisation.
    Initialisation,
    /// In an invariant conjunct, an assertion or the goal.
    Check(PropertyId),
    /// In an operation with these arguments.
    Operation(u32, Vec<(String, String)>),
}

/// A kind of finding with the first node that shows it.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Finding {
    /// What.
    pub kind: Kind,
    /// The node, or `None` for the root.
    pub node: Option<u32>,
    /// Number of nodes that show it.
    pub count: u64,
    /// The last of them.
    last: Option<u32>,
}

impl Kind {
    /// Whether this ends a search that does not keep going.
    #[must_use]
    pub fn is_violation(&self) -> bool {
        !matches!(self, Kind::Goal | Kind::Undecided(_)) && !self.is_limit()
    }

    /// Whether it says what cannot be represented or takes too much: of the machine it says nothing.
    #[must_use]
    pub fn is_limit(&self) -> bool {
        matches!(self, Kind::Fault(_, f) if f.is_limit())
    }

    /// Whether it may be the doing of who called an operation where nobody may: what the call meets, and where it leads.
    /// What is not known, or was interrupted, is nobody's doing.
    #[must_use]
    pub fn is_of_call(&self) -> bool {
        match self {
            Kind::Invariant(_) => true,
            Kind::Fault(Place::Operation(..) | Place::Check(PropertyId::Invariant(_)), f) => {
                !f.is_open() && f.0.code != Code::Interrupted && !self.is_refinement()
            }
            _ => false,
        }
    }

    /// Whether states may be missing because of it: constants that could not be solved, or steps that could not be
    /// evaluated. What lies behind such a step is unknown, and a fault while its choices are listed hides the
    /// choices that would have come later.
    #[must_use]
    pub fn hides_states(&self) -> bool {
        let place =
            matches!(self, Kind::Fault(Place::Properties | Place::Initialisation | Place::Operation(..), _));
        place && !self.is_refinement()
    }

    /// Whether it is a step that does not refine: no fault of evaluation.
    #[must_use]
    pub fn is_refinement(&self) -> bool {
        matches!(self, Kind::Fault(_, f) if f.0.code == Code::NotRefined)
    }

    /// The word in reports.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Invariant(_) => "invariant",
            Kind::Assertion(_) => "assertion",
            Kind::Deadlock => "deadlock",
            Kind::Setup(_) => "setup",
            Kind::Goal => "goal",
            Kind::Fault(..) if self.is_refinement() => "refinement",
            Kind::Fault(..) => "error",
            Kind::Undecided(_) => "undecided",
        }
    }

    fn same(&self, other: &Kind) -> bool {
        match (self, other) {
            (Kind::Invariant(a), Kind::Invariant(b)) | (Kind::Assertion(a), Kind::Assertion(b)) => a == b,
            (Kind::Deadlock, Kind::Deadlock) | (Kind::Goal, Kind::Goal) => true,
            (Kind::Setup(a), Kind::Setup(b)) => a == b,
            (Kind::Undecided(a), Kind::Undecided(b)) => a == b,
            (Kind::Fault(p, a), Kind::Fault(q, b)) => {
                a.0.code == b.0.code && a.0.span == b.0.span && p.same(q)
            }
            _ => false,
        }
    }
}

impl Place {
    fn same(&self, other: &Place) -> bool {
        match (self, other) {
            (Place::Operation(a, _), Place::Operation(b, _)) => a == b,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

impl From<StepFault> for Kind {
    fn from(f: StepFault) -> Self {
        Kind::Fault(Place::Operation(f.op, f.arguments), f.fault)
    }
}

/// Adds a finding to the list, or counts it if its kind is there: once for each node, whatever number of steps or choices
/// show it there. What is found at one node is added before what is found at the next.
pub(super) fn add(list: &mut Vec<Finding>, kind: Kind, node: Option<u32>) {
    match list.iter_mut().find(|f| f.kind.same(&kind)) {
        Some(known) if known.last == node => {}
        Some(known) => (known.count, known.last) = (known.count + 1, node),
        None => list.push(Finding { kind, node, count: 1, last: node }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_counts_once() {
        let mut list = Vec::new();
        for (kind, node) in [
            (Kind::Deadlock, None),
            (Kind::Invariant(0), Some(0)),
            (Kind::Invariant(1), Some(0)),
            (Kind::Invariant(0), Some(0)),
            (Kind::Invariant(0), Some(4)),
        ] {
            add(&mut list, kind, node);
        }
        assert_eq!(
            list.iter().map(|f| (f.node, f.count)).collect::<Vec<_>>(),
            [(None, 1), (Some(0), 2), (Some(0), 1)]
        );
    }
}
