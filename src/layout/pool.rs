//! The pool of shared values: values without a dense layout, each stored once and known by number.
//!
//! Equal values get equal numbers. Numbers depend on the order of first use, so nothing that is reported
//! may depend on them. Thread-safe; only grows.

use crate::value::Value;
use std::collections::HashMap;
use std::sync::RwLock;

/// The values of one run that do not fit into words.
#[derive(Debug, Default)]
pub struct Pool {
    inner: RwLock<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    values: Vec<Value>,
    numbers: HashMap<u128, u32>,
    /// The numbers of large sets that are stored, by their place: they come again as they are, for example as a set
    /// that an expression always stands for, and their fingerprints take long.
    places: HashMap<usize, u32>,
}

/// Sets of more members are large.
const LARGE: usize = 1 << 10;

/// The place of a large set.
fn place(v: &Value) -> Option<usize> {
    match v {
        Value::Set(s) if s.len() > LARGE => Some(s.place()),
        _ => None,
    }
}

impl Pool {
    /// A pool that has these values, by their numbers.
    #[must_use]
    pub fn of(values: &[Value]) -> Self {
        let pool = Self::default();
        for v in values {
            pool.intern(v);
        }
        pool
    }

    /// Calls `f` with all values, by their numbers, while it says true; whether it always has.
    pub fn all(&self, f: &mut dyn FnMut(&Value) -> bool) -> bool {
        let inner = self.inner.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        inner.values.iter().all(f)
    }

    /// The number of a value; stores it if it is new. Found by the value's 128-bit fingerprint.
    pub fn intern(&self, v: &Value) -> u64 {
        let place = place(v);
        if let Some(place) = place
            && let Ok(inner) = self.inner.read()
            && let Some(&n) = inner.places.get(&place)
        {
            return u64::from(n);
        }
        let key = v.fingerprint();
        if let Ok(inner) = self.inner.read()
            && let Some(&n) = inner.numbers.get(&key)
        {
            return u64::from(n);
        }
        let mut inner = self.inner.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        let next = u32::try_from(inner.values.len()).unwrap_or(u32::MAX);
        let n = *inner.numbers.entry(key).or_insert(next);
        if n == next {
            inner.values.push(v.clone());
            // The pool holds it from now on.
            if let Some(place) = place {
                inner.places.insert(place, n);
            }
        }
        u64::from(n)
    }

    /// The value with a number that [`Pool::intern`] gave.
    #[must_use]
    pub fn get(&self, number: u64) -> Option<Value> {
        let inner = self.inner.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        inner.values.get(usize::try_from(number).ok()?).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::SetRef;

    #[test]
    fn equal_sets_get_one_number_wherever_they_are() {
        let set = |n: i64| Value::Set(SetRef::from_sorted((0..n).map(Value::Int).collect()));
        let pool = Pool::default();
        let large = 2 + i64::try_from(LARGE).unwrap_or(0);
        let first = set(large);
        let numbers =
            [&first, &set(large), &first, &set(large - 1), &set(3), &set(3)].map(|v| pool.intern(v));
        assert_eq!(numbers, [0, 0, 0, 1, 2, 2]);
    }
}
