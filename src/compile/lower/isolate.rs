//! Comparisons of sums solved for a variable.
//!
//! In: an integer expression that is a sum with one occurrence of the variable. Out: the other terms with their signs,
//! so that `balance + x <= most` bounds x by `most - balance`. The comparison itself is still tested.

use super::free::expr_mentions;
use super::shape::Range;
use super::{Env, Lower, Res};
use crate::compile::word::{Checked, Opd};
use crate::ir::{Expr, ExprKind, LocalId};
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

impl Sum<'_> {
    /// All expressions that a comparison with `e` gives a bound by.
    pub(super) fn parts<'a>(&'a self, e: &'a Expr) -> impl Iterator<Item = &'a Expr> {
        self.terms.iter().map(|(_, t)| *t).chain(std::iter::once(e))
    }
}

impl Lower<'_> {
    /// What the variable is if the sum is the value of `e`.
    pub(super) fn solved(&mut self, sum: &Sum<'_>, e: &Expr, env: &Env) -> Res<(Opd, Range)> {
        let (mut w, mut r) = self.int(e, env)?;
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
