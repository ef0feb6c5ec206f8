//! Applications in conditions: where one has no value, the condition counts as false where values are chosen (`problem`, `choices`, and
//! the guards of operations).
//!
//! In: a condition. Out: its applications. What is made of a fault is the business of who chooses.

use super::walk;
use crate::ir::{Expr, ExprKind, Pred};
use crate::ops::Op;
use crate::source::Span;
use hashbrown::HashSet;

/// Whether an expression is an application.
pub(crate) fn applies(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Op(Op::Apply, _))
}

/// The places of all applications in a condition.
pub(crate) fn applications(p: &Pred, out: &mut HashSet<Span>) {
    walk::pred(p, &mut |e| {
        if applies(e) {
            out.insert(e.span);
        }
    });
}
