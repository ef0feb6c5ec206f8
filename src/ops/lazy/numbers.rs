//! Intervals of integers, bounded or not: INTEGER, NATURAL, NATURAL1, large `a..b`.

use super::Consumer;
use crate::ops::arith::number::integer;
use crate::ops::extension::infinite;
use crate::ops::{Cx, Fault};
use crate::value::symbolic::Size;
use crate::value::{Lazy, SetRef, Value};
use num_bigint::{BigInt, Sign};
use std::any::Any;
use std::cmp::Ordering;

/// The integers from `lo` to `hi`; a missing bound is infinite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// Least member.
    pub lo: Option<BigInt>,
    /// Greatest member.
    pub hi: Option<BigInt>,
}

/// The interval that a set is, if it is one (sets in extension: if it is without gaps).
#[must_use]
pub fn of(set: &Value) -> Option<Numbers> {
    match set {
        Value::Lazy(l) => l.as_any().downcast_ref::<Numbers>().cloned(),
        Value::Set(s) => match (s.items().first()?, s.items().last()?) {
            (Value::Int(lo), Value::Int(hi)) => {
                let span = hi.checked_sub(*lo).and_then(|n| usize::try_from(n).ok());
                let dense = span.and_then(|n| n.checked_add(1)) == Some(s.len());
                dense.then(|| Numbers { lo: Some(BigInt::from(*lo)), hi: Some(BigInt::from(*hi)) })
            }
            _ => None,
        },
        _ => None,
    }
}

impl From<Option<i64>> for Numbers {
    /// The integers from a lower bound on, all without one.
    fn from(lo: Option<i64>) -> Self {
        Self { lo: lo.map(BigInt::from), hi: None }
    }
}

impl Numbers {
    /// Whether it has no member.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!((&self.lo, &self.hi), (Some(l), Some(h)) if l > h)
    }

    /// Whether a machine integer is a member. Compares without making big integers where bounds are small.
    fn spans(&self, n: i64) -> bool {
        let order = |bound: &BigInt| match i64::try_from(bound) {
            Ok(b) => b.cmp(&n),
            Err(_) if bound.sign() == Sign::Minus => Ordering::Less,
            Err(_) => Ordering::Greater,
        };
        self.lo.as_ref().is_none_or(|l| order(l).is_le()) && self.hi.as_ref().is_none_or(|h| order(h).is_ge())
    }

    /// Whether a value is a member.
    pub(super) fn has(&self, v: &Value) -> bool {
        match v {
            Value::Int(n) => self.spans(*n),
            Value::Big(n) => {
                self.lo.as_ref().is_none_or(|l| *l <= **n) && self.hi.as_ref().is_none_or(|h| **n <= *h)
            }
            _ => false,
        }
    }

    /// The members that the other has, too.
    #[must_use]
    pub fn meet(&self, other: &Numbers) -> Numbers {
        let lo = [&self.lo, &other.lo].into_iter().flatten().max().cloned();
        let hi = [&self.hi, &other.hi].into_iter().flatten().min().cloned();
        Numbers { lo, hi }
    }

    /// Both together, if that is an interval.
    #[must_use]
    pub fn join(&self, other: &Numbers) -> Option<Numbers> {
        let reaches = |a: &Numbers, b: &Numbers| match (&a.hi, &b.lo) {
            (Some(h), Some(l)) => *l <= h + 1,
            _ => true,
        };
        let least = |a: &Option<BigInt>, b: &Option<BigInt>| Some(a.as_ref()?.min(b.as_ref()?).clone());
        let greatest = |a: &Option<BigInt>, b: &Option<BigInt>| Some(a.as_ref()?.max(b.as_ref()?).clone());
        (reaches(self, other) && reaches(other, self))
            .then(|| Numbers { lo: least(&self.lo, &other.lo), hi: greatest(&self.hi, &other.hi) })
    }

    /// The members that the other does not have, if they are an interval.
    #[must_use]
    pub fn minus(&self, other: &Numbers) -> Option<Numbers> {
        let met = self.meet(other);
        if met.is_empty() {
            return Some(self.clone());
        }
        // What is cut off must reach one end.
        if met.lo == self.lo {
            return Some(match met.hi {
                Some(h) if self.hi.as_ref() != Some(&h) => Numbers { lo: Some(h + 1), hi: self.hi.clone() },
                _ => Numbers { lo: Some(1.into()), hi: Some(0.into()) },
            });
        }
        if met.hi == self.hi {
            return Some(Numbers { lo: self.lo.clone(), hi: met.lo.map(|l| l - 1) });
        }
        None
    }

    /// `lo..hi`, for messages.
    pub(super) fn describe_bounds(&self) -> String {
        let show =
            |b: &Option<BigInt>, none: &str| b.as_ref().map_or_else(|| none.into(), ToString::to_string);
        format!("{}..{}", show(&self.lo, "-infinity"), show(&self.hi, "infinity"))
    }

    /// Whether every member is one of the other's.
    #[must_use]
    pub fn is_within(&self, other: &Numbers) -> bool {
        let low = match (&self.lo, &other.lo) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(a), Some(b)) => a >= b,
        };
        let high = match (&self.hi, &other.hi) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(a), Some(b)) => a <= b,
        };
        self.is_empty() || low && high
    }
}

impl Lazy for Numbers {
    fn contains(&self, v: &Value, _cx: &Cx<'_>) -> Result<bool, Fault> {
        match v {
            Value::Int(_) | Value::Big(_) => Ok(self.has(v)),
            _ => integer(v).map(|_| false),
        }
    }

    fn each(&self, _cx: &Cx<'_>, f: Consumer<'_>) -> Result<(), Fault> {
        let (Some(lo), Some(hi)) = (&self.lo, &self.hi) else { return Err(infinite(self)) };
        if let (Ok(lo), Ok(hi)) = (i64::try_from(lo), i64::try_from(hi)) {
            for n in lo..=hi {
                if f(Value::Int(n)).is_break() {
                    break;
                }
            }
            return Ok(());
        }
        let mut n = lo.clone();
        while n <= *hi && f(Value::int(n.clone())).is_continue() {
            n += 1;
        }
        Ok(())
    }

    fn listed(&self, _cx: &Cx<'_>) -> Option<Result<SetRef, Fault>> {
        let (lo, hi) = (self.lo.as_ref()?, self.hi.as_ref()?);
        let (lo, hi) = (i64::try_from(lo).ok()?, i64::try_from(hi).ok()?);
        Some(Ok(SetRef::interval(lo, hi)))
    }

    fn size(&self, _cx: &Cx<'_>) -> Size {
        match (&self.lo, &self.hi) {
            (Some(l), Some(h)) if l > h => Size::Exact(BigInt::from(0)),
            (Some(l), Some(h)) => Size::Exact(h - l + 1),
            _ => Size::Infinite,
        }
    }

    fn describe(&self) -> String {
        match (&self.lo, &self.hi) {
            (None, None) => "INTEGER".into(),
            (Some(l), None) if *l == BigInt::from(0) => "NATURAL".into(),
            (Some(l), None) if *l == BigInt::from(1) => "NATURAL1".into(),
            _ => self.describe_bounds(),
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
