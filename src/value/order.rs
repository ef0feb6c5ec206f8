//! The one total order of values, and equality.
//!
//! Only values of one type are ever compared in earnest; across kinds the order is that of the variants.
//! Pairs compare left first, so that the rows of a relation are contiguous. Sets compare by size, then
//! member by member. Sets not in extension compare by kind and address: they never get into a state, and
//! `ops::compare` decides their equality properly.

use super::Value;
use std::cmp::Ordering;

impl Value {
    fn rank(&self) -> u8 {
        match self {
            Value::Bool(_) => 0,
            Value::Int(_) | Value::Big(_) => 1,
            Value::Real(_) => 2,
            Value::Str(_) => 3,
            Value::Elem(..) => 4,
            Value::Pair(_) => 5,
            Value::Rec(_) => 6,
            Value::Free(..) => 7,
            Value::Set(_) => 8,
            Value::Lazy(_) => 9,
        }
    }
}

impl Value {
    fn compare(&self, other: &Self) -> Ordering {
        use num_bigint::Sign::Minus;
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Elem(s, a), Value::Elem(t, b)) => s.cmp(t).then(a.cmp(b)),
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Pair(a), Value::Pair(b)) => {
                if std::sync::Arc::ptr_eq(a, b) {
                    Ordering::Equal
                } else {
                    a.0.cmp(&b.0).then_with(|| a.1.cmp(&b.1))
                }
            }
            (Value::Set(a), Value::Set(b)) => {
                let (a, b) = (a.items(), b.items());
                if std::ptr::eq(a, b) {
                    Ordering::Equal
                } else {
                    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
                }
            }
            (Value::Big(a), Value::Big(b)) => a.cmp(b),
            (Value::Int(_), Value::Big(b)) => {
                if b.sign() == Minus {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (Value::Big(a), Value::Int(_)) => {
                if a.sign() == Minus {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
            (Value::Real(a), Value::Real(b)) => a.total_cmp(b),
            (Value::Str(a), Value::Str(b)) => a.cmp(b),
            (Value::Rec(a), Value::Rec(b)) => a.cmp(b),
            (Value::Free(t, c, a), Value::Free(u, d, b)) => (t, c, a).cmp(&(u, d, b)),
            (Value::Lazy(a), Value::Lazy(b)) => {
                std::sync::Arc::as_ptr(a).cast::<u8>().cmp(&std::sync::Arc::as_ptr(b).cast::<u8>())
            }
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl Ord for Value {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        // Most members of large sets are integers, and most of small ones elements: no call for each.
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Elem(s, a), Value::Elem(t, b)) => s.cmp(t).then(a.cmp(b)),
            _ => self.compare(other),
        }
    }
}

impl PartialOrd for Value {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}
