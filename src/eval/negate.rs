//! Negations, pushed inwards.
//!
//! In: a predicate, or a comparison. Out: what holds where it does not, and has no value where it has none.

use crate::ir::{Pred, PredKind};
use crate::ops::Op;

/// The negation of a predicate, pushed inwards one level; a `Not` if there is nothing to push.
pub(crate) fn negate(p: Pred) -> Pred {
    let span = p.span;
    let not = |p: Pred| Pred { span: p.span, kind: PredKind::Not(Box::new(p)) };
    let kind = match p.kind {
        PredKind::True => PredKind::False,
        PredKind::False => PredKind::True,
        PredKind::Not(p) => return *p,
        PredKind::And(ps) => PredKind::Or(ps.into_iter().map(negate).collect()),
        PredKind::Or(ps) => PredKind::And(ps.into_iter().map(negate).collect()),
        PredKind::Implies(a, b) => PredKind::And(vec![*a, negate(*b)]),
        PredKind::Op(op, args) => match opposite(op) {
            Some(op) => PredKind::Op(op, args),
            None => return not(Pred { kind: PredKind::Op(op, args), span }),
        },
        kind => return not(Pred { kind, span }),
    };
    Pred { kind, span }
}

/// The comparison or membership that holds where another one does not.
pub(super) fn opposite(op: Op) -> Option<Op> {
    Some(match op {
        Op::Eq => Op::Neq,
        Op::Neq => Op::Eq,
        Op::Lt => Op::Ge,
        Op::Ge => Op::Lt,
        Op::Gt => Op::Le,
        Op::Le => Op::Gt,
        Op::In => Op::NotIn,
        Op::NotIn => Op::In,
        Op::Subset => Op::NotSubset,
        Op::NotSubset => Op::Subset,
        Op::StrictSubset => Op::NotStrictSubset,
        Op::NotStrictSubset => Op::StrictSubset,
        Op::True => Op::False,
        Op::False => Op::True,
        _ => return None,
    })
}
