//! What applications of defined functions to sequences of known length come to: with `num = %s.(s : seq(0..9) |
//! SIGMA(i).(i : dom(s) | s(i) * 10**(i-1)))` and `size(s) = 3`, `num(rev(s)) = p` says `s(3) + 10 * s(2) + 100 * s(1) = p`.
//!
//! In: the conjuncts of a problem. Out: equations that follow, and those between two such sums that equal the same: a search
//! narrows sums of points, while a function is a value to it. Nothing of it need be tested, since what it follows from is.
//! Only sums and products of elements are taken, which have a value wherever the sequence has that length, and only functions
//! of unknowns: outside the domain their application is as good as false, where that of known values has no value
//! (b-language.md 4.6), which nothing follows from.

use super::pointwise::same;
use super::problem::Unknown;
use super::small::arithmetic;
use super::spaces::Named;
use super::walk;
use crate::ir::{Expr, ExprKind, LocalId, Pred, PredKind, Scoped};
use crate::ops::Op;
use crate::source::Span;
use crate::syntax::ast::Fold;
use crate::ty::Ty;
use crate::value::Value;

/// Longest sequence whose elements are spelled out.
const LONGEST: usize = 32;

/// Most sums, and equations, inside one another.
const DEPTH: usize = 2;

/// The equations that follow.
pub(super) fn equations(conjuncts: &[Pred], unknowns: &[Unknown], named: &Named) -> Vec<Pred> {
    let finder = Finder { conjuncts, unknowns, named };
    let mut found: Vec<(Expr, &Expr)> = Vec::new();
    let mut out = Vec::new();
    for c in conjuncts {
        let PredKind::Op(Op::Eq, sides) = &c.kind else { continue };
        let [a, b] = &sides[..] else { continue };
        match (finder.unfolded(a), finder.unfolded(b)) {
            (Some(a), Some(b)) => out.push(equation(&a, &b)),
            (Some(sum), None) => found.push((sum, b)),
            (None, Some(sum)) => found.push((sum, a)),
            (None, None) => {}
        }
    }
    for (at, (sum, other)) in found.iter().enumerate() {
        out.push(equation(sum, other));
        let alike = found.iter().take(at).find(|(_, o)| same(o, other) && is_name(o));
        out.extend(alike.map(|(first, _)| equation(first, sum)));
    }
    out
}

fn equation(a: &Expr, b: &Expr) -> Pred {
    Pred { kind: PredKind::Op(Op::Eq, vec![a.clone(), b.clone()]), span: a.span }
}

struct Finder<'a> {
    conjuncts: &'a [Pred],
    unknowns: &'a [Unknown],
    named: &'a Named,
}

impl Finder<'_> {
    /// The value of a defined function at a sequence as a sum of the sequence's elements.
    fn unfolded(&self, e: &Expr) -> Option<Expr> {
        let ExprKind::Op(Op::Apply, args) = &e.kind else { return None };
        let [f, x] = &args[..] else { return None };
        let function = self.named.function(f)?;
        let [s] = &function.binder.vars[..] else { return None };
        let mut open = false;
        walk::expr(x, &mut |e| open |= self.unknowns.iter().any(|u| u.is(e)));
        // What else the function asks of its argument may have no value.
        if !open || self.named.domain(f).is_none() || function.binder.pred.conjuncts().len() != 1 {
            return None;
        }
        let mut items = Vec::new();
        self.items(x, DEPTH, &mut items)?;
        let mut body = Body { sequence: s.id, items: &items, at: Vec::new(), span: e.span };
        body.term(&function.body)
    }

    /// The elements of a sequence, if it is made of unknowns whose lengths are known, or that equations make of such.
    fn items(&self, e: &Expr, depth: usize, out: &mut Vec<Expr>) -> Option<()> {
        match &e.kind {
            ExprKind::Op(Op::Rev, args) => {
                let from = out.len();
                self.items(args.first()?, depth, out)?;
                out.get_mut(from..)?.reverse();
            }
            ExprKind::Op(Op::Concat, args) => args.iter().try_for_each(|a| self.items(a, depth, out))?,
            ExprKind::SeqExt(items) if items.iter().all(is_name) => out.extend(items.iter().cloned()),
            _ if self.unknowns.iter().any(|u| u.is(e)) => {
                let Some(length) = self.length(e) else { return self.defined(e, depth, out) };
                let ty = e.ty.sides()?.1;
                let point = |n| {
                    let kind = ExprKind::Op(Op::Apply, vec![e.clone(), Expr::int(n, e.span)]);
                    Expr { kind, ty: ty.clone(), span: e.span }
                };
                out.extend((1..=length).map(point));
            }
            _ => return None,
        }
        (out.len() <= LONGEST).then_some(())
    }

    /// The elements of an unknown that an equation makes of others: `s = k ^ rev(k)`.
    fn defined(&self, e: &Expr, depth: usize, out: &mut Vec<Expr>) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        let from = out.len();
        self.conjuncts.iter().find_map(|c| {
            let PredKind::Op(Op::Eq, sides) = &c.kind else { return None };
            let [a, b] = &sides[..] else { return None };
            let of = if same(a, e) { b } else { Some(a).filter(|_| same(b, e))? };
            out.truncate(from);
            self.items(of, depth, out)
        })
    }

    /// The length that a conjunct `size(s) = n` gives.
    fn length(&self, e: &Expr) -> Option<i64> {
        let of = |size: &Expr| match &size.kind {
            ExprKind::Op(Op::Size, args) => args.first().is_some_and(|s| same(s, e)),
            _ => false,
        };
        let n = self.conjuncts.iter().find_map(|c| match &c.kind {
            PredKind::Op(Op::Eq, sides) => match &sides[..] {
                [size, n] | [n, size] if of(size) => number(n),
                _ => None,
            },
            _ => None,
        })?;
        usize::try_from(n).is_ok_and(|n| n <= LONGEST).then_some(n)
    }
}

/// The body of a function of a sequence.
struct Body<'a> {
    sequence: LocalId,
    items: &'a [Expr],
    /// Variables that are summed over, with their values.
    at: Vec<(LocalId, i64)>,
    span: Span,
}

impl Body<'_> {
    /// A term without the function's own variables; `None` for terms of other forms.
    fn term(&mut self, e: &Expr) -> Option<Expr> {
        let n = |n| Expr::int(n, self.span);
        match &e.kind {
            ExprKind::Lit(Value::Int(m)) => Some(n(*m)),
            ExprKind::Local(id) => self.at.iter().find(|(v, _)| v == id).map(|(_, m)| n(*m)),
            ExprKind::Op(Op::Size | Op::Card, args) if self.is_sequence(args.first()?) => {
                i64::try_from(self.items.len()).ok().map(n)
            }
            ExprKind::Op(Op::Apply, args) => {
                let [f, i] = &args[..] else { return None };
                let i = usize::try_from(number(&self.term(i)?)?).ok()?.checked_sub(1)?;
                if self.is_sequence(f) { self.items.get(i).cloned() } else { None }
            }
            ExprKind::Op(op, args) => {
                let [a, b] = &args[..] else { return None };
                let (a, b) = (self.term(a)?, self.term(b)?);
                match (number(&a), number(&b)) {
                    (Some(a), Some(b)) => arithmetic(*op, a, b).map(|m| Expr::int(m, self.span)),
                    _ if matches!(op, Op::Add | Op::Sub | Op::Mul) => Some(self.op(*op, a, b)),
                    _ => None,
                }
            }
            ExprKind::Fold(Fold::Sum, s) => self.sum(s),
            _ => None,
        }
    }

    fn op(&self, op: Op, a: Expr, b: Expr) -> Expr {
        Expr::op(op, vec![a, b], Ty::Int, self.span)
    }

    /// `SIGMA(i).(i : dom(s) | term)` and `SIGMA(i).(i : 1..size(s) | term)`.
    fn sum(&mut self, s: &Scoped<Expr>) -> Option<Expr> {
        let ([i], PredKind::Op(Op::In, sides)) = (&s.binder.vars[..], &s.binder.pred.kind) else {
            return None;
        };
        let [x, set] = &sides[..] else { return None };
        if !matches!(x.kind, ExprKind::Local(id) if id == i.id) || self.at.len() >= DEPTH {
            return None;
        }
        let all = match &set.kind {
            ExprKind::Op(Op::Dom, args) if self.is_sequence(args.first()?) => {
                1..=i64::try_from(self.items.len()).ok()?
            }
            ExprKind::Op(Op::Interval, ends) => {
                let [from, to] = &ends[..] else { return None };
                let (from, to) = (number(&self.term(from)?)?, number(&self.term(to)?)?);
                let few = to.checked_sub(from)? < i64::try_from(LONGEST).ok()?;
                few.then_some(from..=to)?
            }
            _ => return None,
        };
        let mut total: Option<Expr> = None;
        for n in all {
            self.at.push((i.id, n));
            let term = self.term(&s.body);
            self.at.pop();
            let term = term?;
            total = Some(match total {
                Some(total) => self.op(Op::Add, total, term),
                None => term,
            });
        }
        Some(total.unwrap_or_else(|| Expr::int(0, self.span)))
    }

    fn is_sequence(&self, e: &Expr) -> bool {
        matches!(e.kind, ExprKind::Local(id) if id == self.sequence)
    }
}

/// Whether an expression has a value in any case.
fn is_name(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Lit(_) | ExprKind::Local(_) | ExprKind::Const(_))
}

fn number(e: &Expr) -> Option<i64> {
    match e.kind {
        ExprKind::Lit(Value::Int(n)) => Some(n),
        _ => None,
    }
}
