//! How many relations, functions and injective sequences there are between finite sets.

use crate::ops::Op;
use num_bigint::BigInt;
use num_traits::Zero;
use std::ops::Range;

/// Most factors of one number that are worth multiplying.
const FACTORS: u32 = 1 << 16;

/// How many relations or functions there are from n to m elements; `None` if the number is too large to
/// be worth writing down.
pub(super) fn count(op: Op, n: u32, m: u32) -> Option<BigInt> {
    let pow = |b: BigInt, e: u32| (b.bits().saturating_mul(u64::from(e)) < 1 << 20).then(|| b.pow(e));
    let int = |x: u32| BigInt::from(x);
    Some(match op {
        Op::Rel => pow(int(2), n.checked_mul(m)?)?,
        Op::TotalRel => pow(pow(int(2), m)? - 1, n)?,
        Op::SurjRel => pow(pow(int(2), n)? - 1, m)?,
        Op::TotalSurjRel => {
            // Inclusion and exclusion over the right sides left out.
            alternating(m, |k| pow(pow(int(2), m - k)? - 1, n))?
        }
        Op::TotalFun => pow(int(m), n)?,
        Op::PartialFun => pow(int(m) + 1, n)?,
        Op::TotalInj => falling(m, n)?,
        Op::PartialInj => (0..=n.min(m)).map(|k| Some(choose(n, k) * falling(m, k)?)).sum::<Option<_>>()?,
        Op::TotalSurj => alternating(m, |k| pow(int(m - k), n))?,
        Op::PartialSurj => alternating(m, |k| pow(int(m - k) + 1, n))?,
        Op::PartialBij => falling(n, m)?,
        _ => {
            if n == m {
                falling(n, n)?
            } else {
                BigInt::zero()
            }
        }
    })
}

/// a * (a - 1) * ... of k factors: how many injective sequences of length k there are over a elements.
pub(super) fn falling(a: u32, k: u32) -> Option<BigInt> {
    match k {
        _ if k > a => Some(BigInt::zero()),
        0..=FACTORS => Some(product(a - k..a)),
        _ => None,
    }
}

/// The product of the numbers after the start up to the end. Halves of about one length are multiplied, which is much faster than
/// one factor after the other.
fn product(range: Range<u32>) -> BigInt {
    if range.len() <= 16 {
        return range.map(|i| BigInt::from(i) + 1).product();
    }
    let middle = range.start + (range.end - range.start) / 2;
    product(range.start..middle) * product(middle..range.end)
}

/// Sum over k of (-1)^k * C(m,k) * term(k).
fn alternating(m: u32, term: impl Fn(u32) -> Option<BigInt>) -> Option<BigInt> {
    let mut sum = BigInt::zero();
    for k in 0..=m {
        let t = choose(m, k) * term(k)?;
        if k % 2 == 0 { sum += t } else { sum -= t }
    }
    Some(sum)
}

fn choose(n: u32, k: u32) -> BigInt {
    let mut c = BigInt::from(1);
    for i in 0..k {
        c = c * (n - i) / (i + 1);
    }
    c
}
