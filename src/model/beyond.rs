//! Whether a formula is false only because of what MAXINT or MININT is.
//!
//! In: a formula that is false under some values of constants and variables, the sizes. Out: the limit that it speaks of and the
//! least value tried under which it is true: numbers in those values, a few beyond the present limit, some that users choose.

use super::card::Sizes;
use super::conflict::{limits, remedy};
use crate::eval::{Budget, Env, Evaluator, each_expr};
use crate::ir::{ConstId, Expr, ExprKind, Formula};
use crate::ops::{Cuts, World};
use crate::value::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Steps of one evaluation.
const STEPS: u64 = 20_000;
/// Numbers beyond the present limit that are tried.
const TRIED: usize = 40;
/// Parts of values that are looked at for numbers.
const LOOKED_AT: usize = 10_000;

/// What a formula is false for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Beyond {
    /// `MAXINT` or `MININT`.
    pub limit: &'static str,
    /// What it is.
    pub value: i64,
    /// Where that comes from.
    pub origin: &'static str,
    /// The option with which the formula is true.
    pub remedy: String,
}

impl Beyond {
    /// In words.
    #[must_use]
    pub fn text(&self) -> String {
        format!("beyond {} = {} ({}): `{}`", self.limit, self.value, self.origin, self.remedy)
    }
}

/// What a formula, which is false, is false for; `None` if it is no matter of limits, or none was found that helps.
#[must_use]
pub fn beyond(evaluator: &Evaluator, sizes: &Sizes, formula: &Formula, env: &Env) -> Option<Beyond> {
    let mut exprs: Vec<&Expr> = Vec::new();
    each_expr(&formula.pred, &mut |e| exprs.push(e));
    let named = limits(&exprs);
    let numbers = numbers(formula, &exprs, env);
    let holds = |maxint: i64, minint: i64| {
        let cuts = Cuts::default();
        let world = World { maxint, minint, cuts, ..(*evaluator.world).clone() };
        let ev = Evaluator::new(Arc::clone(&evaluator.machine), Arc::new(world));
        let _budget = Budget::of(STEPS);
        let mut env = Env::new(Arc::clone(&env.consts), Arc::clone(&env.vars), formula.frame);
        matches!(ev.pred(&formula.pred, &mut env), Ok(true))
    };
    let (max, min) = (sizes.maxint, sizes.minint);
    if named.iter().any(|n| *n != "MININT") {
        let next = (1..=remedy::NEXT).map(|n| max.saturating_add(n));
        let all: BTreeSet<i64> =
            numbers.iter().copied().chain(next).chain(remedy::USUAL).filter(|n| *n > max).collect();
        if let Some(n) = all.into_iter().take(TRIED).find(|n| holds(*n, min)) {
            let (limit, origin) = ("MAXINT", sizes.origin_of_maxint);
            return Some(Beyond { limit, value: max, origin, remedy: format!("--maxint {n}") });
        }
    }
    if named.iter().any(|n| matches!(*n, "INT" | "MININT")) {
        let next = (1..=remedy::NEXT).map(|n| min.saturating_sub(n));
        let all: BTreeSet<i64> = numbers.iter().copied().chain(next).filter(|n| *n < min).collect();
        if let Some(n) = all.into_iter().rev().take(TRIED).find(|n| holds(max, *n)) {
            let (limit, origin) = ("MININT", sizes.origin_of_minint);
            return Some(Beyond { limit, value: min, origin, remedy: format!("--minint {n}") });
        }
    }
    None
}

/// The integers in the values that a formula reads.
fn numbers(formula: &Formula, exprs: &[&Expr], env: &Env) -> BTreeSet<i64> {
    let constants = exprs.iter().filter_map(|e| match e.kind {
        ExprKind::Const(c) => Some(c),
        _ => None,
    });
    let constants: BTreeSet<ConstId> = constants.collect();
    let constants = constants.into_iter().filter_map(|c| env.constant(c));
    let mut todo: Vec<&Value> = formula.reads.iter().filter_map(|v| env.var(*v)).chain(constants).collect();
    let (mut found, mut room) = (BTreeSet::new(), LOOKED_AT);
    while let Some(v) = todo.pop().filter(|_| room > 0) {
        room -= 1;
        match v {
            Value::Int(n) => {
                found.insert(*n);
            }
            Value::Pair(p) => todo.extend([&p.0, &p.1]),
            Value::Set(s) => todo.extend(s.items().iter().take(room)),
            Value::Rec(fields) => todo.extend(fields.iter()),
            _ => {}
        }
    }
    found
}
