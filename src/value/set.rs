//! Sets in extension: sorted, without duplicates, shared.

use super::Value;
use std::sync::{Arc, LazyLock};

/// A finite set as a sorted, shared vector of distinct values.
#[derive(Clone, Debug)]
pub struct SetRef(Arc<Data>);

#[derive(Debug)]
struct Data {
    items: Vec<Value>,
    /// Whether no member contains a set that is not enumerated; kept so that asking costs nothing.
    extension: bool,
}

static EMPTY: LazyLock<SetRef> = LazyLock::new(|| SetRef::new(Vec::new()));

impl SetRef {
    fn new(items: Vec<Value>) -> Self {
        let extension = items.iter().all(Value::is_extension);
        Self(Arc::new(Data { items, extension }))
    }
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
        Self::new(items)
    }
    /// A set from values that are sorted and distinct already (checked in debug builds).
    #[must_use]
    pub fn from_sorted(items: Vec<Value>) -> Self {
        debug_assert!(items.is_sorted_by(|a, b| a < b));
        Self::new(items)
    }
    /// The set with one more member; in place if nobody else holds the set.
    #[must_use]
    pub fn with(mut self, v: Value) -> Self {
        let extension = self.0.extension && v.is_extension();
        let Err(at) = self.0.items.binary_search(&v) else { return self };
        if let Some(data) = Arc::get_mut(&mut self.0) {
            data.items.insert(at, v);
            data.extension = extension;
            return self;
        }
        let mut items = Vec::with_capacity(self.len() + 1 + self.len() / 2);
        items.extend_from_slice(&self.items()[..at]);
        items.push(v);
        items.extend_from_slice(&self.items()[at..]);
        Self(Arc::new(Data { items, extension }))
    }
    /// The members in order.
    #[must_use]
    pub fn items(&self) -> &[Value] {
        &self.0.items
    }
    /// The number of members.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.items.len()
    }
    /// Whether there are no members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.items.is_empty()
    }
    /// Whether no member contains a set that is not enumerated.
    #[must_use]
    pub fn is_extension(&self) -> bool {
        self.0.extension
    }
    /// Whether two sets are one and the same in memory.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
    /// Whether a value is a member, for sets and values in extension.
    #[must_use]
    pub fn contains(&self, v: &Value) -> bool {
        self.items().binary_search(v).is_ok()
    }
    /// For a relation: the members whose left side is `x`, as a slice of pairs.
    #[must_use]
    pub fn row(&self, x: &Value) -> &[Value] {
        let left = |v: &Value| match v {
            Value::Pair(p) => p.0.cmp(x),
            other => other.cmp(x),
        };
        let items = self.items();
        let lo = items.partition_point(|v| left(v).is_lt());
        let rest = items.get(lo..).unwrap_or_default();
        // Most rows are short: a function's has one member.
        let n = match rest {
            [_, second, ..] if left(second).is_eq() => rest.partition_point(|v| left(v).is_eq()),
            [first, ..] => usize::from(left(first).is_eq()),
            [] => 0,
        };
        rest.get(..n).unwrap_or_default()
    }
}
