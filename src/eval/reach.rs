//! Where the values of an expression lie, whatever its variables are: whether a function that cannot be listed maps into a set, or
//! is applied within its domain only (`certain`).
//!
//! In: a lambda with its environment, the set in question. Out: yes if a set that includes all values of the body is within it,
//! by intervals, products and powers of what the variables may be; no if an argument is found whose value is outside. For a
//! recursive function the values of inner calls are taken to be in the set: each value comes from finitely many calls, so that
//! the first of them outside would be outside with all inner ones inside.

use super::interval::{Interval, end};
use super::pointwise::same;
use super::{Env, Evaluator};
use crate::ir::{Binder, Expr, ExprKind, Local, LocalId};
use crate::ops::{
    Numbers, Op, are_functions_on, hull, is_function_on, rights_around, rights_around_all, subset, whole,
};
use crate::source::Span;
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use num_bigint::BigInt;

/// Nesting of bodies that is followed; beyond it the whole type is the answer.
const DEEP: u32 = 200;

/// What is known while a body is looked at.
#[derive(Default)]
pub(super) struct Known<'a> {
    /// Sets that include what variables may be.
    pub(super) vars: Vec<(Local, Value)>,
    /// Whether a value is the function that is being looked at, and what a call of that yields.
    own: Option<(&'a dyn Fn(&Value) -> bool, &'a Value)>,
    depth: u32,
}

impl Evaluator {
    /// Whether the values of a body, for all solutions of its binder, are certainly in a set.
    pub(super) fn stays_in(
        &self,
        (binder, body): (&Binder, &Expr),
        ran: &Value,
        own: &dyn Fn(&Value) -> bool,
        env: &mut Env,
    ) -> bool {
        let mut known = Known { own: Some((own, ran)), ..Known::default() };
        self.enter(binder, &mut known, env);
        let around = self.reach(body, &mut known, env);
        subset(&around, ran, &self.cx(&Ty::pow(body.ty.clone()))).unwrap_or(false)
    }

    /// Adds what a binder's variables may be.
    pub(super) fn enter(&self, binder: &Binder, known: &mut Known<'_>, env: &mut Env) {
        let sides = self.sides(&binder.pred, true, &binder.vars, env);
        let all = |v: &Local| whole(&v.ty, &self.world);
        let vars = binder.vars.iter().zip(sides);
        known.vars.extend(vars.map(|(v, side)| (v.clone(), side.unwrap_or_else(|| all(v)))));
    }

    /// Whether a function certainly has a value for all members of a set, whatever the variables are.
    pub(super) fn applies_on(
        &self,
        f: &Expr,
        arguments: &Value,
        known: &mut Known<'_>,
        env: &mut Env,
    ) -> bool {
        let cx = self.cx(&f.ty);
        if reads(f, known) {
            return are_functions_on(&self.reach(f, known, env), arguments, &cx);
        }
        self.expr(f, env).is_ok_and(|f| is_function_on(&f, arguments, &cx))
    }

    /// A set that includes all values of an expression.
    pub(super) fn reach(&self, e: &Expr, known: &mut Known<'_>, env: &mut Env) -> Value {
        known.depth += 1;
        let found = if known.depth > DEEP { None } else { self.reached(e, known, env) };
        known.depth -= 1;
        found.unwrap_or_else(|| whole(&e.ty, &self.world))
    }

    fn reached(&self, e: &Expr, known: &mut Known<'_>, env: &mut Env) -> Option<Value> {
        let ty = Ty::pow(e.ty.clone());
        if let ExprKind::Local(id) = e.kind
            && let Some((_, set)) = known.vars.iter().find(|(v, _)| v.id == id)
        {
            return Some(set.clone());
        }
        if !reads(e, known) {
            return match self.expr(e, env).ok()? {
                Value::Lazy(_) => None,
                v => Some(Value::Set(SetRef::from_vec(vec![v]))),
            };
        }
        match &e.kind {
            ExprKind::If(p, a, b) => {
                let before = known.vars.clone();
                let mut branch = |holds: bool, e: &Expr| {
                    known.vars.clone_from(&before);
                    self.narrow(p, holds, known, env);
                    let set = self.reach(e, known, env);
                    known.vars.clone_from(&before);
                    set
                };
                let both = [branch(true, a), branch(false, b)];
                self.apply(Op::Union, &both, &ty, e.span).ok()
            }
            ExprKind::Let(id, a, b) => {
                let set = self.reach(a, known, env);
                let local = Local { id: *id, ..known.vars.first()?.0.clone() };
                known.vars.push((Local { ty: a.ty.clone(), ..local }, set));
                let set = self.reach(b, known, env);
                known.vars.pop();
                Some(set)
            }
            ExprKind::Op(Op::Apply, args) => {
                let f = args.first()?;
                if reads(f, known) {
                    return rights_around_all(&self.reach(f, known, env));
                }
                let f = self.expr(f, env).ok()?;
                if let Some((own, calls)) = known.own
                    && own(&f)
                {
                    return Some(calls.clone());
                }
                rights_around(&f, &self.cx(&ty))
            }
            ExprKind::Op(Op::Maplet, args) => {
                let [a, b] = &args[..] else { return None };
                let sides = [self.reach(a, known, env), self.reach(b, known, env)];
                self.apply(Op::Product, &sides, &ty, e.span).ok()
            }
            ExprKind::Op(op, args) if e.ty == Ty::Int => self.integers(*op, args, known, env).map(numbers),
            ExprKind::Op(Op::Union | Op::Inter | Op::Diff, args) => {
                let Ty::Pow(elem) = &e.ty else { return None };
                let base = self.members_of(args, elem, known, env)?;
                self.apply(Op::Pow, &[base], &ty, e.span).ok()
            }
            ExprKind::SetExt(items) => {
                let mut base = Value::empty();
                for item in items {
                    let item = self.reach(item, known, env);
                    base = self.apply(Op::Union, &[base, item], &e.ty, e.span).ok()?;
                }
                self.apply(Op::Fin1, &[base], &ty, e.span).ok()
            }
            _ => None,
        }
    }

    /// A set that includes all members of what some sets may be.
    fn members_of(&self, sets: &[Expr], elem: &Ty, known: &mut Known<'_>, env: &mut Env) -> Option<Value> {
        let mut out = Value::empty();
        let ty = Ty::pow(elem.clone());
        for s in sets {
            let powers = self.reach(s, known, env);
            let base = self.apply(Op::BigUnion, &[powers], &ty, s.span).ok();
            let base = base.unwrap_or_else(|| whole(elem, &self.world));
            out = self.apply(Op::Union, &[out, base], &ty, s.span).ok()?;
        }
        Some(out)
    }

    /// Where an integer lies.
    fn integers(&self, op: Op, args: &[Expr], known: &mut Known<'_>, env: &mut Env) -> Option<Interval> {
        if matches!(op, Op::Card | Op::Size) {
            return Some(Interval::new(Some(0), None));
        }
        let mut at = |i: usize| {
            let set = self.reach(args.get(i)?, known, env);
            hull(&set, &self.cx(&Ty::pow(Ty::Int))).map(|n| interval(&n))
        };
        let a = at(0)?;
        Some(match op {
            Op::Neg => a.neg(),
            Op::Add => a.plus(at(1)?),
            Op::Sub => a.plus(at(1)?.neg()),
            Op::Mul if same(args.first()?, args.get(1)?) => square(a),
            Op::Mul => a.times(at(1)?),
            Op::Div => a.over(at(1)?),
            Op::Mod => a.remainder(at(1)?),
            Op::Power if a.lo().is_some_and(|n| n >= 0) => Interval::new(Some(i128::from(a.lo()? > 0)), None),
            _ => return None,
        })
    }

    /// What variables may be where a condition holds, or does not hold.
    fn narrow(&self, p: &crate::ir::Pred, holds: bool, known: &mut Known<'_>, env: &mut Env) {
        let vars: Vec<Local> = known.vars.iter().map(|(v, _)| v.clone()).collect();
        for ((v, set), side) in known.vars.iter_mut().zip(self.sides(p, holds, &vars, env)) {
            let Some(side) = side else { continue };
            let ty = Ty::pow(v.ty.clone());
            if let Ok(met) = self.apply(Op::Inter, &[set.clone(), side], &ty, Span::default()) {
                *set = met;
            }
        }
    }
}

/// Whether an expression reads a variable.
fn reads(e: &Expr, known: &Known<'_>) -> bool {
    let is_known = |id: LocalId| known.vars.iter().any(|(v, _)| v.id == id);
    super::walk::expr_has(e, |e| matches!(e.kind, ExprKind::Local(id) if is_known(id)))
}

fn interval(n: &Numbers) -> Interval {
    Interval::new(n.lo.as_ref().and_then(end), n.hi.as_ref().and_then(end))
}

fn numbers(i: Interval) -> Value {
    Value::lazy(Numbers { lo: i.lo().map(BigInt::from), hi: i.hi().map(BigInt::from) })
}

fn square(a: Interval) -> Interval {
    let all = a.times(a);
    Interval::new(Some(all.lo().unwrap_or(0).max(0)), all.hi())
}
