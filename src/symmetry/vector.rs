//! A state as one vector of values: the constants and the variables, each with the hash of its place.
//!
//! In: a packed state or the number of a valuation. Out: values. Both are permuted together: two states are
//! the same only if one permutation takes the constants and the variables of one to those of the other.

use super::{Context, mix};
use crate::value::Value;
use crate::value::key::fingerprint;
use crate::value::permute::Permutation;
use std::sync::Arc;

/// Tag of hashes of states.
pub(super) const STATE: u128 = 1;
/// Tag of hashes of constants valuations as nodes of their own.
pub(super) const VALUATION: u128 = 2;

/// The places of a machine's constants and variables.
#[derive(Clone)]
pub(super) struct Places {
    /// By `ConstId`.
    pub(super) constants: Vec<u128>,
    /// By `VarId`.
    pub(super) variables: Vec<u128>,
}

impl Places {
    pub(super) fn new(context: &Context) -> Self {
        let hash = |kind: &str, n: usize| fingerprint(format!("{kind}{n}").as_bytes());
        Self {
            // One more place, for elements that are not to be permuted.
            constants: (0..=context.machine.constants.len()).map(|i| hash("constant ", i)).collect(),
            variables: (0..context.layout.fields.len()).map(|i| hash("variable ", i)).collect(),
        }
    }
}

/// The values of a node of the graph.
#[derive(Clone, PartialEq)]
pub(super) struct Vector {
    /// By `ConstId`; `None` without value.
    pub(super) constants: Arc<Vec<Option<Value>>>,
    /// By `VarId`; `None` in a constants valuation.
    pub(super) variables: Option<Vec<Value>>,
}

impl Vector {
    /// The values of a state.
    pub(super) fn of_state(context: &Context, state: &[u64]) -> Self {
        let n = context.layout.fields.len();
        // A word that `StateLayout::set` did not write has no value; it stands for itself then.
        let stray = |i: usize| Value::int(num_bigint::BigInt::from(i));
        let variables =
            (0..n).map(|i| context.layout.get(state, i, &context.pool).unwrap_or_else(|| stray(i))).collect();
        let number = state.first().and_then(|&w| u32::try_from(w).ok()).unwrap_or(0);
        Self { constants: context.constants(number), variables: Some(variables) }
    }

    /// The values of a constants valuation.
    pub(super) fn of_valuation(context: &Context, valuation: u32) -> Self {
        Self { constants: context.constants(valuation), variables: None }
    }

    /// The image under a permutation.
    pub(super) fn permuted(&self, p: &Permutation) -> Self {
        Self {
            constants: Arc::new(self.constants.iter().map(|c| c.as_ref().map(|v| p.apply(v))).collect()),
            variables: self.variables.as_ref().map(|vs| vs.iter().map(|v| p.apply(v)).collect()),
        }
    }

    /// All values with their places.
    pub(super) fn values<'a>(&'a self, places: &'a Places) -> impl Iterator<Item = (u128, &'a Value)> {
        let constants = places.constants.iter().zip(self.constants.iter());
        let variables = places.variables.iter().zip(self.variables.iter().flatten());
        constants.filter_map(|(&p, v)| Some((p, v.as_ref()?))).chain(variables.map(|(&p, v)| (p, v)))
    }

    /// Tells states from valuations.
    pub(super) fn tag(&self) -> u128 {
        if self.variables.is_some() { STATE } else { VALUATION }
    }

    /// The fingerprint of the vector as it is.
    pub(super) fn fingerprint(&self, places: &Places) -> u128 {
        let mut bytes = Vec::with_capacity(256);
        bytes.extend(self.tag().to_le_bytes());
        for (place, v) in self.values(places) {
            bytes.extend(place.to_le_bytes());
            v.encode(&mut bytes);
        }
        fingerprint(&bytes)
    }
}

/// A hash of a value that no permutation changes, or that is to be taken as it is.
pub(super) fn plain(v: &Value) -> u128 {
    match v {
        Value::Bool(b) => mix::words(10, &[u64::from(*b)]),
        Value::Int(n) => mix::words(11, &[n.cast_unsigned()]),
        Value::Elem(s, i) => mix::words(12, &[u64::from(s.0), u64::from(*i)]),
        Value::Set(s) if s.items().is_empty() => EMPTY,
        _ => v.fingerprint(),
    }
}

/// Hash of the empty set.
pub(super) const EMPTY: u128 = 13;
