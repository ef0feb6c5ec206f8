//! Sums solved for a variable.
//!
//! In: an integer expression that is a sum with one occurrence of the variable. Out: the other terms with their signs,
//! so that `x + 1 = e` gives x, and `balance + x <= most` bounds x by `most - balance` (the comparison itself is still
//! tested).

use super::free::{expr_mentions, in_expr};
use super::shape::Range;
use super::{Env, Lower, Res};
use crate::compile::word::{Checked, Opd};
use crate::ir::{Expr, ExprKind, LocalId, Pred, PredKind};
use crate::ops::Op;
use crate::ty::Ty;
use Opd::K;

/// `e` is `x` plus or minus the terms, or, if `negative`, `-x` plus or minus them.
pub(super) struct Sum<'e> {
    pub(super) negative: bool,
    /// Whether a term is subtracted, and the term.
    pub(super) terms: Vec<(bool, &'e Expr)>,
}

/// An expression as a sum with the variable in it.
pub(super) fn isolate(e: &Expr, x: LocalId) -> Option<Sum<'_>> {
    match &e.kind {
        ExprKind::Local(l) if *l == x => Some(Sum { negative: false, terms: Vec::new() }),
        ExprKind::Op(op @ (Op::Add | Op::Sub), args) if e.ty == Ty::Int => {
            let [a, b] = args.as_slice() else { return None };
            match (expr_mentions(a, &[x]), expr_mentions(b, &[x])) {
                (true, false) => {
                    let mut sum = isolate(a, x)?;
                    sum.terms.push((*op == Op::Sub, b));
                    Some(sum)
                }
                (false, true) => {
                    let mut sum = isolate(b, x)?;
                    if *op == Op::Sub {
                        sum.negative = !sum.negative;
                        sum.terms.iter_mut().for_each(|(minus, _)| *minus = !*minus);
                    }
                    sum.terms.push((false, a));
                    Some(sum)
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// What a comparison says of a variable.
pub(super) struct Limit<'e> {
    /// Whether the variable is at most so great; else at least.
    pub(super) below: bool,
    /// What is to be added to the bound.
    pub(super) by: i64,
    /// The side with the variable, the other side.
    pub(super) sum: Sum<'e>,
    pub(super) other: &'e Expr,
}

/// Most comparisons in a chain such as `i < j & j < k & k <= n`.
const CHAIN: u32 = 4;

/// The comparisons among conjuncts that limit a variable by what is known, chains of them last.
pub(super) fn limits<'e>(x: LocalId, rest: &[&'e Pred], env: &Env) -> Vec<Limit<'e>> {
    chained(x, rest, env, CHAIN)
}

fn chained<'e>(x: LocalId, rest: &[&'e Pred], env: &Env, links: u32) -> Vec<Limit<'e>> {
    let (mut known, mut open) = (Vec::new(), Vec::new());
    for l in rest.iter().filter_map(|p| limit(x, p)) {
        if l.parts().any(|e| mentions_open(e, env)) { open.push(l) } else { known.push(l) }
    }
    if links == 0 {
        return known;
    }
    for l in open.iter().filter(|l| l.sum.is_plain()) {
        let ExprKind::Local(y) = l.other.kind else { continue };
        // What limits y limits x: `x < y & y <= n`.
        let further = chained(y, rest, env, links - 1).into_iter();
        let further = further.filter(|f| f.below == l.below && f.sum.is_plain());
        known.extend(further.map(|f| Limit { by: l.by + f.by, ..f }));
    }
    known
}

/// Whether there is a variable without value in an expression.
fn mentions_open(e: &Expr, env: &Env) -> bool {
    let mut open = false;
    in_expr(e, &mut |e| open |= matches!(&e.kind, ExprKind::Local(l) if !env.locals.contains_key(l)));
    open
}

impl<'e> Limit<'e> {
    /// All expressions that the bound is computed from.
    fn parts(&self) -> impl Iterator<Item = &'e Expr> {
        self.sum.terms.iter().map(|(_, t)| *t).chain([self.other])
    }
}

fn limit(x: LocalId, p: &Pred) -> Option<Limit<'_>> {
    let PredKind::Op(op, args) = &p.kind else { return None };
    let [a, b] = args.as_slice() else { return None };
    let (side, other, left) = match (expr_mentions(a, &[x]), expr_mentions(b, &[x])) {
        (true, false) => (a, b, true),
        (false, true) => (b, a, false),
        _ => return None,
    };
    let (below, by) = match (op, left) {
        (Op::Lt, true) | (Op::Gt, false) => (true, -1i64),
        (Op::Le, true) | (Op::Ge, false) => (true, 0),
        (Op::Gt, true) | (Op::Lt, false) => (false, 1),
        (Op::Ge, true) | (Op::Le, false) => (false, 0),
        _ => return None,
    };
    let sum = isolate(side, x)?;
    let (below, by) = if sum.negative { (!below, -by) } else { (below, by) };
    Some(Limit { below, by, sum, other })
}

impl Sum<'_> {
    /// Whether the sum is the variable.
    fn is_plain(&self) -> bool {
        !self.negative && self.terms.is_empty()
    }
}

impl Lower<'_> {
    /// What the variable is if the sum has a value.
    pub(super) fn solved(
        &mut self,
        sum: &Sum<'_>,
        (mut w, mut r): (Opd, Range),
        env: &Env,
    ) -> Res<(Opd, Range)> {
        for (minus, t) in &sum.terms {
            let (v, Range(lo, hi)) = self.int(t, env)?;
            let Range(l, h) = r;
            (w, r) = if *minus {
                (self.b.checked(Checked::Add, w, v), Range(l.saturating_add(lo), h.saturating_add(hi)))
            } else {
                (self.b.checked(Checked::Sub, w, v), Range(l.saturating_sub(hi), h.saturating_sub(lo)))
            };
        }
        if sum.negative {
            let Range(l, h) = r;
            w = self.b.checked(Checked::Sub, K(0), w);
            r = Range(0i64.saturating_sub(h), 0i64.saturating_sub(l));
        }
        Ok((w, r))
    }
}
