//! Constant expressions in special definitions.
//!
//! In: an expanded formula. Out: its integer, interval or truth value if it is plain arithmetic.

use crate::ops::Op;
use crate::syntax::ast::{Node, NodeKind};
use num_bigint::BigInt;
use num_traits::{ToPrimitive as _, Zero as _};

/// The largest exponent that is folded.
const LARGEST_EXPONENT: u32 = 1_000;

/// An integer.
pub(super) fn integer(node: &Node) -> Option<BigInt> {
    let NodeKind::Op(op, args) = &node.kind else {
        return match &node.kind {
            NodeKind::Int(i) => Some(i.clone()),
            _ => None,
        };
    };
    if let (Op::Card, [only]) = (op, args.as_slice()) {
        let (lo, hi) = interval(only)?;
        return Some(if hi < lo { BigInt::zero() } else { hi - lo + 1 });
    }
    let values: Option<Vec<BigInt>> = args.iter().map(integer).collect();
    match (op, values?.as_slice()) {
        (Op::Neg, [a]) => Some(-a),
        (Op::Add, [a, b]) => Some(a + b),
        (Op::Minus | Op::Sub, [a, b]) => Some(a - b),
        (Op::Star | Op::Mul, [a, b]) => Some(a * b),
        (Op::Div, [a, b]) if !b.is_zero() => Some(a / b),
        (Op::Power, [a, b]) => {
            let exponent = b.to_u32().filter(|e| *e <= LARGEST_EXPONENT)?;
            Some(a.pow(exponent))
        }
        _ => None,
    }
}

/// An interval `a..b`.
pub(super) fn interval(node: &Node) -> Option<(BigInt, BigInt)> {
    match &node.kind {
        NodeKind::Op(Op::Interval, args) => match args.as_slice() {
            [a, b] => Some((integer(a)?, integer(b)?)),
            _ => None,
        },
        _ => None,
    }
}

/// TRUE or FALSE.
pub(super) fn truth(node: &Node) -> Option<bool> {
    match &node.kind {
        NodeKind::Op(Op::TrueValue | Op::True, _) => Some(true),
        NodeKind::Op(Op::FalseValue | Op::False, _) => Some(false),
        _ => None,
    }
}
