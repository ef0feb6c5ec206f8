//! Unions and intersections over infinitely many sets, by their members.
//!
//! In: a value, UNION or INTER with its condition and sets. Out: for a union whether there is a set with the value, for an
//! intersection whether there is one without it; `None` if that was not found out. An intersection is what is left of some of
//! its sets, where each member of these can be told.

use super::problem::{Problem, Unknown};
use super::solve::{ALL, Mode};
use super::{Env, Evaluator};
use crate::diagnostic::Code;
use crate::ir::{Expr, ExprKind, Pred, PredKind, Scoped};
use crate::ops::{Fault, Op};
use crate::syntax::ast::Fold;
use crate::ty::Ty;
use crate::value::{SetRef, Value};
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
                Err(f) if f.0.code == Code::Undecided => {
                    let conjuncts = [&scoped.binder.pred, &asked];
                    Ok(self.is_refuted(&scoped.binder.vars, &conjuncts, env).then_some(!union))
                }
                Err(f) => Err(f),
            },
            Err(f) if f.is_open() => Ok(None),
            Err(f) => Err(f),
        }
    }
    /// An intersection of which only some sets were gone through, because of a fault: the members of what these have in common
    /// that are in all others, too.
    ///
    /// # Errors
    /// That fault, where of some member this is not known, or these have nothing in common that is listed.
    pub(super) fn in_common(
        &self,
        scoped: &Scoped<Expr>,
        common: Option<Value>,
        because: Fault,
        env: &mut Env,
    ) -> Result<Value, Fault> {
        let Some(Value::Set(common)) = common.filter(Value::is_extension) else { return Err(because) };
        let Ty::Pow(element) = &scoped.body.ty else { return Err(because) };
        let mut kept = Vec::new();
        for member in common.items() {
            let member_expr =
                Expr { kind: ExprKind::Lit(member.clone()), span: scoped.body.span, ty: (**element).clone() };
            match self.in_family(Fold::Inter, scoped, member_expr, env)? {
                Some(true) => kept.push(member.clone()),
                Some(false) => {}
                None => return Err(because),
            }
        }
        Ok(Value::Set(SetRef::from_vec(kept)))
    }
}
