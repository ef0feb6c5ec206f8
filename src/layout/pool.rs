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
}

impl Pool {
    /// The number of a value; stores it if it is new. Found by the value's 128-bit fingerprint.
    pub fn intern(&self, v: &Value) -> u64 {
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
