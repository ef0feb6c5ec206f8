//! Constants with more values than anybody tries: how many these are, and some of them.
//!
//! In: a constant of which PROPERTIES say nothing but the set that it is in, or that includes it. Out: where nothing else reads the
//! constant, one value, which is as good as any other ([`OneOf`]); where something does, the first few, and a note that the others
//! were left out. Values are made from the parts of the set, since the set has no list.

use super::bind::{Candidates, Run};
use super::budget::Budget;
use super::ledger::{self, Scope};
use super::plan::{Node, Source};
use super::walk;
use super::{Env, Evaluator, Flow, Sink};
use crate::diagnostic::Code;
use crate::ir::{ConstId, Expr, ExprKind, PredKind};
use crate::ops::{Cut, Fault, Op, size};
use crate::ty::Ty;
use crate::value::symbolic::Size;
use crate::value::{SetRef, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;

/// From here on values are many, as a power of ten: no search goes through so many valuations.
const MANY: f64 = 9.5;
/// Values that are tried of a constant with many that is read.
const SOME: usize = 8;
/// Numbers below this power of ten are written out.
const WRITTEN: f64 = 15.0;
/// Steps to find one value, and how many there are.
const STEPS: u64 = 1 << 20;

/// A constant that nothing reads but the conjunct that says in which set it is.
#[derive(Clone, Debug)]
pub struct OneOf {
    /// The constant.
    pub constant: ConstId,
    /// The conjunct, by its number.
    pub property: usize,
    /// One of its values.
    pub value: Value,
    /// How many it has, in words.
    pub values: Arc<str>,
}

/// A number of values as a power of ten, with its digits if they are few.
struct Count(f64, Option<BigInt>);

impl Count {
    fn exactly(n: BigInt) -> Self {
        let log = log10(&n);
        Self(log, (log < WRITTEN).then_some(n))
    }

    fn text(&self) -> Arc<str> {
        match &self.1 {
            Some(n) => n.to_string().into(),
            None => format!("about 10**{:.0}", self.0.floor()).into(),
        }
    }
}

fn log10(n: &BigInt) -> f64 {
    let shift = n.bits().saturating_sub(64);
    #[allow(clippy::cast_precision_loss, reason = "an estimate")]
    let shifted = shift as f64 * 2f64.log10();
    (n >> shift).to_f64().map_or(0.0, f64::log10) + shifted
}

impl Evaluator {
    /// Of constants that nothing reads but PROPERTIES those that have too many values to be tried, and of which PROPERTIES say only
    /// that.
    #[must_use]
    pub fn one_of_many(&self, unread: &[ConstId]) -> Vec<OneOf> {
        unread.iter().filter_map(|c| self.one_of(*c)).collect()
    }

    fn one_of(&self, constant: ConstId) -> Option<OneOf> {
        let is_it = |e: &Expr| matches!(e.kind, ExprKind::Const(c) if c == constant);
        let mut reading = (0..).zip(&self.machine.properties).filter(|(_, p)| walk::pred_has(&p.pred, is_it));
        let ((property, formula), None) = (reading.next()?, reading.next()) else { return None };
        let PredKind::Op(op @ (Op::In | Op::Subset), args) = &formula.pred.kind else { return None };
        let [what, set] = args.as_slice() else { return None };
        let mut closed = true;
        walk::expr(set, &mut |e| closed &= !matches!(e.kind, ExprKind::Const(_)));
        if !closed || !is_it(what) {
            return None;
        }
        let _few = Budget::of(STEPS);
        let consts = vec![None; self.machine.constants.len()];
        let mut env = Env::new(Arc::new(consts), Arc::default(), formula.frame);
        let (count, mut some) = if *op == Op::In {
            (self.how_many(set, &mut env)?, self.some_of(set, 1, &mut env).ok()?)
        } else {
            let n = exact(&size(&self.expr(set, &mut env).ok()?, &self.cx(&set.ty)))?.to_f64()?;
            (Count(n * 2f64.log10(), None), vec![Value::Set(SetRef::from_vec(Vec::new()))])
        };
        let value = some.pop().filter(|_| count.0 > MANY)?;
        Some(OneOf { constant, property, value, values: count.text() })
    }

    /// How many members a set has; nothing if it is infinite or only a list would tell.
    fn how_many(&self, set: &Expr, env: &mut Env) -> Option<Count> {
        let v = self.expr(set, env).ok()?;
        match size(&v, &self.cx(&set.ty)) {
            Size::Exact(n) => return Some(Count::exactly(n)),
            Size::Infinite => return None,
            Size::Unknown => {}
        }
        let ExprKind::Op(op, parts) = &set.kind else { return None };
        let mut side = |i: usize| {
            let part = parts.get(i)?;
            let v = self.expr(part, env).ok()?;
            exact(&size(&v, &self.cx(&part.ty)))?.to_f64()
        };
        let log = match op {
            Op::Rel => side(0)? * side(1)? * 2f64.log10(),
            Op::PartialFun => side(0)? * (side(1)? + 1.0).log10(),
            Op::TotalFun => side(0)? * side(1)?.log10(),
            Op::Pow | Op::Pow1 | Op::Fin | Op::Fin1 => side(0)? * 2f64.log10(),
            _ => return None,
        };
        Some(Count(log, None))
    }

    /// The first members of a large set, at most so many; made of the parts of the set, if they are known, else as they are
    /// listed.
    fn some_of(&self, set: &Expr, most: usize, env: &mut Env) -> Result<Vec<Value>, Fault> {
        let empty = Value::Set(SetRef::from_vec(Vec::new()));
        let of = |e: &Expr, most: usize, env: &mut Env| -> Result<Vec<Value>, Fault> {
            self.first(&self.expr(e, env)?, &e.ty, most)
        };
        match &set.kind {
            ExprKind::Op(Op::Rel | Op::PartialFun | Op::PartialInj, parts)
                if let [a, b] = parts.as_slice() =>
            {
                let (left, right) = (of(a, 1, env)?, of(b, most, env)?);
                let one = |y: Value| Some(Value::pair(left.first()?.clone(), y));
                Ok(singletons(empty, right.into_iter().filter_map(one), most))
            }
            ExprKind::Op(Op::Pow | Op::Fin, parts) if let [base] = parts.as_slice() => {
                Ok(singletons(empty, of(base, most, env)?.into_iter(), most))
            }
            ExprKind::Op(Op::Pow1 | Op::Fin1, parts) if let [base] = parts.as_slice() => {
                let all = singletons(empty, of(base, most, env)?.into_iter(), most + 1);
                Ok(all.into_iter().skip(1).collect())
            }
            ExprKind::Op(Op::TotalFun, parts) if let [a, b] = parts.as_slice() => {
                let domain = self.expr(a, env)?;
                let constant = |y: Value| {
                    let only = Value::Set(SetRef::from_vec(vec![y]));
                    let ty = Ty::pow(Ty::pair(member(&a.ty), member(&b.ty)));
                    self.apply(Op::Product, &[domain.clone(), only], &ty, set.span)
                };
                of(b, most, env)?.into_iter().map(constant).collect()
            }
            _ => of(set, most, env),
        }
    }

    fn first(&self, set: &Value, ty: &Ty, most: usize) -> Result<Vec<Value>, Fault> {
        let mut out = Vec::new();
        match set {
            Value::Set(s) => out.extend(s.items().iter().take(most).cloned()),
            Value::Lazy(l) => l.each(&self.cx(ty), &mut |v| {
                out.push(v);
                if out.len() < most { Continue(()) } else { Break(()) }
            })?,
            _ => {}
        }
        Ok(out)
    }
}

impl Run<'_> {
    /// Goes on with candidates for constants that cannot be listed: in some other way, or if there is none for a set of this size,
    /// with its first members.
    pub(super) fn each_or_few(
        &self,
        (node, source, set): (&Node, &Source, &Expr),
        candidates: Candidates,
        distinct_left: bool,
        pending: Option<&Fault>,
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        let mut told = false;
        let scope = Scope::begin();
        let flow = self.each(node, source, candidates, distinct_left, pending, env, &mut |ev, env| {
            told = true;
            f(ev, env)
        });
        let noted = scope.end();
        match flow {
            Err(why) if !told && why.0.code == Code::TooLarge => {
                self.first_few(node, source, set, (why, pending), env, f)
            }
            flow => {
                noted.iter().for_each(ledger::note);
                flow
            }
        }
    }

    /// Goes on with the first few members of a set. The rest is left out, which is noted.
    fn first_few(
        &self,
        node: &Node,
        source: &Source,
        set: &Expr,
        (why, pending): (Fault, Option<&Fault>),
        env: &mut Env,
        f: Sink<'_>,
    ) -> Flow {
        let (Some(count), Ok(some)) = (self.ev.how_many(set, env), self.ev.some_of(set, SOME, env)) else {
            return Err(why);
        };
        let known = self.known(source, env)?;
        for i in source.matcher.binds.iter() {
            let u = &self.problem.unknowns[i];
            let of = Some(format!("{} of {}", some.len(), count.text()).into());
            ledger::note(&Cut { what: u.name.clone(), at: u.span, range: None, of });
        }
        for v in some {
            if self.fit(node, source, (&source.matcher.pat, &v), &known, pending, env, f)?.is_break() {
                return Ok(Break(()));
            }
        }
        Ok(Continue(()))
    }
}

/// The empty set and sets of one member each, at most so many in all.
fn singletons(empty: Value, members: impl Iterator<Item = Value>, most: usize) -> Vec<Value> {
    let one = |v| Value::Set(SetRef::from_vec(vec![v]));
    std::iter::once(empty).chain(members.map(one)).take(most).collect()
}

fn exact(size: &Size) -> Option<&BigInt> {
    match size {
        Size::Exact(n) => Some(n),
        _ => None,
    }
}

/// The type of the members of a set.
fn member(ty: &Ty) -> Ty {
    match ty {
        Ty::Pow(t) => (**t).clone(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::testing::{e, evaluator, op, p, set};

    #[test]
    fn the_first_members_are_members() {
        let ev = evaluator();
        let mut env = Env::default();
        let numbers = || Ty::pow(Ty::Int);
        let relations = Ty::pow(Ty::rel(Ty::Int, Ty::Int));
        let two = [
            Op::Rel,
            Op::PartialFun,
            Op::TotalFun,
            Op::PartialInj,
            Op::TotalInj,
            Op::TotalSurj,
            Op::TotalBij,
        ];
        let one = [Op::Pow, Op::Pow1, Op::Fin, Op::Fin1];
        let arrows = two.map(|o| op(o, vec![set(&[1, 2, 3]), set(&[4, 5, 6])], relations.clone()));
        let powers = one.map(|o| op(o, vec![set(&[1, 2, 3])], Ty::pow(numbers())));
        for all in arrows.into_iter().chain(powers) {
            for most in 1..4 {
                let some = ev.some_of(&all, most, &mut env).expect("there are some");
                assert_eq!(some.len(), most, "{all:?}");
                for (i, v) in some.iter().enumerate() {
                    assert!(!some[..i].contains(v));
                    let Some(ty) = all.ty.elem() else { continue };
                    let member = p(Op::In, vec![e(ExprKind::Lit(v.clone()), ty.clone()), all.clone()]);
                    assert_eq!(ev.pred(&member, &mut env), Ok(true), "{v:?}");
                }
            }
        }
        let nothing = op(Op::TotalFun, vec![set(&[1]), set(&[])], relations);
        assert_eq!(ev.some_of(&nothing, 1, &mut env), Ok(Vec::new()));
    }

    #[test]
    fn numbers_of_any_size_have_a_power_of_ten() {
        let text = |n: BigInt| Count::exactly(n).text().to_string();
        assert_eq!(text(BigInt::from(33_554_432)), "33554432");
        assert_eq!(text(BigInt::from(10).pow(400) * 3), "about 10**400");
        assert_eq!(text(BigInt::from(257).pow(65536)), "about 10**157937");
    }
}
