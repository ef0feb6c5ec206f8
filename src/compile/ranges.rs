//! Which integers will occur where: a guess that makes layouts dense.
//!
//! In: typing conjuncts of the invariant, values of the constants. Out: a [`Hull`] per variable. A guess only
//! has to be good: a value outside is noticed when it is stored, and the run starts again with the hulls that
//! [`widen`] makes. Nothing is proved here and nothing relies on it.

use crate::ir::{Expr, ExprKind, Machine, Pred, PredKind};
use crate::layout::{Dense, Hull, Layout, MOST_BITS, MOST_PAIRS};
use crate::ops::{Op, World};
use crate::ty::Ty;
use crate::value::Value;

/// Values of all constants in one valuation.
pub type Constants = [Option<Value>];

/// First guess for the length of sequences without known bound.
const SEQUENCE: i64 = 4;

struct Guess<'a> {
    world: &'a World,
    valuations: &'a [&'a Constants],
    hulls: Vec<Hull>,
    /// What comparisons say of integers: the least and the greatest.
    bounds: Vec<(Option<i64>, Option<i64>)>,
}

/// Hulls for the variables of a machine under some valuations.
#[must_use]
pub fn hulls(machine: &Machine, world: &World, valuations: &[&Constants]) -> Vec<Hull> {
    let variables = machine.variables.len();
    let (hulls, bounds) = (vec![Hull::Unknown; variables], vec![(None, None); variables]);
    let mut g = Guess { world, valuations, hulls, bounds };
    let said = machine.invariants.iter().chain(&machine.typing);
    let conjuncts: Vec<&Pred> = said.flat_map(|f| f.pred.conjuncts()).collect();
    // Twice, since a variable may be typed by another that is typed later.
    for _ in 0..2 {
        for p in &conjuncts {
            g.learn(p);
        }
        g.take_bounds();
    }
    let types = machine.variables.iter().map(|v| &v.ty);
    types.zip(g.hulls).map(|(ty, h)| affordable(h, ty, world)).collect()
}

/// Hulls that also cover what did not fit, with room to grow: `times` as wide. What would become too wide is given less room, and
/// given up where nothing else helps: its layout is then not dense.
#[must_use]
pub fn widen(hulls: &[Hull], wanted: &[Hull], times: u32, machine: &Machine, world: &World) -> Vec<Hull> {
    let none = Hull::Unknown;
    let both = hulls.iter().zip(wanted.iter().chain(std::iter::repeat(&none)));
    both.zip(&machine.variables)
        .map(|((h, w), v)| match (w, &v.ty) {
            (Hull::Unknown, _) => h.clone(),
            // A single integer has a word of its own without range, and that costs little.
            (_, Ty::Int) => Hull::Open,
            _ => {
                let mut roomy = [times, 2, 1].into_iter().map(|t| affordable(grow(h, w, t), &v.ty, world));
                roomy.find(|h| *h != Hull::Open).unwrap_or(Hull::Open)
            }
        })
        .collect()
}

/// The hulls without those of the variables that had a value outside.
#[must_use]
pub fn give_up(hulls: &[Hull], wanted: &[Hull]) -> Vec<Hull> {
    let none = Hull::Unknown;
    let both = hulls.iter().zip(wanted.iter().chain(std::iter::repeat(&none)));
    both.map(|(h, w)| if *w == Hull::Unknown { h.clone() } else { Hull::Open }).collect()
}

/// The join; intervals that had to grow are then at least `times` as wide as they were.
fn grow(h: &Hull, w: &Hull, times: u32) -> Hull {
    let grow = |h: &Hull, w: &Hull| grow(h, w, times);
    match (h, w) {
        (Hull::Int(a, b), Hull::Int(c, d)) => {
            let room = (b.abs_diff(*a).min(1 << 20).cast_signed() + 1) * i64::from(times.saturating_sub(1));
            let lo = if c < a { (*c).min(a.saturating_sub(room)) } else { *a };
            let hi = if d > b { (*d).max(b.saturating_add(room)) } else { *b };
            Hull::Int(lo, hi)
        }
        (Hull::Pair(a, b), Hull::Pair(c, d)) => Hull::Pair(Box::new(grow(a, c)), Box::new(grow(b, d))),
        (Hull::Set(a), Hull::Set(b)) => Hull::Set(Box::new(grow(a, b))),
        (Hull::Fun(a), Hull::Set(b) | Hull::Fun(b)) => Hull::Fun(Box::new(grow(a, b))),
        (Hull::Rec(a), Hull::Rec(b)) => Hull::Rec(a.iter().zip(b).map(|(x, y)| grow(x, y)).collect()),
        _ => h.clone().join(w.clone()),
    }
}

/// Whether the layout that a hull leads to is dense, or a span, and small.
pub(crate) fn is_affordable(h: &Hull, ty: &Ty, world: &World) -> bool {
    affordable(h.clone(), ty, world) != Hull::Open
}

/// The hull if the layout it leads to is dense, or a span, and small, else none.
fn affordable(h: Hull, ty: &Ty, world: &World) -> Hull {
    match Layout::of(ty, &h, world) {
        Layout::Index(_) | Layout::Span(..) | Layout::Lanes(_) => h,
        Layout::Rows(r) if r.bits() <= MOST_BITS => h,
        Layout::Bits(Dense { size, .. }) if size <= MOST_BITS => h,
        _ => Hull::Open,
    }
}

impl Guess<'_> {
    fn learn(&mut self, p: &Pred) {
        let PredKind::Op(op, args) = &p.kind else { return };
        let [a, b] = args.as_slice() else { return };
        self.compare(*op, a, b);
        let ExprKind::Var(v) = a.kind else { return };
        let found = match op {
            Op::In if a.ty == Ty::Int && self.is_loose(b) => return,
            Op::In => self.members(b),
            Op::Subset | Op::StrictSubset => Hull::Set(Box::new(self.within(b))),
            Op::Eq => self.value(b),
            _ => return,
        };
        if let Some(h) = self.hulls.get_mut(v.0 as usize) {
            *h = std::mem::take(h).join(found);
        }
    }

    /// Whether a set is listed and the bounds of a listed integer are not known: what is known of the others says little.
    fn is_loose(&self, set: &Expr) -> bool {
        matches!(&set.kind, ExprKind::SetExt(items) if items.iter().any(|e| self.int(e).is_none()))
    }

    /// Learns the bound that a conjunct `a op b` says of a variable.
    fn compare(&mut self, op: Op, a: &Expr, b: &Expr) {
        let (op, variable, other) = match (&a.kind, &b.kind) {
            (ExprKind::Var(v), _) => (op, v, b),
            (_, ExprKind::Var(v)) => match op.mirrored() {
                Some(op) => (op, v, a),
                None => return,
            },
            _ => return,
        };
        let of = self.int(other);
        let (least, greatest) = match (op, &other.kind) {
            (Op::In, ExprKind::Op(Op::Natural, _)) => (Some(0), None),
            (Op::In, ExprKind::Op(Op::Natural1, _)) => (Some(1), None),
            (Op::Le, _) => (None, of.map(|(_, hi)| hi)),
            (Op::Lt, _) => (None, of.and_then(|(_, hi)| hi.checked_sub(1))),
            (Op::Ge, _) => (of.map(|(lo, _)| lo), None),
            (Op::Gt, _) => (of.and_then(|(lo, _)| lo.checked_add(1)), None),
            _ => return,
        };
        if let Some((lo, hi)) = self.bounds.get_mut(variable.0 as usize) {
            *lo = (*lo).max(least);
            *hi = (*hi).into_iter().chain(greatest).min();
        }
    }

    /// Narrows the hulls of integers to what comparisons leave of them.
    fn take_bounds(&mut self) {
        for (hull, (least, greatest)) in self.hulls.iter_mut().zip(&self.bounds) {
            let (lo, hi) = match hull {
                Hull::Int(lo, hi) => (Some(*lo).max(*least), Some(greatest.map_or(*hi, |g| g.min(*hi)))),
                Hull::Unknown => (*least, *greatest),
                _ => continue,
            };
            if let (Some(lo), Some(hi)) = (lo, hi)
                && lo <= hi
            {
                *hull = Hull::Int(lo, hi);
            }
        }
    }

    /// The hull of an expression's value, as far as it is seen at a glance.
    fn value(&self, e: &Expr) -> Hull {
        if let Some((lo, hi)) = self.int(e) {
            return Hull::Int(lo, hi);
        }
        match &e.kind {
            ExprKind::Var(v) => self.hulls.get(v.0 as usize).cloned().unwrap_or_default(),
            ExprKind::Const(c) => {
                let mut h = Hull::Unknown;
                for v in self.valuations.iter().filter_map(|vs| vs.get(c.0 as usize)?.as_ref()) {
                    h.include(v);
                }
                h
            }
            _ if e.ty.elem().is_some() => Hull::Set(Box::new(self.members(e))),
            _ => Hull::Unknown,
        }
    }

    /// The hull of the members of a set expression.
    fn members(&self, e: &Expr) -> Hull {
        let sub = |e: &Expr| Box::new(self.members(e));
        match &e.kind {
            ExprKind::Var(_) | ExprKind::Const(_) => self.value(e).member().clone(),
            ExprKind::SetExt(items) => items.iter().fold(Hull::Unknown, |h, e| h.join(self.value(e))),
            ExprKind::Struct(sets) => Hull::Rec(sets.iter().map(|s| self.members(s)).collect()),
            ExprKind::Lit(v @ Value::Set(_)) => {
                let mut h = Hull::Unknown;
                h.include(v);
                h.member().clone()
            }
            ExprKind::Op(op, args) => match (op, args.as_slice()) {
                (Op::Nat, _) => Hull::Int(0, self.world.maxint),
                (Op::Nat1, _) => Hull::Int(1, self.world.maxint),
                (Op::Int, _) => Hull::Int(self.world.minint, self.world.maxint),
                // Open scalars stay whole words; inside sets they are guessed by `within`.
                (Op::Interval, [a, b]) => match (self.int(a), self.int(b)) {
                    (Some((lo, _)), Some((_, hi))) if lo <= hi => Hull::Int(lo, hi),
                    _ => Hull::Unknown,
                },
                (op, [s]) if op.is_power() => Hull::Set(Box::new(self.within(s))),
                (Op::Product, [a, b]) => Hull::Pair(sub(a), sub(b)),
                (Op::Union | Op::Inter, [a, b]) => self.members(a).join(self.members(b)),
                (Op::Diff, [a, _]) => self.members(a),
                (Op::Dom, [r]) => self.value(r).member().pair().0.clone(),
                (Op::Ran, [r]) => self.value(r).member().pair().1.clone(),
                (op, [s]) if op.is_sequences() => {
                    let items = self.within(s);
                    let longest = match s.ty.elem().and_then(|t| Dense::of(t, &items, self.world)) {
                        // As long as the set is large: no longer without repetition, and no need to guess again.
                        Some(d)
                            if matches!(op, Op::Iseq | Op::Iseq1 | Op::Perm)
                                && d.size.saturating_mul(d.size) <= MOST_PAIRS =>
                        {
                            i64::from(d.size).max(1)
                        }
                        Some(d) => i64::from(d.size).clamp(1, 12),
                        None => SEQUENCE,
                    };
                    Hull::Set(Box::new(Hull::Pair(Box::new(Hull::Int(1, longest)), Box::new(items))))
                }
                (op, [a, b]) if op.arrow().is_some() => {
                    let pairs = Box::new(Hull::Pair(Box::new(self.within(a)), Box::new(self.within(b))));
                    let functional = op.arrow().is_some_and(|a| a.functional);
                    if functional { Hull::Fun(pairs) } else { Hull::Set(pairs) }
                }
                _ => Hull::Unknown,
            },
            _ => Hull::Unknown,
        }
    }

    /// As [`Self::members`], with a guess where the integers are not bounded.
    fn within(&self, s: &Expr) -> Hull {
        match &s.kind {
            ExprKind::Op(Op::Natural, _) => Hull::Int(0, self.world.maxint),
            ExprKind::Op(Op::Natural1, _) => Hull::Int(1, self.world.maxint.max(1)),
            ExprKind::Op(Op::Integer, _) => Hull::Int(self.world.minint, self.world.maxint),
            ExprKind::Op(Op::Product, args) if let [a, b] = &args[..] => {
                Hull::Pair(Box::new(self.within(a)), Box::new(self.within(b)))
            }
            ExprKind::Struct(sets) => Hull::Rec(sets.iter().map(|s| self.within(s)).collect()),
            _ => self.members(s),
        }
    }

    /// The bounds of an integer expression over literals, constants and variables with a hull.
    fn int(&self, e: &Expr) -> Option<(i64, i64)> {
        match &e.kind {
            ExprKind::Lit(Value::Int(n)) => Some((*n, *n)),
            ExprKind::Var(v) => match self.hulls.get(v.0 as usize) {
                Some(Hull::Int(lo, hi)) => Some((*lo, *hi)),
                _ => None,
            },
            ExprKind::Const(c) => {
                let mut all = self.valuations.iter().map(|vs| match vs.get(c.0 as usize) {
                    Some(Some(Value::Int(n))) => Some(*n),
                    _ => None,
                });
                let first = all.next()??;
                all.try_fold((first, first), |(lo, hi), n| n.map(|n| (lo.min(n), hi.max(n))))
            }
            ExprKind::Op(Op::Maxint, _) => Some((self.world.maxint, self.world.maxint)),
            ExprKind::Op(Op::Minint, _) => Some((self.world.minint, self.world.minint)),
            ExprKind::Op(Op::Card, args) => match &args.first()?.kind {
                ExprKind::Given(s) => {
                    let n = i64::from(*self.world.card.get(usize::from(s.0))?);
                    Some((n, n))
                }
                _ => None,
            },
            ExprKind::Op(op, args) => {
                let [a, b] = args.as_slice() else { return None };
                let f = match op {
                    Op::Add => i64::checked_add,
                    Op::Sub => i64::checked_sub,
                    Op::Mul => i64::checked_mul,
                    Op::Div => i64::checked_div,
                    _ => return None,
                };
                let ((a, b), (c, d)) = (self.int(a)?, self.int(b)?);
                let all = [f(a, c)?, f(a, d)?, f(b, c)?, f(b, d)?];
                Some((*all.iter().min()?, *all.iter().max()?))
            }
            _ => None,
        }
    }
}
