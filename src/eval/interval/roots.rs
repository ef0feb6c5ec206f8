//! Bounds from polynomials in one variable: `x * x = x + 6` holds between the outermost roots only.
//!
//! In: a comparison of terms. Out: an interval outside which it is false (Cauchy: no root is farther from 0 than 1 and the greatest
//! quotient of a coefficient and the leading one). Absent: several variables, and what `narrow` sees without this: one power alone.

use super::{Interval, Rel, Term};

/// The highest degree.
const DEGREE: usize = 8;

/// Coefficients are smaller.
const LARGE: i128 = 1 << 60;

/// Coefficients, the constant first.
type Polynomial = Vec<i128>;

/// A variable, and where it lies if a comparison holds.
pub(in crate::eval) fn between_roots(rel: Rel, a: &Term, b: &Term) -> Option<(usize, Interval)> {
    if rel == Rel::Neq {
        return None;
    }
    let mut var = None;
    let p = sum(coefficients(a, &mut var)?, &coefficients(b, &mut var)?, -1)?;
    let degree = p.iter().rposition(|c| *c != 0)?;
    let leading = p[degree];
    if degree < 2 || p[1..degree].iter().all(|c| *c == 0) {
        return None;
    }
    let most = p[..degree].iter().map(|c| c.abs()).max()?;
    let reach = 2 + most / leading.abs();
    let (lo, hi) = match (rel, degree % 2 == 0, leading > 0) {
        (Rel::Eq, ..) | (Rel::Le | Rel::Lt, true, true) => (Some(-reach), Some(reach)),
        (Rel::Le | Rel::Lt, false, true) => (None, Some(reach)),
        (Rel::Le | Rel::Lt, false, false) => (Some(-reach), None),
        _ => return None,
    };
    Some((var?, Interval::new(lo, hi)))
}

fn coefficients(t: &Term, var: &mut Option<usize>) -> Option<Polynomial> {
    let mut of = |v: usize| *var.get_or_insert(v) == v;
    match t {
        Term::Known(i) => Some(vec![i.single()?]),
        Term::Var(v) => of(*v).then(|| vec![0, 1]),
        Term::Lin(parts, k) => match parts.as_slice() {
            [(c, v)] if of(*v) => Some(vec![*k, *c]),
            _ => None,
        },
        Term::Neg(a) => sum(Vec::new(), &coefficients(a, var)?, -1),
        Term::Add(terms) => terms.iter().try_fold(Vec::new(), |all, t| sum(all, &coefficients(t, var)?, 1)),
        Term::Mul(a, b) => product(&coefficients(a, var)?, &coefficients(b, var)?),
        Term::Power(a, n) => {
            let a = coefficients(a, var)?;
            (0..*n).try_fold(vec![1], |all, _| product(&all, &a))
        }
        Term::Div(..) | Term::Mod(..) | Term::Either(..) | Term::Least(_) => None,
    }
}

fn sum(mut a: Polynomial, b: &Polynomial, factor: i128) -> Option<Polynomial> {
    a.resize(a.len().max(b.len()), 0);
    for (x, y) in a.iter_mut().zip(b) {
        *x = x.checked_add(y.checked_mul(factor)?)?;
    }
    a.iter().all(|c| c.abs() < LARGE).then_some(a)
}

fn product(a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
    let mut all = vec![0_i128; a.len() + b.len()];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            all[i + j] = all[i + j].checked_add(x.checked_mul(*y)?)?;
        }
    }
    let length = all.iter().rposition(|c| *c != 0).map_or(0, |n| n + 1);
    all.truncate(length);
    (length <= DEGREE + 1 && all.iter().all(|c| c.abs() < LARGE)).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// a + b x + c x^2 + d x^3.
    fn term([a, b, c, d]: [i128; 4]) -> Term {
        let times = |k: i128, n: u32| Term::Known(Interval::one(k)).times(Term::Var(0).power(n));
        Term::Known(Interval::one(a)).plus(times(b, 1)).plus(times(c, 2)).plus(times(d, 3))
    }

    proptest! {
        #[test]
        fn nothing_beyond_holds(p in prop::array::uniform4(-9i128..10), q in prop::array::uniform4(-9i128..10)) {
            let value = |[a, b, c, d]: [i128; 4], x: i128| a + x * (b + x * (c + x * d));
            for rel in [Rel::Eq, Rel::Le, Rel::Lt] {
                let Some((_, within)) = between_roots(rel, &term(p), &term(q)) else { continue };
                for x in (-60..=60).filter(|x| !within.contains(*x)) {
                    let (a, b) = (value(p, x), value(q, x));
                    let holds = match rel { Rel::Eq => a == b, Rel::Le => a <= b, _ => a < b };
                    prop_assert!(!holds, "{x} {rel:?}");
                }
            }
        }
    }

    #[test]
    fn equations_have_ends() {
        let within = between_roots(Rel::Eq, &term([0, 0, 1, 0]), &term([6, 1, 0, 0]));
        assert_eq!(within, Some((0, Interval::new(Some(-8), Some(8)))));
        assert_eq!(between_roots(Rel::Lt, &term([6, 1, 0, 0]), &term([0, 0, 1, 0])), None);
    }
}
