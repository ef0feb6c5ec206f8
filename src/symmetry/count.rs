//! Numbers of states and of permutations: words as long as they fit, big integers beyond.
//!
//! In: factors of group orders. Out: exact products, quotients and sums. One is computed for every stored state, and
//! most fit into a machine word; a big integer would cost an allocation each time.

use num_bigint::BigUint;
use std::fmt;
use std::iter::Product;
use std::ops::{AddAssign, Div, Mul};

/// So many factors are multiplied one after the other.
const SHORT: usize = 32;

/// A natural number. `Large` is for what does not fit into `Small`, so that equal numbers are equal and the order
/// is that of numbers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Count {
    /// Less than 2^128.
    Small(u128),
    /// Any other.
    Large(BigUint),
}

impl Count {
    /// The neutral factor.
    pub const ONE: Self = Self::Small(1);

    /// The product of `low..=high`; one if there is none.
    pub(super) fn product(low: usize, high: usize) -> Self {
        // Factors of like length are multiplied faster than a long one by one short one after the other.
        if high.saturating_sub(low) < SHORT {
            return (low..=high).map(Self::from).product();
        }
        let middle = low.midpoint(high);
        Self::product(low, middle) * &Self::product(middle + 1, high)
    }

    fn big(&self) -> BigUint {
        match self {
            Self::Small(n) => BigUint::from(*n),
            Self::Large(n) => n.clone(),
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Small(n) => n.fmt(f),
            Self::Large(n) => n.fmt(f),
        }
    }
}

impl Default for Count {
    fn default() -> Self {
        Self::Small(0)
    }
}

impl From<u64> for Count {
    fn from(n: u64) -> Self {
        Self::Small(n.into())
    }
}

impl From<usize> for Count {
    fn from(n: usize) -> Self {
        Self::Small(n as u128)
    }
}

impl From<BigUint> for Count {
    fn from(n: BigUint) -> Self {
        u128::try_from(&n).map_or(Self::Large(n), Self::Small)
    }
}

impl From<Count> for BigUint {
    fn from(n: Count) -> Self {
        match n {
            Count::Small(n) => n.into(),
            Count::Large(n) => n,
        }
    }
}

impl Mul<&Count> for Count {
    type Output = Count;

    fn mul(self, other: &Count) -> Count {
        match (&self, other) {
            (Count::Small(a), Count::Small(b)) => a.checked_mul(*b).map(Count::Small),
            _ => None,
        }
        .unwrap_or_else(|| (self.big() * other.big()).into())
    }
}

impl Product for Count {
    fn product<I: Iterator<Item = Count>>(factors: I) -> Count {
        factors.fold(Count::ONE, |all, n| all * &n)
    }
}

impl Div<&Count> for Count {
    type Output = Count;

    /// The quotient; of no meaning for a divisor of zero, which no order of a group is.
    fn div(self, other: &Count) -> Count {
        match (&self, other) {
            (_, Count::Small(0)) => Count::default(),
            // Most fit into one word, and words are divided much faster.
            (Count::Small(a), Count::Small(b)) => match (u64::try_from(*a), u64::try_from(*b)) {
                (Ok(a), Ok(b)) => Count::from(a / b),
                _ => Count::Small(a / b),
            },
            _ => (self.big() / other.big()).into(),
        }
    }
}

impl AddAssign<&Count> for Count {
    fn add_assign(&mut self, other: &Count) {
        match (&mut *self, other) {
            (Count::Small(a), Count::Small(b)) if a.checked_add(*b).is_some() => *a += b,
            (Count::Large(a), Count::Small(b)) => *a += *b,
            _ => *self = (self.big() + other.big()).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Across the border of 128 bits results are those of big integers.
    #[test]
    fn agrees_with_big_integers() {
        let numbers: Vec<BigUint> = [0u32, 1, 7, 63, 64, 65, 127, 128, 200]
            .iter()
            .flat_map(|&e| [BigUint::from(1u32) << e, (BigUint::from(1u32) << e) - 1u32])
            .collect();
        let big = |n: Count| BigUint::from(n);
        for a in &numbers {
            for b in &numbers {
                let (x, y) = (Count::from(a.clone()), Count::from(b.clone()));
                assert_eq!(big(x.clone() * &y), a * b);
                assert_eq!(x.cmp(&y), a.cmp(b));
                let mut sum = x.clone();
                sum += &y;
                assert_eq!(big(sum), a + b);
                if *b != BigUint::ZERO {
                    assert_eq!(big(x / &y), a / b);
                }
            }
        }
        assert_eq!(big(Count::product(2, 40)), (2..=40u32).map(BigUint::from).product::<BigUint>());
    }
}
