//! The values of names and expressions in a part.
//!
//! In: a predicate and an environment. Out: its free names, and its expressions that are no names, as a short tree.

use super::{Explainer, LONGEST, Scope, Shown};
use crate::eval::{Env, each_expr};
use crate::ir::{Expr, ExprKind, Local, Pred, PredKind};
use crate::ops::Op;
use crate::ty::Ty;
use crate::value::Value;

/// Most expressions that are shown of a part: more is for `bsym eval`.
const EXPRESSIONS: usize = 12;
/// Most expressions in each other.
const DEPTH: usize = 4;

impl Explainer<'_> {
    /// The names that a predicate reads, in the order of the text.
    pub(super) fn names(&self, p: &Pred, env: &Env, scope: &Scope) -> Vec<Shown> {
        let mut exprs = Vec::new();
        each_expr(p, &mut |e| exprs.push(e));
        self.names_in(&exprs, env, scope)
    }

    /// The names among expressions.
    pub(super) fn names_in(&self, exprs: &[&Expr], env: &Env, scope: &Scope) -> Vec<Shown> {
        let mut names: Vec<Shown> = Vec::new();
        for e in exprs {
            if let Some((name, value)) = self.name(e, env, scope)
                && !names.iter().any(|n| n.text == name)
            {
                names.push(self.shown(name, value, &e.ty));
            }
        }
        names
    }

    /// Expressions in an expression that are no names.
    pub(super) fn values_in(&self, e: &Expr, env: &Env, scope: &Scope) -> Vec<Shown> {
        let (mut out, mut room) = (Vec::new(), EXPRESSIONS);
        self.of_all(inside(e), DEPTH, env, scope, &mut room, &mut out);
        out
    }

    /// A bound variable with its value.
    pub(super) fn local(&self, l: &Local, env: &Env) -> Option<Shown> {
        Some(self.shown(l.name.to_string(), env.local(l.id)?, &l.ty))
    }

    /// Expressions in a predicate that are no names.
    pub(super) fn values(&self, p: &Pred, env: &Env, scope: &Scope) -> Vec<Shown> {
        let (mut out, mut room) = (Vec::new(), EXPRESSIONS);
        if let PredKind::Op(_, args) | PredKind::External(_, args) = &p.kind {
            self.of_all(args, DEPTH, env, scope, &mut room, &mut out);
        }
        out
    }

    fn of_all(
        &self,
        exprs: &[Expr],
        depth: usize,
        env: &Env,
        scope: &Scope,
        room: &mut usize,
        out: &mut Vec<Shown>,
    ) {
        for e in exprs {
            self.of(e, depth, env, scope, room, out);
        }
    }

    /// Adds an expression with its parts; of one that needs no value of its own only the parts.
    fn of(&self, e: &Expr, depth: usize, env: &Env, scope: &Scope, room: &mut usize, out: &mut Vec<Shown>) {
        if depth == 0 || *room == 0 || self.name(e, env, scope).is_some() {
            return;
        }
        let value = if is_plain(e) { None } else { self.ev.expr(e, &mut env.clone()).ok() };
        let value = value.filter(|v| v.is_extension() && !matches!(v, Value::Lazy(_)));
        match value {
            Some(v) => {
                let text = self.text_of_expr(e, scope);
                if out.iter().any(|s| s.text == text) {
                    return;
                }
                *room -= 1;
                let mut shown = self.shown(text, &v, &e.ty);
                self.of_all(inside(e), depth - 1, env, scope, room, &mut shown.parts);
                out.push(shown);
            }
            None => self.of_all(inside(e), depth - 1, env, scope, room, out),
        }
    }

    /// The name that an expression is, with its value.
    fn name<'e>(&self, e: &Expr, env: &'e Env, scope: &Scope) -> Option<(String, &'e Value)> {
        let machine = &self.ev.machine;
        match &e.kind {
            ExprKind::Local(id) => {
                let local = scope.iter().rev().find(|l| l.id == *id)?;
                Some((local.name.to_string(), env.local(*id)?))
            }
            ExprKind::Var(id) => {
                Some((machine.variables.get(id.0 as usize)?.name.to_string(), env.var(*id)?))
            }
            ExprKind::Const(id) => {
                Some((machine.constants.get(id.0 as usize)?.name.to_string(), env.constant(*id)?))
            }
            ExprKind::Old(id) => {
                let name = &machine.variables.get(id.0 as usize)?.name;
                let old = env.old.as_ref().unwrap_or(&env.vars);
                Some((format!("{name}$0"), old.get(id.0 as usize)?.as_ref()?))
            }
            _ => None,
        }
    }

    fn shown(&self, text: String, value: &Value, ty: &Ty) -> Shown {
        let value = value.excerpt(ty, &self.ev.world, LONGEST);
        Shown { text, cut: value.len() > LONGEST, value, parts: Vec::new() }
    }
}

/// Whether the value of an expression is seen from its text, or from those of its parts.
fn is_plain(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(_) | ExprKind::Given(_) | ExprKind::FreeSet(_) => true,
        ExprKind::Op(Op::Maplet, _) => true,
        ExprKind::Op(_, args) | ExprKind::SetExt(args) | ExprKind::SeqExt(args) => {
            args.iter().all(|a| matches!(a.kind, ExprKind::Lit(_)))
        }
        _ => false,
    }
}

/// The expressions that are evaluated with an expression, in the same scope.
fn inside(e: &Expr) -> &[Expr] {
    match &e.kind {
        ExprKind::Op(_, args)
        | ExprKind::External(_, args)
        | ExprKind::SetExt(args)
        | ExprKind::SeqExt(args)
        | ExprKind::Rec(args)
        | ExprKind::Struct(args) => args,
        ExprKind::Field(e, _) | ExprKind::Construct(_, _, Some(e)) => std::slice::from_ref(&**e),
        _ => &[],
    }
}
