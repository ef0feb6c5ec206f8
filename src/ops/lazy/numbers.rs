//! Intervals of integers, bounded or not: INTEGER, NATURAL, NATURAL1, large `a..b`; `succ` and `pred`.

use crate::diagnostic::Code;
use crate::ops::{Cx, Fault};
use crate::value::symbolic::Size;
use crate::value::{Lazy, Value};
use num_bigint::BigInt;
use std::any::Any;
use std::ops::ControlFlow;

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
                let dense =
                    hi.checked_sub(*lo).and_then(|n| usize::try_from(n).ok()) == Some(s.items().len() - 1);
                dense.then(|| Numbers { lo: Some(BigInt::from(*lo)), hi: Some(BigInt::from(*hi)) })
            }
            _ => None,
        },
        _ => None,
    }
}

impl Numbers {
    /// Whether it has no member.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!((&self.lo, &self.hi), (Some(l), Some(h)) if l > h)
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
        let n = super::super::arith::big(v)?;
        Ok(self.lo.as_ref().is_none_or(|l| *l <= n) && self.hi.as_ref().is_none_or(|h| n <= *h))
    }

    fn each(&self, _cx: &Cx<'_>, f: &mut dyn FnMut(Value) -> ControlFlow<()>) -> Result<(), Fault> {
        let (Some(lo), Some(hi)) = (&self.lo, &self.hi) else {
            return Err(Fault::new(
                Code::Infinite,
                format!("`{}` is infinite and cannot be listed", self.describe()),
            ));
        };
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
            (l, h) => {
                let show = |b: &Option<BigInt>| b.as_ref().map_or_else(|| "?".into(), ToString::to_string);
                format!("{}..{}", show(l), show(h))
            }
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// `succ` or `pred`.
#[derive(Clone, Debug)]
pub(in crate::ops) struct Step {
    /// 1 or -1.
    pub(in crate::ops) by: i64,
}

impl Lazy for Step {
    fn contains(&self, v: &Value, _cx: &Cx<'_>) -> Result<bool, Fault> {
        let (a, b) = super::super::relations::sides(v)?;
        Ok(super::super::arith::big(a)? + self.by == super::super::arith::big(b)?)
    }
    fn each(&self, _cx: &Cx<'_>, _f: &mut dyn FnMut(Value) -> ControlFlow<()>) -> Result<(), Fault> {
        Err(Fault::new(Code::Infinite, format!("`{}` is infinite and cannot be listed", self.describe())))
    }
    fn size(&self, _cx: &Cx<'_>) -> Size {
        Size::Infinite
    }
    fn image(&self, x: &Value, _cx: &Cx<'_>) -> Option<Result<Vec<Value>, Fault>> {
        Some(super::super::arith::big(x).map(|n| vec![Value::int(n + self.by)]))
    }
    fn domain(&self, _cx: &Cx<'_>) -> Option<Result<Value, Fault>> {
        Some(Ok(Value::Lazy(std::sync::Arc::new(Numbers { lo: None, hi: None }))))
    }
    fn describe(&self) -> String {
        if self.by == 1 { "succ".into() } else { "pred".into() }
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
