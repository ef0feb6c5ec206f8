//! Evaluation for the sake of faults alone.
//!
//! In: expressions whose value is not needed where control goes. Out: code that bails where they have no value.
//! The plain evaluator evaluates all arguments of an operator before it decides; compiled tests that stop early
//! must not be early enough to miss a fault.

use super::free::in_expr;
use super::{Env, Lower, Res};
use crate::ir::{Expr, ExprKind};
use crate::ops::Op;

/// Whether an expression has a value in every state, by its form.
fn total(e: &Expr) -> bool {
    let mut fine = true;
    in_expr(e, &mut |e| {
        fine &= match &e.kind {
            ExprKind::Op(op, _) => !matches!(
                op,
                Op::Apply
                    | Op::Div
                    | Op::Mod
                    | Op::Power
                    | Op::Min
                    | Op::Max
                    | Op::BigInter
                    | Op::First
                    | Op::Last
                    | Op::Front
                    | Op::Tail
                    | Op::Take
                    | Op::Drop
                    | Op::Size
                    | Op::Rev
                    | Op::Concat
                    | Op::Append
                    | Op::Prepend
                    | Op::Conc
                    | Op::Iterate
            ),
            ExprKind::Fold(..)
            | ExprKind::External(..)
            | ExprKind::Bool(_)
            | ExprKind::If(..)
            | ExprKind::Compr(..)
            | ExprKind::Lambda(..)
            | ExprKind::Image(_) => false,
            _ => true,
        };
    });
    fine
}

impl Lower<'_> {
    /// Emits code that bails if a set expression has no value.
    pub(super) fn touch(&mut self, e: &Expr, env: &Env) -> Res<()> {
        if total(e) {
            return Ok(());
        }
        match &e.kind {
            ExprKind::Op(_, args) if Self::symbolic(e) => args.iter().try_for_each(|a| self.touch(a, env)),
            ExprKind::Struct(sets) => sets.iter().try_for_each(|s| self.touch(s, env)),
            ExprKind::SetExt(items) if Self::symbolic(e) => {
                items.iter().try_for_each(|i| self.expr(i, env).map(|_| ()))
            }
            _ => self.expr(e, env).map(|_| ()),
        }
    }
}
