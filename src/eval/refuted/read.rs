//! What conjuncts say of unknown integers.
//!
//! In: predicates, the unknowns in them. Out: rows (a polynomial that is not positive) and cases of rows; what is
//! not understood says nothing. A quotient is an unknown of its own.

use super::eliminate::{denied, each_case};
use super::polynomial::{FACTORS, Number, Polynomial, constant, product, sum};
use super::{CASES, LEVELS, NOTHING, Said};
use crate::eval::ints::power_of;
use crate::eval::walk::Reads;
use crate::eval::{Env, Evaluator, negate};
use crate::ir::{Binder, Expr, ExprKind, Local, LocalId, Pred, PredKind};
use crate::ops::{Op, interval_of};
use crate::ty::Ty;
use crate::value::Value;
use std::collections::BTreeMap;
use std::mem::replace;

pub(super) struct Reader<'a> {
    ev: &'a Evaluator,
    env: &'a mut Env,
    /// The unknowns in scope, and what is a name for something made of these.
    names: BTreeMap<LocalId, Polynomial>,
    /// How many unknowns there are.
    pub(super) count: Number,
    /// Whether all that was read is said in full.
    exact: bool,
    /// Whether divisions are read, which ones have been, and what is known of their quotients.
    divides: bool,
    pub(super) dividends: Vec<Polynomial>,
    pub(super) quotients: Vec<Said>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(ev: &'a Evaluator, divides: bool, env: &'a mut Env) -> Self {
        let (names, dividends, quotients) = (BTreeMap::new(), Vec::new(), Vec::new());
        Self { ev, env, names, count: 0, exact: true, divides, dividends, quotients }
    }

    fn fresh(&mut self) -> Number {
        self.count += 1;
        self.count
    }

    /// Gives variables numbers.
    pub(super) fn open(&mut self, vars: &[Local]) {
        for v in vars {
            let number = self.fresh();
            self.names.insert(v.id, [(vec![number], 1)].into());
        }
    }

    /// Nothing, of what says something.
    fn nothing(&mut self) -> Said {
        self.exact = false;
        NOTHING
    }

    /// What it says that there are, or are not, values for which a predicate is true and another is true or false.
    fn exists(&mut self, binder: &Binder, body: Option<&Pred>, holds: bool, levels: usize) -> Said {
        if binder.vars.iter().any(|v| v.ty != Ty::Int) {
            return self.nothing();
        }
        let (before, whole, divides) =
            (self.count, replace(&mut self.exact, true), replace(&mut self.divides, false));
        let names = self.names.clone();
        self.open(&binder.vars);
        let mut said = vec![self.said(&binder.pred, true, levels)];
        said.extend(body.map(|p| self.said(p, false, levels)));
        self.names = names;
        self.divides = divides;
        let said = Said::All(said);
        if holds {
            self.exact &= whole;
            return said;
        }
        let mut cases = Vec::new();
        let exact = replace(&mut self.exact, whole);
        if !exact
            || !each_case(Vec::new(), &[&said], &mut CASES.clone(), &mut |rows| cases.push(rows.to_vec()))
        {
            return self.nothing();
        }
        let projected: Option<Vec<Said>> = cases.into_iter().map(|rows| denied(rows, before)).collect();
        projected.map_or_else(|| self.nothing(), Said::All)
    }

    /// What it says that a predicate is true, or false.
    pub(super) fn said(&mut self, p: &Pred, holds: bool, levels: usize) -> Said {
        let Some(levels) = levels.checked_sub(1) else { return self.nothing() };
        match (&p.kind, holds) {
            (PredKind::True, true) | (PredKind::False, false) => NOTHING,
            (PredKind::True, false) | (PredKind::False, true) => Said::One(Vec::new()),
            (PredKind::And(ps), true) | (PredKind::Or(ps), false) => {
                Said::All(ps.iter().map(|p| self.said(p, holds, levels)).collect())
            }
            (PredKind::And(ps), false) | (PredKind::Or(ps), true) => {
                Said::One(ps.iter().map(|p| self.said(p, holds, levels)).collect())
            }
            (PredKind::Not(p), _) => self.said(p, !holds, levels),
            (PredKind::Implies(a, b), _) => {
                let parts = vec![self.said(a, !holds, levels), self.said(b, holds, levels)];
                if holds { Said::One(parts) } else { Said::All(parts) }
            }
            (PredKind::Iff(a, b), _) => {
                let mut both = |a_holds, b_holds| {
                    Said::All(vec![self.said(a, a_holds, levels), self.said(b, b_holds, levels)])
                };
                Said::One(vec![both(true, holds), both(false, !holds)])
            }
            (PredKind::Op(op, args), _) => match &args[..] {
                [x, set] if x.ty == Ty::Int && matches!(op, Op::In | Op::NotIn) => {
                    let is_member = holds == (*op == Op::In);
                    self.member(x, set, is_member, levels).unwrap_or_else(|| self.nothing())
                }
                [a, b] if a.ty == Ty::Int => {
                    self.compared(*op, a, b, holds).unwrap_or_else(|| self.nothing())
                }
                _ => self.nothing(),
            },
            (PredKind::Exists(b), _) => self.exists(b, None, holds, levels),
            (PredKind::Forall(s), _) => self.exists(&s.binder, Some(&s.body), !holds, levels),
            _ => self.nothing(),
        }
    }

    fn compared(&mut self, op: Op, a: &Expr, b: &Expr, holds: bool) -> Option<Said> {
        let op = if holds { op } else { negate::opposite(op)? };
        let difference = sum(self.polynomial(a, LEVELS)?, &self.polynomial(b, LEVELS)?, -1)?;
        // Integers: less is less or equal by one.
        let at_most = |by: i128| Some(Said::Row(sum(difference.clone(), &constant(by), 1)?));
        let at_least = |by: i128| Some(Said::Row(sum(constant(by), &difference, -1)?));
        Some(match op {
            Op::Lt => at_most(1)?,
            Op::Le => at_most(0)?,
            Op::Gt => at_least(1)?,
            Op::Ge => at_least(0)?,
            Op::Eq => Said::All(vec![at_most(0)?, at_least(0)?]),
            Op::Neq => Said::One(vec![at_most(1)?, at_least(1)?]),
            _ => return None,
        })
    }

    /// What it says that an integer is a member of a set, or is none.
    fn member(&mut self, x: &Expr, set: &Expr, holds: bool, levels: usize) -> Option<Said> {
        match &set.kind {
            ExprKind::Compr(y, _) if y.vars.len() == 1 => {
                let x = self.polynomial(x, LEVELS)?;
                let names = self.names.clone();
                self.names.extend(y.vars.iter().map(|y| (y.id, x.clone())));
                let said = self.said(&y.pred, holds, levels);
                self.names = names;
                Some(said)
            }
            ExprKind::SetExt(items) if self.is_unknown(set) => {
                let equal = if holds { Op::Eq } else { Op::Neq };
                let each = items.iter().map(|item| self.compared(equal, x, item, true));
                let each = each.collect::<Option<_>>()?;
                Some(if holds { Said::One(each) } else { Said::All(each) })
            }
            _ => self.between(x, set, holds),
        }
    }

    /// What it says that an integer is, or is not, in a set that has ends.
    fn between(&mut self, x: &Expr, set: &Expr, holds: bool) -> Option<Said> {
        let x = self.polynomial(x, LEVELS)?;
        let (low, high, whole) = self.ends(set)?;
        let below = |end: &Polynomial, by| Some(Said::Row(sum(sum(x.clone(), end, -1)?, &constant(by), 1)?));
        let above = |end: &Polynomial, by| Some(Said::Row(sum(sum(constant(by), &x, -1)?, end, 1)?));
        let mut sides = Vec::new();
        if let Some(low) = &low {
            sides.push(if holds { above(low, 0)? } else { below(low, 1)? });
        }
        if let Some(high) = &high {
            sides.push(if holds { below(high, 0)? } else { above(high, 1)? });
        }
        match holds {
            true => {
                self.exact &= whole;
                Some(Said::All(sides))
            }
            // Between its ends a set may have holes.
            false if whole => Some(Said::One(sides)),
            false => None,
        }
    }

    /// The ends of a set, and whether all between them are members.
    fn ends(&mut self, set: &Expr) -> Option<(Option<Polynomial>, Option<Polynomial>, bool)> {
        if let ExprKind::Op(Op::Interval, ends) = &set.kind
            && let [a, b] = &ends[..]
        {
            return Some((Some(self.polynomial(a, LEVELS)?), Some(self.polynomial(b, LEVELS)?), true));
        }
        if self.is_unknown(set) {
            return None;
        }
        let v = self.ev.expr(set, self.env).ok()?;
        let end = |n: Option<&num_bigint::BigInt>| match n {
            Some(n) => Some(Some(constant(i128::try_from(n).ok()?))),
            None => Some(None),
        };
        if let Some(range) = interval_of(&v) {
            return Some((end(range.lo.as_ref())?, end(range.hi.as_ref())?, true));
        }
        let Value::Set(s) = &v else { return None };
        let items = if s.is_extension() { s.items() } else { return None };
        let end = |v: Option<&Value>| match v {
            Some(Value::Int(n)) => Some(Some(constant((*n).into()))),
            _ => None,
        };
        Some((end(items.first())?, end(items.last())?, false))
    }

    fn is_unknown(&self, e: &Expr) -> bool {
        Reads::of(e).free().any(|id| self.names.contains_key(&id))
    }

    /// An integer as a polynomial; `None` if it is none, or may have no value.
    fn polynomial(&mut self, e: &Expr, levels: usize) -> Option<Polynomial> {
        let levels = levels.checked_sub(1)?;
        match &e.kind {
            ExprKind::Lit(Value::Int(n)) => return Some(constant((*n).into())),
            ExprKind::Local(id) if let Some(named) = self.names.get(id) => return Some(named.clone()),
            ExprKind::Op(op, args) => match (op, &args[..]) {
                (Op::Add, [a, b]) => {
                    return sum(self.polynomial(a, levels)?, &self.polynomial(b, levels)?, 1);
                }
                (Op::Sub, [a, b]) => {
                    return sum(self.polynomial(a, levels)?, &self.polynomial(b, levels)?, -1);
                }
                (Op::Neg, [a]) => return sum(Polynomial::new(), &self.polynomial(a, levels)?, -1),
                (Op::Mul, [a, b]) => {
                    return product(&self.polynomial(a, levels)?, &self.polynomial(b, levels)?);
                }
                (Op::Div | Op::Mod, [a, b]) if self.divides && self.is_unknown(a) && !self.is_unknown(b) => {
                    return self.divided(*op, a, b, levels);
                }
                (Op::Power, args) => {
                    if let Some((a, n)) = power_of(Op::Power, args).filter(|(_, n)| *n as usize <= FACTORS) {
                        let a = self.polynomial(a, levels)?;
                        return (0..n).try_fold(constant(1), |all, _| product(&all, &a));
                    }
                }
                _ => {}
            },
            _ => {}
        }
        if self.is_unknown(e) {
            return None;
        }
        Some(constant(self.ev.expr(e, self.env).ok()?.as_double()?))
    }
}

impl Reader<'_> {
    /// A quotient, or a remainder, by a positive number.
    fn divided(&mut self, op: Op, a: &Expr, b: &Expr, levels: usize) -> Option<Polynomial> {
        let (a, b) = (self.polynomial(a, levels)?, self.polynomial(b, levels)?);
        let by = b.get(&Vec::new()).copied().filter(|n| *n > 0 && b.len() == 1)?;
        let quotient = Polynomial::from([(vec![self.fresh()], 1)]);
        let rest = sum(a.clone(), &quotient, by.checked_neg()?)?;
        let least = sum(Polynomial::new(), &rest, -1)?;
        let most = sum(rest.clone(), &constant(by.checked_sub(1)?), -1)?;
        self.quotients.extend([Said::Row(least), Said::Row(most)]);
        self.dividends.push(a);
        Some(if op == Op::Div { quotient } else { rest })
    }
}
