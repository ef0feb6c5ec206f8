//! Intervals of integers and linear-ish terms over them: bounds forwards, narrowing backwards.
//!
//! In: terms whose leaves are known intervals or numbered variables. Out: the interval of a term, and narrower
//! intervals of its variables given one of the term. Sound, not complete: no value that could be part of a
//! solution is lost.

mod narrow;
mod power;
mod roots;
mod total;

pub(super) use narrow::{Comparison, Rel, propagate, propagate_from, variables};
pub(super) use power::MOST as MOST_FACTORS;
pub(super) use roots::between_roots;

use crate::value::Value;
use num_bigint::{BigInt, Sign};
use smallvec::{SmallVec, smallvec};
use total::Total;

/// An interval; a missing side is infinite. Aligned like everything else: memory for what has to be aligned to more
/// takes the allocator a detour, and 16 bytes have to be copied with every value in an enumeration that has an interval
/// in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(Rust, packed(8))]
pub(super) struct Interval {
    /// The lower end; `-HUGE` if there is none.
    least: i128,
    /// The upper end; `HUGE` if there is none.
    most: i128,
}

/// Coefficients up to this stay exact in sums of terms.
const SMALL: i128 = 1 << 40;

/// All integers.
pub(super) const ALL: Interval = Interval { least: -HUGE, most: HUGE };

/// Beyond this a bound counts as infinite, so that sums never overflow.
const HUGE: i128 = 1 << 80;

/// Whether a number can be the end of an interval.
#[inline]
fn is_finite(n: i128) -> bool {
    -HUGE < n && n < HUGE
}

/// An integer that can be the end of an interval.
#[inline]
pub(super) fn endpoint(v: &Value) -> Option<i128> {
    v.as_double().filter(|n| is_finite(*n))
}

/// A number that can be the end of an interval.
pub(super) fn end(n: &BigInt) -> Option<i128> {
    i128::try_from(n).ok().filter(|n| is_finite(*n))
}

impl Interval {
    #[inline]
    pub(super) fn new(lo: Option<i128>, hi: Option<i128>) -> Self {
        Self::between(lo.unwrap_or(-HUGE), hi.unwrap_or(HUGE))
    }

    #[inline]
    fn between(lo: i128, hi: i128) -> Self {
        Self { least: if is_finite(lo) { lo } else { -HUGE }, most: if is_finite(hi) { hi } else { HUGE } }
    }

    #[inline]
    pub(super) fn one(n: i128) -> Self {
        Self::between(n, n)
    }

    #[inline]
    pub(super) fn lo(&self) -> Option<i128> {
        (self.least != -HUGE).then_some(self.least)
    }

    #[inline]
    pub(super) fn hi(&self) -> Option<i128> {
        (self.most != HUGE).then_some(self.most)
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.least > self.most
    }

    pub(super) fn contains(&self, n: i128) -> bool {
        self.lo().is_none_or(|lo| lo <= n) && self.hi().is_none_or(|hi| n <= hi)
    }

    /// Whether an integer is a member, one beyond all ends included.
    #[inline]
    pub(super) fn holds(&self, v: &Value) -> bool {
        match (endpoint(v), v) {
            (Some(n), _) => self.contains(n),
            (None, Value::Big(n)) if n.sign() == Sign::Minus => self.lo().is_none(),
            (None, _) => self.hi().is_none(),
        }
    }

    /// Number of members, if finite.
    pub(super) fn size(&self) -> Option<i128> {
        Some((self.hi()? - self.lo()? + 1).max(0))
    }

    #[inline]
    pub(super) fn single(&self) -> Option<i128> {
        (self.least == self.most).then_some(self.least)
    }

    #[inline]
    pub(super) fn meet(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.min(other.most) }
    }

    pub(super) fn hull(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    #[inline]
    pub(super) fn plus(self, other: Self) -> Self {
        let lo = if self.least == -HUGE || other.least == -HUGE { -HUGE } else { self.least + other.least };
        let hi = if self.most == HUGE || other.most == HUGE { HUGE } else { self.most + other.most };
        Self::between(lo, hi)
    }

    /// The interval times a number, which may have only one finite side.
    #[inline]
    fn scaled(self, c: i128) -> Self {
        match c {
            1 => return self,
            -1 => return self.neg(),
            _ if !is_finite(c) => return ALL,
            _ => {}
        }
        let (lo, hi) = (self.lo().and_then(|n| product(n, c)), self.hi().and_then(|n| product(n, c)));
        if c < 0 { Self::new(hi, lo) } else { Self::new(lo, hi) }
    }

    #[inline]
    pub(super) fn neg(self) -> Self {
        Self { least: -self.most, most: -self.least }
    }

    pub(super) fn times(self, other: Self) -> Self {
        if let Some((k, other)) = self.single().map(|k| (k, other)).or(other.single().map(|k| (k, self))) {
            return other.scaled(k);
        }
        if let (Some(a), Some(b), Some(c), Some(d)) = (self.lo(), self.hi(), other.lo(), other.hi()) {
            let [Some(p), Some(q), Some(r), Some(s)] =
                [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| product(x, y))
            else {
                return ALL;
            };
            return Self::between(p.min(q).min(r).min(s), p.max(q).max(r).max(s));
        }
        match (self.lo(), other.lo()) {
            (Some(a), Some(c)) if a >= 0 && c >= 0 => Self::new(product(a, c), None),
            _ => ALL,
        }
    }

    /// Where a quotient lies; anywhere if it may have no value: what has none must be looked at.
    pub(super) fn over(self, by: Self) -> Self {
        if let Some(k) = by.single().filter(|k| *k > 0) {
            return Self::new(self.lo().map(|n| n / k), self.hi().map(|n| n / k));
        }
        match (natural(self), natural(by)) {
            (Some((least, most)), Some((few, many))) if few > 0 => Self::between(least / many, most / few),
            _ => ALL,
        }
    }

    /// Where a remainder lies; anywhere if it may have no value, which one of a negative number or by less than one has not.
    pub(super) fn remainder(self, by: Self) -> Self {
        if self.lo().is_none_or(|n| n < 0) || by.lo().is_none_or(|n| n < 1) {
            return ALL;
        }
        Self::new(Some(0), by.hi().map(|n| n - 1))
    }
}

/// Variables while comparisons narrow them.
struct Ranges<'d> {
    doms: &'d mut [Interval],
    /// Which have changed: a bit each, the last one for all from there on.
    changed: u64,
    /// Whether one has no value left.
    empty: bool,
}

/// The bit of a variable.
pub(super) fn bit(v: usize) -> u64 {
    1 << v.min(63)
}

impl Ranges<'_> {
    fn meet(&mut self, v: usize, with: Interval) {
        self.set(v, self.doms[v].meet(with));
    }

    fn set(&mut self, v: usize, d: Interval) {
        if self.doms[v] != d {
            self.doms[v] = d;
            self.changed |= bit(v);
            self.empty |= d.is_empty();
        }
    }
}

/// The product of two numbers. Most are small, and the check for large ones is slow.
fn product(a: i128, b: i128) -> Option<i128> {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => Some(i128::from(a) * i128::from(b)),
        _ => a.checked_mul(b),
    }
}

/// Multiples of distinct variables.
pub(super) type Parts = SmallVec<[(i128, usize); 2]>;

/// A term.
#[derive(Clone, Debug)]
pub(super) enum Term {
    Known(Interval),
    Var(usize),
    /// A sum of multiples of distinct variables and a constant.
    Lin(Parts, i128),
    Neg(Box<Term>),
    /// The sum of terms.
    Add(Vec<Term>),
    Mul(Box<Term>, Box<Term>),
    /// A power, with an exponent of at least two.
    Power(Box<Term>, u32),
    /// Truncating division.
    Div(Box<Term>, Box<Term>),
    /// The remainder of the one by the other.
    Mod(Box<Term>, Box<Term>),
    /// One of two.
    Either(Box<Term>, Box<Term>),
    /// The least of several; at least one.
    Least(Vec<Term>),
}

impl Term {
    /// The sum of two terms, as multiples of variables where possible.
    pub(super) fn plus(self, other: Term) -> Term {
        if let (Some((mut parts, k)), Some((more, l))) = (self.linear(), other.linear()) {
            for (c, v) in more {
                match parts.iter_mut().find(|(_, w)| *w == v) {
                    Some((d, _)) => *d += c,
                    None => parts.push((c, v)),
                }
            }
            parts.retain(|(c, _)| *c != 0);
            if parts.is_empty() { Term::Known(Interval::one(k + l)) } else { Term::Lin(parts, k + l) }
        } else {
            let mut terms = self.summands();
            terms.extend(other.summands());
            Term::Add(terms)
        }
    }

    fn summands(self) -> Vec<Term> {
        match self {
            Term::Add(terms) => terms,
            one => vec![one],
        }
    }

    /// The negated term.
    pub(super) fn minus(self) -> Term {
        match self.linear() {
            Some((parts, k)) if parts.is_empty() => Term::Known(Interval::one(-k)),
            Some((parts, k)) => Term::Lin(parts.into_iter().map(|(c, v)| (-c, v)).collect(), -k),
            None => Term::Neg(Box::new(self)),
        }
    }

    /// The product of two terms.
    pub(super) fn times(self, other: Term) -> Term {
        if let (Some(a), Some(b)) = (self.constant(), other.constant())
            && let Some(n) = product(a, b)
        {
            return Term::Known(Interval::one(n));
        }
        let scaled = |t: &Term, k: Option<i128>| {
            let (k, (parts, c)) = (k?, t.linear()?);
            if k == 0 || k.abs() > SMALL || parts.iter().any(|(c, _)| c.abs() > SMALL) || c.abs() > SMALL {
                return None;
            }
            if parts.is_empty() {
                return Some(Term::Known(Interval::one(c * k)));
            }
            Some(Term::Lin(parts.into_iter().map(|(c, v)| (c * k, v)).collect(), c * k))
        };
        (scaled(&self, other.constant()).or_else(|| scaled(&other, self.constant())))
            .or_else(|| self.powers(&other))
            .unwrap_or_else(|| Term::Mul(Box::new(self), Box::new(other)))
    }

    fn constant(&self) -> Option<i128> {
        match self {
            Term::Known(i) => i.single(),
            _ => None,
        }
    }

    /// Whether the term is a sum of multiples of variables and a constant.
    pub(super) fn is_linear(&self) -> bool {
        match self {
            Term::Known(i) => i.single().is_some(),
            Term::Var(_) | Term::Lin(..) => true,
            _ => false,
        }
    }

    /// Whether the intervals of the variables say all that can be said: each is there once, and none of the parts is
    /// anything but a sum, product or quotient. The bits of variables met before are in `seen`.
    pub(super) fn is_plain(&self, seen: &mut u64) -> bool {
        let mut fresh = |v: usize| {
            let met = *seen;
            *seen |= bit(v);
            met & bit(v) == 0
        };
        match self {
            Term::Known(i) => i.single().is_some(),
            Term::Var(v) => fresh(*v),
            Term::Lin(parts, _) => parts.iter().all(|(_, v)| fresh(*v)),
            Term::Neg(a) | Term::Power(a, _) => a.is_plain(seen),
            Term::Add(terms) => terms.iter().all(|t| t.is_plain(seen)),
            Term::Mul(a, b) | Term::Div(a, b) => a.is_plain(seen) && b.is_plain(seen),
            Term::Mod(..) | Term::Either(..) | Term::Least(_) => false,
        }
    }

    /// The term as multiples of variables and a constant; coefficients are small.
    fn linear(&self) -> Option<(Parts, i128)> {
        match self {
            Term::Known(i) => i.single().map(|n| (Parts::new(), n)),
            Term::Var(v) => Some((smallvec![(1, *v)], 0)),
            Term::Lin(parts, k) if k.abs() < HUGE && parts.iter().all(|(c, _)| c.abs() < HUGE) => {
                Some((parts.clone(), *k))
            }
            _ => None,
        }
    }

    /// The interval that the term's value lies in.
    #[inline]
    pub(super) fn interval(&self, doms: &[Interval]) -> Interval {
        match self {
            Term::Known(i) => *i,
            Term::Var(v) => doms[*v],
            _ => self.of_parts(doms),
        }
    }

    /// The only value that the term can have, if there is but one.
    #[inline]
    fn single(&self, doms: &[Interval]) -> Option<i128> {
        match self {
            Term::Known(i) => i.single(),
            Term::Var(v) => doms[*v].single(),
            _ => self.of_parts(doms).single(),
        }
    }

    fn of_parts(&self, doms: &[Interval]) -> Interval {
        match self {
            Term::Known(_) | Term::Var(_) => self.interval(doms),
            Term::Lin(parts, k) => Total::of(parts, *k, doms).interval(),
            Term::Neg(a) => a.interval(doms).neg(),
            Term::Add(terms) => terms.iter().fold(Interval::one(0), |sum, t| sum.plus(t.interval(doms))),
            Term::Mul(a, b) => a.interval(doms).times(b.interval(doms)),
            Term::Power(a, n) => a.interval(doms).power(*n),
            Term::Div(a, b) => a.interval(doms).over(b.interval(doms)),
            Term::Mod(a, b) => a.interval(doms).remainder(b.interval(doms)),
            Term::Either(a, b) => a.interval(doms).hull(b.interval(doms)),
            Term::Least(terms) => least(terms, doms),
        }
    }

    /// The bits of the variables in the term.
    fn variables(&self) -> u64 {
        match self {
            Term::Known(_) => 0,
            Term::Var(v) => bit(*v),
            Term::Lin(parts, _) => parts.iter().fold(0, |bits, (_, v)| bits | bit(*v)),
            Term::Neg(a) | Term::Power(a, _) => a.variables(),
            Term::Add(terms) | Term::Least(terms) => terms.iter().fold(0, |bits, t| bits | t.variables()),
            Term::Mul(a, b) | Term::Div(a, b) | Term::Mod(a, b) | Term::Either(a, b) => {
                a.variables() | b.variables()
            }
        }
    }

    /// Narrows the variables of the term given that its value lies in `to`.
    pub(super) fn narrow(&self, to: Interval, doms: &mut [Interval]) {
        self.within(to, &mut Ranges { doms, changed: 0, empty: false });
    }

    fn within(&self, to: Interval, at: &mut Ranges<'_>) {
        if to == ALL {
            return;
        }
        match self {
            Term::Known(_) | Term::Mod(..) | Term::Either(..) => {}
            Term::Var(v) => at.meet(*v, to),
            Term::Lin(parts, k) => {
                let mut total = Total::of(parts, *k, at.doms);
                at.empty |= total.interval().meet(to).is_empty();
                for (c, v) in parts {
                    total.take(at.doms[*v].scaled(*c));
                    at.meet(*v, quotient_by(to.plus(total.interval().neg()), *c));
                    total.add(at.doms[*v].scaled(*c));
                }
            }
            Term::Neg(a) => a.within(to.neg(), at),
            Term::Add(terms) => {
                let parts: SmallVec<[Interval; 8]> = terms.iter().map(|t| t.interval(at.doms)).collect();
                let mut total = Total::new();
                parts.iter().for_each(|i| total.add(*i));
                at.empty |= total.interval().meet(to).is_empty();
                for (t, i) in terms.iter().zip(parts) {
                    total.take(i);
                    t.within(to.plus(total.interval().neg()), at);
                    total.add(i);
                }
            }
            Term::Mul(a, b) => {
                let (ia, ib) = (a.interval(at.doms), b.interval(at.doms));
                a.within(quotient(to, ib), at);
                b.within(quotient(to, ia), at);
            }
            Term::Power(a, n) => a.within(to.roots(*n, a.interval(at.doms)), at),
            Term::Least(terms) => {
                terms.iter().for_each(|t| t.within(Interval::new(to.lo(), None), at));
                // Where only one of them can be small enough, it is.
                let Some(hi) = to.hi() else { return };
                let mut small = terms.iter().filter(|t| t.interval(at.doms).lo().is_none_or(|lo| lo <= hi));
                if let (Some(one), None) = (small.next(), small.next()) {
                    one.within(Interval::new(None, Some(hi)), at);
                }
            }
            Term::Div(a, b) => {
                let (i, by) = (a.interval(at.doms), b.interval(at.doms));
                if let Some(k) = by.single().filter(|k| *k > 0) {
                    // What is too large for a product is no end.
                    let (lo, hi) = (to.lo().and_then(|n| product(n, k)), to.hi().and_then(|n| product(n, k)));
                    let less = |n: i128| n.saturating_sub(k - 1);
                    a.within(Interval::new(lo.map(less), hi.map(|n| n.saturating_add(k - 1))), at);
                } else if let Some(((least, most), (few, many))) = natural(i).zip(natural(by))
                    && few > 0
                {
                    // With no negative numbers, `q * b <= a < (q + 1) * b`.
                    let (q, p) = (to.lo().map_or(0, |n| n.max(0)), to.hi().filter(|n| *n >= 0));
                    let hi = p.map(|p| (p.min(most) + 1) * many - 1);
                    a.within(Interval::new(Some(q.min(most) * few), hi), at);
                    let lo = p.map(|p| least / (p + 1) + 1);
                    b.within(Interval::new(lo, (q > 0).then(|| most / q)), at);
                }
            }
        }
    }
}

/// Where the least of several lies: one without an upper bound does not matter as long as another has one.
fn least(terms: &[Term], doms: &[Interval]) -> Interval {
    let intervals = terms.iter().map(|t| t.interval(doms));
    intervals.reduce(|a, b| Interval { least: a.least.min(b.least), most: a.most.min(b.most) }).unwrap_or(ALL)
}

/// Numbers this large are not divided by other than single numbers: products of two are far from overflow.
const NATURAL: i128 = 1 << 60;

/// The ends of a range of numbers none of which is negative, or large.
fn natural(i: Interval) -> Option<(i128, i128)> {
    Some((i.lo().filter(|n| *n >= 0)?, i.hi().filter(|n| *n < NATURAL)?))
}

/// Where x lies if `x * k` lies in `to` for some k in `by`.
fn quotient(to: Interval, by: Interval) -> Interval {
    if let Some(k) = by.single().filter(|k| *k != 0) {
        return quotient_by(to, k);
    }
    match (by.lo(), to.hi()) {
        (Some(k), Some(hi)) if k > 0 && hi >= 0 => {
            // An interval without members may have a negative end, or zero.
            let most = by.hi().filter(|most| *most > 0);
            let lo = to.lo().map(|l| if l >= 0 { most.map_or(0, |most| up(l, most)) } else { l });
            Interval::new(lo, Some(down(hi, k)))
        }
        _ => ALL,
    }
}

/// Where x lies if `x * k` lies in `to`.
fn quotient_by(to: Interval, k: i128) -> Interval {
    if k == 0 || !is_finite(k) {
        return ALL;
    }
    let to = if k < 0 { to.neg() } else { to };
    let k = k.abs();
    if k == 1 {
        return to;
    }
    Interval::new(to.lo().map(|n| up(n, k)), to.hi().map(|n| down(n, k)))
}

/// The quotient by a positive number, rounded down. Most are small, and the division of large ones is slow.
fn down(n: i128, by: i128) -> i128 {
    match (i64::try_from(n), i64::try_from(by)) {
        (Ok(n), Ok(by)) => n.div_euclid(by).into(),
        _ => n.div_euclid(by),
    }
}

/// The quotient by a positive number, rounded up.
fn up(n: i128, by: i128) -> i128 {
    -down(-n, by)
}

#[cfg(test)]
mod tests;
