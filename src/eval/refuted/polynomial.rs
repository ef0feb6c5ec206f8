//! Polynomials with few terms over the integers.
//!
//! In and out: factors by product of unknowns; nothing where a polynomial, or a factor, becomes too large.

use std::collections::BTreeMap;

/// Terms of a polynomial.
const TERMS: usize = 24;
/// Factors of a term.
pub(super) const FACTORS: usize = 4;

/// The number of an unknown integer: a variable, or the quotient of a division.
pub(super) type Number = u32;

/// A polynomial: by product of unknowns, in order, its factor; the empty product is 1.
pub(super) type Polynomial = BTreeMap<Vec<Number>, i128>;

pub(super) fn constant(n: i128) -> Polynomial {
    [(Vec::new(), n)].into()
}

/// `a + factor * b`.
pub(super) fn sum(mut a: Polynomial, b: &Polynomial, factor: i128) -> Option<Polynomial> {
    for (of, n) in b {
        let slot = a.entry(of.clone()).or_insert(0);
        *slot = slot.checked_add(n.checked_mul(factor)?)?;
    }
    (a.len() <= TERMS).then_some(a)
}

pub(super) fn product(a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
    let mut all = Polynomial::new();
    for (of, n) in a {
        for (with, m) in b {
            let mut both = [of.as_slice(), with].concat();
            both.sort_unstable();
            if both.len() > FACTORS {
                return None;
            }
            let slot = all.entry(both).or_insert(0);
            *slot = slot.checked_add(n.checked_mul(*m)?)?;
        }
    }
    (all.len() <= TERMS).then_some(all)
}
