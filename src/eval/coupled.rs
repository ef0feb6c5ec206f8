//! Scalars that had better be searched for together with functions: those that select parts of them, `f(x) = y`,
//! `card(f[{x,y}]) = 1`.
//!
//! In: a problem with what is bound. Out: the scalars that stand in arguments of functions which are open too and
//! which typing makes searchable. A scalar that some equation gives a value is none of them.

use super::bits::Bits;
use super::problem::Problem;
use super::walk;
use crate::ir::{ExprKind, PredKind};
use crate::ops::Op;
use crate::ty::Ty;

/// The numbers of those scalars, in order.
pub(super) fn coupled(problem: &Problem, bound: &Bits, scope: &Bits, rest: &[usize]) -> Vec<usize> {
    let open = |i: usize| scope.contains(i) && !bound.contains(i);
    let typed = |i: usize| {
        rest.iter().any(|c| match &problem.conjs[*c].pred.kind {
            PredKind::Op(Op::In | Op::Subset, args) => matches!(&args[..], [a, b]
                if problem.unknown_of(a) == Some(i) && problem.reads(b).is_subset(bound)),
            _ => false,
        })
    };
    let given = |i: usize| {
        rest.iter().any(|c| match &problem.conjs[*c].pred.kind {
            PredKind::Op(Op::Eq, args) => {
                args.iter().any(|a| problem.unknown_of(a) == Some(i))
                    && !args.iter().all(|a| problem.reads(a).contains(i))
            }
            _ => false,
        })
    };
    let mut found = Bits::default();
    for c in rest {
        walk::pred(&problem.conjs[*c].pred, &mut |e| {
            let ExprKind::Op(Op::Apply | Op::Image, args) = &e.kind else { return };
            let [f, x] = &args[..] else { return };
            if !problem.unknown_of(f).is_some_and(|i| open(i) && typed(i)) {
                return;
            }
            for i in problem.reads(x).iter() {
                let scalar = problem
                    .unknowns
                    .get(i)
                    .is_some_and(|u| matches!(u.ty, Ty::Int | Ty::Given(_) | Ty::Bool));
                if scalar && open(i) && !given(i) {
                    found.insert(i);
                }
            }
        });
    }
    found.iter().collect()
}
