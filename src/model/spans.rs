//! Between which numbers PROPERTIES leave the sizes of sets, and integer constants.
//!
//! In: the conjuncts, the sizes that are known. Out: [`Spans`], a range for each given set and each constant, narrowed by one
//! conjunct after the other until nothing changes: equations and comparisons of numbers and of sets, memberships in intervals,
//! power sets, arrows and sequences, inclusions, partitions. Every solution lies in the ranges; what is not understood narrows
//! nothing.

use super::facts::{Facts, equation};
use crate::ir::{Expr, ExprKind, Machine, Pred, PredKind};
use crate::ops::Op;
use crate::ty::{SetId, Ty};
use crate::value::Value;

/// Rounds over all conjuncts; long chains against the order of the text need many.
const ROUNDS: usize = 64;

/// A range of numbers; its ends stand for no end as well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Span {
    pub(super) lo: i64,
    pub(super) hi: i64,
}

const ALL: Span = Span { lo: i64::MIN, hi: i64::MAX };
const SIZE: Span = Span { lo: 0, hi: i64::MAX };
const SOME: Span = Span { lo: 1, hi: i64::MAX };

impl Span {
    fn point(n: i64) -> Self {
        Self { lo: n, hi: n }
    }

    fn at_least(lo: i64) -> Self {
        Self { lo, hi: i64::MAX }
    }

    fn at_most(hi: i64) -> Self {
        Self { lo: i64::MIN, hi }
    }

    /// The only number in it.
    pub(super) fn only(self) -> Option<i64> {
        (self.lo == self.hi).then_some(self.lo)
    }

    fn meet(self, other: Self) -> Self {
        Self { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) }
    }

    fn plus(self, other: Self) -> Self {
        // The ends that stand for none stay what they are.
        let end = |a: i64, b: i64, none: i64| if a == none || b == none { none } else { a.saturating_add(b) };
        Self { lo: end(self.lo, other.lo, i64::MIN), hi: end(self.hi, other.hi, i64::MAX) }
    }

    fn negated(self) -> Self {
        let turned = |n: i64| match n {
            i64::MAX => i64::MIN,
            i64::MIN => i64::MAX,
            n => -n,
        };
        Self { lo: turned(self.hi), hi: turned(self.lo) }
    }

    fn minus(self, other: Self) -> Self {
        self.plus(other.negated())
    }

    /// The product of two ranges without negative numbers.
    fn times(self, other: Self) -> Self {
        if self.lo < 0 || other.lo < 0 {
            return ALL;
        }
        let hi = match (self.hi, other.hi) {
            (0, _) | (_, 0) => 0,
            (i64::MAX, _) | (_, i64::MAX) => i64::MAX,
            (a, b) => a.saturating_mul(b),
        };
        Self { lo: self.lo.saturating_mul(other.lo), hi }
    }

    /// What times a positive number lies in it.
    fn divided(self, by: i64) -> Self {
        let up = |n: i64| if n == i64::MIN { n } else { n.div_euclid(by) + i64::from(n.rem_euclid(by) > 0) };
        let down = |n: i64| if n == i64::MAX { n } else { n.div_euclid(by) };
        Self { lo: up(self.lo), hi: down(self.hi) }
    }
}

/// The ranges.
pub(super) struct Spans<'f> {
    facts: &'f Facts<'f>,
    maxint: i64,
    minint: i64,
    given: Vec<Span>,
    /// Of a set the number of its elements, of an integer its value.
    constants: Vec<Span>,
    changed: bool,
}

impl<'f> Spans<'f> {
    /// The ranges that PROPERTIES leave where some sets have known sizes.
    pub(super) fn new(
        machine: &Machine,
        facts: &'f Facts<'f>,
        (maxint, minint): (i64, i64),
        known: &dyn Fn(SetId) -> Option<u32>,
    ) -> Self {
        let given = (0u16..).zip(&machine.sets).map(|(i, set)| match &set.elements {
            Some(names) => Span::point(i64::try_from(names.len()).unwrap_or(i64::MAX)),
            None => known(SetId(i)).map_or(SOME, |n| Span::point(n.into())),
        });
        let constants = machine.constants.iter().map(|c| if c.ty == Ty::Int { ALL } else { SIZE });
        let (given, constants) = (given.collect(), constants.collect());
        let mut spans = Self { facts, maxint, minint, given, constants, changed: true };
        for _ in 0..ROUNDS {
            if !std::mem::take(&mut spans.changed) {
                break;
            }
            facts.conjuncts.iter().for_each(|p| spans.conjunct(p));
            for split in &facts.splits {
                spans.sum(
                    &Expr { kind: ExprKind::Given(split.set), ..blank(split.parts.first()) },
                    &split.parts,
                );
            }
        }
        spans
    }

    /// The sizes that a set can have.
    pub(super) fn size(&self, set: SetId) -> Span {
        self.given.get(usize::from(set.0)).copied().unwrap_or(SOME)
    }

    /// What an integer expression can be.
    fn number(&self, e: &Expr) -> Span {
        match &e.kind {
            ExprKind::Lit(Value::Int(n)) => Span::point(*n),
            ExprKind::Const(c) => self.constants.get(c.0 as usize).copied().unwrap_or(ALL),
            ExprKind::Op(op, args) => match (op, args.as_slice()) {
                (Op::Maxint, _) => Span::point(self.maxint),
                (Op::Minint, _) => Span::point(self.minint),
                (Op::Add, [a, b]) => self.number(a).plus(self.number(b)),
                (Op::Sub, [a, b]) => self.number(a).minus(self.number(b)),
                (Op::Mul, [a, b]) => self.number(a).times(self.number(b)),
                (Op::Neg, [a]) => self.number(a).negated(),
                (Op::Card | Op::Size, [s]) => self.card(s),
                _ => ALL,
            },
            _ => ALL,
        }
    }

    /// How many elements a set can have.
    fn card(&self, e: &Expr) -> Span {
        let count = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        match &e.kind {
            ExprKind::Given(s) => self.size(*s),
            ExprKind::Const(c) => self.constants.get(c.0 as usize).copied().unwrap_or(SIZE),
            ExprKind::Lit(Value::Set(s)) => Span::point(count(s.items().len())),
            ExprKind::SeqExt(items) => Span::point(count(items.len())),
            ExprKind::SetExt(items) => {
                let apart = (items.iter().enumerate())
                    .all(|(i, a)| items.iter().skip(i + 1).all(|b| self.facts.differ_exprs(a, b)));
                Span { lo: if apart { count(items.len()) } else { 1 }, hi: count(items.len()) }
            }
            ExprKind::Op(op, args) => self.card_of(*op, args).meet(SIZE),
            _ => SIZE,
        }
    }

    fn card_of(&self, op: Op, args: &[Expr]) -> Span {
        let card = |e| self.card(e);
        match (op, args) {
            (Op::BoolSet, _) => Span::point(2),
            (Op::Nat, _) => Span::point(self.maxint.saturating_add(1)),
            (Op::Nat1, _) => Span::point(self.maxint),
            (Op::Int, _) => Span::point(self.maxint.saturating_sub(self.minint).saturating_add(1)),
            (Op::Interval, [a, b]) => {
                let n = self.number(b).minus(self.number(a)).plus(Span::point(1));
                Span { lo: n.lo.max(0), hi: n.hi.max(0) }
            }
            (Op::Product, [a, b]) => card(a).times(card(b)),
            (Op::Union, [a, b]) => {
                let (a, b) = (card(a), card(b));
                Span { lo: a.lo.max(b.lo), hi: a.plus(b).hi }
            }
            (Op::Inter, [a, b]) => Span { lo: 0, hi: card(a).hi.min(card(b).hi) },
            (Op::Diff, [a, b]) => Span { lo: card(a).minus(card(b)).lo, hi: card(a).hi },
            (Op::Dom | Op::Ran, [f]) => Span { lo: card(f).lo.min(1), hi: card(f).hi },
            (Op::Inverse | Op::Rev, [f]) => card(f),
            _ => SIZE,
        }
    }

    /// Narrows a range. One that would be empty is left: nothing follows from what has no solution.
    fn narrow(slot: Option<&mut Span>, by: Span, changed: &mut bool) {
        if let Some(slot) = slot {
            let met = slot.meet(by);
            if met.lo <= met.hi && met != *slot {
                *slot = met;
                *changed = true;
            }
        }
    }

    fn is_number(&mut self, e: &Expr, span: Span) {
        match &e.kind {
            ExprKind::Const(c) => {
                Self::narrow(self.constants.get_mut(c.0 as usize), span, &mut self.changed);
            }
            ExprKind::Op(op, args) => match (op, args.as_slice()) {
                (Op::Add, [a, b]) => {
                    self.is_number(a, span.minus(self.number(b)));
                    self.is_number(b, span.minus(self.number(a)));
                }
                (Op::Sub, [a, b]) => {
                    self.is_number(a, span.plus(self.number(b)));
                    self.is_number(b, self.number(a).minus(span));
                }
                (Op::Mul, [a, b]) => {
                    for (x, other) in [(a, b), (b, a)] {
                        if let Some(n) = self.number(other).only().filter(|n| *n > 0) {
                            self.is_number(x, span.divided(n));
                        }
                    }
                }
                (Op::Neg, [a]) => self.is_number(a, span.negated()),
                (Op::Card | Op::Size, [s]) => self.has(s, span),
                _ => {}
            },
            _ => {}
        }
    }

    /// A set has so many elements.
    fn has(&mut self, e: &Expr, span: Span) {
        match &e.kind {
            ExprKind::Given(s) => {
                Self::narrow(self.given.get_mut(usize::from(s.0)), span, &mut self.changed);
            }
            ExprKind::Const(c) => {
                Self::narrow(self.constants.get_mut(c.0 as usize), span, &mut self.changed);
            }
            ExprKind::Op(op, args) => match (op, args.as_slice()) {
                (Op::Product, [a, b]) => {
                    for (x, other) in [(a, b), (b, a)] {
                        if let Some(n) = self.card(other).only().filter(|n| *n > 0) {
                            self.has(x, span.divided(n));
                        }
                    }
                }
                (Op::Union, [a, b]) => {
                    for (x, other) in [(a, b), (b, a)] {
                        let lo = Span::point(span.lo).minus(self.card(other)).lo;
                        self.has(x, Span { lo, hi: span.hi });
                    }
                }
                (Op::Inter, [a, b]) => {
                    self.has(a, Span::at_least(span.lo));
                    self.has(b, Span::at_least(span.lo));
                }
                (Op::Diff | Op::Dom | Op::Ran, [a, ..]) => self.has(a, Span::at_least(span.lo)),
                (Op::Inverse | Op::Rev, [f]) => self.has(f, span),
                (Op::Interval, [a, b]) if span.lo > 0 => {
                    let steps = span.minus(Span::point(1));
                    self.is_number(b, self.number(a).plus(steps));
                    self.is_number(a, self.number(b).minus(steps));
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn same_size(&mut self, a: &Expr, b: &Expr) {
        self.has(a, self.card(b));
        self.has(b, self.card(a));
    }

    /// The first set has no more elements than the second, and so many fewer.
    fn not_larger(&mut self, a: &Expr, b: &Expr, fewer: i64) {
        let by = Span::point(fewer);
        self.has(a, Span::at_most(self.card(b).minus(by).hi));
        self.has(b, Span::at_least(self.card(a).plus(by).lo));
    }

    fn less(&mut self, a: &Expr, b: &Expr, by: i64) {
        let by = Span::point(by);
        self.is_number(a, Span::at_most(self.number(b).minus(by).hi));
        self.is_number(b, Span::at_least(self.number(a).plus(by).lo));
    }

    /// A set is split into parts.
    fn sum(&mut self, whole: &Expr, parts: &[&Expr]) {
        let all = parts.iter().fold(Span::point(0), |n, p| n.plus(self.card(p)));
        self.has(whole, all);
        for (i, part) in parts.iter().enumerate() {
            let others = parts.iter().enumerate().filter(|(j, _)| *j != i);
            let others = others.fold(Span::point(0), |n, (_, p)| n.plus(self.card(p)));
            self.has(part, self.card(whole).minus(others));
        }
    }

    fn conjunct(&mut self, p: &Pred) {
        if let Some((a, b)) = equation(p) {
            return match &a.ty {
                Ty::Int => {
                    self.is_number(a, self.number(b));
                    self.is_number(b, self.number(a));
                }
                Ty::Pow(_) => self.same_size(a, b),
                _ => {}
            };
        }
        match &p.kind {
            PredKind::Op(op, args) => self.operator(*op, args),
            PredKind::Not(inner) => {
                if let Some((a, b)) = equation(inner) {
                    self.differ(a, b);
                }
            }
            _ => {}
        }
    }

    fn operator(&mut self, op: Op, args: &[Expr]) {
        match (op, args) {
            (Op::Neq, [a, b]) => self.differ(a, b),
            (Op::Lt, [a, b]) | (Op::Gt, [b, a]) => self.less(a, b, 1),
            (Op::Le, [a, b]) | (Op::Ge, [b, a]) => self.less(a, b, 0),
            (Op::Subset, [a, b]) => self.not_larger(a, b, 0),
            (Op::StrictSubset, [a, b]) => self.not_larger(a, b, 1),
            (Op::Partition, [whole, parts @ ..]) => self.sum(whole, &parts.iter().collect::<Vec<_>>()),
            (Op::In, [x, set]) => {
                self.has(set, SOME);
                match &x.ty {
                    Ty::Int => self.member(x, set),
                    Ty::Pow(_) => self.set_in(x, set),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// `a /= b`: sets that are not empty, numbers at an end of what is left.
    fn differ(&mut self, a: &Expr, b: &Expr) {
        for (x, other) in [(a, b), (b, a)] {
            match &x.ty {
                Ty::Pow(_) if self.card(other).only() == Some(0) => self.has(x, SOME),
                Ty::Int => {
                    let (span, Some(n)) = (self.number(x), self.number(other).only()) else { continue };
                    if span.lo == n {
                        self.is_number(x, Span::at_least(n.saturating_add(1)));
                    } else if span.hi == n {
                        self.is_number(x, Span::at_most(n.saturating_sub(1)));
                    }
                }
                _ => {}
            }
        }
    }

    /// A number in a set.
    fn member(&mut self, x: &Expr, set: &Expr) {
        let span = match &set.kind {
            ExprKind::SetExt(items) => {
                let each = items.iter().map(|e| self.number(e));
                each.reduce(|a, b| Span { lo: a.lo.min(b.lo), hi: a.hi.max(b.hi) }).unwrap_or(ALL)
            }
            ExprKind::Lit(Value::Set(s)) => match (s.items().first(), s.items().last()) {
                (Some(Value::Int(lo)), Some(Value::Int(hi))) => Span { lo: *lo, hi: *hi },
                _ => ALL,
            },
            ExprKind::Op(op, args) => match (op, args.as_slice()) {
                (Op::Interval, [a, b]) => {
                    self.less(a, x, 0);
                    self.less(x, b, 0);
                    ALL
                }
                (Op::Nat, _) => Span { lo: 0, hi: self.maxint },
                (Op::Nat1, _) => Span { lo: 1, hi: self.maxint },
                (Op::Int, _) => Span { lo: self.minint, hi: self.maxint },
                (Op::Natural, _) => SIZE,
                (Op::Natural1, _) => SOME,
                _ => ALL,
            },
            _ => ALL,
        };
        self.is_number(x, span);
    }

    /// A set, function or sequence in a set of them.
    fn set_in(&mut self, x: &Expr, set: &Expr) {
        let ExprKind::Op(op, args) = &set.kind else { return };
        match (op, args.as_slice()) {
            (Op::Pow | Op::Fin, [s]) => self.not_larger(x, s, 0),
            (Op::Pow1 | Op::Fin1, [s]) => {
                self.has(x, SOME);
                self.not_larger(x, s, 0);
            }
            (Op::Seq1, _) => self.has(x, SOME),
            (Op::Iseq, [s]) => self.not_larger(x, s, 0),
            (Op::Iseq1, [s]) => {
                self.has(x, SOME);
                self.not_larger(x, s, 0);
            }
            (Op::Perm, [s]) => self.same_size(x, s),
            (arrow, [a, b]) => self.arrow(*arrow, x, a, b),
            _ => {}
        }
    }

    /// `x : a --> b` and the like.
    fn arrow(&mut self, arrow: Op, x: &Expr, a: &Expr, b: &Expr) {
        use Op::{
            PartialBij, PartialFun, PartialInj, PartialSurj, SurjRel, TotalBij, TotalFun, TotalInj, TotalRel,
            TotalSurj, TotalSurjRel,
        };
        let is = |list: &[Op]| list.contains(&arrow);
        if is(&[PartialFun, PartialInj, PartialSurj, PartialBij]) {
            self.not_larger(x, a, 0);
        }
        if is(&[TotalFun, TotalInj, TotalSurj, TotalBij]) {
            self.same_size(x, a);
        }
        if is(&[PartialInj, TotalInj, PartialBij, TotalBij]) {
            self.not_larger(x, b, 0);
        }
        if is(&[PartialSurj, TotalSurj, PartialBij, TotalBij, SurjRel, TotalSurjRel]) {
            self.not_larger(b, x, 0);
        }
        if is(&[TotalRel, TotalSurjRel]) {
            self.not_larger(a, x, 0);
        }
        // The sides by themselves: what is a member need be no constant.
        if is(&[TotalInj, TotalBij]) {
            self.not_larger(a, b, 0);
        }
        if is(&[PartialSurj, TotalSurj, PartialBij, TotalBij]) {
            self.not_larger(b, a, 0);
        }
    }
}

/// An expression to be filled in, of the type and place of another.
fn blank(like: Option<&&Expr>) -> Expr {
    let (ty, span) = like.map_or((Ty::Any, crate::source::Span::default()), |e| (e.ty.clone(), e.span));
    Expr { kind: ExprKind::Lit(Value::empty()), ty, span }
}
