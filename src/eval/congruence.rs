//! Equations that contradict a comparison: `z = y & x = z & a = x * x & b = y * y & a /= b`.
//!
//! In: the conjuncts of a problem. Out: whether sums, products, pairs and unknowns that equations make equal are said to differ.
//! Only what always has a value is looked at, so some conjunct is false whatever the unknowns are, and no fault counts.
//! Nothing is evaluated here.

use super::problem::{Index, slot_of};
use crate::ir::{Expr, ExprKind, Pred, PredKind};
use crate::ops::Op;
use crate::ty::Ty;
use crate::value::Value;
use smallvec::SmallVec;
use std::collections::HashMap;

/// Problems with more conjuncts are not looked at.
const MOST: usize = 512;

/// Whether some conjuncts say that two terms differ that others make equal.
pub(super) fn contradicts(conjuncts: &[Pred], index: &Index) -> bool {
    let of = |wanted: fn(Op) -> bool| {
        conjuncts.iter().filter_map(move |c| match &c.kind {
            PredKind::Op(op, sides) if wanted(*op) => <&[Expr; 2]>::try_from(&sides[..]).ok(),
            _ => None,
        })
    };
    let differs = |op| matches!(op, Op::Neq | Op::Lt | Op::Gt);
    let equals = |op| op == Op::Eq;
    if conjuncts.len() > MOST || of(differs).next().is_none() || of(equals).next().is_none() {
        return false;
    }
    let mut terms = Terms { index, leaves: HashMap::new(), made: Vec::new(), class: Vec::new() };
    for [a, b] in of(equals) {
        if let (Some(a), Some(b)) = (terms.term(a), terms.term(b)) {
            terms.join(a, b);
        }
    }
    let apart: Vec<(usize, usize)> =
        of(differs).filter_map(|[a, b]| Some((terms.term(a)?, terms.term(b)?))).collect();
    terms.close();
    apart.iter().any(|(a, b)| terms.class[*a] == terms.class[*b])
}

/// What a term without parts is.
#[derive(PartialEq, Eq, Hash)]
enum Leaf {
    Unknown(usize),
    Int(i64),
}

/// Terms by number, and what they are known to be equal to.
struct Terms<'p> {
    index: &'p Index,
    leaves: HashMap<Leaf, usize>,
    /// Those with parts.
    made: Vec<(usize, Op, SmallVec<[usize; 2]>)>,
    /// For each term the one that stands for it and its equals.
    class: Vec<usize>,
}

impl Terms<'_> {
    /// The number of an expression; `None` if it may be without value, or is of another kind.
    fn term(&mut self, e: &Expr) -> Option<usize> {
        let next = self.class.len();
        let leaf = match &e.kind {
            ExprKind::Lit(Value::Int(n)) => Some(Leaf::Int(*n)),
            _ => slot_of(e).and_then(|s| self.index.get(s)).map(Leaf::Unknown),
        };
        if let Some(leaf) = leaf {
            let number = *self.leaves.entry(leaf).or_insert(next);
            if number == next {
                self.class.push(next);
            }
            return Some(number);
        }
        let ExprKind::Op(op, args) = &e.kind else { return None };
        let total = match op {
            Op::Add | Op::Sub | Op::Mul | Op::Neg => e.ty == Ty::Int,
            Op::Maplet => true,
            _ => false,
        };
        if !total {
            return None;
        }
        let parts = args.iter().map(|a| self.term(a)).collect::<Option<_>>()?;
        let number = self.class.len();
        self.class.push(number);
        self.made.push((number, *op, parts));
        Some(number)
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.class[a], self.class[b]);
        self.class.iter_mut().filter(|c| **c == b).for_each(|c| *c = a);
    }

    /// Makes terms equal whose parts are.
    fn close(&mut self) {
        loop {
            let mut first: HashMap<(Op, SmallVec<[usize; 2]>), usize> = HashMap::new();
            let mut equal = Vec::new();
            for (number, op, parts) in &self.made {
                let mut parts: SmallVec<[usize; 2]> = parts.iter().map(|p| self.class[*p]).collect();
                if matches!(op, Op::Add | Op::Mul) {
                    parts.sort_unstable();
                }
                let same = *first.entry((*op, parts)).or_insert(*number);
                if self.class[same] != self.class[*number] {
                    equal.push((same, *number));
                }
            }
            if equal.is_empty() {
                return;
            }
            equal.into_iter().for_each(|(a, b)| self.join(a, b));
        }
    }
}
