//! The rule of a lambda: its body in terms of the argument, whatever the names of the variables are.
//!
//! In: the variables, the body. Out: a [`Rule`], if the body is made of the variables, known values, pairs, sums and operators.
//! Absent: what follows from two rules being equal (`ops`).

use super::{Env, Evaluator};
use crate::ir::{Expr, ExprKind, Local, LocalId};
use crate::ops::Op;
use crate::ty::Ty;
use crate::value::Value;
use crate::value::symbolic::Rule;

impl Evaluator {
    /// The rule of a body in terms of the tuple of the variables.
    pub(super) fn rule(&self, vars: &[Local], body: &Expr, env: &mut Env) -> Option<Rule> {
        if !reads(vars, body) {
            let v = self.expr(body, env).ok()?;
            return v.is_extension().then_some(Rule::Known(v));
        }
        match &body.kind {
            ExprKind::Local(id) => path(vars, *id),
            ExprKind::Op(Op::Maplet, args) => {
                let [a, b] = &args[..] else { return None };
                Some(paired(self.rule(vars, a, env)?, self.rule(vars, b, env)?))
            }
            ExprKind::Op(Op::Add | Op::Sub | Op::Neg | Op::Mul, _) if body.ty == Ty::Int => {
                let mut sum = Sum::default();
                self.add(vars, body, 1, &mut sum, env)?;
                sum.rule()
            }
            ExprKind::Op(op, args) => {
                let args = args.iter().map(|a| self.rule(vars, a, env));
                Some(Rule::Op(*op, args.collect::<Option<Vec<_>>>()?))
            }
            _ => None,
        }
    }

    /// Adds a multiple of an integer to a sum.
    fn add(&self, vars: &[Local], e: &Expr, times: i64, sum: &mut Sum, env: &mut Env) -> Option<()> {
        let small = |v: &Rule| match v {
            Rule::Known(Value::Int(n)) => Some(*n),
            _ => None,
        };
        match &e.kind {
            ExprKind::Op(Op::Add, args) => args.iter().try_for_each(|a| self.add(vars, a, times, sum, env)),
            ExprKind::Op(Op::Sub, args) => {
                let [a, b] = &args[..] else { return None };
                self.add(vars, a, times, sum, env)?;
                self.add(vars, b, times.checked_neg()?, sum, env)
            }
            ExprKind::Op(Op::Neg, args) => self.add(vars, args.first()?, times.checked_neg()?, sum, env),
            ExprKind::Op(Op::Mul, args) => {
                let [a, b] = &args[..] else { return None };
                let (x, y) = (self.rule(vars, a, env)?, self.rule(vars, b, env)?);
                match (small(&x), small(&y)) {
                    (Some(k), _) => self.add(vars, b, times.checked_mul(k)?, sum, env),
                    (_, Some(k)) => self.add(vars, a, times.checked_mul(k)?, sum, env),
                    _ => sum.put(times, Rule::Op(Op::Mul, vec![x, y])),
                }
            }
            _ => match self.rule(vars, e, env)? {
                Rule::Known(Value::Int(n)) => {
                    sum.number = sum.number.checked_add(times.checked_mul(n)?)?;
                    Some(())
                }
                Rule::Known(_) => None,
                rule => sum.put(times, rule),
            },
        }
    }
}

/// A sum that grows.
#[derive(Default)]
struct Sum {
    parts: Vec<(i64, Rule)>,
    number: i64,
}

impl Sum {
    fn put(&mut self, times: i64, rule: Rule) -> Option<()> {
        match self.parts.iter_mut().find(|(_, r)| *r == rule) {
            Some((n, _)) => *n = n.checked_add(times)?,
            None => self.parts.push((times, rule)),
        }
        Some(())
    }

    /// The parts in an order that does not depend on how they came.
    fn rule(mut self) -> Option<Rule> {
        // What cancels out may have had no value.
        if self.parts.iter().any(|(n, r)| *n == 0 && !is_total(r)) {
            return None;
        }
        self.parts.retain(|(n, _)| *n != 0);
        self.parts.sort_by_cached_key(|(_, r)| format!("{r:?}"));
        Some(match (&self.parts[..], self.number) {
            ([], n) => Rule::Known(Value::Int(n)),
            ([(1, rule)], 0) => rule.clone(),
            _ => Rule::Sum(self.parts, self.number),
        })
    }
}

/// Whether a rule has a value whatever the argument is.
fn is_total(rule: &Rule) -> bool {
    match rule {
        Rule::Argument | Rule::Known(_) => true,
        Rule::Side(of, _) => is_total(of),
        Rule::Pair(p) => is_total(&p.0) && is_total(&p.1),
        Rule::Sum(parts, _) => parts.iter().all(|(_, r)| is_total(r)),
        Rule::Op(..) => false,
    }
}

fn reads(vars: &[Local], e: &Expr) -> bool {
    super::walk::expr_has(e, |e| matches!(e.kind, ExprKind::Local(id) if vars.iter().any(|v| v.id == id)))
}

/// Where a variable is in the left-nested tuple of all.
fn path(vars: &[Local], id: LocalId) -> Option<Rule> {
    let at = vars.iter().position(|v| v.id == id)?;
    let mut rule = Rule::Argument;
    for _ in at.max(1)..vars.len().saturating_sub(1) {
        rule = Rule::Side(Box::new(rule), true);
    }
    Some(if vars.len() == 1 { rule } else { Rule::Side(Box::new(rule), at == 0) })
}

/// A pair; of both sides of a rule, the rule.
fn paired(a: Rule, b: Rule) -> Rule {
    match (a, b) {
        (Rule::Side(x, true), Rule::Side(y, false)) if x == y => *x,
        (a, b) => Rule::Pair(Box::new((a, b))),
    }
}
