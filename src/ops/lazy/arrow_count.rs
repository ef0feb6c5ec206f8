//! How many relations and functions there are between finite sets.

use crate::ops::Op;
use num_bigint::BigInt;
use num_traits::Zero;

/// How many relations or functions there are from n to m elements; `None` if the number is too large to
/// be worth writing down.
pub(super) fn count(op: Op, n: u32, m: u32) -> Option<BigInt> {
    let pow = |b: BigInt, e: u32| (b.bits().saturating_mul(u64::from(e)) < 1 << 20).then(|| b.pow(e));
    let int = |x: u32| BigInt::from(x);
    let falling = |a: u32, k: u32| -> BigInt {
        if k > a { BigInt::zero() } else { (0..k).map(|i| int(a - i)).product() }
    };
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
        Op::TotalInj => falling(m, n),
        Op::PartialInj => (0..=n.min(m)).map(|k| choose(n, k) * falling(m, k)).sum(),
        Op::TotalSurj => alternating(m, |k| pow(int(m - k), n))?,
        Op::PartialSurj => alternating(m, |k| pow(int(m - k) + 1, n))?,
        Op::PartialBij => falling(n, m),
        _ => {
            if n == m {
                falling(n, n)
            } else {
                BigInt::zero()
            }
        }
    })
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
