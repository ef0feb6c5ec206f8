//! Intervals of integers and linear-ish terms over them: bounds forwards, narrowing backwards.
//!
//! In: terms whose leaves are known intervals or numbered variables. Out: the interval of a term, and narrower
//! intervals of its variables given one of the term. Sound, not complete: no value that could be part of a
//! solution is lost.

/// An interval; a missing side is infinite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Interval {
    pub(super) lo: Option<i128>,
    pub(super) hi: Option<i128>,
}

/// Coefficients up to this stay exact in sums of terms.
const SMALL: i128 = 1 << 40;

/// All integers.
pub(super) const ALL: Interval = Interval { lo: None, hi: None };

/// Beyond this a bound counts as infinite, so that sums never overflow.
const HUGE: i128 = 1 << 80;

impl Interval {
    pub(super) fn new(lo: Option<i128>, hi: Option<i128>) -> Self {
        Self { lo: lo.filter(|n| n.abs() < HUGE), hi: hi.filter(|n| n.abs() < HUGE) }
    }

    pub(super) fn one(n: i128) -> Self {
        Self::new(Some(n), Some(n))
    }

    pub(super) fn is_empty(&self) -> bool {
        matches!((self.lo, self.hi), (Some(a), Some(b)) if a > b)
    }

    pub(super) fn contains(&self, n: i128) -> bool {
        self.lo.is_none_or(|lo| lo <= n) && self.hi.is_none_or(|hi| n <= hi)
    }

    /// Number of members, if finite.
    pub(super) fn size(&self) -> Option<i128> {
        Some((self.hi? - self.lo? + 1).max(0))
    }

    pub(super) fn single(&self) -> Option<i128> {
        if self.lo == self.hi { self.lo } else { None }
    }

    pub(super) fn meet(self, other: Self) -> Self {
        let max = |a: Option<i128>, b: Option<i128>| a.map_or(b, |a| Some(b.map_or(a, |b| a.max(b))));
        let min = |a: Option<i128>, b: Option<i128>| a.map_or(b, |a| Some(b.map_or(a, |b| a.min(b))));
        Self { lo: max(self.lo, other.lo), hi: min(self.hi, other.hi) }
    }

    pub(super) fn hull(self, other: Self) -> Self {
        let both = |a: Option<i128>, b: Option<i128>, f: fn(i128, i128) -> i128| Some(f(a?, b?));
        Self::new(both(self.lo, other.lo, i128::min), both(self.hi, other.hi, i128::max))
    }

    fn plus(self, other: Self) -> Self {
        let add = |a: Option<i128>, b: Option<i128>| a?.checked_add(b?);
        Self::new(add(self.lo, other.lo), add(self.hi, other.hi))
    }

    /// The interval times a number, which may have only one finite side.
    fn times_exact(self, other: Self) -> Self {
        let Some(c) = self.single() else { return ALL };
        let (lo, hi) = (other.lo.and_then(|n| product(n, c)), other.hi.and_then(|n| product(n, c)));
        if c < 0 { Self::new(hi, lo) } else { Self::new(lo, hi) }
    }

    pub(super) fn neg(self) -> Self {
        Self { lo: self.hi.map(|n| -n), hi: self.lo.map(|n| -n) }
    }

    fn times(self, other: Self) -> Self {
        if let (Some(a), Some(b), Some(c), Some(d)) = (self.lo, self.hi, other.lo, other.hi) {
            let [Some(p), Some(q), Some(r), Some(s)] =
                [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| product(x, y))
            else {
                return ALL;
            };
            return Self::new(Some(p.min(q).min(r).min(s)), Some(p.max(q).max(r).max(s)));
        }
        match (self.lo, other.lo) {
            (Some(a), Some(c)) if a >= 0 && c >= 0 => Self::new(product(a, c), None),
            _ => ALL,
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

/// A term.
#[derive(Clone, Debug)]
pub(super) enum Term {
    Known(Interval),
    Var(usize),
    /// A sum of multiples of distinct variables and a constant.
    Lin(Vec<(i128, usize)>, i128),
    Neg(Box<Term>),
    Add(Box<Term>, Box<Term>),
    Mul(Box<Term>, Box<Term>),
    /// Truncating division.
    Div(Box<Term>, Box<Term>),
    /// Remainder by a positive number; the left side does not matter.
    Mod(Box<Term>),
    /// One of two.
    Either(Box<Term>, Box<Term>),
    /// The least of several; at least one.
    Least(Vec<Term>),
}

impl Term {
    /// The sum of two terms, as multiples of variables where possible.
    pub(super) fn plus(self, other: Term) -> Term {
        match (self.linear(), other.linear()) {
            (Some((mut parts, k)), Some((more, l))) => {
                for (c, v) in more {
                    match parts.iter_mut().find(|(_, w)| *w == v) {
                        Some((d, _)) => *d += c,
                        None => parts.push((c, v)),
                    }
                }
                parts.retain(|(c, _)| *c != 0);
                if parts.is_empty() { Term::Known(Interval::one(k + l)) } else { Term::Lin(parts, k + l) }
            }
            _ => Term::Add(Box::new(self), Box::new(other)),
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
            .unwrap_or_else(|| Term::Mul(Box::new(self), Box::new(other)))
    }

    fn constant(&self) -> Option<i128> {
        match self {
            Term::Known(i) => i.single(),
            _ => None,
        }
    }

    /// The term as multiples of variables and a constant; coefficients are small.
    fn linear(&self) -> Option<(Vec<(i128, usize)>, i128)> {
        match self {
            Term::Known(i) => i.single().filter(|n| n.abs() < HUGE).map(|n| (Vec::new(), n)),
            Term::Var(v) => Some((vec![(1, *v)], 0)),
            Term::Lin(parts, k) if k.abs() < HUGE && parts.iter().all(|(c, _)| c.abs() < HUGE) => {
                Some((parts.clone(), *k))
            }
            _ => None,
        }
    }

    /// The interval that the term's value lies in.
    pub(super) fn interval(&self, doms: &[Interval]) -> Interval {
        match self {
            Term::Known(i) => *i,
            Term::Var(v) => doms[*v],
            Term::Lin(parts, k) => sum(parts, *k, doms),
            Term::Neg(a) => a.interval(doms).neg(),
            Term::Add(a, b) => a.interval(doms).plus(b.interval(doms)),
            Term::Mul(a, b) => match (&**a, &**b) {
                (Term::Var(x), Term::Var(y)) if x == y => square(doms[*x]),
                _ => a.interval(doms).times(b.interval(doms)),
            },
            Term::Div(a, b) => divided(a.interval(doms), b.interval(doms)),
            Term::Mod(b) => Interval::new(Some(0), b.interval(doms).hi.map(|n| (n - 1).max(0))),
            Term::Either(a, b) => a.interval(doms).hull(b.interval(doms)),
            Term::Least(terms) => least(terms, doms),
        }
    }

    /// Narrows the variables of the term given that its value lies in `to`.
    pub(super) fn narrow(&self, to: Interval, doms: &mut [Interval]) {
        if to == ALL {
            return;
        }
        match self {
            Term::Known(_) | Term::Mod(..) | Term::Either(..) => {}
            Term::Var(v) => doms[*v] = doms[*v].meet(to),
            Term::Lin(parts, k) => {
                for (i, (c, v)) in parts.iter().enumerate() {
                    let others = parts.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, part)| part);
                    let left = to.plus(sum(others, *k, doms).neg());
                    doms[*v] = doms[*v].meet(quotient(left, Interval::one(*c)));
                }
            }
            Term::Neg(a) => a.narrow(to.neg(), doms),
            Term::Add(a, b) => {
                let (ia, ib) = (a.interval(doms), b.interval(doms));
                a.narrow(to.plus(ib.neg()), doms);
                b.narrow(to.plus(ia.neg()), doms);
            }
            Term::Mul(a, b) => {
                let (ia, ib) = (a.interval(doms), b.interval(doms));
                a.narrow(quotient(to, ib), doms);
                b.narrow(quotient(to, ia), doms);
                if let (Term::Var(x), Term::Var(y)) = (&**a, &**b)
                    && x == y
                    && let Some(hi) = to.hi
                {
                    let root = isqrt(hi);
                    doms[*x] = doms[*x].meet(Interval::new(Some(-root), Some(root)));
                    // Of numbers that are not negative the least is known, too.
                    if let (Some(0..), Some(lo @ 1..)) = (doms[*x].lo, to.lo) {
                        doms[*x] = doms[*x].meet(Interval::new(Some(isqrt(lo - 1) + 1), None));
                    }
                }
            }
            Term::Least(terms) => {
                terms.iter().for_each(|t| t.narrow(Interval::new(to.lo, None), doms));
                // Where only one of them can be small enough, it is.
                let Some(hi) = to.hi else { return };
                let mut small = terms.iter().filter(|t| t.interval(doms).lo.is_none_or(|lo| lo <= hi));
                if let (Some(one), None) = (small.next(), small.next()) {
                    one.narrow(Interval::new(None, Some(hi)), doms);
                }
            }
            Term::Div(a, b) => {
                let (i, by) = (a.interval(doms), b.interval(doms));
                if let Some(k) = by.single().filter(|k| *k > 0) {
                    let lo = to.lo.map(|n| n * k - (k - 1));
                    a.narrow(Interval::new(lo, to.hi.map(|n| n * k + (k - 1))), doms);
                } else if let Some(((least, most), (few, many))) = natural(i).zip(natural(by)) {
                    // With no negative numbers, `q * b <= a < (q + 1) * b`.
                    let (q, p) = (to.lo.map_or(0, |n| n.max(0)), to.hi.filter(|n| *n >= 0));
                    let hi = p.map(|p| (p.min(most) + 1) * many - 1);
                    a.narrow(Interval::new(Some(q.min(most) * few), hi), doms);
                    let lo = p.map(|p| least / (p + 1) + 1);
                    b.narrow(Interval::new(lo, (q > 0).then(|| most / q)), doms);
                }
            }
        }
    }
}

/// Where the least of several lies: one without an upper bound does not matter as long as another has one.
fn least(terms: &[Term], doms: &[Interval]) -> Interval {
    let (mut lo, mut hi) = (terms.first().and_then(|t| t.interval(doms).lo), None);
    for i in terms.iter().map(|t| t.interval(doms)) {
        lo = lo.zip(i.lo).map(|(a, b)| a.min(b));
        hi = hi.map_or(i.hi, |a: i128| Some(i.hi.map_or(a, |b| a.min(b))));
    }
    Interval::new(lo, hi)
}

fn sum<'p>(parts: impl IntoIterator<Item = &'p (i128, usize)>, k: i128, doms: &[Interval]) -> Interval {
    parts.into_iter().fold(Interval::one(k), |s, (c, v)| s.plus(Interval::one(*c).times_exact(doms[*v])))
}

/// Numbers this large are not divided by other than single numbers: products of two are far from overflow.
const NATURAL: i128 = 1 << 60;

/// The ends of a range of numbers none of which is negative, or large.
fn natural(i: Interval) -> Option<(i128, i128)> {
    Some((i.lo.filter(|n| *n >= 0)?, i.hi.filter(|n| *n < NATURAL)?))
}

/// Where a quotient lies. By zero there is none.
fn divided(i: Interval, by: Interval) -> Interval {
    if let Some(k) = by.single().filter(|k| *k > 0) {
        return Interval::new(i.lo.map(|n| n / k), i.hi.map(|n| n / k));
    }
    match (natural(i), natural(by)) {
        (Some((least, most)), Some((few, many))) if many > 0 => {
            Interval::new(Some(least / many), Some(most / few.max(1)))
        }
        _ => ALL,
    }
}

fn square(i: Interval) -> Interval {
    match (i.lo, i.hi) {
        (Some(a), Some(b)) => {
            let top = a.abs().max(b.abs());
            let low = if a <= 0 && b >= 0 { 0 } else { a.abs().min(b.abs()) };
            Interval::new(low.checked_mul(low), top.checked_mul(top))
        }
        _ => Interval::new(Some(0), None),
    }
}

fn isqrt(n: i128) -> i128 {
    if n <= 0 {
        return 0;
    }
    let mut root = 1i128 << (n.ilog2() / 2 + 1);
    while root * root > n {
        root = i128::midpoint(root, n / root);
    }
    root
}

/// Where x lies if `x * k` lies in `to` for some k in `by`.
fn quotient(to: Interval, by: Interval) -> Interval {
    if let Some(k) = by.single().filter(|k| *k != 0) {
        let to = if k < 0 { to.neg() } else { to };
        let k = k.abs();
        return Interval::new(to.lo.map(|n| up(n, k)), to.hi.map(|n| n.div_euclid(k)));
    }
    match (by.lo, to.hi) {
        (Some(k), Some(hi)) if k > 0 && hi >= 0 => {
            // An interval without members may have a negative end, or zero.
            let most = by.hi.filter(|most| *most > 0);
            let lo = to.lo.map(|l| if l >= 0 { most.map_or(0, |most| up(l, most)) } else { l });
            Interval::new(lo, Some(hi / k))
        }
        _ => ALL,
    }
}

/// The quotient by a positive number, rounded up.
fn up(n: i128, by: i128) -> i128 {
    n.div_euclid(by) + i128::from(n.rem_euclid(by) != 0)
}

/// How two terms compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rel {
    Eq,
    Neq,
    Le,
    Lt,
}

/// Narrows all variables by all comparisons until nothing changes (or long enough); false if some variable
/// has no value left.
pub(super) fn propagate(comparisons: &[(Rel, Term, Term)], doms: &mut [Interval]) -> bool {
    for _ in 0..200 {
        let before = doms.to_vec();
        for (rel, a, b) in comparisons {
            let (ia, ib) = (a.interval(doms), b.interval(doms));
            match rel {
                Rel::Eq => {
                    a.narrow(ib, doms);
                    b.narrow(a.interval(doms).meet(ia), doms);
                    if ia.meet(ib).is_empty() {
                        return false;
                    }
                }
                Rel::Le | Rel::Lt => {
                    let gap = i128::from(*rel == Rel::Lt);
                    if matches!((ia.lo, ib.hi), (Some(l), Some(h)) if l > h - gap) {
                        return false;
                    }
                    a.narrow(Interval::new(None, ib.hi.map(|n| n - gap)), doms);
                    b.narrow(Interval::new(ia.lo.map(|n| n + gap), None), doms);
                }
                Rel::Neq => {
                    if !apart(a, ib, doms) || !apart(b, ia, doms) {
                        return false;
                    }
                }
            }
        }
        if doms.iter().any(Interval::is_empty) {
            return false;
        }
        if before == doms {
            break;
        }
    }
    true
}

/// Takes a single value away from the ends of a variable; false if two single values are equal.
fn apart(t: &Term, other: Interval, doms: &mut [Interval]) -> bool {
    let Some(n) = other.single() else { return true };
    if let Term::Var(v) = t {
        let d = &mut doms[*v];
        if d.lo == Some(n) {
            d.lo = Some(n + 1);
        }
        if d.hi == Some(n) {
            d.hi = Some(n - 1);
        }
        return !d.is_empty();
    }
    t.interval(doms).single() != Some(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrows_through_sums_and_products() {
        let twice = Term::Var(0).plus(Term::Var(0));
        let mut doms = vec![ALL];
        let known = |n| Term::Known(Interval::one(n));
        let cs = vec![(Rel::Lt, known(10), twice.clone()), (Rel::Lt, twice, known(20))];
        assert!(propagate(&cs, &mut doms));
        assert_eq!(doms[0], Interval::new(Some(6), Some(9)));
        let mut doms = vec![Interval::new(Some(-100), Some(100))];
        let square = Term::Mul(Box::new(Term::Var(0)), Box::new(Term::Var(0)));
        assert!(propagate(&[(Rel::Le, square, known(50))], &mut doms));
        assert_eq!(doms[0], Interval::new(Some(-7), Some(7)));
        // A product of two numbers from 2 to 9 that is 30: both are 5 or 6.
        let mut doms = vec![Interval::new(Some(2), Some(9)); 2];
        let product = Term::Var(0).times(Term::Var(1));
        assert!(propagate(&[(Rel::Eq, product, known(30))], &mut doms));
        assert_eq!(doms, [Interval::new(Some(5), Some(6)); 2]);
    }

    /// No root gets lost, and of numbers that are not negative both ends are known.
    #[test]
    fn roots_keep_what_there_is() {
        let square = || Term::Mul(Box::new(Term::Var(0)), Box::new(Term::Var(0)));
        for (from, to) in (0..60).flat_map(|a| (a..60).map(move |b| (a, b))) {
            for least in [-8, -1, 0, 2] {
                let mut doms = vec![Interval::new(Some(least), Some(8))];
                let known = Term::Known(Interval::new(Some(from), Some(to)));
                let possible = propagate(&[(Rel::Eq, square(), known)], &mut doms);
                let roots: Vec<i128> = (least..=8).filter(|n| (from..=to).contains(&(n * n))).collect();
                let kept = |n: &i128| possible && doms[0].meet(Interval::one(*n)) == Interval::one(*n);
                assert!(roots.iter().all(kept), "{from}..{to} from {least}: {doms:?}");
                if let (0.., [first, .., last]) = (least, &roots[..]) {
                    assert_eq!(doms[0], Interval::new(Some(*first), Some(*last)));
                }
            }
        }
    }

    /// No quotient that there is gets lost, whatever is known of the three numbers.
    #[test]
    fn quotients_keep_what_there_is() {
        let mut seed = 5u64;
        let mut draw = |n: i128| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i128::from(seed >> 33) % n
        };
        let mut narrower = 0;
        for _ in 0..20_000 {
            let mut range = |least: i128| {
                let lo = draw(12) + least;
                Interval::new(Some(lo), Some(lo + draw(9)))
            };
            let before = [range(-2), range(-1), range(-2)];
            let mut doms = before.to_vec();
            let quotient = Term::Div(Box::new(Term::Var(0)), Box::new(Term::Var(1)));
            let possible = propagate(&[(Rel::Eq, quotient, Term::Var(2))], &mut doms);
            narrower += u32::from(!possible || doms != before);
            let all = |i: Interval| i.lo.unwrap_or(1)..=i.hi.unwrap_or(0);
            for (a, b) in all(before[0]).flat_map(|a| all(before[1]).map(move |b| (a, b))) {
                if b != 0 && before[2].meet(Interval::one(a / b)) == Interval::one(a / b) {
                    let kept = |i: usize, n: i128| doms[i].meet(Interval::one(n)) == Interval::one(n);
                    assert!(
                        possible && kept(0, a) && kept(1, b) && kept(2, a / b),
                        "{a} / {b} of {before:?}"
                    );
                }
            }
        }
        assert!(narrower > 5000, "{narrower}");
    }

    /// The least of several lies between the ends; who is the least is known once only one can be.
    #[test]
    fn narrows_the_least_of_several() {
        let known = |lo, hi| Term::Known(Interval::new(lo, hi));
        let plus = |k| Term::Var(0).plus(Term::Known(Interval::one(k)));
        let mut doms = vec![Interval::new(Some(1), Some(1000)), Interval::new(Some(1), None)];
        let least = Term::Least((1..=3).map(plus).collect());
        assert_eq!(least.interval(&doms), Interval::new(Some(2), Some(1001)));
        assert!(propagate(&[(Rel::Eq, least.clone(), known(Some(50), Some(50)))], &mut doms));
        assert_eq!(doms[0], Interval::new(Some(49), Some(1000)));
        // 30 is out of reach by now.
        assert!(!propagate(&[(Rel::Le, least, known(Some(30), Some(30)))], &mut doms.clone()));
        // The first is at least 50: the other one is 20 at most.
        let least = Term::Least(vec![plus(1), Term::Var(1)]);
        assert!(propagate(&[(Rel::Le, least.clone(), known(None, Some(20)))], &mut doms));
        assert_eq!(doms[1], Interval::new(Some(1), Some(20)));
        let greatest = Term::Least(vec![plus(1).minus(), Term::Var(1).minus()]).minus();
        assert_eq!(greatest.interval(&doms), Interval::new(Some(50), Some(1001)));
    }

    #[test]
    fn nothing_is_divided_by_an_empty_interval() {
        let empty = Interval { lo: Some(1), hi: Some(0) };
        assert_eq!(quotient(Interval::new(Some(3), Some(9)), empty), Interval::new(Some(0), Some(9)));
    }

    #[test]
    fn finds_contradictions() {
        let mut doms = vec![Interval::new(Some(0), Some(3)), Interval::new(Some(4), Some(5))];
        assert!(!propagate(&[(Rel::Lt, Term::Var(1), Term::Var(0))], &mut doms));
    }
}
