//! Elimination of unknowns from rows.
//!
//! In: polynomials that are not positive, with cases. Out: whether they contradict each other, or what is left of them without some
//! of their unknowns.

use super::Said;
use super::polynomial::{Number, Polynomial, constant, sum};
use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;

/// Rows of a case, also those that elimination makes.
const ROWS: usize = 400;

/// Whether some rows and all of this cannot hold together; `cases` is how many are left to look at.
pub(super) fn is_impossible(rows: Vec<Polynomial>, said: &[&Said], cases: &mut usize) -> bool {
    let mut possible = false;
    each_case(rows, said, cases, &mut |_| possible = true) && !possible
}

/// The cases of rows and all of this that are not contradictory. Whether these are all of them.
pub(super) fn each_case(
    mut rows: Vec<Polynomial>,
    said: &[&Said],
    cases: &mut usize,
    f: &mut dyn FnMut(&[Polynomial]),
) -> bool {
    let (mut said, mut choices) = (said.to_vec(), Vec::new());
    while let Some(one) = said.pop() {
        match one {
            Said::All(all) => said.extend(all),
            Said::One(of) => choices.push((one, of)),
            Said::Row(row) => rows.push(row.clone()),
        }
    }
    let Some(left) = cases.checked_sub(1) else { return false };
    *cases = left;
    if rows.len() > ROWS {
        return false;
    }
    if has_contradiction(&rows) {
        return true;
    }
    // The one with the fewest cases first.
    let Some(at) = (0..choices.len()).min_by_key(|i| choices[*i].1.len()) else {
        f(&rows);
        return true;
    };
    let (_, of) = choices.swap_remove(at);
    let others: Vec<&Said> = choices.iter().map(|(one, _)| *one).collect();
    of.iter().all(|case| each_case(rows.clone(), &[others.as_slice(), &[case]].concat(), cases, f))
}

/// What is said by denying that there are values of the unknowns above `last` with which some rows hold; `None` if elimination
/// does not say it exactly.
pub(super) fn denied(mut rows: Vec<Polynomial>, last: Number) -> Option<Said> {
    rows.iter_mut().for_each(|row| row.retain(|_, n| *n != 0));
    loop {
        let inner = |p: &Polynomial| p.keys().flatten().copied().filter(|n| *n > last).max();
        let Some(number) = rows.iter().filter_map(inner).max() else { break };
        let (with, without): (Vec<_>, Vec<_>) =
            take(&mut rows).into_iter().partition(|p| p.keys().any(|of| of.contains(&number)));
        rows = without;
        let factor = |p: &Polynomial| p.get(&vec![number]).copied();
        if with.iter().any(|p| p.keys().any(|of| of.contains(&number) && of.len() > 1)) {
            return None;
        }
        for up in with.iter().filter(|p| factor(p) > Some(0)) {
            for down in with.iter().filter(|p| factor(p) < Some(0)) {
                let (m, n) = (factor(up)?, factor(down)?.checked_neg()?);
                if m != 1 && n != 1 {
                    return None;
                }
                let scaled = sum(Polynomial::new(), up, n)?;
                let mut row = sum(scaled, down, m)?;
                row.retain(|_, n| *n != 0);
                rows.push(row);
                if rows.len() > ROWS {
                    return None;
                }
            }
        }
    }
    let opposite = |row: &Polynomial| Some(Said::Row(sum(constant(1), row, -1)?));
    Some(Said::One(rows.iter().map(opposite).collect::<Option<_>>()?))
}

/// Factors of the products that are left, and a constant: their sum is not positive.
type Row = (Vec<i128>, i128);

fn has_contradiction(polynomials: &[Polynomial]) -> bool {
    let products: BTreeSet<&Vec<Number>> =
        polynomials.iter().flat_map(BTreeMap::keys).filter(|p| !p.is_empty()).collect();
    let products: Vec<&Vec<Number>> = products.into_iter().collect();
    let one: Vec<Number> = Vec::new();
    let of = |p: &Polynomial, product: &Vec<Number>| p.get(product).copied().unwrap_or(0);
    let mut rows = BTreeMap::new();
    for p in polynomials {
        let row = (products.iter().map(|x| of(p, x)).collect(), of(p, &one));
        if add(row, &mut rows) {
            return true;
        }
    }
    for (i, product) in products.iter().enumerate() {
        if is_even(product) {
            let factors = (0..products.len()).map(|j| if i == j { -1 } else { 0 }).collect();
            if add((factors, 0), &mut rows) {
                return true;
            }
        }
    }
    eliminate(rows).unwrap_or(false)
}

/// Whether each of its unknowns is there an even number of times.
fn is_even(product: &[Number]) -> bool {
    product.chunk_by(|a, b| a == b).all(|c| c.len() % 2 == 0)
}

/// Eliminates all unknowns; whether a contradiction is left. `None` if there are too many rows, or numbers are too large.
fn eliminate(mut rows: BTreeMap<Vec<i128>, i128>) -> Option<bool> {
    loop {
        let width = rows.keys().next().map_or(0, Vec::len);
        let count = |i: usize, sign: i128| rows.keys().filter(|f| f[i].signum() == sign).count();
        let there = (0..width).filter(|i| rows.keys().any(|f| f[*i] != 0));
        // First the ones whose elimination loses no integers.
        let is_exact = |i: usize| rows.keys().all(|f| f[i].abs() <= 1);
        let Some(i) = there.min_by_key(|i| (!is_exact(*i), count(*i, 1) * count(*i, -1))) else {
            return Some(false);
        };
        let (with, without): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|(f, _)| f[i] != 0);
        rows = without.into_iter().collect();
        let (up, down): (Vec<Row>, Vec<Row>) = with.into_iter().partition(|(f, _)| f[i] > 0);
        for (a, k) in &up {
            for (b, l) in &down {
                let (m, n) = (b[i].checked_neg()?, a[i]);
                let add_up = |x: i128, y: i128| x.checked_mul(m)?.checked_add(y.checked_mul(n)?);
                let factors = a.iter().zip(b).map(|(x, y)| add_up(*x, *y)).collect::<Option<Vec<_>>>()?;
                if add((factors, add_up(*k, *l)?), &mut rows) {
                    return Some(true);
                }
                if rows.len() > ROWS {
                    return None;
                }
            }
        }
    }
}

/// Adds a row, of those with the same factors the one that says most; whether it cannot hold.
fn add((mut factors, mut k): Row, rows: &mut BTreeMap<Vec<i128>, i128>) -> bool {
    let divisor = factors.iter().fold(0, |a, b| gcd(a, b.unsigned_abs()));
    let Ok(divisor) = i128::try_from(divisor) else { return false };
    if divisor == 0 {
        return k > 0;
    }
    factors.iter_mut().for_each(|f| *f /= divisor);
    // The sum of the others is an integer, so the constant is rounded up.
    k = k.div_euclid(divisor) + i128::from(k.rem_euclid(divisor) != 0);
    let slot = rows.entry(factors).or_insert(k);
    *slot = k.max(*slot);
    false
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
