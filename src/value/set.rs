//! Sets in extension: sorted, without duplicates, shared.

use super::Value;
use std::sync::{Arc, LazyLock};

/// A finite set as a sorted, shared vector of distinct values.
#[derive(Clone, Debug)]
pub struct SetRef(Arc<Vec<Value>>);

static EMPTY: LazyLock<SetRef> = LazyLock::new(|| SetRef(Arc::new(Vec::new())));

impl SetRef {
    /// The empty set.
    #[must_use]
    pub fn empty() -> Self {
        EMPTY.clone()
    }
    /// A set from values in any order, with or without duplicates.
    #[must_use]
    pub fn from_vec(mut items: Vec<Value>) -> Self {
        if !items.is_sorted_by(|a, b| a < b) {
            items.sort_unstable();
            items.dedup();
        }
        Self(Arc::new(items))
    }
    /// A set from values that are sorted and distinct already (checked in debug builds).
    #[must_use]
    pub fn from_sorted(items: Vec<Value>) -> Self {
        debug_assert!(items.is_sorted_by(|a, b| a < b));
        Self(Arc::new(items))
    }
    /// The members in order.
    #[must_use]
    pub fn items(&self) -> &[Value] {
        &self.0
    }
    /// Whether a value is a member.
    #[must_use]
    pub fn contains(&self, v: &Value) -> bool {
        self.0.binary_search(v).is_ok()
    }
    /// For a relation: the members whose left side is `x`, as a slice of pairs.
    #[must_use]
    pub fn row(&self, x: &Value) -> &[Value] {
        let left = |v: &Value| match v {
            Value::Pair(p) => p.0.cmp(x),
            other => other.cmp(x),
        };
        let lo = self.0.partition_point(|v| left(v).is_lt());
        let hi = lo + self.0[lo..].partition_point(|v| left(v).is_eq());
        &self.0[lo..hi]
    }
}
