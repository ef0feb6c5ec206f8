//! Values of expressions.
//!
//! In: an expression, an environment. Out: its value or a fault at the innermost expression that has none.
//! Members of sets and parts of pairs are put in extension here ([`Evaluator::settle`]), so that the order of
//! values means what it should; a set at the top may stay lazy.

use super::solve::{ALL, Mode};
use super::{Env, Evaluator};
use crate::diagnostic::Code;
use crate::ir::{Binder, Expr, ExprKind, LocalId, PredKind, Scoped};
use crate::ops::{Fault, Meaning, Op, gather, whole};
use crate::syntax::ast::Fold;
use crate::ty::{FreeId, Ty};
use crate::value::{SetRef, Value};
use smallvec::SmallVec;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Most members that are gone through without a question whether to go on.
const MEMBERS: u64 = 1 << 10;

/// Evaluated arguments.
pub(super) type Args = SmallVec<[Value; 2]>;

impl Evaluator {
    /// The value of an expression.
    ///
    /// # Errors
    /// A fault with the place of the innermost expression that has no value.
    pub fn expr(&self, e: &Expr, env: &mut Env) -> Result<Value, Fault> {
        let mut e = e;
        // Recursive functions nest thousands of these calls, so what takes much of the stack stands elsewhere, and a
        // branch is no call.
        loop {
            e = match &e.kind {
                ExprKind::Lit(v) => return Ok(v.clone()),
                ExprKind::Local(id) => return env.local(*id).cloned().ok_or_else(|| unset("a local", e)),
                ExprKind::Const(id) => return env.constant(*id).cloned().ok_or_else(|| self.unset_name(e)),
                ExprKind::Var(id) => return env.var(*id).cloned().ok_or_else(|| self.unset_name(e)),
                ExprKind::Given(s) => return Ok(self.given(*s)),
                ExprKind::Op(op, args) => {
                    return match (op, &args[..]) {
                        (Op::Apply, [f, x]) => self.application(f, x, e, env),
                        (Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Power, [a, b])
                            if e.ty == Ty::Int =>
                        {
                            self.sum(*op, [a, b], &e.ty, e.span, env)
                        }
                        _ => self.operator(*op, args, e, env),
                    };
                }
                ExprKind::If(p, a, b) => {
                    if self.pred(p, env)? {
                        a
                    } else {
                        b
                    }
                }
                ExprKind::Let(id, a, b) => {
                    let v = self.settled(a, env)?;
                    env.set_local(*id, Some(v));
                    b
                }
                _ => return self.composed(e, env),
            };
        }
    }

    /// The value of an expression that is no name, operator or branch.
    #[inline(never)]
    fn composed(&self, e: &Expr, env: &mut Env) -> Result<Value, Fault> {
        match &e.kind {
            ExprKind::Old(id) => (env.old.as_ref())
                .map_or_else(|| env.var(*id), |old| old.get(id.0 as usize).and_then(Option::as_ref))
                .cloned()
                .ok_or_else(|| unset("an old value", e)),
            ExprKind::External(ext, args) => {
                let last = args.last().map_or(&Ty::Any, |a| &a.ty);
                let args = self.settled_args(args, env)?;
                match ext.meaning {
                    Meaning::Value(f) => f(&args, &self.cx(&e.ty)).map_err(|f| f.at(e.span)),
                    Meaning::Text(f) => f(&args, last, &self.cx(&e.ty)).map_err(|f| f.at(e.span)),
                    Meaning::Pred(f) => f(&args, &self.cx(&e.ty)).map(Value::Bool).map_err(|f| f.at(e.span)),
                    Meaning::Overloaded => Err(Fault::new(Code::Unsupported, ext.name).at(e.span)),
                }
            }
            ExprKind::SetExt(items) => {
                let items = self.settled_args(items, env)?.into_vec();
                gather(items, &self.cx(&e.ty)).map(Value::Set).map_err(|f| f.at(e.span))
            }
            ExprKind::SeqExt(items) => {
                let items = self.settled_args(items, env)?;
                let pairs = (1..).zip(items).map(|(i, v)| Value::pair(Value::Int(i), v)).collect();
                Ok(Value::Set(SetRef::from_sorted(pairs)))
            }
            ExprKind::Rec(items) => Ok(Value::Rec(self.settled_args(items, env)?.into_vec().into())),
            ExprKind::Struct(sets) => {
                let sets = sets.iter().map(|s| self.expr(s, env)).collect::<Result<Vec<_>, _>>()?;
                Ok(Self::record_set(sets, e))
            }
            // Of a name only the field is taken, not all of the record first.
            ExprKind::Field(r, i) => match env.held(e) {
                Some(v) => Ok(v.clone()),
                None => match self.expr(r, env)? {
                    Value::Rec(fields) => fields.get(*i as usize).cloned().ok_or_else(|| misfit(e)),
                    _ => Err(misfit(e)),
                },
            },
            ExprKind::Construct(t, c, arg) => {
                let arg = arg.as_ref().map(|a| self.settled(a, env)).transpose()?;
                Ok(Value::Free(*t, *c, arg.map(Arc::new)))
            }
            ExprKind::FreeSet(t) => Ok(whole(&Ty::Free(FreeId(*t)), &self.world)),
            ExprKind::Bool(p) => self.pred(p, env).map(Value::Bool),
            ExprKind::Compr(binder, symbolic) => self.comprehension(binder, *symbolic, e, env),
            ExprKind::Lambda(scoped, symbolic) => self.lambda(scoped, *symbolic, e, env),
            ExprKind::Image(scoped) => self.image_set(scoped, e, env),
            ExprKind::Fold(fold, scoped) => {
                self.remembered((&scoped.binder, e), env, |ev, env| ev.fold(*fold, scoped, e, env))
            }
            ExprKind::Lit(_)
            | ExprKind::Local(_)
            | ExprKind::Const(_)
            | ExprKind::Var(_)
            | ExprKind::Given(_)
            | ExprKind::Op(..)
            | ExprKind::If(..)
            | ExprKind::Let(..) => self.expr(e, env),
        }
    }

    #[cold]
    fn unset_name(&self, e: &Expr) -> Fault {
        let name = match &e.kind {
            ExprKind::Const(id) => self.machine.constants.get(id.0 as usize).map(|d| &*d.name),
            ExprKind::Var(id) => self.machine.variables.get(id.0 as usize).map(|d| &*d.name),
            _ => None,
        };
        unset(
            name.unwrap_or(if matches!(e.kind, ExprKind::Const(_)) { "a constant" } else { "a variable" }),
            e,
        )
    }

    #[inline(never)]
    fn operator(&self, op: Op, args: &[Expr], e: &Expr, env: &mut Env) -> Result<Value, Fault> {
        match (op, args) {
            (Op::Maplet, [a, b]) => Ok(Value::pair(self.settled(a, env)?, self.settled(b, env)?)),
            (Op::Image, [r, set]) => self.image(r, set, e, env),
            (Op::Ran, [f]) if matches!(f.kind, ExprKind::Lambda(_, false)) => {
                if let Some(v) = self.values_of(f, env) {
                    return v;
                }
                let args = self.args(args, env)?;
                self.apply(op, &args, &e.ty, e.span)
            }
            (Op::Max | Op::Min, [set])
                if let ExprKind::Op(side @ (Op::Ran | Op::Dom), of) = &set.kind
                    && let [r] = &of[..]
                    && !matches!(r.kind, ExprKind::Lambda(..)) =>
            {
                self.extreme(op, (*side, of), set, e, env)
            }
            (Op::Card, [set]) if matches!(set.kind, ExprKind::Compr(..)) => self.count(set, e, env),
            (Op::Prepend | Op::Append, _) => {
                let args = self.settled_args(args, env)?;
                self.apply(op, &args, &e.ty, e.span)
            }
            _ => {
                let args = self.args(args, env)?;
                self.apply(op, &args, &e.ty, e.span)
            }
        }
    }

    /// `f(x)`.
    #[inline(never)]
    fn application(&self, f: &Expr, x: &Expr, e: &Expr, env: &mut Env) -> Result<Value, Fault> {
        if let ExprKind::Lambda(scoped, _) = &f.kind {
            let x = self.settled(x, env)?;
            return self.apply_lambda(scoped, &x, e, env);
        }
        if let ExprKind::SetExt(pairs) = &f.kind
            && let Some(y) = self.chosen(pairs, x, env)?
        {
            return Ok(y);
        }
        let f = self.expr(f, env)?;
        let x = self.settled(x, env)?;
        if let Value::Set(s) = &f
            && let [Value::Pair(p)] = s.row(&x)
        {
            return Ok(p.1.clone());
        }
        self.apply(Op::Apply, &[f, x], &e.ty, e.span)
    }

    /// `{a |-> b, ..}(x)`: the right side whose left side is x, the others not being evaluated. `None` unless there is
    /// exactly one such pair.
    #[inline(never)]
    fn chosen(&self, pairs: &[Expr], x: &Expr, env: &mut Env) -> Result<Option<Value>, Fault> {
        if !pairs.iter().all(|p| matches!(&p.kind, ExprKind::Op(Op::Maplet, _))) {
            return Ok(None);
        }
        let x = self.settled(x, env)?;
        let mut found = None;
        for p in pairs {
            let ExprKind::Op(_, sides) = &p.kind else { return Ok(None) };
            let [a, b] = &sides[..] else { return Ok(None) };
            let a1 = self.settled(a, env)?;
            if self.equal(&a1, &x, &a.ty, a.span)? && found.replace(b).is_some() {
                return Ok(None);
            }
        }
        found.map(|b| self.settled(b, env)).transpose()
    }

    fn count(&self, set: &Expr, e: &Expr, env: &mut Env) -> Result<Value, Fault> {
        let v = self.expr(set, env)?;
        self.apply(Op::Card, &[v], &e.ty, e.span)
    }

    /// Evaluates arguments from left to right.
    pub(super) fn args(&self, args: &[Expr], env: &mut Env) -> Result<Args, Fault> {
        let mut out = Args::with_capacity(args.len());
        for a in args {
            out.push(self.expr(a, env)?);
        }
        Ok(out)
    }

    pub(super) fn settled_args(&self, args: &[Expr], env: &mut Env) -> Result<Args, Fault> {
        let mut out = Args::with_capacity(args.len());
        for a in args {
            out.push(self.settled(a, env)?);
        }
        Ok(out)
    }

    /// The value of an expression, in extension if it is finite and not too large.
    pub(crate) fn settled(&self, e: &Expr, env: &mut Env) -> Result<Value, Fault> {
        let v = self.expr(e, env)?;
        self.settle_space(v, e)
    }

    /// Puts a value in extension where that is possible.
    pub(super) fn settle(&self, v: Value, ty: &Ty) -> Result<Value, Fault> {
        let Value::Lazy(_) = &v else { return Ok(v) };
        match crate::eval::closure::try_expand(self, &v, ty) {
            Some(Ok(s)) => Ok(Value::Set(s)),
            Some(Err(f)) if f.0.code == Code::Interrupted => Err(f),
            _ => Ok(v),
        }
    }

    fn fold(&self, fold: Fold, scoped: &Scoped<Expr>, e: &Expr, env: &mut Env) -> Result<Value, Fault> {
        let start = match fold {
            Fold::Sum if e.ty == Ty::Real => Some(Value::Real(0.0)),
            Fold::Product if e.ty == Ty::Real => Some(Value::Real(1.0)),
            Fold::Sum => Some(Value::Int(0)),
            Fold::Product => Some(Value::Int(1)),
            Fold::Union => Some(Value::empty()),
            Fold::Inter => None,
        };
        let op = match fold {
            Fold::Sum => Op::Add,
            Fold::Product => Op::Mul,
            Fold::Union => return self.big_union(scoped, e, env),
            Fold::Inter => Op::Inter,
        };
        if let Fold::Sum | Fold::Product = fold
            && e.ty == Ty::Int
            && let Some(n) = self.looped_fold(fold == Fold::Product, scoped, env)
        {
            return Ok(Value::Int(n));
        }
        let mut total = start;
        let mut add = |ev: &Self, env: &mut Env| {
            let v = ev.expr(&scoped.body, env)?;
            total = Some(match (total.take(), v) {
                (None, v) => v,
                (Some(Value::Int(t)), Value::Int(n)) if let Some(n) = super::small::arithmetic(op, t, n) => {
                    Value::Int(n)
                }
                (Some(t), v) => ev.apply(op, &[t, v], &e.ty, e.span)?,
            });
            Ok(ControlFlow::Continue(()))
        };
        if let Some((id, set)) = self.only_members(&scoped.binder, env) {
            for x in set.items() {
                env.set_local(id, Some(x.clone()));
                let _ = add(self, env)?;
            }
        } else {
            // Sums of reals depend on the order.
            let mode = Mode { any_order: e.ty == Ty::Int, ..ALL };
            let _ = match self.binder_solutions(&scoped.binder, mode, env, &mut add) {
                Err(f) if fold == Fold::Inter && f.0.code == Code::Undecided => {
                    return self.in_common(scoped, total, f, env);
                }
                flow => flow?,
            };
        }
        total.ok_or_else(|| Fault::new(Code::EmptySet, "INTER over no solutions has no value").at(e.span))
    }

    /// The members that a binder goes through if it says `x : dom(r)` and no more: short sums are found often, and to begin a
    /// search takes longer than they do. `None` where the common way must answer.
    fn only_members(&self, binder: &Binder, env: &mut Env) -> Option<(LocalId, SetRef)> {
        let ([x], PredKind::Op(Op::In, sides)) = (&binder.vars[..], &binder.pred.kind) else { return None };
        let [e, set] = &sides[..] else { return None };
        let ExprKind::Op(Op::Dom | Op::Ran, of) = &set.kind else { return None };
        let named = |e: &Expr| match e.kind {
            ExprKind::Local(id) => id != x.id,
            _ => matches!(e.kind, ExprKind::Const(_) | ExprKind::Var(_)),
        };
        if !matches!(e.kind, ExprKind::Local(id) if id == x.id) || !of.iter().all(named) {
            return None;
        }
        let Ok(Value::Set(set)) = self.expr(set, env) else { return None };
        let few = set.is_extension() && (set.len() as u64) < super::budget::left().min(MEMBERS);
        few.then(|| {
            self.went_on(set.len() as u64);
            super::solve::went_on(set.len() as u64);
            (x.id, set)
        })
    }

    fn big_union(&self, scoped: &Scoped<Expr>, e: &Expr, env: &mut Env) -> Result<Value, Fault> {
        let mut items: Vec<Value> = Vec::new();
        let mut lazies: Vec<Value> = Vec::new();
        let mode = Mode { any_order: true, ..ALL };
        let _ = self.binder_solutions(&scoped.binder, mode, env, &mut |ev, env| {
            match ev.settled(&scoped.body, env)? {
                Value::Set(s) => items.extend_from_slice(s.items()),
                other => lazies.push(other),
            }
            Ok(ControlFlow::Continue(()))
        })?;
        let mut total = Value::Set(SetRef::from_vec(items));
        for l in lazies {
            total = self.apply(Op::Union, &[total, l], &e.ty, e.span)?;
        }
        Ok(total)
    }
}

#[cold]
fn unset(name: &str, e: &Expr) -> Fault {
    Fault::new(Code::Unset, format!("{name} is read before it has a value")).at(e.span)
}

fn misfit(e: &Expr) -> Fault {
    Fault::new(Code::Unsupported, "a value that does not fit its type").at(e.span)
}
