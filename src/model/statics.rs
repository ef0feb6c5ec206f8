//! Static symmetry of constants: conjuncts that leave fewer valuations.
//!
//! In: a machine and its world. Out: conjuncts to be added to PROPERTIES, and which constants are fixed by
//! them. [`recorded`] applies exactly `ProB`'s rules (b-language.md 6.3), which leave several valuations of one
//! orbit. One valuation of every orbit is found without conjuncts (`eval::alike`).

use super::facts::{Bijection, Facts, bijection};
use crate::ir::{ConstId, Expr, ExprKind, Machine, Pred, PredKind};
use crate::ops::{Op, World};
use crate::source::Span;
use crate::ty::{SetId, Ty};
use crate::value::{SetRef, Value};
use std::collections::BTreeSet;

/// Conjuncts for the constants.
#[derive(Clone, Debug, Default)]
pub struct Extra {
    /// To be added to PROPERTIES.
    pub preds: Vec<Pred>,
    /// Constants that have only one value by rule 1.
    pub fixed: BTreeSet<ConstId>,
    /// For sets with growing scalars: how many are fixed, and the growing ones in order.
    pub growing: Vec<(u32, Vec<ConstId>)>,
}

impl Extra {
    /// Whether the growing scalars use each element only after those before it.
    #[must_use]
    pub fn accepts(&self, values: &[Option<Value>]) -> bool {
        self.growing.iter().all(|(fixed, scalars)| {
            let mut used = *fixed;
            scalars.iter().all(|c| match values.get(c.0 as usize) {
                Some(Some(Value::Elem(_, i))) => {
                    let fits = *i <= used;
                    used = used.max(i.saturating_add(1));
                    fits
                }
                _ => true,
            })
        })
    }

    fn fix(&mut self, c: ConstId, v: Value, ty: &Ty) {
        self.preds.push(op(Op::Eq, constant(c, ty), literal(v, ty)));
    }

    fn grow(&mut self, set: SetId, card: u32, fixed: u32, scalars: Vec<ConstId>) {
        let ty = Ty::Given(set);
        for (n, &c) in (fixed + 1..).zip(&scalars) {
            if n < card {
                let first = (0..n).map(|i| Value::Elem(set, i)).collect();
                let members = literal(Value::Set(SetRef::from_vec(first)), &Ty::pow(ty.clone()));
                self.preds.push(op(Op::In, constant(c, &ty), members));
            }
        }
        self.growing.push((fixed, scalars));
    }
}

/// `ProB`'s rules: fixed, growth, partition, bijection.
#[must_use]
pub fn recorded(machine: &Machine, world: &World) -> Extra {
    let facts = Facts::new(machine, world.maxint, world.minint);
    let mut extra = Extra::default();
    let bijected = bijections(machine, world, &facts, &mut extra);
    for (set, card) in deferred(machine, world) {
        if bijected.contains(&set) || card == 0 {
            continue;
        }
        let clique: Vec<ConstId> = facts.clique(set).into_iter().take(card as usize).collect();
        for (i, c) in (0u32..).zip(&clique) {
            extra.fix(*c, Value::Elem(set, i), &Ty::Given(set));
            extra.fixed.insert(*c);
        }
        let rest: Vec<ConstId> = facts.scalars(set).into_iter().filter(|c| !clique.contains(c)).collect();
        let fixed = u32::try_from(clique.len()).unwrap_or(card);
        let touched = fixed.saturating_add(u32::try_from(rest.len()).unwrap_or(card));
        extra.grow(set, card, fixed, rest);
        if let Some(split) = facts.splits.iter().find(|s| s.set == set) {
            let parts: Vec<&Expr> =
                split.parts.iter().copied().filter(|p| matches!(p.kind, ExprKind::Const(_))).collect();
            partition(set, card, touched, &parts, &mut extra);
        }
    }
    extra
}

/// Elements that nothing has touched go to the parts in order: what comes after a member of an earlier part
/// may not be in that part unless its predecessor is.
fn partition(set: SetId, card: u32, touched: u32, parts: &[&Expr], extra: &mut Extra) {
    for second in touched.saturating_add(1)..card {
        let element = |i| literal(Value::Elem(set, i), &Ty::Given(set));
        for (n, part) in parts.iter().enumerate() {
            let earlier: Vec<Pred> =
                parts.iter().take(n + 1).map(|p| op(Op::In, element(second - 1), (*p).clone())).collect();
            let earlier = match <[Pred; 1]>::try_from(earlier) {
                Ok([one]) => one,
                Err(many) => pred(PredKind::Or(many)),
            };
            let here = op(Op::In, element(second), (*part).clone());
            extra.preds.push(pred(PredKind::Implies(Box::new(here), Box::new(earlier))));
        }
    }
}

/// Fixes bijections; returns the sets whose scalars are enumerated in full because of one.
fn bijections(machine: &Machine, world: &World, facts: &Facts<'_>, extra: &mut Extra) -> BTreeSet<SetId> {
    let mut used: BTreeSet<SetId> = BTreeSet::new();
    let mut from_sets = BTreeSet::new();
    let sizes = deferred(machine, world);
    for p in &facts.conjuncts {
        let Some(Bijection { constant: c, set: from, other, onto_set }) = bijection(p) else { continue };
        let Some((_, size)) = sizes.iter().find(|(s, _)| *s == from).copied() else { continue };
        let target = match &other.kind {
            ExprKind::Given(e) if sizes.iter().any(|(s, _)| s == e) => {
                let same_size = sizes.contains(&(*e, size));
                if *e == from || !same_size || used.contains(e) || !facts.scalars(*e).is_empty() {
                    continue;
                }
                used.insert(*e);
                (0..size).map(|i| Value::Elem(*e, i)).collect::<Vec<_>>()
            }
            _ => {
                let Some(values) = members(other, machine, world, facts) else { continue };
                if used.contains(&from) || values.len() != size as usize {
                    continue;
                }
                used.insert(from);
                values
            }
        };
        let pairs = (0..size).map(|i| Value::Elem(from, i)).zip(target);
        let pairs = pairs.map(|(a, b)| if onto_set { Value::pair(b, a) } else { Value::pair(a, b) });
        if let Some(decl) = machine.constants.get(c.0 as usize) {
            extra.fix(c, Value::Set(SetRef::from_vec(pairs.collect())), &decl.ty);
        }
        from_sets.insert(from);
    }
    from_sets
}

/// The members of an interval, BOOL, an enumerated set, or a product of such, in order.
fn members(e: &Expr, machine: &Machine, world: &World, facts: &Facts<'_>) -> Option<Vec<Value>> {
    match &e.kind {
        ExprKind::Op(Op::Interval, args) => {
            let bound = |i: usize| args.get(i).and_then(|e| facts.int(e, &|_| None, 20));
            let (lo, hi) = (bound(0)?, bound(1)?);
            (hi.checked_sub(lo)? < LARGEST).then(|| (lo..=hi).map(Value::Int).collect())
        }
        ExprKind::Op(Op::BoolSet, _) => Some(vec![Value::Bool(false), Value::Bool(true)]),
        ExprKind::Given(s) => {
            machine.sets.get(usize::from(s.0))?.elements.as_ref()?;
            let size = world.card.get(usize::from(s.0)).copied()?;
            Some((0..size).map(|i| Value::Elem(*s, i)).collect())
        }
        ExprKind::Op(Op::Product, args) => match args.as_slice() {
            [a, b] => {
                let (a, b) = (members(a, machine, world, facts)?, members(b, machine, world, facts)?);
                let fits = a.len().checked_mul(b.len()).and_then(|n| i64::try_from(n).ok())? < LARGEST;
                let pairs = a.iter().flat_map(|x| b.iter().map(|y| Value::pair(x.clone(), y.clone())));
                fits.then(|| pairs.collect())
            }
            _ => None,
        },
        _ => None,
    }
}

/// Bijections with more members are not looked at.
const LARGEST: i64 = 1 << 16;

/// Whether a set-up step remains once the fixed constants are gone with their typing and their being
/// different (b-language.md 6.1). A scalar machine parameter always needs one.
#[must_use]
pub fn setup_remains(machine: &Machine, world: &World, fixed: &BTreeSet<ConstId>) -> bool {
    let is_fixed = |e: &Expr| matches!(e.kind, ExprKind::Const(c) if fixed.contains(&c));
    let gone = |p: &&Pred| -> bool {
        let (kind, negated) = match &p.kind {
            PredKind::Not(inner) => (&inner.kind, true),
            other => (other, false),
        };
        let PredKind::Op(op, args) = kind else { return false };
        let [a, b] = args.as_slice() else { return false };
        match (op, negated) {
            (Op::In, false) => is_fixed(a) && matches!(b.kind, ExprKind::Given(_)),
            (Op::Neq, false) | (Op::Eq, true) => is_fixed(a) && is_fixed(b),
            _ => false,
        }
    };
    let facts = Facts::new(machine, world.maxint, world.minint);
    let left = (0u32..).zip(&machine.constants).any(|(i, d)| d.parameter || !fixed.contains(&ConstId(i)));
    left || !facts.conjuncts.iter().all(gone)
}

fn deferred(machine: &Machine, world: &World) -> Vec<(SetId, u32)> {
    (0u16..)
        .zip(&machine.sets)
        .filter(|(_, s)| s.elements.is_none())
        .map(|(i, _)| (SetId(i), world.card.get(usize::from(i)).copied().unwrap_or(0)))
        .collect()
}

fn constant(c: ConstId, ty: &Ty) -> Expr {
    Expr { kind: ExprKind::Const(c), ty: ty.clone(), span: Span::default() }
}

fn literal(v: Value, ty: &Ty) -> Expr {
    Expr { kind: ExprKind::Lit(v), ty: ty.clone(), span: Span::default() }
}

fn op(op: Op, a: Expr, b: Expr) -> Pred {
    pred(PredKind::Op(op, vec![a, b]))
}

fn pred(kind: PredKind) -> Pred {
    Pred { kind, span: Span::default() }
}
