//! What PROPERTIES say at a glance: conjuncts of forms that tell something about deferred sets and constants.
//!
//! In: the conjuncts. Out: which scalar constants are pairwise different, how sets are split, how large things
//! are. Purely by form, nothing is evaluated but integer expressions; what is not recognised is not used.

use crate::ir::{ConstId, Expr, ExprKind, Machine, Pred, PredKind};
use crate::ops::Op;
use crate::ty::{SetId, Ty};
use crate::value::Value;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// A split of a given set into pairwise disjoint parts.
pub(super) struct Split<'a> {
    pub(super) set: SetId,
    pub(super) parts: Vec<&'a Expr>,
}

/// What the conjuncts say.
pub(super) struct Facts<'a> {
    machine: &'a Machine,
    /// All conjuncts, flattened.
    pub(super) conjuncts: Vec<&'a Pred>,
    distinct: BTreeSet<(ConstId, ConstId)>,
    /// Splits into disjoint parts that cover the set.
    pub(super) splits: Vec<Split<'a>>,
    maxint: i64,
    minint: i64,
    /// Constants whose value is being looked for.
    open: RefCell<Vec<ConstId>>,
    /// Constants looked up for one integer.
    looks: Cell<u32>,
}

/// How deep equations between constants are followed.
const DEPTH: u32 = 20;

/// Most constants looked up for one integer: beyond it the size of a set is not found this way, and said to be assumed.
const LOOKS: u32 = 1_000;

impl<'a> Facts<'a> {
    pub(super) fn new(machine: &'a Machine, maxint: i64, minint: i64) -> Self {
        let conjuncts = machine.properties.iter().flat_map(|formula| formula.pred.conjuncts()).collect();
        let mut facts = Self {
            machine,
            conjuncts,
            distinct: BTreeSet::new(),
            splits: Vec::new(),
            maxint,
            minint,
            open: RefCell::default(),
            looks: Cell::new(0),
        };
        facts.find_distinct();
        facts.find_splits();
        facts
    }

    /// Scalar constants of a given set, in order of declaration.
    pub(super) fn scalars(&self, set: SetId) -> Vec<ConstId> {
        (0u32..)
            .zip(&self.machine.constants)
            .filter(|(_, d)| d.ty == Ty::Given(set))
            .map(|(i, _)| ConstId(i))
            .collect()
    }

    /// A largest set of pairwise different scalar constants of a given set; the first found in order of
    /// declaration. Empty only if there is no scalar constant.
    pub(super) fn clique(&self, set: SetId) -> Vec<ConstId> {
        let mut best = Vec::new();
        let mut budget = 100_000u32;
        self.grow(&mut Vec::new(), &self.scalars(set), &mut best, &mut budget);
        best
    }

    fn grow(&self, chosen: &mut Vec<ConstId>, left: &[ConstId], best: &mut Vec<ConstId>, budget: &mut u32) {
        if chosen.len() > best.len() {
            best.clone_from(chosen);
        }
        for (i, &c) in left.iter().enumerate() {
            if *budget == 0 || chosen.len() + left.len() - i <= best.len() {
                return;
            }
            *budget -= 1;
            let rest: Vec<ConstId> =
                left.iter().skip(i + 1).copied().filter(|&d| self.differ(c, d)).collect();
            chosen.push(c);
            self.grow(chosen, &rest, best, budget);
            chosen.pop();
        }
    }

    pub(super) fn differ(&self, a: ConstId, b: ConstId) -> bool {
        self.distinct.contains(&(a.min(b), a.max(b)))
    }

    fn note(&mut self, a: &Expr, b: &Expr) {
        if let (ExprKind::Const(a), ExprKind::Const(b)) = (&a.kind, &b.kind)
            && a != b
        {
            self.distinct.insert((*a.min(b), *a.max(b)));
        }
    }

    fn note_all(&mut self, names: &[Expr]) {
        for (i, a) in names.iter().enumerate() {
            for b in names.iter().skip(i + 1) {
                self.note(a, b);
            }
        }
    }

    fn find_distinct(&mut self) {
        for p in self.conjuncts.clone() {
            match &p.kind {
                PredKind::Op(Op::Neq, args) => {
                    if let [a, b] = args.as_slice() {
                        self.note(a, b);
                    }
                }
                PredKind::Not(inner) => {
                    if let PredKind::Op(Op::Eq, args) = &inner.kind
                        && let [a, b] = args.as_slice()
                    {
                        self.note(a, b);
                    }
                }
                PredKind::Op(Op::Partition, args) => {
                    let parts: Vec<&[Expr]> = args.iter().skip(1).filter_map(members).collect();
                    for (i, x) in parts.iter().enumerate() {
                        for y in parts.iter().skip(i + 1) {
                            self.note_across(x, y);
                        }
                    }
                }
                _ => {}
            }
            if let Some((a, b)) = equation(p) {
                self.equation(a, b);
                self.equation(b, a);
            }
        }
        self.all_names_different();
    }

    fn note_across(&mut self, x: &[Expr], y: &[Expr]) {
        for a in x {
            for b in y {
                self.note(a, b);
            }
        }
    }

    /// `card({a,b}) = 2` and `{a} /\ {b} = {}`.
    fn equation(&mut self, a: &'a Expr, b: &'a Expr) {
        if let ExprKind::Op(Op::Card, args) = &a.kind
            && let Some(names) = args.first().and_then(members)
            && self.integer(b) == i64::try_from(names.len()).ok()
        {
            self.note_all(names);
        }
        if is_empty(b)
            && let Some((x, y)) = binary(a, Op::Inter)
            && let (Some(x), Some(y)) = (members(x), members(y))
        {
            self.note_across(x, y);
        }
    }

    /// `D = {a,b,c} & card(D) = 3`.
    fn all_names_different(&mut self) {
        for s in (0u16..).zip(&self.machine.sets).map(|(i, _)| SetId(i)) {
            let Some(names) = self.names_of(s) else { continue };
            if self.card_equation(s, &|_| None) == u32::try_from(names.len()).ok() {
                for (i, a) in names.iter().enumerate() {
                    for b in names.iter().skip(i + 1) {
                        self.note(a, b);
                    }
                }
            }
        }
    }

    /// The names in an equation `D = {a,b}` or `D = {a} \/ {b}`.
    pub(super) fn names_of(&self, set: SetId) -> Option<Vec<&'a Expr>> {
        self.equations_of(set).find_map(|e| {
            let mut names = Vec::new();
            for part in union_parts(e) {
                names.extend(members(part)?);
            }
            Some(names)
        })
    }

    /// Right sides of equations `D = e`.
    fn equations_of(&self, set: SetId) -> impl Iterator<Item = &'a Expr> {
        self.conjuncts.iter().filter_map(move |p| {
            let (a, b) = equation(p)?;
            let is_set = |e: &Expr| matches!(e.kind, ExprKind::Given(s) if s == set);
            if is_set(a) { Some(b) } else { is_set(b).then_some(a) }
        })
    }

    fn find_splits(&mut self) {
        for p in self.conjuncts.clone() {
            if let PredKind::Op(Op::Partition, args) = &p.kind
                && let Some((whole, parts)) = args.split_first()
                && let ExprKind::Given(set) = whole.kind
            {
                self.splits.push(Split { set, parts: parts.iter().collect() });
            }
        }
        for set in (0u16..).zip(&self.machine.sets).map(|(i, _)| SetId(i)) {
            let found: Vec<Vec<&Expr>> = self
                .equations_of(set)
                .map(union_parts)
                .filter(|parts| parts.len() > 1 && self.pairwise_disjoint(parts))
                .collect();
            self.splits.extend(found.into_iter().map(|parts| Split { set, parts }));
        }
    }

    fn pairwise_disjoint(&self, parts: &[&Expr]) -> bool {
        parts.iter().enumerate().all(|(i, a)| parts.iter().skip(i + 1).all(|b| self.disjoint(a, b)))
    }

    fn disjoint(&self, a: &Expr, b: &Expr) -> bool {
        let stated = self.conjuncts.iter().any(|p| {
            let Some((l, r)) = equation(p) else { return false };
            let (inter, empty) = if is_empty(r) { (l, r) } else { (r, l) };
            is_empty(empty)
                && binary(inter, Op::Inter)
                    .is_some_and(|(x, y)| same(x, a) && same(y, b) || same(x, b) && same(y, a))
        });
        stated
            || match (members(a), members(b)) {
                (Some(x), Some(y)) => x.iter().all(|a| y.iter().all(|b| self.differ_exprs(a, b))),
                _ => false,
            }
    }

    pub(super) fn differ_exprs(&self, a: &Expr, b: &Expr) -> bool {
        match (&a.kind, &b.kind) {
            (ExprKind::Const(a), ExprKind::Const(b)) => self.differ(*a, *b),
            (ExprKind::Lit(a), ExprKind::Lit(b)) => a != b,
            _ => false,
        }
    }

    /// The size in `card(D) = e`, with e computable; `known` gives sizes of other sets.
    pub(super) fn card_equation(&self, set: SetId, known: &dyn Fn(SetId) -> Option<u32>) -> Option<u32> {
        self.conjuncts.iter().find_map(|p| {
            let (a, b) = equation(p)?;
            let e = if is_card_of(a, set) {
                b
            } else if is_card_of(b, set) {
                a
            } else {
                return None;
            };
            u32::try_from(self.int(e, known, DEPTH)?).ok()
        })
    }

    /// Lower bounds in `card(D) >= e` and its variants.
    pub(super) fn card_bounds(&self, set: SetId, known: &dyn Fn(SetId) -> Option<u32>) -> u32 {
        let bound = |p: &&Pred| -> Option<i64> {
            let PredKind::Op(op, args) = &p.kind else { return None };
            let [a, b] = args.as_slice() else { return None };
            let (e, strict) = match op {
                Op::Ge if is_card_of(a, set) => (b, 0),
                Op::Gt if is_card_of(a, set) => (b, 1),
                Op::Le if is_card_of(b, set) => (a, 0),
                Op::Lt if is_card_of(b, set) => (a, 1),
                _ => return None,
            };
            self.int(e, known, DEPTH)?.checked_add(strict)
        };
        let most = self.conjuncts.iter().filter_map(bound).max().unwrap_or(0);
        u32::try_from(most.max(0)).unwrap_or(0)
    }

    /// Least size of a part of a split.
    pub(super) fn part_size(&self, part: &Expr) -> u32 {
        self.least(part, DEPTH)
    }

    fn least(&self, part: &Expr, depth: u32) -> u32 {
        if let Some(names) = members(part) {
            let distinct = names
                .iter()
                .enumerate()
                .all(|(i, a)| names.iter().skip(i + 1).all(|b| self.differ_exprs(a, b)));
            return if distinct { u32::try_from(names.len()).unwrap_or(1) } else { 1 };
        }
        let ExprKind::Const(c) = part.kind else { return 0 };
        let is_card = |e: &Expr| match &e.kind {
            ExprKind::Op(Op::Card, args) => {
                matches!(args.first().map(|a| &a.kind), Some(ExprKind::Const(d)) if *d == c)
            }
            _ => false,
        };
        let size = self.conjuncts.iter().find_map(|p| {
            let (a, b) = equation(p)?;
            let e = if is_card(a) { b } else { is_card(b).then_some(a)? };
            self.integer(e)
        });
        if let Some(n) = size.and_then(|n| u32::try_from(n).ok()) {
            return n;
        }
        let Some(depth) = depth.checked_sub(1) else { return 0 };
        // Parts of the part, or at least one element.
        let parts = self
            .conjuncts
            .iter()
            .filter_map(|p| self.parts_of(c, p))
            .map(|parts| parts.iter().fold(0u32, |n, p| n.saturating_add(self.least(p, depth))));
        parts.max().unwrap_or(0).max(u32::from(self.nonempty(c)))
    }

    /// The pairwise disjoint parts into which a conjunct splits a constant.
    fn parts_of(&self, c: ConstId, p: &'a Pred) -> Option<Vec<&'a Expr>> {
        let is = |e: &Expr| matches!(e.kind, ExprKind::Const(d) if d == c);
        if let PredKind::Op(Op::Partition, args) = &p.kind {
            let (whole, parts) = args.split_first()?;
            return is(whole).then(|| parts.iter().collect());
        }
        let (a, b) = equation(p)?;
        let parts = union_parts(if is(a) { b } else { is(b).then_some(a)? });
        (parts.len() > 1 && self.pairwise_disjoint(&parts)).then_some(parts)
    }

    /// Whether a conjunct says `c /= {}`.
    fn nonempty(&self, c: ConstId) -> bool {
        let is = |e: &Expr| matches!(e.kind, ExprKind::Const(d) if d == c);
        let apart = |args: &[Expr]| match args {
            [a, b] => is(a) && is_empty(b) || is(b) && is_empty(a),
            _ => false,
        };
        self.conjuncts.iter().any(|p| match &p.kind {
            PredKind::Op(Op::Neq, args) => apart(args),
            PredKind::Not(q) => matches!(&q.kind, PredKind::Op(Op::Eq, args) if apart(args)),
            _ => false,
        })
    }

    /// The size that a bijection with something of known size gives a set.
    pub(super) fn bijection_size(&self, set: SetId, known: &dyn Fn(SetId) -> Option<u32>) -> Option<u32> {
        self.conjuncts.iter().find_map(|p| {
            let (from, to) = bijection_sides(p)?;
            let is_set = |e: &Expr| matches!(e.kind, ExprKind::Given(s) if s == set);
            let other = if is_set(from) { to } else { is_set(to).then_some(from)? };
            u32::try_from(self.size(other, known, DEPTH)?).ok()
        })
    }

    fn integer(&self, e: &Expr) -> Option<i64> {
        self.int(e, &|_| None, DEPTH)
    }

    /// The value of an integer expression of literals, constants given by equations, and sizes.
    pub(super) fn int(&self, e: &Expr, known: &dyn Fn(SetId) -> Option<u32>, depth: u32) -> Option<i64> {
        let depth = depth.checked_sub(1)?;
        let int = |e| self.int(e, known, depth);
        match &e.kind {
            ExprKind::Lit(Value::Int(n)) => Some(*n),
            ExprKind::Const(c) => {
                // What is given by itself is not given; equations in a ring would be gone round in every order.
                if self.open.borrow().is_empty() {
                    self.looks.set(0);
                }
                self.looks.set(self.looks.get() + 1);
                if self.looks.get() > LOOKS || self.open.borrow().contains(c) {
                    return None;
                }
                self.open.borrow_mut().push(*c);
                let found = self.conjuncts.iter().find_map(|p| {
                    let (a, b) = equation(p)?;
                    let is = |e: &Expr| matches!(e.kind, ExprKind::Const(d) if d == *c);
                    if is(a) { int(b) } else { is(b).then(|| int(a))? }
                });
                self.open.borrow_mut().pop();
                found
            }
            ExprKind::Op(op, args) => match (op, args.as_slice()) {
                (Op::Maxint, _) => Some(self.maxint),
                (Op::Minint, _) => Some(self.minint),
                (Op::Add, [a, b]) => int(a)?.checked_add(int(b)?),
                (Op::Sub, [a, b]) => int(a)?.checked_sub(int(b)?),
                (Op::Mul, [a, b]) => int(a)?.checked_mul(int(b)?),
                (Op::Div, [a, b]) => int(a)?.checked_div(int(b)?),
                (Op::Neg, [a]) => int(a)?.checked_neg(),
                (Op::Power, [a, b]) => int(a)?.checked_pow(u32::try_from(int(b)?).ok()?),
                (Op::Card, [s]) => self.size(s, known, depth),
                _ => None,
            },
            _ => None,
        }
    }

    fn size(&self, e: &Expr, known: &dyn Fn(SetId) -> Option<u32>, depth: u32) -> Option<i64> {
        match &e.kind {
            ExprKind::Given(s) => {
                let set = self.machine.sets.get(usize::from(s.0))?;
                set.elements
                    .as_ref()
                    .map_or_else(|| known(*s).map(i64::from), |e| i64::try_from(e.len()).ok())
            }
            ExprKind::Op(Op::Interval, args) => {
                let (lo, hi) = (args.first()?, args.get(1)?);
                let (lo, hi) = (self.int(lo, known, depth)?, self.int(hi, known, depth)?);
                Some(hi.checked_sub(lo)?.checked_add(1)?.max(0))
            }
            ExprKind::Op(Op::BoolSet, _) => Some(2),
            ExprKind::Op(Op::Product, args) => {
                args.iter().try_fold(1i64, |n, a| n.checked_mul(self.size(a, known, depth)?))
            }
            _ => None,
        }
    }
}

/// Both sides of the arrow in `f : A >->> B`.
fn bijection_sides(p: &Pred) -> Option<(&Expr, &Expr)> {
    let PredKind::Op(Op::In, args) = &p.kind else { return None };
    let [_, set] = args.as_slice() else { return None };
    match &set.kind {
        ExprKind::Op(Op::TotalBij, sides) => match sides.as_slice() {
            [from, to] => Some((from, to)),
            _ => None,
        },
        _ => None,
    }
}

/// A constant that is a bijection between a given set and something else.
pub(super) struct Bijection<'a> {
    pub(super) constant: ConstId,
    pub(super) set: SetId,
    pub(super) other: &'a Expr,
    /// Whether the given set is on the right.
    pub(super) onto_set: bool,
}

/// `f : D >->> E`; with two given sets, D is the given set and E the other side.
pub(super) fn bijection(p: &Pred) -> Option<Bijection<'_>> {
    let PredKind::Op(Op::In, args) = &p.kind else { return None };
    let [f, set] = args.as_slice() else { return None };
    let (ExprKind::Const(c), ExprKind::Op(Op::TotalBij, sides)) = (&f.kind, &set.kind) else { return None };
    let [from, to] = sides.as_slice() else { return None };
    match (&from.kind, &to.kind) {
        (ExprKind::Given(s), _) => Some(Bijection { constant: *c, set: *s, other: to, onto_set: false }),
        (_, ExprKind::Given(s)) => Some(Bijection { constant: *c, set: *s, other: from, onto_set: true }),
        _ => None,
    }
}

/// Both sides of an equation.
pub(super) fn equation(p: &Pred) -> Option<(&Expr, &Expr)> {
    match &p.kind {
        PredKind::Op(Op::Eq, args) => match args.as_slice() {
            [a, b] => Some((a, b)),
            _ => None,
        },
        _ => None,
    }
}

fn binary(e: &Expr, op: Op) -> Option<(&Expr, &Expr)> {
    match &e.kind {
        ExprKind::Op(o, args) if *o == op => match args.as_slice() {
            [a, b] => Some((a, b)),
            _ => None,
        },
        _ => None,
    }
}

/// The members of a set extension.
fn members(e: &Expr) -> Option<&[Expr]> {
    match &e.kind {
        ExprKind::SetExt(items) => Some(items),
        _ => None,
    }
}

fn is_empty(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Lit(Value::Set(s)) if s.items().is_empty())
}

fn is_card_of(e: &Expr, set: SetId) -> bool {
    match &e.kind {
        ExprKind::Op(Op::Card, args) => {
            matches!(args.first().map(|a| &a.kind), Some(ExprKind::Given(s)) if *s == set)
        }
        _ => false,
    }
}

/// The parts of `A \/ B \/ C`; the expression itself if it is no union.
fn union_parts(e: &Expr) -> Vec<&Expr> {
    match binary(e, Op::Union) {
        Some((a, b)) => union_parts(a).into_iter().chain(union_parts(b)).collect(),
        None => vec![e],
    }
}

/// Whether two expressions are the same constant or the same set of constants.
fn same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Const(a), ExprKind::Const(b)) => a == b,
        (ExprKind::SetExt(a), ExprKind::SetExt(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        _ => false,
    }
}
