//! Guesses: values made of those that a formula names, where no search has found or denied a witness.
//!
//! In: a quantifier over sets, relations, sequences or strings of which there are infinitely many. Out: whether a guess is a
//! witness, which decides; that none is one says nothing. `#q.(q : seq(NATURAL) & first(q) = 70)` is true of `[70]`, which is far from
//! the values that windows have. Siblings: `outward` (wider windows on integers), `pred` (who asks).

use super::outward::UnderWay;
use super::walk;
use super::{Env, Evaluator, finite};
use crate::diagnostic::Code;
use crate::ir::{Expr, ExprKind, Local, LocalId, Pred};
use crate::ops::{Fault, Op, World};
use crate::source::Span;
use crate::ty::Ty;
use crate::value::{SetRef, Value};
use std::collections::BTreeSet;
use std::ops::ControlFlow::Continue;

/// Guesses of all variables together.
const TRIED: u64 = 1_000;

/// Values of one variable.
const VALUES: usize = 400;

/// Formulas of which values are made, for each type.
const NAMED: usize = 16;

/// Values that stand in sets.
const MEMBERS: usize = 8;

/// Values that stand in sequences, and the length of those.
const ELEMENTS: usize = 4;
const LENGTH: usize = 4;

/// Sets of exceptions from a constant function.
const EXCEPTIONS: usize = 20;

/// Whether guesses may show what windows do not: there are values that are not made of small integers.
pub(super) fn may_be_guessed(vars: &[Local]) -> bool {
    vars.iter().any(|v| v.ty != Ty::Int && finite::infinite(&v.ty))
}

/// Sets without end that have names.
const INFINITE: [Op; 5] = [Op::Integer, Op::Natural, Op::Natural1, Op::StringSet, Op::RealSet];

/// Whether a set without end is named.
pub(super) fn names_infinite(p: &Pred) -> bool {
    walk::pred_has(p, |e| matches!(e.kind, ExprKind::Op(op, _) if INFINITE.contains(&op)))
}

/// What is named in some formulas.
struct Named<'a> {
    ev: &'a Evaluator,
    exprs: Vec<&'a Expr>,
}

impl<'a> Named<'a> {
    /// All formulas in some predicates but those that read what is quantified there.
    fn new(ev: &'a Evaluator, vars: &[Local], preds: &[&'a Pred]) -> Self {
        let mut bound: Vec<LocalId> = vars.iter().map(|v| v.id).collect();
        preds.iter().for_each(|p| walk::bound_in(p, &mut bound));
        let bound: BTreeSet<LocalId> = bound.into_iter().collect();
        let mut exprs = Vec::new();
        let mut free = |e: &'a Expr| {
            let mut free = !matches!(e.kind, ExprKind::Compr(..) | ExprKind::Lambda(..));
            walk::expr(e, &mut |e| free &= !matches!(e.kind, ExprKind::Local(id) if bound.contains(&id)));
            if free {
                exprs.push(e);
            }
        };
        preds.iter().for_each(|p| walk::pred(p, &mut free));
        Self { ev, exprs }
    }

    /// Values that formulas of a type have, without repetitions, in the order of the text.
    fn named(&self, ty: &Ty, env: &mut Env) -> Vec<Value> {
        let mut out: Vec<Value> = Vec::new();
        for e in self.exprs.iter().filter(|e| e.ty == *ty).take(self.ev.world.few(NAMED)) {
            if let Ok(v) = self.ev.expr(e, env)
                && v.is_extension()
                && !out.contains(&v)
            {
                out.push(v);
            }
        }
        out
    }

    /// Guesses of a type, simple ones first.
    fn values(&self, ty: &Ty, most: usize, env: &mut Env) -> Vec<Value> {
        let most = self.ev.world.few(most);
        let named = self.named(ty, env);
        let mut out = named.clone();
        let mut more = |v: Value| {
            if out.len() < most && !out.contains(&v) {
                out.push(v);
            }
        };
        match ty {
            Ty::Int => {
                let near = |v: &Value| {
                    if let Value::Int(n) = v { [n.checked_add(1), n.checked_sub(1)] } else { [None; 2] }
                };
                let near: Vec<i64> = named.iter().flat_map(near).flatten().collect();
                near.into_iter().chain([0, 1]).for_each(|n| more(Value::Int(n)));
            }
            Ty::Pow(of) => {
                if let Ty::Pair(first, element) = &**of
                    && **first == Ty::Int
                {
                    sequences(&self.values(element, ELEMENTS, env)).for_each(&mut more);
                }
                let some = parts(&self.values(of, MEMBERS, env), &self.ev.world);
                if let Ty::Pair(a, b) = &**of
                    && finite::infinite(a)
                {
                    self.total(ty, (a, b), &some, env).into_iter().for_each(&mut more);
                }
                some.into_iter().for_each(&mut more);
            }
            Ty::Pair(a, b) => {
                let second = self.values(b, MEMBERS, env);
                for x in self.values(a, MEMBERS, env) {
                    second.iter().for_each(|y| more(Value::pair(x.clone(), y.clone())));
                }
            }
            Ty::Rec(fields) => {
                let mut all = vec![Vec::new()];
                for (_, of) in fields.iter() {
                    let values = self.values(of, MEMBERS, env);
                    let longer = |row: &Vec<Value>| -> Vec<Vec<Value>> {
                        values.iter().map(|v| row.iter().chain([v]).cloned().collect()).collect()
                    };
                    all = all.iter().flat_map(longer).take(most).collect();
                }
                all.into_iter().for_each(|row| more(Value::Rec(row.into())));
            }
            _ if !finite::infinite(ty) && finite::estimate(ty, &self.ev.world) <= most as u64 => {
                finite::all(ty, &self.ev.world, None).unwrap_or_default().into_iter().for_each(more);
            }
            _ => {}
        }
        out.truncate(most);
        out
    }
}

impl Named<'_> {
    /// Functions on all of an infinite set that is named: constant, but for a few arguments.
    fn total(&self, ty: &Ty, (a, b): (&Ty, &Ty), exceptions: &[Value], env: &mut Env) -> Vec<Value> {
        let sets = self.exprs.iter().filter(|e| e.ty == Ty::pow(a.clone()));
        let sets: Vec<Value> = sets.filter_map(|e| self.ev.expr(e, env).ok()).collect();
        let domains = sets.iter().filter(|v| !v.is_extension()).take(ELEMENTS);
        let values = self.values(b, ELEMENTS, env);
        let apply = |op, args: [Value; 2]| self.ev.apply(op, &args, ty, Span::default()).ok();
        let constant = |(domain, v): (&Value, &Value)| {
            let to = Value::Set(SetRef::from_vec(vec![v.clone()]));
            apply(Op::Product, [domain.clone(), to])
        };
        let constants: Vec<Value> =
            domains.flat_map(|d| values.iter().map(move |v| (d, v))).filter_map(constant).collect();
        let but = |x: &Value| {
            constants.iter().filter_map(|f| apply(Op::Override, [f.clone(), x.clone()])).collect::<Vec<_>>()
        };
        exceptions.iter().take(EXCEPTIONS).flat_map(but).collect()
    }
}

/// All sequences of some values up to a length, short ones first.
fn sequences(elements: &[Value]) -> impl Iterator<Item = Value> {
    let n = elements.len();
    let all = (0..=LENGTH).flat_map(move |length| {
        let count = n.pow(u32::try_from(length).unwrap_or(0));
        (0..count).map(move |mut number| {
            let element = |i| {
                let v = elements.get(number % n)?.clone();
                number /= n;
                Some(Value::pair(Value::Int(i), v))
            };
            Value::Set(SetRef::from_vec((1..).take(length).map_while(element).collect()))
        })
    });
    all.collect::<Vec<_>>().into_iter()
}

/// All sets of a few values, small ones first.
fn parts(members: &[Value], world: &World) -> Vec<Value> {
    let mut all = Vec::new();
    let few = &members[..members.len().min(MEMBERS)];
    let _stopped = finite::subsets(few, world, &mut |some| {
        all.push(some);
        Ok(Continue(()))
    });
    all.sort_by_key(|some| if let Value::Set(s) = some { s.len() } else { 0 });
    all
}

impl Evaluator {
    /// Whether a guess is a witness.
    ///
    /// # Errors
    /// If the search was interrupted.
    pub(super) fn guessed(
        &self,
        vars: &[Local],
        preds: &[&Pred],
        env: &mut Env,
        is_witness: &mut dyn FnMut(&Self, &mut Env) -> Result<bool, Fault>,
    ) -> Result<bool, Fault> {
        if self.naive || !may_be_guessed(vars) {
            return Ok(false);
        }
        let Some(_under_way) = UnderWay::begin() else { return Ok(false) };
        let named = Named::new(self, vars, preds);
        let lists: Vec<Vec<Value>> = vars.iter().map(|v| named.values(&v.ty, VALUES, env)).collect();
        let all = lists.iter().try_fold(1u64, |n, list| n.checked_mul(list.len() as u64)).unwrap_or(u64::MAX);
        for number in 0..all.min(self.world.at_most(TRIED)) {
            self.go_on()?;
            let mut rest = usize::try_from(number).unwrap_or(usize::MAX);
            for (var, list) in vars.iter().zip(&lists) {
                env.set_local(var.id, list.get(rest % list.len()).cloned());
                rest /= list.len();
            }
            match is_witness(self, env) {
                Ok(true) => return Ok(true),
                Err(f) if f.0.code == Code::Interrupted => return Err(f),
                Ok(false) | Err(_) => {}
            }
        }
        Ok(false)
    }
}
