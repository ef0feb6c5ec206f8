//! Which variables are functions, by what the invariant says of them.
//!
//! In: a machine. Out: a [`Shape`] for each variable: `f : S +-> T` and the like, and what T is. What is no conjunct of that form says
//! nothing here; types say what is a sequence.

use crate::ir::{Expr, ExprKind, Machine, PredKind};
use crate::ops::Op;
use crate::value::delta::Shape;

/// The shapes of all variables.
pub(super) fn shapes(machine: &Machine) -> Vec<Shape> {
    let mut all = vec![Shape::Other; machine.variables.len()];
    for formula in machine.invariants.iter().chain(&machine.typing) {
        for p in formula.pred.conjuncts() {
            if let PredKind::Op(Op::In, args) = &p.kind
                && let [Expr { kind: ExprKind::Var(id), .. }, set] = args.as_slice()
                && let (shape @ Shape::Function(_), Some(slot)) = (of(set), all.get_mut(id.0 as usize))
            {
                *slot = shape;
            }
        }
    }
    all
}

/// The shape of the members of a set.
fn of(set: &Expr) -> Shape {
    match &set.kind {
        ExprKind::Op(
            Op::PartialFun
            | Op::TotalFun
            | Op::PartialInj
            | Op::TotalInj
            | Op::PartialSurj
            | Op::TotalSurj
            | Op::PartialBij
            | Op::TotalBij,
            args,
        ) => Shape::Function(Box::new(args.get(1).map_or(Shape::Other, of))),
        _ => Shape::Other,
    }
}
