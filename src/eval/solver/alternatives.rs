//! Operators on arguments of which each can be one of a few values.
//!
//! In: an operator without a rule of its own, arguments. Out: what its value can be, one by one. Where it has no value
//! for some of them, nothing is said: the exact test decides.

use super::Search;
use super::abs::{ALTERNATIVES, Abs, right};
use crate::diagnostic::Code;
use crate::eval::Env;
use crate::eval::small::arithmetic;
use crate::ir::Expr;
use crate::ops::Op;
use crate::ty::Ty;
use crate::value::Value;

impl Search<'_> {
    /// The values of an operator of one argument, or two, for all that these can be.
    pub(super) fn of_each<'a>(&'a self, op: Op, args: &[Expr], e: &Expr, env: &mut Env) -> Abs<'a> {
        // Sets of sets stay unlisted.
        if matches!(e.ty.elem(), Some(Ty::Pow(_))) {
            return Abs::Top;
        }
        let alternatives: Option<Vec<Vec<Value>>> =
            args.iter().map(|a| self.abs(a, env).alternatives()).collect();
        let all = match alternatives.as_deref() {
            Some([xs]) => xs.iter().map(|x| vec![x.clone()]).collect::<Vec<_>>(),
            Some([xs, ys]) if xs.len() * ys.len() <= ALTERNATIVES => {
                xs.iter().flat_map(|x| ys.iter().map(move |y| vec![x.clone(), y.clone()])).collect()
            }
            _ => return Abs::Top,
        };
        let ev = self.run.ev;
        let one = |args: &Vec<Value>| {
            let v = ev.apply(op, args, &e.ty, e.span).and_then(|v| ev.settle(v, &e.ty)).ok()?;
            v.is_extension().then_some(v)
        };
        all.iter().map(one).collect::<Option<Vec<Value>>>().map_or(Abs::Top, one_of)
    }

    /// What a function that is not listed may have for values at possible arguments: `prj1(INTEGER, INTEGER)`, lambdas.
    pub(super) fn applied_unlisted<'a>(&'a self, f: &Expr, x: &Abs<'a>) -> Abs<'a> {
        let (Some(function), Some((_, to))) = (self.unlisted(f), f.ty.sides()) else { return Abs::Top };
        let Some(xs) = x.alternatives().filter(|xs| xs.len() <= ALTERNATIVES) else { return Abs::Top };
        let ev = self.run.ev;
        let mut all = Vec::with_capacity(xs.len());
        for x in xs {
            match ev.apply(Op::Apply, &[function.clone(), x.clone()], to, f.span) {
                Ok(v) if v.is_extension() => all.push(v),
                Err(fault) if fault.0.code == Code::OutsideDomain => {}
                _ => return Abs::Top,
            }
        }
        one_of(all)
    }
}

/// What functions, of which each is possible, may have for values at possible arguments.
pub(super) fn applied_each<'s>(fs: &[Value], xs: &[Value]) -> Abs<'s> {
    let mut all = Vec::new();
    for f in fs {
        let Value::Set(s) = f else { return Abs::Top };
        all.extend(xs.iter().flat_map(|x| s.row(x)).filter_map(right));
    }
    one_of(all)
}

/// What arithmetic makes of small integers, without the way through the operators.
pub(super) fn small(op: Op, a: &Value, b: &Value) -> Option<Value> {
    let (Value::Int(a), Value::Int(b)) = (a, b) else { return None };
    arithmetic(op, *a, *b).map(Value::Int)
}

pub(super) fn one_of<'s>(mut vs: Vec<Value>) -> Abs<'s> {
    vs.sort_unstable();
    vs.dedup();
    match vs.len() {
        0 => Abs::Top,
        1 => Abs::Known(vs.swap_remove(0)),
        _ => Abs::OneOf(vs),
    }
}
