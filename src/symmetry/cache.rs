//! Things computed once per constants valuation.
//!
//! In: the number of a valuation and how to compute what is wanted of it. Out: that, shared. Thread-safe;
//! two threads may compute the same thing at the same time, and one result is thrown away. Of a great many
//! valuations only the first are kept.

use std::sync::{Arc, PoisonError, RwLock};

/// Valuations from this number on are computed each time.
const MOST: usize = 1 << 16;

/// One `T` per valuation.
#[derive(Debug)]
pub(super) struct Cache<T>(RwLock<Vec<Option<Arc<T>>>>);

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<T> Cache<T> {
    /// The one of a valuation.
    pub(super) fn get(&self, valuation: u32, compute: impl FnOnce() -> T) -> Arc<T> {
        let n = valuation as usize;
        {
            let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(Some(t)) = known.get(n) {
                return t.clone();
            }
        }
        let new = Arc::new(compute());
        if n >= MOST {
            return new;
        }
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() <= n {
            known.resize(n + 1, None);
        }
        match known.get_mut(n) {
            Some(slot) => slot.get_or_insert(new).clone(),
            None => new,
        }
    }
}
