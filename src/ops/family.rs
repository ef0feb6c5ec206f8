//! Operators that belong together, and what tells the members of a family apart.
//!
//! In: an operator. Out: whether it is an arrow and what that arrow asks for; which comparison it is from the other side;
//! whether it makes a set of sets or of sequences. Absent: what the operators mean; that is with each of them.

use super::Op;

/// What an arrow asks of a relation.
#[allow(clippy::struct_excessive_bools, reason = "four independent properties of relations")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// Everything on the left has a partner.
    pub total: bool,
    /// Everything on the right has a partner.
    pub onto: bool,
    /// Nothing on the left has two partners.
    pub functional: bool,
    /// Nothing on the right has two partners. Only functions ask for this.
    pub injective: bool,
}

impl Op {
    /// What the operator asks for, if it is an arrow (`<->` and `-->` with their kinds).
    #[must_use]
    pub fn arrow(self) -> Option<Arrow> {
        let (total, onto, functional, injective) = match self {
            Op::Rel => (false, false, false, false),
            Op::TotalRel => (true, false, false, false),
            Op::SurjRel => (false, true, false, false),
            Op::TotalSurjRel => (true, true, false, false),
            Op::PartialFun => (false, false, true, false),
            Op::TotalFun => (true, false, true, false),
            Op::PartialInj => (false, false, true, true),
            Op::TotalInj => (true, false, true, true),
            Op::PartialSurj => (false, true, true, false),
            Op::TotalSurj => (true, true, true, false),
            Op::PartialBij => (false, true, true, true),
            Op::TotalBij => (true, true, true, true),
            _ => return None,
        };
        Some(Arrow { total, onto, functional, injective })
    }

    /// The comparison seen from the other side.
    #[must_use]
    pub fn mirrored(self) -> Option<Op> {
        Some(match self {
            Op::Eq => Op::Eq,
            Op::Lt => Op::Gt,
            Op::Le => Op::Ge,
            Op::Gt => Op::Lt,
            Op::Ge => Op::Le,
            _ => return None,
        })
    }

    /// Whether the operator makes the set of the (finite) subsets of a set.
    #[must_use]
    pub fn is_power(self) -> bool {
        matches!(self, Op::Pow | Op::Pow1 | Op::Fin | Op::Fin1)
    }

    /// Whether the operator makes a set of sequences.
    #[must_use]
    pub fn is_sequences(self) -> bool {
        matches!(self, Op::Seq | Op::Seq1 | Op::Iseq | Op::Iseq1 | Op::Perm)
    }
}
