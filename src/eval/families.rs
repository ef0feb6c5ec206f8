//! Membership in a union or intersection over infinitely many sets, which needs no list of members.
//!
//! In: a value, UNION or INTER with its condition and sets. Out: for a union whether there is a set with the value, for an
//! intersection that there is one without it; `None` if that was not found out.

use super::problem::{Problem, Unknown};
use super::solve::{ALL, Mode};
use super::{Env, Evaluator};
use crate::diagnostic::Code;
use crate::ir::{Expr, Pred, PredKind, Scoped};
use crate::ops::{Fault, Op};
use crate::syntax::ast::Fold;
use std::ops::ControlFlow::Break;

impl Evaluator {
    /// Whether a value is in all sets of a family, or in one of them, as far as it can be told.
    ///
    /// # Errors
    /// A fault of evaluating the condition or a set.
    pub(super) fn in_family(
        &self,
        fold: Fold,
        scoped: &Scoped<Expr>,
        value: Expr,
        env: &mut Env,
    ) -> Result<Option<bool>, Fault> {
        let union = fold == Fold::Union;
        if self.naive || !union && fold != Fold::Inter {
            return Ok(None);
        }
        let op = if union { Op::In } else { Op::NotIn };
        let asked = PredKind::Op(op, vec![value, scoped.body.clone()]);
        let asked = Pred { kind: asked, span: scoped.body.span };
        let vars = scoped.binder.vars.iter().map(Unknown::local).collect();
        let problem = Problem::new(vars, &[&scoped.binder.pred, &asked], self);
        let mut some = |mode: Mode| {
            let mut found = false;
            let flow = self.run(&problem, mode, env, &mut |_, _| {
                found = true;
                Ok(Break(()))
            });
            flow.map(|_| found)
        };
        match some(ALL) {
            Ok(found) => Ok((found || union).then_some(found == union)),
            Err(f) if f.0.code == Code::Undecided => match self.outward(f, &mut some) {
                Ok(found) => Ok((found || union).then_some(found == union)),
                Err(f) if f.0.code == Code::Undecided => Ok(None),
                Err(f) => Err(f),
            },
            Err(f) if f.is_open() => Ok(None),
            Err(f) => Err(f),
        }
    }
}
