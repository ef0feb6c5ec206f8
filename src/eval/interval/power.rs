//! Powers: where they lie, and where their roots do.
//!
//! In: intervals, an exponent of at least two. Out: the interval of the power; of a base whose power lies in an interval. Sound:
//! what does not fit into numbers counts as infinite.

use super::{Interval, SMALL, Term, product};

/// The greatest exponent of a power.
pub(in crate::eval) const MOST: u32 = 64;

impl Interval {
    /// Where powers of its members lie.
    pub(in crate::eval) fn power(self, n: u32) -> Self {
        let power = |x: i128| x.checked_pow(n);
        if n % 2 == 1 {
            return Self::new(self.lo().and_then(power), self.hi().and_then(power));
        }
        match (self.lo(), self.hi()) {
            (Some(lo), Some(hi)) => {
                let least = if lo <= 0 && hi >= 0 { 0 } else { lo.abs().min(hi.abs()) };
                Self::new(power(least).or(Some(0)), power(lo.abs().max(hi.abs())))
            }
            (Some(least @ 0..), None) | (None, Some(least @ ..0)) => {
                Self::new(power(least).or(Some(0)), None)
            }
            _ => Self::new(Some(0), None),
        }
    }

    /// Where the members of `base` lie whose powers are in the interval.
    pub(super) fn roots(self, n: u32, base: Self) -> Self {
        if n % 2 == 1 {
            return Self::new(self.lo().map(|lo| -root(-lo, n)), self.hi().map(|hi| root(hi, n)));
        }
        let most = self.hi().map(|hi| if hi < 0 { -1 } else { root(hi, n) });
        let mut within = Self::new(most.map(|most| -most), most);
        // Between the negative roots and the others there is nothing.
        if let Some(lo @ 1..) = self.lo() {
            let least = root(lo - 1, n) + 1;
            if base.lo().is_some_and(|lo| lo > -least) {
                within = within.meet(Self::new(Some(least), None));
            }
            if base.hi().is_some_and(|hi| hi < least) {
                within = within.meet(Self::new(None, Some(-least)));
            }
        }
        within
    }
}

/// The greatest integer whose power is not greater; the exponent is odd for negative numbers.
fn root(x: i128, n: u32) -> i128 {
    if n == 2 {
        return u64::try_from(x).map_or_else(|_| x.max(0).isqrt(), |x| x.isqrt().into());
    }
    // At most 2^80, where a rounded root is wrong by little.
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
    let mut r = (x.abs() as f64).powf(1.0 / f64::from(n)) as i128 * x.signum();
    let power = |r: i128| r.checked_pow(n);
    while power(r).map_or(r > 0, |p| p > x) {
        r -= 1;
    }
    while power(r + 1).is_some_and(|p| p <= x) {
        r += 1;
    }
    r
}

/// A multiple of a power of one variable.
struct Monomial {
    factor: i128,
    of: usize,
    n: u32,
}

impl Term {
    /// A power of a term.
    pub(in crate::eval) fn power(self, n: u32) -> Self {
        match n {
            0 => Term::Known(Interval::one(1)),
            1 => self,
            _ => match self.constant().map(|k| k.checked_pow(n)) {
                Some(Some(k)) => Term::Known(Interval::one(k)),
                _ => Term::Power(Box::new(self), n),
            },
        }
    }

    /// The product of two terms, if it is made of a power.
    pub(super) fn powers(&self, other: &Self) -> Option<Self> {
        if let (Term::Lin(a, k), Term::Lin(b, l)) = (self, other)
            && a == b
            && k == l
        {
            return Some(self.clone().power(2));
        }
        let (a, b) = (self.monomial()?, other.monomial()?);
        let n = a.n + b.n;
        if a.of != b.of || n > MOST {
            return None;
        }
        let factor = product(a.factor, b.factor).filter(|c| c.abs() <= SMALL)?;
        let power = Term::Power(Box::new(Term::Var(a.of)), n);
        Some(match factor {
            1 => power,
            _ => Term::Mul(Box::new(Term::Known(Interval::one(factor))), Box::new(power)),
        })
    }

    fn monomial(&self) -> Option<Monomial> {
        match self {
            Term::Var(v) => Some(Monomial { factor: 1, of: *v, n: 1 }),
            Term::Lin(parts, 0) => match &parts[..] {
                [(c, v)] => Some(Monomial { factor: *c, of: *v, n: 1 }),
                _ => None,
            },
            Term::Power(a, n) => match **a {
                Term::Var(v) => Some(Monomial { factor: 1, of: v, n: *n }),
                _ => None,
            },
            Term::Mul(a, b) => {
                let rest = b.monomial()?;
                Some(Monomial { factor: product(a.constant()?, rest.factor)?, ..rest })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Rel, propagate};
    use super::*;

    /// Of all bases in a range exactly those between the first and the last root are left, where no root is between two that
    /// differ in their sign.
    #[test]
    fn no_root_gets_lost() {
        for n in 2..6 {
            for (from, to) in (-70..70).flat_map(|a| (a..70).step_by(3).map(move |b| (a, b))) {
                for (least, most) in [(-9, 9), (0, 8), (-7, -1), (2, 5), (-1, 3)] {
                    let mut doms = vec![Interval::new(Some(least), Some(most))];
                    let power = (1..n).fold(Term::Var(0), |p, _| p.times(Term::Var(0)));
                    let known = Term::Known(Interval::new(Some(from), Some(to)));
                    let possible = propagate(&[(Rel::Eq, power, known)], &mut doms);
                    let root = |r: &i128| (from..=to).contains(&r.pow(n));
                    let roots: Vec<i128> = (least..=most).filter(root).collect();
                    match &roots[..] {
                        [] => {
                            assert!(!possible || n % 2 == 0 && least < 0, "{n} {from}..{to} {least}..{most}");
                        }
                        [first, ..] => {
                            let last = roots.last().unwrap();
                            assert!(possible, "{n} {from}..{to} {least}..{most}");
                            assert_eq!(doms[0], Interval::new(Some(*first), Some(*last)), "{n} {from}..{to}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn roots_of_large_numbers() {
        for n in 2..20 {
            for r in [1, 2, 7, 1000, 1_048_575, 1_048_576] {
                let Some(p) = i128::from(r).checked_pow(n).filter(|p| *p < 1 << 79) else { continue };
                let expected = i128::from(r);
                assert_eq!([root(p - 1, n), root(p, n), root(p + 1, n)], [expected - 1, expected, expected]);
                if n % 2 == 1 {
                    assert_eq!([root(-p - 1, n), root(-p, n)], [-expected - 1, -expected]);
                }
            }
        }
        assert_eq!(Interval::new(None, Some(-3)).power(2), Interval::new(Some(9), None));
        assert_eq!(Interval::new(Some(1 << 79), None).power(4), Interval::new(Some(0), None));
    }

    #[test]
    fn products_of_one_variable_are_powers() {
        let x = || Term::Var(3);
        let cube = x().times(x()).times(x());
        assert!(matches!(&cube, Term::Power(a, 3) if matches!(**a, Term::Var(3))));
        let six = Term::Known(Interval::one(2)).times(x()).times(Term::Known(Interval::one(3)).times(x()));
        assert_eq!(six.interval(&[ALL_BUT; 4]), Interval::new(Some(24), Some(54)));
        let next = || x().plus(Term::Known(Interval::one(1)));
        assert_eq!(next().times(next()).interval(&[ALL_BUT; 4]), Interval::new(Some(9), Some(16)));
    }

    const ALL_BUT: Interval = Interval { least: 2, most: 3 };
}
